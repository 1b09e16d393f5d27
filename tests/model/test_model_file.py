# SPDX-License-Identifier: Apache-2.0
"""A file gives the model that was saved; only a whole model, and only a right one, is written."""

from __future__ import annotations

import copy
import errno
import json
import os
import pickle
import resource
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors
from conftest import Command
from forging import FILE, HEADER_END, LANGID, MODEL, SEGMENTER, TAGGER, TEXT, forge, meta, random_model
from hypothesis import given, settings
from hypothesis import strategies as st

from budgie.errors import ModelError
from budgie.model.config import Config, Group
from budgie.model.file import Model
from budgie.model.tensors import Tensor


@pytest.mark.parametrize("config", [LANGID, TAGGER, SEGMENTER], ids=["langid", "pos", "seg"])
@given(seed=st.integers(), info=st.dictionaries(st.text(), st.text()))
@settings(max_examples=50)
def test_a_model_survives_its_file(config: Config, seed: int, info: dict[str, str]) -> None:
    free = {f"info {name}": text for name, text in info.items()}
    model = random_model(config, seed, **free)
    data = model.to_bytes()
    assert Model.from_bytes(data) == model
    assert Model.from_bytes(data).to_bytes() == data
    assert model.info == free


def test_numbers_at_the_limits_are_kept() -> None:
    tensors = dict(MODEL.tensors)
    tensors["3-grams.scales"] = Tensor("F16", (5,), struct.pack("<5e", 0, 6e-8, 6e-5, 1, 65504))  # 6e-8 is subnormal
    tensors["output.bias"] = Tensor("F32", (3,), struct.pack("<3f", -131071.99, -0.0, 1e-45))
    model = Model(LANGID, tensors)
    assert Model.from_bytes(model.to_bytes()) == model


def test_equal_parts_give_equal_files() -> None:
    tensors = dict(reversed(list(MODEL.tensors.items())))
    assert Model(LANGID, tensors, dict(reversed(list(MODEL.info.items())))).to_bytes() == FILE


def test_the_file_opens_with_safetensors() -> None:
    theirs = dict(safetensors.deserialize(FILE))
    assert theirs.keys() == MODEL.tensors.keys()
    for name, tensor in MODEL.tensors.items():
        assert (theirs[name]["dtype"], tuple(theirs[name]["shape"])) == (tensor.dtype, tensor.shape)
        assert theirs[name]["data"] == tensor.data


def test_every_tensor_is_aligned() -> None:
    assert HEADER_END % 8 == 0
    header = json.loads(TEXT)
    del header["__metadata__"]
    for entry in header.values():
        assert entry["data_offsets"][0] % {"U8": 1, "F16": 2, "F32": 4}[entry["dtype"]] == 0


def test_a_model_can_be_pickled_and_copied() -> None:
    assert pickle.loads(pickle.dumps(MODEL)) == MODEL
    assert copy.deepcopy(MODEL) == MODEL
    assert len(pickle.dumps(MODEL)) < len(FILE) + 100


def test_a_model_never_changes() -> None:
    buffer = bytearray(FILE)
    model = Model.from_bytes(memoryview(buffer))
    buffer[:] = bytes(len(buffer))
    assert model == MODEL
    mutable = bytearray(5)
    tensor = Tensor("U8", (5,), memoryview(mutable))
    mutable[0] = 1
    assert bytes(tensor.data) == bytes(5)
    with pytest.raises(TypeError):
        model.tensors["calibration"] = tensor  # type: ignore[index]


@pytest.mark.parametrize("name", ["model.budgie", "попугай", "鸚鵡 \n", "x" * 255, b"latin-\xe9"])
@pytest.mark.parametrize("kind", [Path, os.fsencode, os.fsdecode])
def test_any_name_will_do(tmp_path: Path, name: str | bytes, kind: Callable[[Any], Any]) -> None:
    path = kind(tmp_path / os.fsdecode(name))
    MODEL.write(path)
    assert Model.read(path) == MODEL


def test_the_message_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "попугай"
    path.write_bytes(b"?")
    with pytest.raises(ModelError, match=f"^{path}: 1 bytes are too few"):
        Model.read(path)
    with pytest.raises(ModelError, match=r"^over the wire: 1 bytes are too few"):
        Model.from_bytes(b"?", name="over the wire")


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Model.read(tmp_path / "missing")


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/", b"/dev/full", "a\0b", "\ud800"])
def test_what_is_no_file_is_refused(path: str | bytes) -> None:
    with pytest.raises(ModelError, match=r"not a regular file|cannot be the name of a file"):
        Model.read(path)


def test_a_fifo_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    errors: list[Exception] = []

    def read() -> None:
        try:
            Model.read(tmp_path / "fifo")
        except ModelError as error:
            errors.append(error)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(timeout=5)
    assert "not a regular file" in str(errors)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(ModelError, match="1099511627776 bytes are over the limit of 67108864"):
        Model.read(tmp_path / "huge")


def test_a_loaded_model_does_not_need_its_file(tmp_path: Path) -> None:
    path = tmp_path / "model"
    MODEL.write(path)
    model = Model.read(path)
    path.write_bytes(b"")
    assert model.to_bytes() == FILE


# Writing.


