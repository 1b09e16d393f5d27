# SPDX-License-Identifier: Apache-2.0
"""`budgie tag --raw`, and the warning where text looks raw, with the embedded models."""

from __future__ import annotations

import json
import re

from conftest import Command

from budgie.formats.sentences import TokenisedSentence, find_raw

ENGLISH = "Dr. Lee didn't ask why. Nobody knows."
JSONL = b"".join(json.dumps({"id": number, "text": ENGLISH}).encode() + b"\n" for number in (1, 2))


def test_raw_text(budgie: Command) -> None:
    tag = ("tag", "--language", "en", "--raw")
    text = f"{ENGLISH}\n\nNobody knows.\n".encode()
    rows = budgie(*tag, "--format", "tsv", stdin=text).decode()
    assert rows.startswith(
        "Dr.\tPROPN\nLee\tPROPN\ndid\tAUX\nn't\tPART\nask\tVERB\nwhy\tADV\n.\tPUNCT\n\nNobody\tPRON\n"
    )
    assert rows.count("\n\n") == 3
    output = [json.loads(line) for line in budgie(*tag, "--format", "json", stdin=text).splitlines()]
    assert output[2] == {"words": ["Nobody", "knows", "."], "tags": ["PRON", "VERB", "PUNCT"]}
    output = [
        json.loads(line) for line in budgie(*tag, "--format", "json", "--probabilities", stdin=JSONL).splitlines()
    ]
    assert [one["id"] for one in output][:2] == [1, 1]
    assert len(output[0]["probabilities"]) == len(output[0]["words"]) == 7
    found = budgie(*tag, stdin=text).decode()
    assert re.findall("# sent_id = (.*)", found) == ["1-1", "1-2", "2-1"]
    budgie.fails("tag", "--model", "pos-en", "--raw", message="--raw finds words and tags by the embedded models")
    budgie.fails(*tag, "--input", "conllu", message="--raw: conllu has its words already")
    budgie.fails("tag", "--language", "xx", "--raw", message="no tagger for 'xx' comes with Budgie")


def test_a_warning_where_text_is_raw(budgie: Command) -> None:
    for text, word in (("The cat sleeps.", "sleeps."), ("No cats, no dogs\nand, well, no mice either", "cats,")):
        budgie("tag", "--language", "en", stdin=text.encode(), notes=True)
        assert budgie.error.decode().startswith(f"budgie: warning: words such as '{word}' look as if the text had not ")
    for text in ("The cat sleeps .", "Dr. Lee met Mr. Kim at 3 p.m. , too .", "cat\tNOUN\nsleeps.\tVERB\n", "sleeps."):
        budgie("tag", "--language", "en", stdin=text.encode())


def test_what_looks_raw() -> None:
    tokenised = [
        TokenisedSentence(("Mr.", "Kim", "Jr.", "left", "etc.", ".")),
        TokenisedSentence(("in", "the", "U.S.")),
    ]
    assert find_raw(tokenised) == ""
    assert find_raw([]) == find_raw([TokenisedSentence(())]) == ""
    assert find_raw([TokenisedSentence(("They", "slept."))]) == "slept."
    assert find_raw([TokenisedSentence(("研究,", "生命。"))]) == "生命。"
