# SPDX-License-Identifier: Apache-2.0
"""Text of no language, for a label of its own: source code, hexadecimal and base64 strings, keys pressed at random.

Whatever is none of the languages must look like something else than the nearest of them, or it would be called that
one with confidence. The code is that of the running Python's standard library, of the C++ headers that come with
PyTorch, and made-up lines of other languages.
"""

from __future__ import annotations

import base64
import importlib.util
import re
import string
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from random import Random

BACKGROUND = "zxx"  # ISO 639-2: no linguistic content

_SYMBOLS = frozenset("()[]{}=<>+*/%&|^~;:_.,'\"#@\\!-")
_LEAST_SYMBOLS = 0.12  # of the characters of a line of code; comments have fewer
_SHORTEST, _LONGEST = 9, 300  # characters of a line
_NAMES = (
    "i j k n x y a b c id key val value node next prev left right head tail root buf len size count index idx tmp res"
    " result data item items list map set str text name path file line row col user config ctx err error msg req args"
    " opts src dst out in obj cls self this fn cb func handler parse load save get set put add remove init close open"
    " read write send recv lock init_state get_value to_string from_json readFile writeFile parseInt getElementById"
    " addEventListener innerHTML querySelector uint32_t size_t std vector unique_ptr malloc free printf struct typedef"
    " println fmt impl pub mut async await fetch console log require module exports props state useState render width"
    " height color margin padding border float display none auto px em rgb SELECT FROM WHERE users orders"
).split()
_NOT_THE_LIBRARY = ("dist-packages", "site-packages", "test")  # what others wrote; longer than all of the rest
_NAME = re.compile(r"[A-Za-z]+(?:_[A-Za-z]+)*")
_TYPES = "int float double char void bool auto const long string String var let u8 i32 usize Object List".split()
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю", "qwertzuiopü", "azertyuiop")


