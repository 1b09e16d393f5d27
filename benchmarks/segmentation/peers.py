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
    "attacut": (
        "attacut==1.0.6",
        "torch==2.13.0",
        "ssg==0.0.8",
        "python-crfsuite==0.9.12",
        "docopt==0.6.2",
        "filelock==4.2.10",
        "fire==0.7.1",
        "fsspec==2026.9.0",
        "Jinja2==3.1.6",
        "MarkupSafe==3.0.4",
        "mpmath==1.3.0",
        "networkx==3.6.1",
        "nptyping==1.4.4",
        "numpy==2.4.6",
        "PyYAML==6.0.3",
        "six==1.17.0",
        "sympy==1.14.0",
        "termcolor==3.3.0",
        "tqdm==4.70.1",
        "typing_extensions==4.16.0",
        "typish==1.9.3",
    ),
    # It asks for tensorflow, of which tensorflow-cpu is the half that it uses here.
    "deepcut": (
        "deepcut==0.7.0.0",
        "tensorflow-cpu==2.21.0",
        "keras==3.15.1",
        "pandas==3.1.1",
        "scikit-learn==1.9.1",
        "scipy==1.17.1",
        "numpy==2.4.6",
        "absl-py==2.5.1",
        "astunparse==1.6.3",
        "certifi==2026.10.18",
        "charset-normalizer==3.5.2",
        "cloudpickle==3.1.2",
        "flatbuffers==25.12.19",
        "gast==0.7.0",
        "google-pasta==0.2.0",
        "grpcio==1.85.1",
        "h5py==3.14.0",
        "idna==3.20",
        "joblib==1.6.0",
        "libclang==18.1.1",
        "markdown-it-py==4.3.0",
        "mdurl==0.1.2",
        "ml_dtypes==0.6.0",
        "namex==0.1.0",
        "narwhals==2.28.0",
        "opt_einsum==3.4.0",
        "optree==0.20.0",
        "packaging==26.3",
        "protobuf==7.36.2",
        "Pygments==2.21.0",
        "python-dateutil==4.0.0",
        "requests==2.34.2",
        "rich==15.0.0",
        "six==1.17.0",
        "termcolor==3.3.0",
        "threadpoolctl==3.8.0",
        "typing_extensions==4.16.0",
        "urllib3==2.8.0",
        "wheel==0.48.0",
        "wrapt==2.5.2",
    ),
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

# The files that a peer reads to find words, below its packages: a network, a dictionary, or both. tinysegmenter has its
# weights as code and ICU is the system's, so they have none; nobody has named those of Chinese, Khmer and Burmese yet.
MODELS: dict[str, tuple[str, ...]] = {
    "budoux": ("budoux/models/{language}.json",),
    "fugashi": ("unidic_lite/dicdir/*",),
    "sudachi": ("sudachidict_core/resources/*",),
    "nagisa": ("nagisa/data/*",),
    "janome": ("janome/sysdic/*",),
    "pythainlp": ("pythainlp/corpus/words_th.txt",),
    "attacut": ("attacut/artifacts/attacut-sc/*", "ssg/artifacts/*"),
    "deepcut": ("deepcut/weight/*",),
    "underthesea": ("underthesea/pipeline/word_tokenize/models/*/*.bin",),
    "pyvi": ("pyvi/models/pyvi3.pkl", "pyvi/models/words.txt"),
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


def model_bytes(name: str, language: str) -> int | None:
    """The size of what a peer reads to find words of a language, where it has files of its own for that."""
    packages = next((PEERS / name).glob("lib/python*/site-packages"))
    patterns = (pattern.format(language=language) for pattern in MODELS.get(name, ()))
    sizes = [file.stat().st_size for pattern in patterns for file in packages.glob(pattern) if file.is_file()]
    return sum(sizes) if sizes else None
