# SPDX-License-Identifier: Apache-2.0
"""Training, behind the extra `train`: your data and a byte budget in, one model file out."""

import importlib.util

from budgie.errors import MissingExtra

for _package in ("torch", "numpy", "rich"):
    if importlib.util.find_spec(_package) is None:
        raise MissingExtra(f"training needs {_package}: pip install 'budgie-nlp[train]'")
