# SPDX-License-Identifier: Apache-2.0
"""Baidu's LAC as a teacher: texts in, their words out, each a JSON value a line (tools/teachers.py starts it).

It runs in an environment of its own, which needs nothing of Budgie: pip install 'setuptools<75' wheel paddlepaddle,
then pip install --no-build-isolation LAC. LAC 2.1.2 is of a time when `paddle.base` was called `paddle.fluid`.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import islice

AT_ONCE = 256  # texts


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")  # Paddle writes to the standard output, too
    os.dup2(2, 1)
    import paddle  # noqa: PLC0415

    sys.modules["paddle.fluid"] = paddle.fluid = paddle.base
    sys.modules["paddle.fluid.core"] = paddle.base.core
    paddle.enable_static()
    from LAC import LAC  # noqa: PLC0415

    teacher = LAC(mode="seg")
    lines = map(json.loads, sys.stdin)
    while texts := list(islice(lines, AT_ONCE)):
        for words in teacher.run(texts):
            answers.write(json.dumps(words) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
