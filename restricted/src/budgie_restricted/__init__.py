# SPDX-License-Identifier: Apache-2.0
"""Models of Budgie that are not free for any use; `budgie.load` finds them by the entry point `budgie.models`."""

from __future__ import annotations

import os.path

MODELS = os.path.join(os.path.dirname(__file__), "models")
