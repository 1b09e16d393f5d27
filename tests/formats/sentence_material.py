# SPDX-License-Identifier: Apache-2.0
"""Sentences in all formats, and a reader and a writer of them."""

from __future__ import annotations

import itertools

from budgie.formats.sentence_writers import to_conllu
from budgie.formats.sentences import InputFormat, TokenisedSentence, parse

# Comments, a multiword range, empty nodes, words with a space or none that follows, a tag that is missing.
CONLLU = """\
# newdoc
# sent_id = 1
# text = Vámonos al mar:)
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t0\troot\t0:root\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t1:obj\t_
2.1\t_\t_\tVERB\t_\t_\t_\t_\t_\tCopyOf=1
2.2\t_\t_\tNOUN\t_\t_\t_\t_\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\tNote=a|Note=b
3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_
5\tmar\tmar\t_\t_\t_\t1\tobl\t_\tSpaceAfter=No
6\t: )\t_\tSYM\t_\t_\t1\tdiscourse\t_\tSpaceAfter=No|TagProb=0.1000

# text = #
0.1\t_\t_\t_\t_\t_\t_\t_\t_\t_
1\t#\t#\tSYM\t_\t_\t0\troot\t_\t_

"""
WORDS = ("Vamos", "nos", "a", "el", "mar", ": )")
TAGS = ("VERB", "PRON", "ADP", "DET", "_", "SYM")
COLUMNS = "# text = #1 und\n#\tSYM\t-\n1\tNUM\nund\t_\t0.5000\n\nAch so\tINTJ\n"
ROW = "\t_\t_\tX\t_\t_\t_\t_\t_\t_"


def read(text: str, form: InputFormat | None = None, tagged: bool = False) -> list[TokenisedSentence]:
    """All sentences of a text, which come out the same in whatever pieces it goes in."""
    lines = text.removesuffix("\n").split("\n") if text else []

    def by(size: int) -> list[TokenisedSentence]:
        pieces = (lines[begin : begin + size] for begin in range(0, len(lines), size))
        return list(itertools.chain.from_iterable(parse(pieces, "here", form, tagged)))

    sentences = by(1)
    assert by(3) == by(len(lines) + 1) == sentences
    return sentences


def written(sentences: list[TokenisedSentence]) -> str:
    return "".join(to_conllu(sentence, sentence.tags or ["_"] * len(sentence.words)) for sentence in sentences)
