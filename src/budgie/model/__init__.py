# SPDX-License-Identifier: Apache-2.0
"""The model: what a network looks like, its file, its size."""

from budgie.model.file import Model

__all__ = ["Model"]
