# SPDX-License-Identifier: Apache-2.0
"""Models made in memory, the official data where they are at hand, and the command in this process or its own."""

from __future__ import annotations

import contextlib
import gc
import io
import random
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from reference import langid as reference

from budgie import DataError, LanguageIdentifier, Model, _core
from budgie.cli import main
from budgie.distributions import RESTRICTED
from budgie.errors import MissingModel, MissingModelWarning
from budgie.formats.sentences import TokenisedSentence, pairs
from budgie.model.config import ACTIONS, MOVES, Config, Group, Lexicon, TextConfig
from budgie.model.features import make_unit_features
from budgie.model.tensors import Tensor, expected_tensors
from budgie.train.data.datasets import find

# A shell that runs this in the background ignores Ctrl-C, and so would every command that the tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# ---- models that are not embedded ------------------------------------------------------------------------------


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, object, object]:
    """Skips a test that asks for a model that is not installed (`make` installs all of them)."""
    with _skipping():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup() -> Generator[None, object, object]:
    """The same for what tests are given."""
    with _skipping():
        return (yield)


@contextlib.contextmanager
def _skipping() -> Iterator[None]:
    try:
        yield
    except (MissingModel, MissingModelWarning) as error:
        pytest.skip(str(error))


def skip_if_missing(error: str) -> None:
    """The same for what a process of its own, or the command, says."""
    if f"pip install {RESTRICTED}" in error:
        pytest.skip(error)


# ---- Arrow structs made by hand --------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _nothing_stays(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every test of columns gives back all structs that it has made (tests/columns/arrow_structs.py)."""
    if request.path.parent.name != "columns":
        yield
        return
    from arrow_structs import alive  # beside those tests

    before = alive()
    yield
    gc.collect()  # tracebacks hold what tests held
    assert alive() == before


