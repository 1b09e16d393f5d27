# SPDX-License-Identifier: Apache-2.0
"""Files outlive releases: what release 0.1 wrote loads and answers as it did then (decisions/025).

`written/` never changes; a release that adds something to the format adds a file that uses it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from forging import seal

import budgie
from budgie import LanguageIdentifier, Model, ModelError, Preorderer, Segmenter, Tagger, _core
from budgie.model.config import Config

WRITTEN = Path(__file__).with_name("written")
EXPECTED = json.loads((WRITTEN / "answers.json").read_text("utf-8"))
TEXTS = EXPECTED["texts"]
SENTENCES = [text.split() for text in TEXTS]


def answers(model: Model) -> list[Any]:
    if model.task == "langid":
        return [[one.language, one.probability.hex()] for one in LanguageIdentifier(model).identify_batch(TEXTS)]
    if model.task == "pos":
        tagger = Tagger(model)
        tagged = zip(tagger.tag_batch(SENTENCES), tagger.probabilities(SENTENCES), strict=True)
        return [[[tag, one.hex()] for tag, one in zip(*both, strict=True)] for both in tagged]
    if model.task == "seg":
        segmenters = [Segmenter(model, standard=standard) for standard in model.core.standards]
        return [[list(map(list, spans)) for spans in one.spans_batch(TEXTS, spaces=True)] for one in segmenters]
    return [Preorderer(model, beam=beam).permutations(SENTENCES) for beam in (1, 3)]


def check(found: list[Any], name: str) -> None:
    """The same answers; probabilities may differ by how inputs of layers are rounded (decisions/007)."""
    expected = EXPECTED["answers"][name]
    if not name.endswith(("-pos", "-langid")):
        assert found == expected
        return
    if name.endswith("-langid"):
        found, expected = [found], [expected]
    assert [[tag for tag, _ in row] for row in found] == [[tag for tag, _ in row] for row in expected]
    for row, wanted in zip(found, expected, strict=True):
        probabilities = [float.fromhex(one) for _, one in wanted]
        assert [float.fromhex(one) for _, one in row] == pytest.approx(probabilities, abs=1e-3)


@pytest.mark.parametrize("name", EXPECTED["answers"])
def test_a_file_answers_as_it_did_when_it_was_written(name: str) -> None:
    check(answers(Model.read(WRITTEN / f"{name}.safetensors")), name)


@pytest.mark.parametrize("name", EXPECTED["answers"])
def test_reading_and_writing_give_the_same_bytes(name: str, tmp_path: Path) -> None:
    """Also where the config of the file has other names, or more of them, than the writer of today gives it."""
    file = WRITTEN / f"{name}.safetensors"
    Model.read(file).write(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("name", budgie.models())
def test_embedded_models_too(name: str) -> None:
    model = budgie.read_model(name)
    file = Path(budgie.file_of(name))
    assert model.to_bytes() == file.read_bytes()
    assert f'"sha256":"{model.sha256}"'.encode() in file.read_bytes()


@pytest.mark.parametrize("name", EXPECTED["answers"])
def test_the_same_model_written_anew_is_the_same_model(name: str) -> None:
    model = Model.read(WRITTEN / f"{name}.safetensors")
    anew = Model(model.config, model.tensors, model.info)
    assert anew == model
    check(answers(anew), name)
    assert Model(anew.config, anew.tensors, anew.info).to_bytes() == anew.to_bytes()


def test_the_writer_leaves_out_what_is_as_it_is_by_default() -> None:
    """So a file that needs nothing new can be read by releases that know nothing of it."""
    model = Model.read(WRITTEN / "0.1-preorder.safetensors")
    config = json.loads(_header(Model(model.config, model.tensors).to_bytes())["__metadata__"]["config"])
    assert set(config) == {"task", "groups", "hidden", "labels", "text", "networks"}
    assert set(config["groups"][2]) == {"name", "kind", "buckets", "dim", "places"}
    assert Config.from_dict(config) == model.config


@pytest.mark.parametrize("version", ["3.2.0", "12.1.0", "15.0.0", "15.1", "15.1.0"])
def test_an_older_table_of_characters_is_no_matter(version: str) -> None:
    check(answers(Model.from_bytes(_with_unicode(version))), "0.1-langid")


@pytest.mark.parametrize("version", ["15.1.1", "15.2.0", "16.0.0", "99.0", "", "15.x", "-1", "9" * 40])
def test_a_newer_one_is_refused(version: str) -> None:
    with pytest.raises(ModelError, match=f"made with unicode .*; this Budgie has unicode '{_core.UNICODE}'"):
        Model.from_bytes(_with_unicode(version))


def _header(file: bytes) -> dict[str, Any]:
    return dict(json.loads(file[8 : 8 + int.from_bytes(file[:8], "little")]))


def _with_unicode(version: str) -> bytes:
    file = (WRITTEN / "0.1-langid.safetensors").read_bytes()
    end = 8 + int.from_bytes(file[:8], "little")
    return seal(re.sub(rb'"unicode":"[^"]*"', f'"unicode":"{version}"'.encode(), file[8:end]), file[end:])
