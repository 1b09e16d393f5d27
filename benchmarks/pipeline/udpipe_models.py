# SPDX-License-Identifier: Apache-2.0
"""Models of UDPipe, learnt from the files that ours learnt from, on first use; they stay in its environment.

    python -m benchmarks.pipeline.udpipe_models [LANGUAGE …] [--epochs 30]     # train those that are missing

A tokenizer takes about five seconds of CPU time an epoch, whatever the treebank's size (its default is 100 epochs); a
tagger up to a quarter of an hour. `log.json` beside the models says what each has cost and how it went.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.pipeline.material import LEARNT
from benchmarks.places import PEERS
from benchmarks.workers import Worker, progress

from budgie.formats.treebank import TreebankSentence, TreebankToken, TreebankWord
from budgie.train.data.raw_treebanks import RAW_TREEBANKS
from budgie.train.data.treebanks import TREEBANKS
from budgie.train.segmentation.tokens import LanguageText

MODELS = PEERS / "udpipe-models"  # outside of its environment, which is made anew now and then
EPOCHS = 30
ITERATIONS = 10  # of taggers
TAGGED = ("en", "es", "fi", "fr", "id", "pt")  # languages that get a tagger, too
_ESCAPES = {" ": "\\s", "\t": "\\t", "\r": "\\r", "\n": "\\n"}


def trained(worker: Worker, language: str, epochs: int = EPOCHS) -> Path:
    """The model of a language: a tokenizer, and a tagger where there is one of ours to compare it with."""
    tokens = MODELS / f"{language}-tokens.udpipe"
    if not tokens.exists():
        treebank, text = RAW_TREEBANKS[language], LanguageText(language)
        parts = [text.written(treebank.training()), text.written(treebank.held_out())]
        _train(worker, "tokens", parts, tokens, epochs)
    if language not in TAGGED:
        return tokens
    both, tags = MODELS / f"{language}.udpipe", MODELS / f"{language}-tags.udpipe"
    if not tags.exists():
        learn, dev = ([_plain(one.words, one.tags) for one in TREEBANKS[language].read(part)] for part in PARTS)
        _train(worker, "tags", [learn, dev], tags, ITERATIONS)
    if not both.exists():
        worker.ask("join", [str(tokens), str(tags)], str(both))
    return both


PARTS = ("train", "dev")


def _train(worker: Worker, what: str, parts: Sequence[Sequence[TreebankSentence]], path: Path, times: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = path.with_suffix(".begun")
    progress(f"training: {path.stem}, {times} times")
    cost = worker.ask("train", ["\n".join(conllu(part)) for part in parts], what, str(begun), str(times))
    log = log_of_training() | {path.stem: {"times": times, "cpu_s": cost["cpu_s"]}}
    (MODELS / "log.json").write_text(json.dumps(log, indent=1), encoding="utf-8")
    begun.rename(path)  # last: a training that was stopped is begun again
    progress(f"training: took {cost['cpu_s']:.0f} s of CPU time")


def log_of_training() -> dict[str, Any]:
    """How often each model has gone through its text, and what that cost."""
    place = MODELS / "log.json"
    return dict(json.loads(place.read_text(encoding="utf-8"))) if place.exists() else {}


def training() -> str:
    """How long the models at hand have learnt, in words."""
    log = log_of_training()

    def times(what: str) -> str:
        counts = [one["times"] for name, one in log.items() if name.endswith(what)]
        return f"{min(counts)} to {max(counts)}" if counts else "no"

    hours = sum(one["cpu_s"] for one in log.values()) / 3600
    return (
        f"UDPipe: {times('-tokens')} epochs of its tokenizers, {times('-tags')} iterations of its taggers, "
        f"{hours:.1f} hours of CPU time in all; the best on the dev set was kept."
    )


def _plain(words: Sequence[str], tags: Sequence[str] | None) -> TreebankSentence:
    """A sentence of a tagger's treebank, whose spacing does not matter."""
    return TreebankSentence(
        tuple(TreebankToken(word, " ", (TreebankWord(word, tag),)) for word, tag in zip(words, tags or (), strict=True))
    )


def conllu(sentences: Sequence[TreebankSentence]) -> Iterator[str]:
    """The lines of sentences as CoNLL-U, with their spacing, paragraphs and multiword tokens."""
    for sentence in sentences:
        if sentence.begins_paragraph:
            yield "# newpar"
        number = 0
        for token in sentence.tokens:
            space, several = _space(token.space), len(token.words) > 1
            if several:
                yield "\t".join((f"{number + 1}-{number + len(token.words)}", token.text, *"_" * 7, space))
            for word in token.words:
                number += 1
                head = "0" if number == 1 else "1"
                misc = "_" if several else space
                yield "\t".join((str(number), word.text, "_", word.tag, "_", "_", head, "_", "_", misc))
        yield ""
    yield ""


def _space(space: str) -> str:
    """White space behind a token, as the column MISC has it."""
    if space == " ":
        return "_"
    return "SpacesAfter=" + "".join(_ESCAPES.get(one, "\\s") for one in space) if space else "SpaceAfter=No"


def main() -> None:
    """Train what is missing."""
    from benchmarks.pipeline.peers import contender

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("languages", nargs="*", default=list(LEARNT))
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    options = parser.parse_args()
    worker = contender("udpipe", options.epochs).worker
    for language in options.languages:
        print(trained(worker, language, options.epochs))


if __name__ == "__main__":
    main()
