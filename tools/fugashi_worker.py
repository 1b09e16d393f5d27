# SPDX-License-Identifier: Apache-2.0
"""fugashi with UniDic as a teacher: texts in, their words out, each a JSON value a line (tools/teachers.py starts it).

White space is a word of its own: MeCab leaves it out. It runs in an environment of its own, which needs nothing of
Budgie: pip install fugashi==1.5.2 unidic-lite==1.0.8.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    from fugashi import Tagger  # noqa: PLC0415

    tagger = Tagger()
    for line in sys.stdin:
        text, words, end = json.loads(line), list[str](), 0
        for node in tagger(text):
            start = end + len(node.white_space)
            words += [text[end:start]] if start > end else []
            words.append(node.surface)
            end = start + len(node.surface)
        words += [text[end:]] if end < len(text) else []
        sys.stdout.write(json.dumps(words) + "\n")


if __name__ == "__main__":
    main()
