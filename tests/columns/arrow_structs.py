# SPDX-License-Identifier: Apache-2.0
"""Arrow arrays made and read by hand (ctypes), so that columns are tested where nobody else speaks Arrow."""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Callable, Sequence
from typing import Any

P, I64 = ctypes.c_void_p, ctypes.c_int64


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


_Release = {kind: ctypes.CFUNCTYPE(None, ctypes.POINTER(kind)) for kind in (Schema, Array, Stream)}
_Get = {kind: ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(kind)) for kind in (Schema, Array)}
_GetWithGil = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
_LastError = ctypes.CFUNCTYPE(P, ctypes.POINTER(Stream))
Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", I64),
    ("n_children", I64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", _Release[Schema]),
    ("private_data", P),
]
Array._fields_ = [
    ("length", I64),
    ("null_count", I64),
    ("offset", I64),
    ("n_buffers", I64),
    ("n_children", I64),
    ("buffers", ctypes.POINTER(P)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", _Release[Array]),
    ("private_data", P),
]
Stream._fields_ = [
    ("get_schema", _Get[Schema]),
    ("get_next", _Get[Array]),
    ("get_last_error", _LastError),
    ("release", _Release[Stream]),
    ("private_data", P),
]
_Struct = Schema | Array | Stream

_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype, _capsule.argtypes = ctypes.py_object, (P, ctypes.c_char_p, P)
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = P, (ctypes.py_object, ctypes.c_char_p)
_NAMES = {Schema: b"arrow_schema", Array: b"arrow_array", Stream: b"arrow_array_stream"}

INDICES = dict(zip("cCsSiIlL", "bBhHiIqQ", strict=True))  # formats of integers: Arrow's, and those of `struct`

_alive: dict[int, Any] = {}  # what structs point to, by private_data, until they are given back


def alive() -> int:
    """How many structs that were made here nobody has given back yet."""
    return len(_alive)


def _give_back(pointer: Any) -> None:
    one = pointer.contents
    for number in range(getattr(one, "n_children", 0)):
        if one.children[number].contents.release:
            one.children[number].contents.release(one.children[number])
    if getattr(one, "dictionary", None) and one.dictionary.contents.release:
        one.dictionary.contents.release(one.dictionary)
    for held in _alive.pop(one.private_data):
        if isinstance(held, _Left):
            held.give_back()
    ctypes.memset(ctypes.addressof(one) + type(one).release.offset, 0, ctypes.sizeof(P))


_RELEASES = {kind: _Release[kind](_give_back) for kind in (Schema, Array, Stream)}


def _made(one: Any, *held: Any) -> Any:
    key = one.private_data = max(_alive, default=0) + 1
    _alive[key] = held
    one.release = _RELEASES[type(one)]
    return one


def _family(one: Any, children: Sequence[Any], dictionary: Any) -> tuple[Any, ...]:
    kind = type(one)
    pointers = (ctypes.POINTER(kind) * max(1, len(children)))(*map(ctypes.pointer, children))
    one.n_children, one.children = len(children), pointers
    if dictionary is not None:
        one.dictionary = ctypes.pointer(dictionary)
    return pointers, children, dictionary


def schema(format: str | None, name: str = "", children: Sequence[Any] = (), dictionary: Any = None) -> Any:
    one = Schema(format.encode() if format is not None else None, name.encode(), None, 2)
    return _made(one, _family(one, children, dictionary))


def array(
    length: int,
    buffers: Sequence[bytes | None],
    children: Sequence[Any] = (),
    dictionary: Any = None,
    offset: int = 0,
    null_count: int = -1,
) -> Any:
    kept = [ctypes.create_string_buffer(one, len(one)) if one is not None else None for one in buffers]
    pointers = (P * max(1, len(kept)))(*(ctypes.addressof(one) if one is not None else None for one in kept))
    one = Array(length, null_count, offset, len(kept), 0, pointers)
    return _made(one, kept, pointers, _family(one, children, dictionary))


def give_back(one: Any) -> None:
    """Release what nobody has taken."""
    one.release(one)


def bits(values: Sequence[bool]) -> bytes:
    padded = [*values, *[False] * (-len(values) % 8)]
    return bytes(sum(bit << n for n, bit in enumerate(padded[at : at + 8])) for at in range(0, len(padded), 8)) or b"\0"


def texts(values: Sequence[str | bytes | None], layout: str = "u", name: str = "", before: int = 0) -> tuple[Any, Any]:
    """Schema and array of texts; `before` rows lie before the first."""
    values = [*["before"] * before, *values]
    given = [value.encode() if isinstance(value, str) else value for value in values]
    valid = bits([value is not None for value in given])
    filled = [value or b"" for value in given]
    ends = [sum(map(len, filled[:n])) for n in range(len(filled) + 1)]
    rows = {"length": len(values) - before, "offset": before}
    if layout in "uz":
        made = array(buffers=[valid, struct.pack(f"{len(ends)}i", *ends), b"".join(filled)], **rows)
    elif layout in "UZ":
        made = array(buffers=[valid, struct.pack(f"{len(ends)}q", *ends), b"".join(filled)], **rows)
    elif layout in ("vu", "vz"):
        views = [
            struct.pack("i12s", len(one), one)
            if len(one) <= 12
            else struct.pack("i4sii", len(one), one[:4], n % 2, ends[n])
            for n, one in enumerate(filled)
        ]
        data = b"".join(filled)
        sizes = struct.pack("2q", len(data), len(data))
        made = array(buffers=[valid, b"".join(views), data, data, sizes], **rows)
    else:  # the format of the indices of a dictionary
        distinct = sorted({*filled})
        indices = struct.pack(f"{len(filled)}{INDICES[layout]}", *map(distinct.index, filled))
        words, dictionary = texts([one.decode() for one in distinct])
        return schema(layout, name, dictionary=words), array(buffers=[valid, indices], dictionary=dictionary, **rows)
    return schema(layout, name), made


def lists(values: Sequence[Sequence[str | None] | None], layout: str = "+l", name: str = "") -> tuple[Any, Any]:
    """Schema and array of lists of texts."""
    words, items = texts([word for value in values for word in value or ()], "u", "item", before=2)
    valid = bits([value is not None for value in values])
    ends = [sum(len(value or ()) for value in values[:n]) for n in range(len(values) + 1)]
    buffers = [valid]
    if layout in ("+l", "+L"):
        buffers.append(struct.pack(f"{len(ends)}{'i' if layout == '+l' else 'q'}", *ends))
    return schema(layout, name, [words]), array(len(values), buffers, [items])


def chunks(*pieces: Sequence[str | bytes | None], layout: str = "u") -> Chunks:
    """Columns of texts, one behind the other."""

    def make() -> tuple[Any, list[Any]]:
        made = [texts(piece, layout) for piece in (*pieces, [])]
        for one, _ in made[1:]:
            give_back(one)
        give_back(made[-1][1])
        return made[0][0], [one for _, one in made[:-1]]

    return Chunks(make)


def failing_chunks(piece: Sequence[str | bytes | None]) -> Chunks:
    """One column of texts, and then an error."""

    def make() -> tuple[Any, list[Any]]:
        kind, one = texts(piece)
        return kind, [one, OSError(errno.ENOSPC, "")]

    return Chunks(make)


def table(*columns: tuple[Any, Any]) -> tuple[Any, Any]:
    length = columns[0][1].length if columns else 0
    schemas, arrays = [one for one, _ in columns], [one for _, one in columns]
    return schema("+s", children=schemas), array(length, [None], arrays, null_count=0)


def capsule(one: Any) -> Any:
    made = _capsule(ctypes.addressof(one), _NAMES[type(one)], None)
    _kept_capsules.append(one)  # its memory; what it points to is given back by whoever takes it
    return made


_kept_capsules: list[Any] = []


class InOnePiece:
    """An object with one array."""

    def __init__(self, schema_: Any, array_: Any) -> None:
        self.parts = (schema_, array_)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[Any, Any]:
        return capsule(self.parts[0]), capsule(self.parts[1])


class Chunks:
    """An object with a stream of arrays; `make` is called for each reader and gives a schema and the arrays.

    Among these may be an OSError, whose number is what the stream returns then.
    """

    def __init__(self, make: Callable[[], tuple[Any, list[Any]]]) -> None:
        self.make = make
        self.asked = 0

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        schema_, arrays = self.make()
        message = ctypes.create_string_buffer(b"the disk is full")
        left = _Left([schema_, *arrays])

        def get_schema(_: Any, out: Any) -> int:
            _move(left.structs.pop(0), out)
            return 0

        def get_next(_: Any, out: Any) -> int:
            self.asked += 1
            ctypes.memset(out, 0, ctypes.sizeof(Array))
            if not left.structs:
                return 0
            if isinstance(left.structs[0], OSError):
                return left.structs[0].errno or errno.EIO
            _move(left.structs.pop(0), out)
            return 0

        functions = _Get[Schema](get_schema), _Get[Array](get_next), _LastError(lambda _: ctypes.addressof(message))
        return capsule(_made(Stream(*functions), functions, message, left))


class _Left:
    """What a stream has not handed over yet."""

    def __init__(self, structs: list[Any]) -> None:
        self.structs = structs

    def give_back(self) -> None:
        for one in self.structs:
            if not isinstance(one, OSError):
                give_back(one)


def _move(one: Any, out: Any) -> None:
    ctypes.memmove(out, ctypes.addressof(one), ctypes.sizeof(one))
    ctypes.memset(ctypes.addressof(one) + type(one).release.offset, 0, ctypes.sizeof(P))


# ---- readers


class ReadError(Exception):
    """What a stream says when it returns an error."""


def read(source: Any, batches: int | None = None, keep_gil: bool = False) -> list[dict[str, Any]]:
    """The rows of a stream of tables, of all its batches or some, asked for without the GIL or with it."""
    held = source.__arrow_c_stream__()
    stream = Stream.from_address(_pointer(held, _NAMES[Stream]))
    get_next = _GetWithGil(ctypes.cast(stream.get_next, P).value) if keep_gil else stream.get_next
    kind = Schema()
    _check(stream, stream.get_schema(stream, kind))
    rows: list[dict[str, Any]] = []
    try:
        while batches is None or batches > 0:
            made = Array()
            _check(stream, get_next(stream, made))
            if not made.release:
                break
            rows += _values(kind, made)
            made.release(made)
            batches = None if batches is None else batches - 1
    finally:
        kind.release(kind)
    return rows


def _check(stream: Any, number: int) -> None:
    if number:
        raise ReadError(number, ctypes.string_at(stream.get_last_error(stream)).decode())


def _numbers(code: str, address: int, count: int) -> tuple[Any, ...]:
    return struct.unpack(f"{count}{code}", ctypes.string_at(address, struct.calcsize(f"{count}{code}")))


def _values(kind: Any, made: Any) -> list[Any]:
    """What our own columns are made of."""
    count, code, buffers = made.length, kind.format.decode(), made.buffers
    rows = range(made.offset, made.offset + count)
    end = made.offset + count

    def bit(address: int, row: int) -> bool:
        return bool(ctypes.string_at(address + row // 8, 1)[0] >> row % 8 & 1)

    children = [_values(kind.children[c].contents, made.children[c].contents) for c in range(kind.n_children)]
    values: list[Any]
    if kind.dictionary:
        names = _values(kind.dictionary.contents, made.dictionary.contents)
        values = [names[n] for n in _numbers("h", buffers[1], end)[made.offset :]]
    elif code == "u":
        ends = _numbers("i", buffers[1], end + 1)
        data = ctypes.string_at(buffers[2], ends[-1])
        values = [data[ends[n] : ends[n + 1]].decode() for n in rows]
    elif code == "+l":
        ends = _numbers("i", buffers[1], end + 1)
        values = [children[0][ends[n] : ends[n + 1]] for n in rows]
    elif code == "+s":
        fields = [kind.children[c].contents.name.decode() for c in range(kind.n_children)]
        values = [dict(zip(fields, row, strict=True)) for row in zip(*children, strict=True)][made.offset :]
    elif code == "b":
        values = [bit(buffers[1], n) for n in rows]
    else:
        values = list(_numbers({"f": "f", "l": "q", "s": "h"}[code], buffers[1], end)[made.offset :])
    if made.n_buffers and buffers[0]:
        values = [value if bit(buffers[0], n) else None for value, n in zip(values, rows, strict=True)]
    return values
