# SPDX-License-Identifier: Apache-2.0
"""jieba as a teacher: texts in, their words out, each a JSON value a line (tools/teachers.py starts it).

Without its hidden Markov model, which makes words of characters that only happen to stand together (我用).

It runs in an environment of its own, which needs nothing of Budgie: pip install 'setuptools<75' jieba==0.42.1.
"""

from __future__ import annotations

import json
import logging
import sys


def main() -> None:
    import jieba  # noqa: PLC0415

    jieba.setLogLevel(logging.WARNING)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(jieba.lcut(json.loads(line), HMM=False)) + "\n")


if __name__ == "__main__":
    main()