# ---- Ray --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def own_token() -> Iterator[None]:
    """Ray clusters of tests have a token of their own, and write none into the home of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex())
        yield


@pytest.fixture(scope="module")
def ray_here(own_token: None) -> Iterator[Any]:
    """Ray with three workers, which this process has joined."""
    from budgie.ray_cluster import connect

    with connect(None, 3):
        import ray

        yield ray


# ---- models made in memory -------------------------------------------------------------------------------------

# Several scripts.
SENTENCES = (
    "The quick brown fox jumps over the lazy dog.",
    "Größere Füchse springen über faule Hunde; ẞ und ß.",
    "El zorro marrón salta sobre el perro perezoso, ¿no?",
    "Быстрая коричневая лиса прыгает через ленивую собаку.",
    "Η γρήγορη αλεπού πηδάει πάνω από τον τεμπέλη σκύλο ΟΔΟΣ.",
    "Hızlı kahverengi tilki İstanbul'da tembel köpeğin üzerinden atlar.",
    "敏捷的棕色狐狸跳过懒狗，素早い茶色の狐がのろまな犬を飛び越える。",
    "الثعلب البني السريع يقفز فوق الكلب الكسول، روباه می‌پرد.",
    "तेज़ भूरी लोमड़ी आलसी कुत्ते के ऊपर कूदती है।",
    "빠른 갈색 여우가 게으른 개를 뛰어넘는다.",
)
LABELS = ("ar", "de", "el", "en", "es", "fa", "hi", "ja", "ko", "ru", "tr", "zh")

# Every kind of group: each scale, widths with and without a loop of their own in the core, sums.
GROUPS = (
    Group("1-grams", "ngrams", 97, 5, n=1, scale="row"),
    Group("2-grams", "ngrams", 256, 8, n=2, scale="table", combine="sum"),
    Group("3-grams", "ngrams", 1000, 16, n=3, scale="table", across=False),
    Group("4-grams", "ngrams", 512, 16, n=4, scale="row", across=False),
    Group("8-grams", "ngrams", 300, 4, n=8, bits=32),
    Group("words", "words", 700, 32, scale="table"),
    Group("nibbles", "ngrams", 900, 32, n=3, bits=4, scale="table"),
    Group("8-nibbles", "ngrams", 300, 8, n=2, bits=4, scale="table"),
    Group("16-nibbles", "ngrams", 400, 16, n=4, bits=4, scale="table"),
    Group("odd-nibbles", "words", 90, 6, bits=4, scale="table", combine="sum"),
    Group("pairs", "ngrams", 800, 32, n=2, bits=2, scale="table", across=False),
    Group("odd-pairs", "ngrams", 90, 12, n=3, bits=2, scale="table"),
    Group("word-sums", "words", 64, 3, bits=32, combine="sum"),
)

TAGS = ("ADJ", "DET", "NOUN", "PUNCT", "VERB")
WINDOW = (-3, -2, -1, 0, 1, 2, 3)
# Every kind of group that a tagger can have, here and there, near and far.
TAGGER_GROUPS = (
    Group("1-grams", "ngrams", 97, 5, n=1, positions=WINDOW, combine="sum"),
    Group("2-grams", "ngrams", 256, 8, n=2, positions=WINDOW, ends=False),
    Group("3-grams", "ngrams", 300, 16, n=3, positions=(0,), scale="table"),
    Group("nibbles", "ngrams", 200, 32, n=4, positions=(-1, 2), bits=4, scale="table"),
    Group("8-nibbles", "ngrams", 200, 8, n=2, positions=(-1, 0), bits=4, scale="table"),
    Group("16-nibbles", "ngrams", 200, 16, n=3, positions=(0, 1), bits=4, scale="table"),
    Group("bytes", "bytes", 256, 3, n=3, positions=(-1, 0, 1)),
    Group("words", "words", 500, 6, positions=(5, -5), bits=32),
    Group("shapes", "shapes", 64, 4, positions=(1, 0)),
)

# Every kind of group that a preorderer can have, of every span and every corner, here and there; clusters need a map.
PREORDERER_GROUPS = (
    Group("2-grams", "ngrams", 97, 5, n=2, places=("s0.first", "s1.last", "b0.first"), positions=(-1, 0, 2)),
    Group("nibbles", "ngrams", 200, 32, n=3, places=("s0.second", "s1.before_last"), bits=4, scale="table"),
    Group("words", "words", 90, 6, places=("s1.first", "s0.last", "b0.last"), bits=32),
    Group("bytes", "bytes", 256, 3, n=2, places=("b1.first", "s2.last", "s0.first"), combine="sum"),
    Group("shapes", "shapes", 32, 4, places=("s0.first", "b3.last"), positions=(1, 0), scale="table"),
    Group("tags", "tags", len(TAGS), 3, places=("s1.first", "b0.first", "s0.before_last"), positions=(0, -1)),
    Group("small-tags", "tags", len(TAGS), 4, places=("s3.first", "s0.last"), bits=4, scale="table"),
    Group("swapped", "swapped", 2, 3, places=("s0", "s1", "b0"), bits=32),
    Group("length", "length", 4, 2, places=("s0", "s1", "b1")),
)
PLAIN_GROUPS = tuple(group for group in PREORDERER_GROUPS if group.kind != "tags")


def random_model(
    seed: int = 0,
    groups: Sequence[Group] = GROUPS,
    text: TextConfig = TextConfig(),
    labels: Sequence[str] = LABELS,
    **config: Any,
) -> Model:
    """A sound language identifier that has learnt nothing."""
    return with_random_weights(
        Config("langid", tuple(groups), config.pop("hidden", 24), tuple(labels), text, **config), seed
    )


def random_tagger(seed: int = 0, groups: Sequence[Group] = TAGGER_GROUPS, fold_case: bool = True) -> Model:
    """A sound tagger that has learnt nothing."""
    text = TextConfig(fold_case=fold_case, drop_urls=False)
    return with_random_weights(Config("pos", tuple(groups), 24, TAGS, text), seed)


def random_preorderer(
    seed: int = 0,
    groups: Sequence[Group] = PREORDERER_GROUPS,
    tagger: Model | None = None,
    resources: Mapping[str, bytes] = MappingProxyType({}),
    **config: Any,
) -> Model:
    """A sound preorderer that has learnt nothing, with a tagger inside if it has groups of tags."""
    if any(group.kind == "tags" for group in groups):
        tagger = tagger or random_tagger(seed)
        config["networks"] = {"tagger": tagger.config}
        resources = {**resources, **{f"tagger.{name}": bytes(one.data) for name, one in tagger.tensors.items()}}
    config.setdefault("text", TextConfig(drop_urls=False))
    shape = Config("preorder", tuple(groups), config.pop("hidden", 24), MOVES, **config)
    return with_random_weights(shape, seed, resources)


def stubborn_preorderer(shift: float, append: float, swap: float) -> Model:
    """A preorderer that says the same of every state: what it likes best among what is allowed."""
    model = random_preorderer(0, (Group("words", "words", 2, 3, places=("s0.first",)),))
    layer = model.tensors["output.weight"]
    tensors = {
        "output.weight": Tensor(layer.dtype, layer.shape, bytes(len(layer.data))),
        "output.bias": Tensor("F32", (3,), np.array([shift, append, swap], "<f4").tobytes()),
    }
    return Model(model.config, {**model.tensors, **tensors})


def random_segmenter(
    seed: int,
    groups: Sequence[Group],
    keys: Mapping[str, Iterable[int]] | None = None,
    text: TextConfig = TextConfig(),
    lexicon: tuple[int, bytes] | None = None,
    **config: Any,
) -> Model:
    """A sound segmenter that has learnt nothing.

    `keys` are the n-grams of its vocabularies, `lexicon` the units of the longest word of a lexicon, and its bits.
    """
    stored = {name: encode_keys(numbers) for name, numbers in (keys or {}).items()}
    sized = tuple(
        replace(group, keys=len(stored[group.name]), buckets=count_keys(stored[group.name]) + 1)
        if group.kind == "vocabulary"
        else group
        for group in groups
    )
    resources = {f"{name}.keys": data for name, data in stored.items()}
    if lexicon is not None:
        longest, resources["lexicon.bits"] = lexicon
        config["lexicon"] = Lexicon(1, longest, len(lexicon[1]))
        sized = tuple(replace(group, buckets=longest**3) if group.kind == "lexicon" else group for group in sized)
    return with_random_weights(Config("seg", sized, config.pop("hidden", 24), ACTIONS, text, **config), seed, resources)


def plain_units(runs: bool = True, join: bool = False) -> _core.UnitFeatures:
    """What cuts texts into units."""
    text = TextConfig(units="runs" if runs else "characters", spaces="join" if join else "break")
    return make_unit_features(Config("seg", (Group("length", "length", 9, 1),), 1, ACTIONS, text), {})


def encode_keys(keys: Iterable[int]) -> bytes:
    """Differences of ascending numbers, seven bits a byte, the lowest first; the last byte of each is below 128."""
    data, before = bytearray(), 0
    for key in sorted(keys):
        rest, before = key - before, key
        while rest > 127:
            data.append(128 + rest % 128)
            rest //= 128
        data.append(rest)
    return bytes(data)


def count_keys(data: bytes) -> int:
    return sum(byte < 128 for byte in data)


def with_random_weights(shape: Config, seed: int, resources: Mapping[str, bytes] = MappingProxyType({})) -> Model:
    numpy_random = np.random.default_rng(seed)

    def numbers(name: str, dtype: str, extents: tuple[int, ...]) -> bytes:
        if name in resources:
            return resources[name]
        if name == "calibration":
            return np.array([0.75, 1.5], "<f4").tobytes()
        if name == "bloom.lengths":
            return bytes([(extents[0] - 1).bit_length() or 1]) * extents[0]
        if dtype == "U8":
            return numpy_random.integers(0, 256, extents, "u1").tobytes()
        if name.endswith(".scales"):
            return numpy_random.uniform(0, 2 / 127, extents).astype("<f2").tobytes()
        return numpy_random.normal(0, 0.5, extents).astype("<f2" if dtype == "F16" else "<f4").tobytes()

    tensors = {
        name: Tensor(dtype, extents, numbers(name, dtype, extents))
        for name, (dtype, extents) in expected_tensors(shape).items()
    }
    return Model(shape, tensors, {"licence": "CC0-1.0", "trained_on": "nothing", "scores": '{"accuracy": 0.1}'})


def made_up_sentences(count: int, seed: int) -> list[TokenisedSentence]:
    """A language whose endings tell the tag, but for one word that needs its neighbours."""
    draw, found = random.Random(seed), []
    for _ in range(count):
        words, tags = [], []
        for _ in range(draw.randint(1, 5)):
            stem = "".join(draw.choices("bdgklmnprst", k=3))
            words += ["lo", stem + "o"] if draw.random() < 0.5 else ["lo", stem + "a", stem + "o"]
            tags += ["DET", "NOUN"] if words[-2] == "lo" else ["PRON", "VERB", "NOUN"]
        found.append(TokenisedSentence(tuple(words), tuple(tags)))
    return found


def write_columns(path: Path, sentences: Sequence[TokenisedSentence], after_tag: str = "") -> str:
    """A file of tagged sentences, or with `after_tag` `:1.0` one of silver text; gives its path."""
    path.write_text("\n".join("".join(f"{w}\t{t}{after_tag}\n" for w, t in pairs(s)) for s in sentences), "utf-8")
    return str(path)


@pytest.fixture(scope="session")
def model() -> Model:
    return random_model()


@pytest.fixture(scope="session")
def identifier(model: Model) -> LanguageIdentifier:
    return LanguageIdentifier(model)


@pytest.fixture(scope="session")
def model_file(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "small.safetensors"
    model.write(path)
    return path


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Finds official data by its name in budgie.train.data.datasets; the test is skipped where there is none."""

    def find_or_skip(name: str) -> Path:
        try:
            return find(name)
        except DataError as error:
            pytest.skip(str(error))

    return find_or_skip


