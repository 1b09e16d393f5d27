# SPDX-License-Identifier: Apache-2.0
"""Training, behind the extra `train`: your data and a recipe in, one model file out."""

import importlib.util

from budgie.errors import MissingExtra

for _package in ("torch", "numpy", "rich"):
    if importlib.util.find_spec(_package) is None:
        raise MissingExtra(f"this needs {_package}: pip install 'budgie-nlp[train]', or '.[train]' in a checkout")
