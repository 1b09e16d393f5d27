# SPDX-License-Identifier: Apache-2.0
"""Where files are: on this machine, or at a URL (s3://, gs://, hf:// ...), which fsspec reads and writes."""

from __future__ import annotations

import contextlib
import glob
import io
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NamedTuple, TypeVar, cast

from budgie.errors import ConfigError, DataError, MissingExtra
from budgie.formats.files import replacing

_T = TypeVar("_T")

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_MAGIC = re.compile(r"[*?[]")
_BUFFER = 2**20  # bytes that are asked of a store at a time, at least
_HIDDEN = (".", "_")  # how names begin that are no data, here as to Spark, DuckDB and others


class Stamp(NamedTuple):
    """What changes when a file does."""

    size: int
    version: str  # when it was written, or what its store calls its contents


def is_url(name: str) -> bool:
    """Whether a name is a URL."""
    return _URL.match(name) is not None


def normal(name: str) -> str:
    """One name for one place, as far as names tell: files of this machine have no protocol, stores the first of theirs.

    What ends with a slash is a folder, and stays one.
    """
    if not is_url(name):
        return name
    files, path = _store(name)
    end = "/" if name.endswith("/") else ""
    if "file" in (files.protocol if isinstance(files.protocol, tuple) else (files.protocol,)):
        return path.rstrip("/") + end
    return str(files.unstrip_protocol(path)).rstrip("/") + end


def is_folder(name: str) -> bool:
    """Whether there is a folder of this name."""
    if not is_url(name):
        return Path(name).is_dir()
    files, path = _store(name)
    return bool(files.isdir(path))


def is_file(name: str) -> bool:
    """Whether there is a whole file, no pipe or device, of this name."""
    if not is_url(name):
        return Path(name).is_file()
    files, path = _store(name)
    return bool(files.isfile(path))


def stamp(name: str) -> Stamp:
    """The size of a file and what tells its version."""
    if not is_url(name):
        found = Path(name).stat()
        return Stamp(found.st_size, str(found.st_mtime_ns))
    files, path = _store(name)
    about = files.info(path)
    known = (about.get(key) for key in ("ETag", "etag", "md5Hash", "LastModified", "last_modified", "mtime", "created"))
    return Stamp(int(about.get("size") or 0), str(next((one for one in known if one), "")))


def absolute(name: str) -> str:
    """The name of a file that is the same from every folder."""
    return name if is_url(name) else str(Path(name).resolve())


def join(folder: str, relative: str) -> str:
    """The name of what is in a folder; `relative` has slashes."""
    return f"{folder.rstrip('/')}/{relative}" if is_url(folder) else str(Path(folder, relative))


def open_reading(name: str) -> io.BufferedReader:
    """The bytes of a file as they lie."""
    if not is_url(name):
        return Path(name).open("rb")
    files, path = _store(name)
    with _said(name):
        return io.BufferedReader(cast(io.RawIOBase, files.open(path, "rb")), _BUFFER)


def remove(name: str) -> None:
    """Remove a file, if it is there."""
    if not is_url(name):
        Path(name).unlink(missing_ok=True)
        return
    files, path = _store(name)
    with _said(name), contextlib.suppress(FileNotFoundError):
        files.rm_file(path)


def is_empty(folder: str) -> bool:
    """Whether nothing is in a folder, or there is none."""
    if not is_url(folder):
        return not Path(folder).exists() or not any(Path(folder).iterdir())
    files, path = _store(folder)
    with _said(folder):
        return not files.exists(path) or not files.ls(path)


def read(name: str) -> bytes | None:
    """All of a small file; None if it is not there."""
    try:
        with open_reading(name) as file:
            return file.read()
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def writing(name: str) -> Iterator[BinaryIO]:
    """A file to write, which is there as a whole or not at all; its folders are made."""
    if not is_url(name):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        with replacing(Path(name)) as file:
            yield file
        return
    files, path = _store(name, skip_instance_cache=True)  # whose transaction is of this file alone
    theirs: BaseException | None = None
    try:
        files.makedirs(files._parent(path), exist_ok=True)
        with files.transaction, files.open(path, "wb") as file:
            try:
                yield file
            except BaseException as error:
                theirs = error
                raise
    except Exception as error:
        if error is theirs:
            raise
        raise _said_by_store(name, error) from None
    _store(name)[0].invalidate_cache(files._parent(path))  # the one that is asked has listed the folder before