# ---- the command -----------------------------------------------------------------------------------------------


class Command:
    """Runs `budgie` in this process."""

    def __init__(self, capture: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capture, self.monkeypatch = capture, monkeypatch

    def __call__(self, *arguments: object, stdin: bytes = b"", status: int = 0, notes: bool = False) -> bytes:
        """Its output; `notes` says that standard error is not for errors alone."""
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))  # type: ignore[arg-type]
        ended = main([str(argument) for argument in arguments])
        output, self.error = self.capture.readouterr()
        skip_if_missing(self.error.decode())
        assert ended == status, self.error
        assert bool(self.error) == (status == 1 or notes), self.error
        return output

    def fails(self, *arguments: object, message: str) -> None:
        """Expects one line of error that begins with `message`."""
        self(*arguments, status=1)
        assert self.error.decode().startswith(f"budgie: {message}"), self.error
        assert self.error.count(b"\n") == 1


@pytest.fixture
def budgie(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capfdbinary, monkeypatch)


def calls_of_the_core(monkeypatch: pytest.MonkeyPatch, module: str, name: str) -> list[tuple[str, tuple[Any, ...]]]:
    """What objects of a class of the core are asked from now on, by a double that hands it on: name and arguments."""
    calls: list[tuple[str, tuple[Any, ...]]] = []

    class Double:
        def __init__(self, *arguments: Any) -> None:
            self.real = getattr(_core, name)(*arguments)

        def __getattr__(self, asked: str) -> Any:
            if not callable(real := getattr(self.real, asked)):
                return real

            def call(*arguments: Any) -> Any:
                calls.append((asked, arguments))
                return real(*arguments)

            return call

    double = SimpleNamespace(**{**vars(_core), name: Double})
    monkeypatch.setattr(f"{module}._core", double)
    return calls