def no_language(seed: int, lines: int) -> Iterator[tuple[str, list[str]]]:
    """Names of sources, and lines of each."""
    draw = Random(seed)
    library = Path(sysconfig.get_path("stdlib"))
    folders = chain(library.glob("*.py"), library.glob("[a-z]*/*.py"))
    python = _lines_of(path for path in folders if path.parent.name not in _NOT_THE_LIBRARY)
    headers = _folder_of_torch() / "include"
    c = _lines_of(chain.from_iterable((headers / folder).rglob("*.h") for folder in ("torch", "ATen/core", "c10")))
    yield "python_library", _joined(python, draw, lines)
    yield "torch_headers", _joined(c, draw, 2 * lines)
    # Names of things are English words; with those of a few hundred files, code is not told by the names that it has.
    found = sorted({name for line in (*python, *c) for name in _NAME.findall(line)})
    names = [*found, *_NAMES * (len(found) // len(_NAMES))]
    yield "made_up_code", [_code(names, draw)[:_LONGEST] for _ in range(2 * lines)]
    for name, make in _MAKERS.items():
        yield name, [make(draw)[:_LONGEST] for _ in range(lines)]


def _folder_of_torch() -> Path:
    found = importlib.util.find_spec("torch")  # takes no second, as importing it would
    assert found and found.origin  # who trains has it
    return Path(found.origin).parent


def _lines_of(files: Iterable[Path]) -> list[str]:
    """Lines of code; comments have fewer symbols."""
    return [
        line.strip()
        for path in sorted(files)
        for line in path.read_text("utf-8", "replace").splitlines()
        if len(line.strip()) >= _SHORTEST
        and sum(map(_SYMBOLS.__contains__, line)) >= _LEAST_SYMBOLS * len(line.strip())
    ]


def _joined(found: list[str], draw: Random, wanted: int) -> list[str]:
    """Some of the lines, joined here and there as text without line ends has them."""
    starts = [draw.randrange(max(len(found) - 4, 1)) for _ in range(wanted)]
    return [" ".join(found[start : start + draw.choice((1, 1, 2, 4))])[:_LONGEST] for start in starts]


def _name(names: Sequence[str], draw: Random) -> str:
    """A name, often of two words."""
    one, other = draw.choice(names), draw.choice(names)
    return draw.choice((one, one, f"{one}_{other}", one + other.title(), one.title() + other.title()))


def _code(names: Sequence[str], draw: Random) -> str:
    """A line or two of C, Java, JavaScript, Rust, SQL, CSS, JSON or a shell, with names from anywhere."""
    parts = []
    for _ in range(draw.randint(1, 3)):
        a, b, c, d = (_name(names, draw) for _ in range(4))
        number, kind = draw.randint(0, 999), draw.choice(_TYPES)
        parts.append(
            draw.choice(
                (
                    f"{kind} {a} = {b}.{c}({d}, {number});",
                    f"for ({kind} {a} = 0; {a} < {b}; ++{a}) {{ {c}[{a}] += {d}; }}",
                    f"if ({a} == null || {b}.{c}() != {number}) return {d};",
                    f"const {a} = ({b}) => {{ {c}.{d}({b}); }};",
                    f"function {a}({b}, {c}) {{ return {b}.{d}[{c}]; }}",
                    f"fn {a}({b}: &{kind}) -> Result<{kind}, {c}> {{ {d}.unwrap() }}",
                    f"SELECT {a}, {b} FROM {c} WHERE {d} = {number} ORDER BY {a} DESC;",
                    f".{a}-{b} {{ {c}: {number}px; {d}: #{draw.randrange(1 << 24):06x}; }}",
                    f'{{"{a}": {number}, "{b}": ["{c}", "{d}"]}}',
                    f"#include <{a}/{b}.h> #define {c.upper()} {number}",
                    f"$ {a} --{b}={c} -{d[0]} | grep {d} > /{a}/{b}.{c}",
                    f"{a}->{b}({c}[{number}], static_cast<{kind}>({d} << {number % 32}));",
                    f"std::{a}<{kind}> {b}::{c}(const {d}& {a}) noexcept {{ return {b}_; }}",
                    f"case {a}::{b}: {c} |= {d} & 0x{number:02x}; break; default: throw std::{d}({a});",
                    f"template <typename T> class {a.title()} : public {b}::{c}<T> {{ {kind} {d}_; }};",
                    f"import {a}.{b}.{c}; public static void {d}(String[] {a}) throws {b.title()}Exception {{",
                )
            )
        )
    return " ".join(parts)


def _hexadecimal(draw: Random) -> str:
    joint = draw.choice((" ", " ", " ", ":", "-", "0x"))
    width = draw.choice((2, 4, 8, 32, 64))
    words = [f"{draw.getrandbits(4 * width):0{width}x}" for _ in range(draw.randint(1, 8))]
    text = joint.join(words)
    return text.upper() if draw.random() < 0.2 else text


def _base64(draw: Random) -> str:
    return base64.b64encode(draw.randbytes(draw.randint(9, 200))).decode()


def _keys(draw: Random) -> str:
    """Keys pressed at random, mostly beside each other."""
    words = []
    for _ in range(draw.randint(1, 8)):
        row = draw.choice(_KEYS)
        place, word = draw.randrange(len(row)), ""
        for _ in range(draw.randint(3, 12)):
            place = (place + draw.choice((-2, -1, 0, 1, 1, 2, 3))) % len(row)
            word += row[place]
        words.append(word)
    return " ".join(words)


def _letters(draw: Random) -> str:
    """Letters, or letters and digits, at random, as in names of machines and passwords."""
    letters = draw.choice((string.ascii_lowercase, string.ascii_letters, string.ascii_letters + string.digits))
    words = ["".join(draw.choices(letters, k=draw.randint(3, 14))) for _ in range(draw.randint(1, 8))]
    return " ".join(words)


def _bytes(draw: Random) -> str:
    """Binary data read as Latin-1 or as broken UTF-8."""
    data = draw.randbytes(draw.randint(12, 200))
    return data.decode("latin-1" if draw.random() < 0.5 else "utf-8", "replace").replace("\n", " ").replace("\r", " ")


_MAKERS: dict[str, Callable[[Random], str]] = {
    "hexadecimal": _hexadecimal,
    "base64": _base64,
    "keys": _keys,
    "letters": _letters,
    "bytes": _bytes,
}
