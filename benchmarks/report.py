# SPDX-License-Identifier: Apache-2.0
"""Where the results of a benchmark go."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping

from benchmarks.workers import progress


def publish(text: str, numbers: Mapping[str, object], options: argparse.Namespace) -> None:
    """The report to standard output and to --out, the numbers behind it to --json."""
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(numbers, indent=1, ensure_ascii=False), encoding="utf-8")
    progress(f"numbers in {options.json}")
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    print(text)