class FullDisk:
    """A file that takes 100 bytes and no more."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def __enter__(self) -> FullDisk:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def write(self, data: bytes) -> int:
        self.file.write(data[:100])
        raise OSError(errno.ENOSPC, "No space left on device")


def fail(*_: object) -> None:
    raise OSError(errno.EIO, "Input/output error")


def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    really_open = Path.open
    monkeypatch.setattr(Path, "open", lambda *arguments: FullDisk(really_open(*arguments)))


def failing_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", fail)


def failing_rename(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "replace", fail)


@pytest.mark.parametrize("fault", [full_disk, failing_sync, failing_rename])
@pytest.mark.parametrize("before", [None, b"old contents"], ids=["new", "old"])
def test_a_failed_write_leaves_things_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[[pytest.MonkeyPatch], None], before: bytes | None
) -> None:
    path = tmp_path / "model"
    if before:
        path.write_bytes(before)
    with monkeypatch.context() as patch, pytest.raises(OSError, match=r"No space left|Input/output"):
        fault(patch)
        MODEL.write(path)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == ([before] if before else [])


def test_a_write_past_a_real_limit_leaves_nothing(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(FILE) - 1, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            MODEL.write(tmp_path / "model")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not list(tmp_path.iterdir())


def test_a_written_file_has_ordinary_rights_and_no_neighbours(tmp_path: Path) -> None:
    (tmp_path / "ordinary").touch()
    MODEL.write(tmp_path / "model")
    MODEL.write(tmp_path / "model")
    assert {path.name for path in tmp_path.iterdir()} == {"ordinary", "model"}
    assert (tmp_path / "model").stat().st_mode == (tmp_path / "ordinary").stat().st_mode


@pytest.mark.parametrize("place", ["folder", "fifo"])
def test_only_a_regular_file_is_replaced(tmp_path: Path, place: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(FileExistsError, match="is there already and is not a regular file"):
        MODEL.write(tmp_path / place)


# Models built by a program.


def with_tensor(name: str, tensor: Tensor) -> Model:
    return Model(LANGID, {**MODEL.tensors, name: tensor})


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Tensor("U8", (3,), b"12"), r"a tensor U8 \[3\] needs 3 bytes, not 2"),
        (lambda: Tensor("I64", (1,), bytes(8)), "a tensor has dtype 'I64'"),
        (lambda: with_tensor("calibration", Tensor("U8", (1, 1, 1), b"1")), "not a list of 1 to 2 numbers"),
        (lambda: Model(LANGID, {}), "tensor '3-grams.rows' is missing"),
        (lambda: with_tensor("x", Tensor("U8", (1,), b"1")), "tensor 'x' is not one that the config asks for"),
        (lambda: with_tensor("calibration", Tensor("U8", (2,), b"12")), r"is U8 \[2\], the config asks for F32 \[2\]"),
        (lambda: Model(LANGID, MODEL.tensors, {"sha256": ""}), "cannot have the name sha256"),
        (lambda: Model(LANGID, MODEL.tensors, {"a": 1}), "must be strings"),
        (lambda: Model(LANGID, MODEL.tensors, {"a": "\ud800"}), "information 'a' is not valid Unicode"),
        (lambda: Model(LANGID, MODEL.tensors, {"a": "x" * 2**20}).to_bytes(), "more than the 1048576 of a header"),
        (lambda: random_model(many_groups(30)), "65 tensors are over the limit of 64"),
    ],
)
def test_a_wrong_model_cannot_be_built(build: Callable[[], object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        build()


def many_groups(count: int) -> Config:
    return Config("langid", tuple(Group(f"g{i}", "words", 1, 1) for i in range(count)), 1, ("a",))


def test_a_model_over_the_limit_is_not_written() -> None:
    large = Tensor("U8", (2**14, 2**12), bytes(2**26))
    with pytest.raises(ModelError, match=r"a model of 67.* bytes is over the limit"):
        with_tensor("large", large)
    with pytest.raises(ModelError, match="67108865 bytes are over the limit of 67108864 for a model"):
        Model.from_bytes(bytes(2**26 + 1))


@pytest.mark.parametrize("data", [3, 10**6, None, "text", [1, 2], 1.5])
def test_only_bytes_are_the_contents_of_a_file(data: Any) -> None:
    with pytest.raises(TypeError, match=f"^data must be bytes, not {type(data).__name__}$"):
        Model.from_bytes(data)
    assert Model.from_bytes(memoryview(FILE)) == Model.from_bytes(bytearray(FILE)) == MODEL


# ---- budgie info -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scores",
    ['{"a":NaN}', '{"a":[1,-Infinity]}', '{"a":1e999}', '{"a":"\\ud800"}', '{"\\udfff":0}', '{"a":' + "9" * 5000 + "}"],
)
def test_information_that_is_no_json_stays_text(budgie: Command, tmp_path: Path, scores: str) -> None:
    Model(MODEL.config, MODEL.tensors, {"scores": scores, "good": '{"f1": 0.5}'}).write(tmp_path / "model")

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    described = json.loads(budgie("info", tmp_path / "model", "--json"), parse_constant=refuse)
    assert described["info"] == {"scores": scores, "good": {"f1": 0.5}}
    assert b"scores: {" in budgie("info", tmp_path / "model")


def test_information_is_of_the_file_and_not_of_this_build(budgie: Command, tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(forge(meta("unicode", "13.0.0")))
    assert json.loads(budgie("info", tmp_path / "old", "--json"))["unicode"] == "13.0.0"
