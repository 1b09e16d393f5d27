# SPDX-License-Identifier: Apache-2.0
"""The peers and their pinned versions, with all that they need: pip resolves nothing."""

from __future__ import annotations

from pathlib import Path

from benchmarks import environments
from benchmarks.places import PEERS

# Two peers are models of sklearn-crfsuite, which takes all this with it.
CRF = (
    "sklearn-crfsuite==0.5.0",
    "python-crfsuite==0.9.12",
    "scikit-learn==1.9.1",
    "scipy==1.17.1",
    "numpy==2.4.6",
    "joblib==1.6.0",
    "narwhals==2.28.0",
    "tabulate==0.10.0",
    "threadpoolctl==3.8.0",
    "tqdm==4.70.1",
    "cloudpickle==3.1.2",
)

REQUIREMENTS: dict[str, tuple[str, ...]] = {
    "jieba": ("jieba==0.42.1",),
    "rjieba": ("rjieba==0.2.2",),
    "pyicu": ("PyICU==2.17",),
    "pkuseg": ("spacy-pkuseg==1.0.2", "numpy==2.4.6", "srsly==2.5.5", "catalogue==2.0.10"),
    "thulac": ("thulac==0.2.2",),
    "snownlp": ("snownlp==0.12.3",),
    "budoux": ("budoux==0.10.1",),
    "pycantonese": ("pycantonese==5.0.0", "rustling==0.9.0"),
    "fugashi": ("fugashi==1.5.2", "unidic-lite==1.0.8"),
    "sudachi": ("SudachiPy==0.7.0", "sudachidict-core==20261015"),
    "nagisa": ("nagisa==0.3.0", "dyNET38==2.2", "numpy==2.4.6", "six==1.17.0"),
    "janome": ("Janome==0.5.0",),
    "tinysegmenter": ("tinysegmenter==0.4",),
    "pythainlp": ("pythainlp==5.4.0",),
    "underthesea": ("underthesea==9.5.0", "underthesea_core==3.3.2", "joblib==1.6.0", "cloudpickle==3.1.2"),
    "pyvi": ("pyvi==0.1.1", *CRF),
    "khmernltk": ("khmer-nltk==1.6", *CRF),
    "khmercut": ("khmercut==0.2.0", "python-crfsuite==0.9.12"),
    "pyidaungsu": (
        "pyidaungsu==0.1.4",
        "emoji==2.16.0",
        "python-crfsuite==0.9.12",
        "fasttext-predict==0.9.2.4",
        "numpy==2.4.6",
    ),
}

# What pkuseg's fork lacks, a model, is in the original's wheel, which is for an older Python: only its data is used.
CARRIER = "pkuseg==0.0.25"
ANY_PYTHON = ("--only-binary=:all:", "--platform=manylinux1_x86_64", "--python-version=3.7")


def prepare(name: str) -> Path:
    """The Python of a peer's environment, made first if need be."""
    python = environments.prepare(name, REQUIREMENTS[name])
    if name == "pkuseg":
        packages = next((PEERS / name).glob("lib/python*/site-packages"))
        if not (packages / "pkuseg").exists():
            pip = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(packages)]
            environments.call([*pip, *ANY_PYTHON, CARRIER], name)
    return python


def installed(name: str) -> tuple[str, ...]:
    """All packages of a peer's environment, with their versions."""
    return (*REQUIREMENTS[name], CARRIER) if name == "pkuseg" else REQUIREMENTS[name]
