# SPDX-License-Identifier: Apache-2.0
"""Does time grow linearly with a document, and does memory stay flat over a million calls?

python -m benchmarks.langid.scale
"""

from __future__ import annotations

import time
from random import Random

import budgie

PROSE = (
    "The river was high that spring, and nobody in the village could remember so much water. "
    "Die alte Brücke hielt noch, aber man hörte in der Nacht die Steine rollen. "
    "Les enfants comptaient les arbres qui passaient devant la maison du meunier. "
)
CALLS = 1_000_000


def resident_mb() -> float:
    with open("/proc/self/status", encoding="utf-8") as status:  # noqa: PTH123
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))


def main() -> None:
    model = budgie.load("langid")
    print("| one document of | CPU s | MB/s | memory beyond the text, MB |\n| --- | --- | --- | --- |")
    for megabytes in (1, 10, 100):
        text = (PROSE * (megabytes * 1_000_000 // len(PROSE.encode()) + 1)).encode()[: megabytes * 1_000_000]
        before, start = resident_mb(), time.process_time()
        model.identify(text)
        seconds = time.process_time() - start
        print(f"| {megabytes} MB | {seconds:.4f} | {megabytes / seconds:.0f} | {resident_mb() - before:.1f} |")
        del text
    random = Random(1)
    words = PROSE.split()
    print("\n| calls of identify | resident MB |\n| --- | --- |")
    for call in range(CALLS + 1):
        if call % (CALLS // 4) == 0:
            print(f"| {call:,} | {resident_mb():.1f} |")
        model.identify(f"{random.choice(words)} {call} {random.choice(words)}")


main()
