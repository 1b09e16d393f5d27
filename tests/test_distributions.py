# SPDX-License-Identifier: Apache-2.0
"""Models of budgie-nlp and of others: what is in which, how they are found, and what is said of missing ones."""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Command, random_tagger

import budgie as package
from budgie import distributions
from budgie.distributions import EMBEDDED, OFFERS, RESTRICTED, Offer, advice, language_of
from budgie.errors import MissingModel, MissingModelWarning
from budgie.licences import classify_model

ROOT = Path(__file__).parents[1]
BASE, OTHERS = ROOT / "src" / "budgie", ROOT / "restricted" / "src" / "budgie_restricted" / "models"
KHMER = "ខ្ញុំទៅសាលារៀនរាល់ថ្ងៃ"
MOST = 25_000_000  # bytes of the wheel budgie-nlp

in_the_repository = pytest.mark.skipif(not OTHERS.is_dir(), reason=f"{RESTRICTED} is not part of this copy")


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if budgie-nlp were the only distribution; loaded models are forgotten before and after."""
    from budgie import shared

    monkeypatch.setattr(distributions, "folders", dict)
    for kept in (shared.segmenter, shared._pipeline):
        kept.cache_clear()
    yield
    for kept in (shared.segmenter, shared._pipeline):
        kept.cache_clear()


# ---- what is in which -------------------------------------------------------------------------------------------


@in_the_repository
def test_what_is_not_free_is_in_the_other_distribution() -> None:
    found = {}
    for file in OTHERS.iterdir():
        model = package.Model.read(file)
        found[file.stem] = Offer(model.task, classify_model(model.task, model.info), file.stat().st_size)
    assert found == OFFERS
    assert "free" not in {offer.licence for offer in OFFERS.values()}
    assert not OFFERS.keys() & set(package.embedded())


@in_the_repository
def test_the_page_lists_both() -> None:
    rows = re.findall(
        r"^\| ([\w-]+) \|.*\| (budgie-nlp[\w-]*) \|$", (ROOT / "docs" / "licences.md").read_text("utf-8"), re.M
    )
    assert dict(rows) == dict.fromkeys(package.embedded(), EMBEDDED) | dict.fromkeys(OFFERS, RESTRICTED)


def test_the_page_is_what_the_command_prints(budgie: Command) -> None:
    assert all(map(package.file_of, OFFERS))  # or the test is skipped
    page = (ROOT / "docs" / "licences.md").read_text("utf-8")
    assert f"\n{budgie('models', '--markdown').decode()}<!-- end -->\n" in page, (
        "budgie models --markdown | python -m benchmarks.report budgie models --markdown"
    )


@in_the_repository
def test_what_the_wheel_of_budgie_holds() -> None:
    """Its models are those of one folder, and it is small even before it is compressed."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["scikit-build"]
    assert build["wheel"]["packages"] == ["src/budgie"]
    assert "restricted" in build["sdist"]["exclude"]
    files = [file for file in BASE.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    assert {file.stem for file in files if file.suffix == ".safetensors"} == set(package.embedded())
    assert sum(file.stat().st_size for file in files) < MOST


@in_the_repository
def test_what_the_wheel_of_the_others_holds(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="this wheel is built by hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT / "restricted", capture_output=True, check=True)
    (wheel,) = tmp_path.glob("budgie_nlp_restricted-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert {Path(name).stem for name in names if name.endswith(".safetensors")} == OFFERS.keys()
        (notice,) = (name for name in names if name.endswith("/licenses/NOTICE"))
        assert archive.read(notice) == (ROOT / "restricted" / "NOTICE").read_bytes()
        (points,) = (name for name in names if name.endswith("/entry_points.txt"))
        assert b"[budgie.models]" in archive.read(points)


# ---- how they are found -----------------------------------------------------------------------------------------


@pytest.fixture
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of models of another distribution, which is empty."""
    models = tmp_path / "our models"
    models.mkdir()
    add_distribution(tmp_path, f"FOLDER = {str(models)!r}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    distributions.folders.cache_clear()
    yield models
    distributions.folders.cache_clear()
    sys.modules.pop("our_models", None)


def add_distribution(place: Path, code: str) -> None:
    (place / "our_models.py").write_text(code)
    about = place / "our_models-1.dist-info"
    about.mkdir(exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: a-models\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[budgie.models]\nours = our_models:FOLDER\n")


def test_entry_points_lead_to_models(others: Path, budgie: Command) -> None:
    """Of any distribution; what is embedded comes first."""
    for name in ("pos-tlh", "pos-en"):
        random_tagger().write(others / f"{name}.safetensors")
    assert package.models() == sorted({*package.models(), "pos-tlh"})
    assert package.file_of("pos-tlh") == str(others / "pos-tlh.safetensors")
    assert package.load("pos-tlh").model == random_tagger()  # type: ignore[union-attr]
    assert package.load("pos-en").model != random_tagger()
    listed = {row["model"]: row for row in json.loads(budgie("models", "--json"))}
    assert (listed["pos-tlh"]["distribution"], listed["pos-tlh"]["installed"]) == ("a-models", True)
    assert listed["pos-en"]["distribution"] == EMBEDDED


def test_nobody_takes_the_place_of_our_own_models(others: Path) -> None:
    ours = package.file_of("seg-km")  # or the test is skipped
    random_tagger().write(others / "seg-km.safetensors")
    distributions.folders.cache_clear()
    assert package.file_of("seg-km") == ours


@pytest.mark.parametrize(
    "code",
    ["1 / 0", "raise SystemExit(3)", "", "FOLDER = 5", "FOLDER = b'/'", "FOLDER = ''", "FOLDER = '/nowhere at all'"],
)
def test_a_broken_distribution_is_left_out(others: Path, code: str) -> None:
    add_distribution(others.parent, code)
    with pytest.warns(UserWarning, match="the models of a-models are left out: its entry point our_models:FOLDER: "):
        found = distributions.folders()
    assert "a-models" not in found.values()
    assert package.load("pos-en")


def test_a_broken_file_is_told_of_and_the_others_are_listed(
    others: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    from budgie.cli import main

    (others / "pos-bad.safetensors").write_bytes(b"bad")
    (others / "pos-folder.safetensors").mkdir()
    (others / "pos-link.safetensors").symlink_to("nowhere")
    (others / ".safetensors").write_bytes(b"")
    assert main(["models"]) == 1
    out, err = capfdbinary.readouterr()
    assert b"\npos-en " in out
    assert err.startswith(b"budgie: pos-bad cannot be used: ")
    assert err.count(b"\n") == 1


def test_where_it_is_installed_all_of_it_is_found() -> None:
    """Or half of the tests would be skipped, and nobody would notice."""
    try:
        importlib.metadata.distribution(RESTRICTED)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{RESTRICTED} is not installed")
    assert OFFERS.keys() <= set(package.models())
    assert {distributions.distribution_of(name) for name in OFFERS} == {RESTRICTED}


@pytest.mark.parametrize("call", ["load('langid')", "annotate('Nobody knows.')", "tag(['a', 'word'], 'en')"])
def test_what_is_embedded_is_found_without_entry_points(call: str) -> None:
    code = f"import sys, budgie; budgie.{call}; assert 'importlib.metadata' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize(
    ("name", "language"),
    [("seg-zh", "zh"), ("seg-zh-research", "zh"), ("seg-km-non-commercial", "km"),
     ("preorder-en-ja", "en-ja"), ("tokens", "")],
)  # fmt: skip
def test_a_name_may_have_a_class(name: str, language: str) -> None:
    assert language_of(name) == language


# ---- what is said of missing ones -------------------------------------------------------------------------------


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", OFFERS)
def test_a_model_that_is_not_installed(name: str) -> None:
    with pytest.raises(
        MissingModel, match=rf"{name} .*its class is {OFFERS[name].licence} \(.*\): pip install "
    ) as error:
        package.load(name)
    assert str(error.value) == advice(name)
    assert str(error.value).endswith(f": pip install {RESTRICTED}")
    assert isinstance(error.value, package.ModelError)


def test_nothing_to_say_of_other_names() -> None:
    assert advice("pos-en") == advice("nonsense") == ""


@pytest.mark.usefixtures("alone")
def test_a_pipeline_goes_on_without() -> None:
    pipeline = package.Pipeline()
    with pytest.warns(MissingModelWarning, match="seg-km .* pip install budgie-nlp-restricted") as told:
        document = pipeline.annotate("Nobody knows why the shop is closed.\n\n" + KHMER)
    assert told[0].filename == __file__
    assert [span.language for span in document.spans] == ["en", "km"]
    assert "".join(token.text for token in document.sentences[1].tokens) == KHMER
    assert pipeline.missing == {"seg-km": advice("seg-km")}


@pytest.mark.usefixtures("alone")
def test_a_warning_shows_the_line_that_called() -> None:
    for call in (package.annotate, package.segment):
        with pytest.warns(MissingModelWarning) as told:
            call(KHMER)
        assert told[0].filename == __file__


@pytest.mark.usefixtures("alone")
def test_commands(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    from budgie.cli import main

    (tmp_path / "text").write_text(f"{KHMER}\n", "utf-8")
    assert main(["segment", "--language", "km", str(tmp_path / "text")]) == 1
    assert main(["preorder", "--pair", "en-ja", str(tmp_path / "text")]) == 1
    assert main(["annotate", "--format", "tsv", str(tmp_path / "text")]) == 0
    names = ("seg-km", "preorder-en-ja", "seg-km")
    assert capfdbinary.readouterr().err.decode().startswith("".join(f"budgie: {advice(name)}\n" for name in names))


@pytest.mark.usefixtures("alone")
def test_lists(budgie: Command) -> None:
    shown = {row.split()[0]: re.split(" {2,}", row)[1:] for row in budgie("models").decode().splitlines()}
    install = f"not installed: pip install {RESTRICTED}"
    both = "Simplified Chinese and Traditional Chinese"
    assert shown["seg-zh-research"] == ["segmenter", both, "research", "1.52 MB", install]
    assert shown["preorder-en-ja"] == ["preorderer", "English to Japanese", "unclear", "796 KB", install]
    assert shown["pos-en"][-1] == EMBEDDED
    rows = {row["model"]: row for row in json.loads(budgie("models", "--json"))}
    assert {name for name, row in rows.items() if not row["installed"]} == OFFERS.keys()
    assert rows["seg-km"] == {
        "model": "seg-km",
        "task": "segmenter",
        "languages": "Khmer",
        "licence": "non-commercial",
        "size": OFFERS["seg-km"].size,
        "distribution": RESTRICTED,
        "installed": False,
    }
    assert package.models() == package.embedded()
    khmer, chinese = json.loads(budgie("languages", "km", "zh", "--json"))
    assert (khmer["segmenter"], khmer["licence"]) == ("seg-km", "non-commercial")
    assert (chinese["segmenter"], chinese["licence"]) == ("seg-zh", "free")