def spawn(*arguments: object, **options: Any) -> subprocess.Popen[bytes]:
    """Runs `budgie` in a process of its own."""
    command = [sys.executable, "-m", "budgie", *map(str, arguments)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command, bufsize=0, **{**pipes, **options})


def script_model(weight: float, rare: tuple[str, ...] = (), background: tuple[str, ...] = ()) -> Model:
    """A model whose answers are known: a Latin letter votes for en, a Cyrillic one for ru, a kana for ja."""
    group = Group("1-grams", "ngrams", 2**14, 3, n=1, bits=32)
    config = Config("langid", (group,), hidden=3, labels=("en", "ja", "ru"), rare=rare, background=background)
    rows = np.zeros((group.buckets, 3), "<f4")
    for label, first, last in ((0, "a", "z"), (1, "ぁ", "ん"), (2, "а", "я")):
        letters = " ".join(map(chr, range(ord(first), ord(last) + 1)))
        rows[reference.rows(letters, group), label] = 1
    tensors = {
        "1-grams.rows": rows,
        "hidden.weight": np.eye(3, dtype="<f4"),
        "hidden.bias": np.zeros(3, "<f4"),
        "output.weight": np.eye(3, dtype="<f4") * np.float32(weight),
        "output.bias": np.zeros(3, "<f4"),
        "calibration": np.array([1, 0], "<f4"),
    }
    shapes = expected_tensors(config)
    return Model(config, {name: Tensor(*shapes[name], values.tobytes()) for name, values in tensors.items()})
