# SPDX-License-Identifier: Apache-2.0
"""The model file as Python has it. The format is docs/model-format.md; the core reads and checks it (core/model/).

Reading imports next to nothing: what describes a model (its config, its tensors) is made when somebody asks for it,
and what writes one is in writing.py.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from budgie import _core
from budgie.errors import ModelError

if TYPE_CHECKING:
    from budgie.model.config import Config
    from budgie.model.tensors import Tensor

PathLike = str | bytes | os.PathLike[str] | os.PathLike[bytes]


class Model:
    """A config, the tensors it asks for, and free information about them (licence, scores, origin).

    A model that exists is sound: the core has checked all of it. It never changes.
    """

    __slots__ = ("_config", "_core", "_tensors")

    def __init__(self, config: Config, tensors: Mapping[str, Tensor], info: Mapping[str, str] | None = None) -> None:
        from budgie.model.writing import file_of

        with refusing():
            self._adopt(file_of(config, tensors, info or {}))

    def _adopt(self, data: bytes) -> None:
        self._core = _core.Model(data)
        self._config: Config | None = None
        self._tensors: Mapping[str, Tensor] | None = None

    def __reduce__(self) -> tuple[Callable[[bytes], Model], tuple[bytes]]:
        return Model.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        return f"Model(config={self.config!r}, info={dict(self.info)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return (self.config, self.tensors, self.info) == (other.config, other.tensors, other.info)

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def read(cls, path: PathLike) -> Model:
        """Read a model file and check all of it; OSError where it cannot be read, ModelError where it is wrong."""
        with refusing(os.fsdecode(path)):
            return cls._of(_read_file(path))

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, name: str = "<bytes>") -> Model:
        """The same for the contents of a file; `name` is for messages."""
        try:
            memoryview(data)
        except TypeError:
            raise TypeError(f"data must be bytes, not {type(data).__name__}") from None
        with refusing(name):
            return cls._of(bytes(data))

    @classmethod
    def _of(cls, data: bytes) -> Model:
        model = cls.__new__(cls)
        model._adopt(data)
        return model

    @property
    def core(self) -> _core.Model:
        """The model as the core has it."""
        return self._core

    @property
    def task(self) -> str:
        """What the model is for, as `config.task`."""
        return self._core.task

    @property
    def config(self) -> Config:
        """What the network looks like."""
        if self._config is None:
            from budgie.model.config import Config

            self._config = Config.from_json(self._core.config)
        return self._config

    @property
    def tensors(self) -> Mapping[str, Tensor]:
        """Weights and resources by name, in the order in which the config asks for them."""
        if self._tensors is None:
            from budgie.model.tensors import Tensor

            view = memoryview(self._core.data)
            self._tensors = MappingProxyType(
                {name: Tensor(dtype, shape, view[begin:end]) for name, dtype, shape, begin, end in self._core.tensors}
            )
        return self._tensors

    @property
    def info(self) -> Mapping[str, str]:
        """Free information, by name."""
        return MappingProxyType(self._core.info)

    @property
    def sha256(self) -> str:
        """The checksum that the file carries."""
        return self._core.sha256

    def network(self, name: str) -> Model | None:
        """A network that this model carries inside, as a model of its own; None where there is none of that name."""
        config = self.config.networks.get(name)
        if config is None:
            return None
        from budgie.model.tensors import expected_tensors

        return Model(config, {inner: self.tensors[f"{name}.{inner}"] for inner in expected_tensors(config)})

    def to_bytes(self) -> bytes:
        """The contents of the model's file: of a model that was read, exactly those that were read."""
        return self._core.data

    def write(self, path: PathLike) -> None:
        """Write the file all at once: whatever happens, `path` holds the old contents or the new, never a part."""
        from pathlib import Path  # here, so that reading a model does not pay for it

        from budgie.formats.files import replace_file

        replace_file(Path(os.fsdecode(path)), self.to_bytes())


def core_of(model: Model) -> _core.Model:
    """The model that a task is made of, as the core has it."""
    if not isinstance(model, Model):
        kind = type(model).__name__
        raise TypeError(f"model must be a budgie.Model, not {kind}; budgie.load takes the name or the path of one")
    return model.core


@contextlib.contextmanager
def refusing(name: str | None = None) -> Iterator[None]:
    """Put the name of the file, if there is one, before every reason why a model cannot be used."""
    before = f"{_printable(name)}: " if name is not None else ""
    try:
        yield
    except (_core.Refused, ModelError) as error:
        raise ModelError(f"{before}{error}") from None


def _printable(text: str) -> str:
    return text if text.isprintable() else ascii(text)


def _read_file(path: PathLike) -> bytes:
    # Without O_NONBLOCK, opening a FIFO waits for a writer that may never come.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except ValueError:  # a NUL or a lone surrogate
        raise ModelError("this cannot be the name of a file") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ModelError("not a regular file, but a directory, a device or a pipe")
        if status.st_size > _core.MAX_FILE:
            raise ModelError(f"{status.st_size} bytes are over the limit of {_core.MAX_FILE} for a model")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(status.st_size + 1)  # one more: a file that grew must not look complete
    finally:
        os.close(descriptor)
