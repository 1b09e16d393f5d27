# SPDX-License-Identifier: Apache-2.0
"""The test material: texts with their languages, made from the development data with a fixed seed."""

from __future__ import annotations

import lzma
import random
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.places import MaterialError, data_folder

SEED = 2017
SNIPPET = (20, 25)  # characters, least and most
DOCUMENT = 1300  # bytes at least
SENTENCE = (80, 120)  # characters of the sentences that speed is measured on
# Written without spaces (Amharic in UDHR only, with a mark between words): cut between any two characters.
UNSPACED = {"am", "ja", "km", "lo", "my", "th", "zh", "zh-Hant"}

# UDHR texts whose file is not named by the bare code.
UDHR_IN_TRAINING = ("co", "haw", "sm")  # too thin without; see CorpusSettings.udhr_for_training
UDHR_FILES = {"ht": "ht-kreyol", "ny": "ny-chechewa"}
# TCL's labels that mean something else than in our codes. Its "ml" is Malay in Latin letters, its Serbian is all in
# Latin letters, and its Uzbek all in Cyrillic, which most systems do not claim to know.
TCL_LANGUAGES = {"ml": "ms", "tl": "fil", "sr": "sr-Latn", "uz": "uz-Cyrl"}
# What the web calls ISO 8859-1 is Windows 1252; read literally, its quotation marks become control characters.
TCL_ENCODINGS = {"iso-8859-1": "windows-1252"}


@dataclass(frozen=True)
class TestSet:
    """Texts and the language of each."""

    name: str
    languages: list[str]
    texts: list[str]


def test_sets(per_language: int) -> list[TestSet]:
    """Everything that accuracy is measured on, at most so many texts of a language in each set."""
    dev = data_folder("langid") / "dev"
    sentences = dict(read_languages(dev / "lingua_sentences"))
    udhr = dict(read_udhr(dev / "udhr"))
    made: dict[str, dict[str, list[str]]] = {
        "sentences": sentences,
        "word pairs": dict(read_languages(dev / "lingua_word_pairs")),
        "single words": dict(read_languages(dev / "lingua_single_words")),
        "snippets": each_language(sentences, snippets),
        "documents": each_language(sentences, documents),
        "UDHR": udhr,
        "UDHR snippets": each_language(udhr, snippets),
        "TCL": read_tcl(data_folder("langid") / "baldwin_lui" / "naacl2010-langid.tar.xz"),
    }
    return [flatten(name, texts, per_language) for name, texts in made.items()]


def speed_sets(known: set[str], most: int) -> tuple[set[str], dict[str, list[str]]]:
    """The languages of these that there are texts of, and a shuffled mix of each kind of text in them."""
    by_language = {
        language: texts
        for language, texts in read_languages(data_folder("langid") / "dev" / "lingua_sentences")
        if language in known
    }
    kinds = {"documents": documents, "sentences": middling, "snippets": snippets}
    mixes = {}
    for kind, make in kinds.items():
        mix = [text for texts in each_language(by_language, make).values() for text in texts]
        random.Random(SEED).shuffle(mix)
        mixes[kind] = mix[:most]
    return set(by_language), mixes


def read_languages(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Each language of a folder of LANGUAGE.txt.xz files, one text a line, shuffled: some files are sorted."""
    if not folder.is_dir():
        raise MaterialError(f"{folder}: no such folder")
    for file in sorted(folder.glob("*.txt.xz")):
        language = file.name.removesuffix(".txt.xz")
        texts = read_lines(file)
        random.Random(f"{SEED} {language}").shuffle(texts)
        yield language, texts


def read_udhr(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Paragraphs of the declaration in the languages that there is training data for; headings are too short."""
    for language in sorted(
        {file.name.removesuffix(".txt.xz") for file in data_folder("langid").glob("train/*/*.txt.xz")}
    ):
        if language in UDHR_IN_TRAINING:
            continue
        file = folder / f"{UDHR_FILES.get(language, language)}.txt.xz"
        if file.exists():
            yield language, [text for text in read_lines(file) if len(text) >= SNIPPET[0]]


def read_lines(file: Path) -> list[str]:
    """The lines of a compressed file that have a letter in them."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        return clean(lines)


def clean(texts: Iterable[str]) -> list[str]:
    """Texts on one line each, as some peers refuse a line break, without those that have no letter."""
    return [" ".join(text.split()) for text in texts if any(map(str.isalpha, text))]


def read_tcl(archive: Path) -> dict[str, list[str]]:
    """The TCL documents of Baldwin and Lui (2010), decoded as their list says."""
    raw: dict[str, bytes] = {}
    with tarfile.open(archive) as files:  # read in the order of the archive: going back means to decompress again
        for member in files:
            file = files.extractfile(member)
            if file is not None and "/TCL" in member.name:
                raw[member.name.removeprefix("naacl2010-langid/")] = file.read()
    by_language: dict[str, list[str]] = {}
    for line in raw["TCL.meta"].decode().splitlines():
        name, encoding, language, _fold = line.split("\t")
        if language != "UNKNOWN":
            text = raw[f"TCL/{name}"].decode(TCL_ENCODINGS.get(encoding, encoding), errors="replace")
            by_language.setdefault(TCL_LANGUAGES.get(language, language), []).extend(clean([text]))
    return by_language


def each_language(
    by_language: dict[str, list[str]], make: Callable[[str, list[str]], list[str]]
) -> dict[str, list[str]]:
    """Apply a function of a language and its texts to every language."""
    return {language: make(language, texts) for language, texts in by_language.items()}


def snippets(language: str, texts: list[str]) -> list[str]:
    """From each text that has one, a random piece of 20 to 25 characters between word boundaries."""
    chance = random.Random(f"{SEED} snippets {language}")
    pieces = (snippet(text, language in UNSPACED, chance) for text in texts)
    return clean(piece for piece in pieces if piece is not None)


def snippet(text: str, unspaced: bool, chance: random.Random) -> str | None:
    """One random piece of a text, or nothing if no run of its words has the right length."""
    least, most = SNIPPET
    if unspaced:
        start = chance.randrange(max(1, len(text) - least + 1))
        return text[start : start + least] if len(text) >= least else None
    words = text.split()
    found = []
    for first in range(len(words)):
        piece = words[first]
        for word in words[first + 1 :]:
            if len(piece) >= least:
                break
            piece += " " + word
        if least <= len(piece) <= most:
            found.append(piece)
    return chance.choice(found) if found else None


def documents(_language: str, texts: list[str]) -> list[str]:
    """The texts joined, in their order, to documents of about 1.3 KB; what is left at the end is dropped."""
    made, sentences, size = [], [], 0
    for text in texts:
        sentences.append(text)
        size += len(text.encode()) + 1
        if size >= DOCUMENT:
            made.append(" ".join(sentences))
            sentences, size = [], 0
    return made


def middling(_language: str, texts: list[str]) -> list[str]:
    """The texts of about 100 characters."""
    return [text for text in texts if SENTENCE[0] <= len(text) <= SENTENCE[1]]


def flatten(name: str, by_language: dict[str, list[str]], per_language: int) -> TestSet:
    """The first texts of each language as one list."""
    pairs = [(language, text) for language in sorted(by_language) for text in by_language[language][:per_language]]
    return TestSet(name, [language for language, _ in pairs], [text for _, text in pairs])