def is_pattern(name: str) -> bool:
    """Whether a name is a pattern, and no file has it."""
    return _MAGIC.search(name) is not None and not is_file(name)


class Found(NamedTuple):
    """A file that a pattern or a folder stands for, and its name from there on, with slashes."""

    name: str
    relative: str


def find(name: str) -> list[Found]:
    """The files that a name stands for, in order: itself, those of a pattern, or all below a folder.

    Files and folders whose names begin with a dot or an underscore are left out, but where they are named.
    """
    if is_url(name):
        return _find_at(name)
    if not name:
        raise ConfigError("an empty name is that of no file")
    if Path(name).is_file():
        return [Found(name, Path(name).name)]
    if Path(name).exists() and not Path(name).is_dir():
        raise DataError(f"{name} is no regular file")
    if Path(name).is_dir():
        base, found = name, [one for one in _below(name) if not _is_hidden(one)]
    elif not _MAGIC.search(name):
        raise FileNotFoundError(2, "No such file or directory", name)
    else:
        base = _fixed(name)
        found = [os.path.relpath(one, base or ".") for one in glob.glob(name, recursive=True)]  # noqa: PTH207
        hidden_asked = _is_hidden(name[len(base) :].lstrip("/"))
        found = [one for one in found if hidden_asked or not _is_hidden(one)]
    files = sorted(one for one in found if Path(base, one).is_file())
    return [Found(str(Path(base, one)), PurePosixPath(*Path(one).parts).as_posix()) for one in _some(files, name)]


def _find_at(name: str) -> list[Found]:
    files, path = _store(name)
    with _said(name):
        if _MAGIC.search(path):
            base, found = _fixed(path), files.glob(path)
        elif files.isfile(path):
            base, found = files._parent(path), [path]
        else:
            base, found = path.rstrip("/"), files.find(path)
        found = sorted(one for one in found if not files.isdir(one))
    start = len(base) + 1 if base else 0
    named = [(one, one[start:]) for one in found]
    visible = [(one, rest) for one, rest in named if one == path or not _is_hidden(rest)]
    return [Found(files.unstrip_protocol(one), rest) for one, rest in _some(visible, name)]


def _below(folder: str) -> Iterator[str]:
    """All files below a folder; links to folders are followed, but not twice to the same one."""
    visited = set[str]()
    for parent, folders, files in os.walk(folder, followlinks=True):
        visited.add(os.path.realpath(parent))
        folders[:] = [one for one in folders if os.path.realpath(os.path.join(parent, one)) not in visited]  # noqa: PTH118
        yield from (os.path.relpath(os.path.join(parent, one), folder) for one in files)  # noqa: PTH118


def _some(found: Sequence[_T], name: str) -> Sequence[_T]:
    if not found:
        raise DataError(f"{name}: there are no files")
    return found


def _fixed(pattern: str) -> str:
    """The folder of a pattern before its first wildcard."""
    return pattern[: _MAGIC.search(pattern).start()].rpartition("/")[0]  # type: ignore[union-attr]


def _is_hidden(relative: str) -> bool:
    return any(part.startswith(_HIDDEN) for part in PurePosixPath(relative).parts)


def _store(name: str, **settings: Any) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415
    except ImportError:
        raise MissingExtra(f"{name}: URLs need fsspec: pip install 'budgie-nlp[arrow]'") from None
    try:
        files, path = url_to_fs(name, **settings)
    except ImportError as error:  # the package of this kind of store, which fsspec names
        raise MissingExtra(f"{name}: {error}") from None
    except ValueError as error:
        raise DataError(f"{name}: {error}") from None
    return files, path


@contextlib.contextmanager
def _said(name: str) -> Iterator[None]:
    """Errors of a store name the URL."""
    try:
        yield
    except (DataError, MissingExtra):
        raise
    except Exception as error:
        raise _said_by_store(name, error) from None


def _said_by_store(name: str, error: Exception) -> OSError:
    """What a store says, in many kinds of errors; those of the system stay of their kind."""
    if isinstance(error, OSError):
        return type(error)(error.errno, error.strerror or str(error), name)
    return OSError(None, f"{type(error).__name__}: {error}", name)
