# SPDX-License-Identifier: Apache-2.0
"""Training of tokens and sentences, on a made-up language."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

from budgie import Segmenter
from budgie.cli import main
from budgie.evaluation.raw_text import evaluate_raw_text
from budgie.formats.treebank import TreebankSentence, TreebankToken, TreebankWord
from budgie.train.network.loop import Run
from budgie.train.network.recipe import load_recipe
from budgie.train.segmentation.tokens import LanguageText, train_tokens

SMALL = (
    "optimise.steps=300", "optimise.batch=256", "optimise.evaluate_every=100", "optimise.average=0.9",
    "optimise.learning_rate=[0.01]", "network.least=2", "layouts.least_tokens=12000", "layouts.most_tokens=12000",
)  # fmt: skip


def sentences(count: int, seed: int, stop: str = ".") -> list[TreebankSentence]:
    """Capitals begin a sentence; an abbreviation keeps its full stop, and names have capitals, too."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        words = [
            draw.choice(("kala", "mira", "tuno", "sevi", "Kim", "Dr.", "12", "pola")) for _ in range(draw.randint(2, 8))
        ]
        words = [words[0].capitalize(), *words[1:], "pola"]
        tokens = [TreebankToken(word, " ", (TreebankWord(word, "X"),)) for word in words]
        tokens[-1] = TreebankToken("pola", "", (TreebankWord("pola", "X"),))
        made.append(TreebankSentence((*tokens, TreebankToken(stop, " ", (TreebankWord(stop, "PUNCT"),)))))
    return made


def test_a_language_is_learnt() -> None:
    recipe = load_recipe("tokens", SMALL)
    text = LanguageText("", sentences(300, 1), sentences(100, 2))
    model = train_tokens(recipe, [text], Run(quiet=True), {})
    assert model.config.standards == ()
    segmenter = Segmenter(model)
    scores = evaluate_raw_text(segmenter, sentences(100, 3))
    assert scores.tokens.f1 > 0.99
    assert scores.sentences.f1 > 0.97
    found = segmenter.sentences("Kala mira Dr. Kim pola. Tuno 12 pola.\n\nSevi pola")
    assert [len(sentence) for sentence in found] == [6, 4, 2]


def test_several_languages_in_one_model() -> None:
    recipe = load_recipe("tokens", SMALL)
    texts = [
        LanguageText("aa", sentences(200, 1), sentences(50, 2)),
        LanguageText("bb", sentences(200, 3, "।"), sentences(50, 4, "।")),
        LanguageText("cc", lines=[sentence.text for sentence in sentences(300, 5, "?")]),
    ]
    model = train_tokens(recipe, texts, Run(quiet=True), {})
    assert model.config.standards == ("und", "aa", "bb")
    for standard, stop in (("aa", "."), ("bb", "।"), ("und", "?")):
        scores = evaluate_raw_text(Segmenter(model, standard=standard), sentences(60, 6, stop))
        assert scores.sentences.f1 > 0.9, standard


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def write(name: str, some: list[TreebankSentence]) -> str:
        rows = []
        for one in some:
            for number, token in enumerate(one.tokens, 1):
                misc = "_" if token.space else "SpaceAfter=No"
                rows.append(f"{number}\t{token.text}\t_\tX\t_\t_\t_\t_\t_\t{misc}")
            rows.append("")
        path = tmp_path / name
        path.write_text("\n".join(rows) + "\n")
        return str(path)

    train, dev = write("train.conllu", sentences(200, 1)), write("dev.conllu", sentences(60, 2))
    out = str(tmp_path / "mine.safetensors")
    assert main(["train", "tokens", "--train", train, "--dev", dev, "--out", out, "--quiet", "--set", *SMALL]) == 0
    assert main(["evaluate", out, dev]) == 0
    shown = capsys.readouterr().out
    assert "tokens" in shown
    assert "sentences" in shown
    assert "F1 9" in shown or "F1 100" in shown
    assert main(["evaluate", out, dev, "--train", train]) == 1
    assert "leave out --train" in capsys.readouterr().err
    assert main(["train", "tokens", "--train", train, "--dev", dev, "--lexicon", train, "--out", out]) == 1
    assert "tokens and sentences have no use for --lexicon" in capsys.readouterr().err
