# SPDX-License-Identifier: Apache-2.0
"""What `reliable` is worth for text in no known language: UDHR in other languages, code, hexadecimal, base64, noise.

python -m benchmarks.langid.refused [--model FILE] [--docs]
"""

from __future__ import annotations

import argparse
import base64
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from benchmarks import report
from benchmarks.langid.material import SNIPPET, read_languages, snippets
from benchmarks.markdown import percent, table

import budgie
from budgie import LanguageIdentifier
from budgie.formats.labelled import label_of, text_files
from budgie.formats.lines import read_lines
from budgie.train.data.datasets import find

EACH = 200  # texts of a language
LINES = 2000  # of each kind of noise
LENGTHS = (20, 120)  # characters of them
CORE = Path(__file__).parents[2] / "core"  # C++, of which no identifier has learnt
# Files of the declaration whose language has a label, under the code of a part of it, or of a wider language, or with a
# number: Quechua, Fulah, Kanuri, Kongo, Occitan, written Chinese and so on.
LABELLED = frozenset(
    "aii auv ayr cjy dip fri fuf fuv fuv2 gan hak hsn ike knc kng ktu lnc nhn pbu prv qud qug qul qva qvc qvh qvm qvn"
    " qwh qxa qxn qxu rmn rmn-1 src tha2 ven2".split()
)
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--model", default="langid", help="a name or a file")
    options = report.parse(parser)
    model = budgie.load(options.model)
    assert isinstance(model, LanguageIdentifier)
    rows = [*known(model), *unknown(model), *noise(model)]
    report.publish(table(["text", "texts", "answered rightly", "right and reliable", "refused"], rows), None, options)


def known(model: LanguageIdentifier) -> Iterator[list[str]]:
    """What is kept of the right answers, and what is refused of all."""
    sentences = {
        language: texts[:EACH]
        for language, texts in read_languages(find("langid/dev") / "lingua_sentences")
        if language in model.languages
    }
    shorts = {language: snippets(language, texts) for language, texts in sentences.items()}
    for name, by_language in (("sentences of known languages", sentences), ("snippets of them", shorts)):
        labels = [language for language, texts in by_language.items() for _ in texts]
        answers = model.identify_batch([text for texts in by_language.values() for text in texts])
        right = [answer for answer, label in zip(answers, labels, strict=True) if answer.language == label]
        kept = sum(answer.reliable for answer in right) / len(right)
        refused = sum(not answer.reliable for answer in answers) / len(answers)
        yield [name, f"{len(labels):,}", percent(len(right) / len(labels)), percent(kept), percent(refused)]


def unknown(model: LanguageIdentifier) -> Iterator[list[str]]:
    """The declaration in languages that are not chosen from: those that have a label, and those that have none."""
    everything = {label.partition("-")[0] for label in model.all_languages}
    usual = {label.partition("-")[0] for label in model.languages}
    rare: list[str] = []
    other: list[str] = []
    for path in text_files(find("langid/dev") / "udhr"):
        language = label_of(path).partition("-")[0]
        if language in usual or language.isdigit() or label_of(path) in LABELLED:
            continue
        lines = [line for line in read_lines(path) if len(line) >= SNIPPET[0]]
        (rare if language in everything else other).extend(lines[:EACH])
    for name, texts in (("UDHR, rare languages", rare), ("UDHR, languages without a label", other)):
        if texts:
            yield _row(model, name, texts)


def noise(model: LanguageIdentifier) -> Iterator[list[str]]:
    """Text that is in no language at all."""
    yield _row(model, "C++ (the core)", _code())
    for name, make in NOISE.items():
        draw = Random(name)
        yield _row(model, name, [make(draw)[: draw.randint(*LENGTHS)] for _ in range(LINES)])


def _row(model: LanguageIdentifier, name: str, texts: list[str]) -> list[str]:
    refused = sum(not answer.reliable for answer in model.identify_batch(texts)) / len(texts)
    return [name, f"{len(texts):,}", "", "", percent(refused)]


def _code() -> list[str]:
    """Lines of C++ without those of comments."""
    lines = [line.strip() for path in sorted(CORE.rglob("*.?pp")) for line in path.read_text("utf-8").splitlines()]
    return [line for line in lines if len(line) >= SNIPPET[0] and not line.startswith(("//", "#include"))][:LINES]


def _keys(draw: Random) -> str:
    """Fingers that run over a keyboard."""
    out = []
    while len(out) < LENGTHS[1]:
        row = draw.choice(KEYS)
        at = draw.randrange(len(row))
        for _ in range(draw.randint(2, 9)):
            out.append(row[at])
            at = min(max(at + draw.choice((-2, -1, -1, 0, 1, 1, 2)), 0), len(row) - 1)
        if draw.random() < 0.3:
            out.append(" ")
    return "".join(out)


def _packed(draw: Random) -> bytes:
    return zlib.compress(draw.randbytes(LENGTHS[1]))


NOISE: dict[str, Callable[[Random], str]] = {
    "hexadecimal": lambda draw: " ".join(draw.randbytes(draw.choice((2, 4, 16, 32))).hex() for _ in range(20)),
    "base64": lambda draw: base64.b64encode(_packed(draw)).decode(),
    "keyboard noise": _keys,
    "random letters": lambda draw: "".join(draw.choices("abcdefghijklmnopqrstuvwxyz     ", k=LENGTHS[1])),
    "random bytes": lambda draw: draw.randbytes(LENGTHS[1]).decode("latin-1"),
}


if __name__ == "__main__":
    main()
