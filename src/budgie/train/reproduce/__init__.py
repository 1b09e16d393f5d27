# SPDX-License-Identifier: Apache-2.0
"""The tables of the paper, made again with our code, beside what the paper printed."""

import budgie.train  # noqa: F401  (says what to install)
