# SPDX-License-Identifier: Apache-2.0
"""Training of segmenters, on a made-up language: every word ends with a character that no word has elsewhere."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from conftest import plain_units
from reference import segmentation as reference

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

from budgie import _core
from budgie._core import OUTSIDE
from budgie.errors import DataError
from budgie.evaluation.segmentation import evaluate_words
from budgie.formats.segmented import Segmented, join
from budgie.model.accounting import KB, MB, account
from budgie.model.config import ACTIONS, Group
from budgie.model.features import make_unit_features
from budgie.model.file import Model
from budgie.tasks.segmentation import Segmenter
from budgie.train.network.drawn import DrawnBatches
from budgie.train.network.loop import Run
from budgie.train.network.recipe import Optimise, Recipe, load_recipe, make_config
from budgie.train.network.samples import gold_sample
from budgie.train.segmentation.decisions import decisions_of_samples
from budgie.train.segmentation.general import with_general
from budgie.train.segmentation.train import SegmentationMaterial, SegmentedText, encode_vocabulary, train_segmenter
from budgie.train.segmentation.units import as_sentence, mark, text_of, units_of

CPU = torch.device("cpu")
QUIET = Run(quiet=True)
RECIPE = """
task = "seg"
about = "tiny"
[network]
hidden = 24
groups = [
  { name = "characters", kind = "vocabulary", n = 1, buckets = 1, dim = 8, positions = [-1, 0, 1], starts = [0] },
  { name = "bigrams", kind = "vocabulary", n = 2, buckets = 1, dim = 4, positions = [-1, 0] },
  { name = "trigrams", kind = "ngrams", n = 3, buckets = 200, dim = 4, positions = [-1], bits = 4, scale = "table" },
  { name = "words", kind = "words", buckets = 2000, dim = 4, positions = [-1, 0, 1] },
  { name = "kinds", kind = "kinds", n = 3, buckets = 64, dim = 2, positions = [-1] },
  { name = "length", kind = "length", buckets = 8, dim = 2, bits = 32 },
  { name = "standard", kind = "standard", buckets = 1, dim = 4, bits = 32 },
  { name = "lexicon", kind = "lexicon", buckets = 1, dim = 4, positions = [-1, 0, 1], starts = [0] },
]
lexicon = { longest = 3, bits_a_word = 20 }
[optimise]
optimiser = "adam"
batch = 64
steps = 300
learning_rate = [0.01]
l2 = [0.0]
average = 0.9
evaluate_every = 100
silver = 0.5
"""
WITHOUT_STANDARDS = ("standard",)


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(RECIPE)
    return path


def made_up_words(draw: Random) -> list[str]:
    """Words of one to four characters, the last one a numeral; a number, a name or a space now and then."""
    words = []
    for _ in range(draw.randint(2, 8)):
        words.append("".join(draw.choices("天地人山水火木金土日", k=draw.randint(0, 3))) + draw.choice("一二三四五"))
        if draw.random() < 0.2:
            words.append(draw.choice(["3.14", "Budgie", "，", "▁"]))
    return words


def sentences(count: int, seed: int, together: bool = False) -> list[Segmented]:
    """Sentences of the language; in another standard, two words of which the first ends with 一 are one."""
    draw, found = Random(seed), []
    for _ in range(count):
        words = made_up_words(draw)
        if together:
            words = "".join(f"{word}{'' if word.endswith('一') else ' '}" for word in words).replace("一▁", "一 ▁")
            words = [word for word in words.split() if word]
        found.append(join(words, "visible"))
    return found


def score(model: Model, seed: int, **options: str) -> float:
    together = options.get("standard") == "long"
    return evaluate_words(Segmenter(model, **options), sentences(100, seed, together)).f1


# ---- training --------------------------------------------------------------------------------------------------


def test_a_segmenter_learns_a_language(recipe: Path) -> None:
    tiny = load_recipe(recipe, without=WITHOUT_STANDARDS)
    text = [SegmentedText(sentences(150, 1), sentences(30, 2))]
    model = train_segmenter(tiny, SegmentationMaterial(text), QUIET, {"trained_on": "nothing real"})
    assert score(model, 3) > 0.99
    assert Segmenter(model).segment("天地人一二 Budgie3.14，山水三") == [
        *("天地人一", "二", "Budgie", "3.14", "，", "山水三")
    ]
    assert json.loads(model.info["scores"])["held-out F1"] > 99
    assert (model.info["recipe"], model.info["trained_on"]) == ("tiny", "nothing real")
    assert model.config.standards == ()
    assert train_segmenter(tiny, SegmentationMaterial(text), QUIET, {"trained_on": "nothing real"}) == model


def test_a_lexicon_knows_what_the_text_does_not(recipe: Path) -> None:
    """Words of characters that the text does not have, each of which is in the list."""
    draw = Random(11)
    words = ["".join(draw.choices("子丑寅卯辰巳午未申酉", k=draw.randint(2, 3))) for _ in range(60)]
    tiny = load_recipe(recipe, without=WITHOUT_STANDARDS)
    text = [SegmentedText(sentences(150, 1), sentences(30, 2))]
    known = sorted({word for s in (*text[0].training, *text[0].held_out) for b, e in s.spans if (word := s.text[b:e])})
    plain, more = (
        train_segmenter(tiny, SegmentationMaterial(text, lexicon=some), QUIET, {}) for some in ((), known + words)
    )
    assert (plain.config.lexicon, "lexicon.bits" in plain.tensors) == (None, False)
    assert more.config.lexicon
    assert score(more, 3) > 0.98
    unseen = [join(["天二", *draw.sample(words, 4), "地二"], "joined") for _ in range(50)]
    plain_f1, f1 = (evaluate_words(Segmenter(model), unseen).f1 for model in (plain, more))
    assert f1 > plain_f1 + 0.1


def test_standards_are_told_apart(recipe: Path) -> None:
    tiny = load_recipe(recipe)
    text = [
        SegmentedText(sentences(150, 1), sentences(30, 2), "short"),
        SegmentedText(sentences(150, 4, together=True), sentences(30, 5, together=True), "long"),
    ]
    model = train_segmenter(tiny, SegmentationMaterial(text), QUIET, {})
    assert model.config.standards == ("short", "long")
    assert score(model, 3, standard="short") > 0.99
    assert score(model, 3, standard="long") > 0.99
    assert json.loads(model.info["scores"]).keys() == {"held-out F1, short", "held-out F1, long"}
    assert Segmenter(model).segment("天一地二") == ["天一", "地二"]
    assert Segmenter(model, standard="long").segment("天一地二") == ["天一地二"]


def write_silver(path: Path, found: Sequence[Segmented], features: _core.UnitFeatures) -> Path:
    blocks = []
    for sentence in (as_sentence(one, features) for one in found):
        assert sentence.tags
        blocks.append("".join(f"{w}\t{t}:1.0\n" for w, t in zip(sentence.words, sentence.tags, strict=True)))
    path.write_text("\n".join(blocks), "utf-8")
    return path


def test_silver_text_teaches_what_the_gold_text_lacks(recipe: Path, tmp_path: Path) -> None:
    """Only the silver text has words that end with 六."""
    tiny, features = load_recipe(recipe, without=WITHOUT_STANDARDS), plain_units()
    gold = SegmentedText(sentences(60, 1), sentences(30, 2))
    taught = [Segmented(one.text.replace("五", "六"), one.spans) for one in sentences(60, 6)]
    silver = write_silver(tmp_path / "silver.tsv", taught, features)
    plain, more = (train_segmenter(tiny, SegmentationMaterial([gold], paths), QUIET, {}) for paths in ([], [silver]))
    unseen = [Segmented(one.text.replace("五", "六"), one.spans) for one in sentences(60, 7)]
    plain_f1, f1 = (evaluate_words(Segmenter(model), unseen).f1 for model in (plain, more))
    assert f1 > 0.98 > plain_f1
    assert score(more, 3) > 0.99


def test_silver_text_may_have_a_standard_of_its_own(recipe: Path, tmp_path: Path) -> None:
    """Its words, and characters that no annotated text has."""
    silver = tmp_path / "silver.tsv"
    taught = [Segmented(one.text.replace("五", "六"), one.spans) for one in sentences(200, 6, together=True)]
    write_silver(silver, taught, plain_units())
    marked = "".join(f"<long>\tSPLIT:1\n{block}\n" for block in silver.read_text("utf-8").split("\n\n"))
    silver.write_text(marked.replace("\n\n", "\n").replace("<long>", "\n<long>"), "utf-8")
    gold = SegmentedText(sentences(60, 1), sentences(30, 2), "short")
    material = SegmentationMaterial([gold], [silver], taught=["long"])
    model = train_segmenter(load_recipe(recipe), material, QUIET, {})
    assert model.config.standards == ("long", "short")
    assert list(json.loads(model.info["scores"])) == ["held-out F1, short"]
    assert Segmenter(model).segment("天一地六") == ["天一地六"]
    assert Segmenter(model, standard="short").segment("天一地二") == ["天一", "地二"]


def test_general_is_the_mean_of_standards(recipe: Path) -> None:
    """Two of three corpora keep words together, and a fourth, which keeps none, has no part in it."""
    gold = [
        SegmentedText(sentences(60, seed, together=together), sentences(9, 9, together=together), standard)
        for seed, (standard, together) in enumerate({"a": True, "b": False, "c": True, "d": False}.items())
    ]
    learnt = train_segmenter(load_recipe(recipe), SegmentationMaterial(gold), QUIET, {})
    model = with_general(learnt, "general", ["a", "b", "c"])
    assert model.config.standards == ("general", *learnt.config.standards)
    rows = [np.frombuffer(one.tensors["standard.rows"].data, np.float32).reshape(-1, 4) for one in (learnt, model)]
    assert np.array_equal(rows[1], [rows[0][:3].mean(axis=0), *rows[0]])
    assert Segmenter(model).segment("天一地二") == ["天一地二"]
    for standard in "abcd":
        one, other = (Segmenter(known, standard=standard) for known in (learnt, model))
        assert all(one.spans(sentence.text) == other.spans(sentence.text) for sentence in sentences(60, 6))


def test_silver_text_of_another_standard_is_refused(recipe: Path, tmp_path: Path) -> None:
    features = plain_units()
    silver = write_silver(tmp_path / "silver.tsv", sentences(3, 6), features)
    gold = [SegmentedText(sentences(9, 1), sentences(9, 2), standard) for standard in ("short", "long")]
    with pytest.raises(DataError, match=r"a sentence begins with .*, not with one of <short>, <long>"):
        train_segmenter(load_recipe(recipe, ["optimise.steps = 1"]), SegmentationMaterial(gold, [silver]), QUIET, {})


def test_silver_text_of_other_units_is_refused(recipe: Path, tmp_path: Path) -> None:
    silver = tmp_path / "silver.tsv"
    silver.write_text("天\tSPLIT:1.0\n3\tMERGE:1.0\n.14\tMERGE:1.0\n", "utf-8")
    gold = SegmentedText(sentences(9, 1), sentences(9, 2))
    tiny = load_recipe(recipe, ["optimise.steps = 1"], WITHOUT_STANDARDS)
    with pytest.raises(DataError, match=r"the text '天3\.14' has 2 units, not 3"):
        train_segmenter(tiny, SegmentationMaterial([gold], [silver]), QUIET, {})


# ---- what training sees ----------------------------------------------------------------------------------------


def test_rare_characters_share_the_row_of_unknown_ones(recipe: Path) -> None:
    often, once = "天地一", "龍"
    text = [join(["天一", "地"], "joined"), join(["天地", "龍一"], "joined")]
    tiny = load_recipe(recipe, ["optimise.steps = 1"], WITHOUT_STANDARDS)
    model = train_segmenter(tiny, SegmentationMaterial([SegmentedText(text, text)]), QUIET, {})
    rows = reference.read_keys(bytes(model.tensors["characters.keys"].data))
    assert set(rows) == {*map(ord, often), OUTSIDE}
    assert sorted(rows.values()) == [1, 2, 3, 4]
    assert model.config.groups[0].buckets == 5
    one, unknown = (
        reference.row(model, model.config.groups[0], 0, reference.State(0, 0, 0), reference.fronts(c, True, False), 0)
        for c in ("天", once)
    )
    assert (one > 0, unknown) == (True, 0)
    pairs = reference.read_keys(bytes(model.tensors["bigrams.keys"].data))
    outside_first = OUTSIDE << 32 | ord("天")
    assert set(pairs) == {outside_first, OUTSIDE << 32 | OUTSIDE}  # all others occur once


@pytest.mark.parametrize("least", [1, 2, 5])
@pytest.mark.parametrize("n", [1, 2])
def test_vocabularies_hold_what_occurs_often_enough(n: int, least: int) -> None:
    texts = [sentence.text for sentence in sentences(40, 8)] + ["", "龍", "👨‍👩‍👧 3.14", "\0\U0010ffff"]
    counts: dict[int, int] = {}
    for text in texts:
        for key in reference.keys_of(text, n, True, False):
            counts[key] = counts.get(key, 0) + 1
    counts.pop(OUTSIDE << 32 | OUTSIDE, None)  # of the empty text
    found = reference.read_keys(encode_vocabulary(texts, n, least, plain_units()))
    found.pop(OUTSIDE << 32 | OUTSIDE, None)
    assert set(found) == {key for key, count in counts.items() if count >= least}
    assert list(found) == sorted(found)


@pytest.mark.parametrize("units", ["characters", "runs"])
@pytest.mark.parametrize("spaces", ["break", "join"])
def test_training_sees_the_rows_of_inference(recipe: Path, units: str, spaces: str) -> None:
    changes = [f'network.text = {{ units = "{units}", spaces = "{spaces}" }}', "optimise.steps = 1"]
    text = [
        SegmentedText(sentences(20, 1), sentences(9, 2), "a"),
        SegmentedText(sentences(20, 3), sentences(9, 4), "b"),
    ]
    listed = sorted({sentence.text[start:end] for sentence in text[0].training for start, end in sentence.spans})
    model = train_segmenter(load_recipe(recipe, changes), SegmentationMaterial(text, lexicon=listed), QUIET, {})
    assert model.config.lexicon
    assert model.config.lexicon.longest == 3
    features = make_unit_features(model.config, model.tensors)
    runs, joined = units == "runs", spaces == "join"
    samples = [
        gold_sample(as_sentence(sentence, features, one.standard), ACTIONS) for one in text for sentence in one.training
    ]
    found = decisions_of_samples(features, samples, [mark("a"), mark("b")], CPU)
    expected: list[list[list[int]]] = []
    gold = []
    for number, one in enumerate(text):
        for sentence in one.training:
            fronts = reference.fronts(sentence.text, runs, joined)
            begins = {start for start, _ in sentence.spans}
            forced = reference.FORCED_SPLIT
            split = {
                i for i, f in enumerate(fronts) if f.rule == forced or (f.rule == reference.OPEN and f.start in begins)
            }
            for state in reference.states(len(fronts), split):
                if fronts[state.front].rule == reference.OPEN:
                    expected.append(reference.rows(model, state, fronts, number))
                    gold.append(int(state.front not in split))
    for i, group in enumerate(model.config.groups):
        assert found.rows[i].tolist() == [rows[i] for rows in expected], group.name
    assert len(found.rows[-1].unique()) > 9  # the lexicon says something
    assert found.targets.argmax(1).tolist() == gold


def test_every_decision_comes_once_an_epoch() -> None:
    features = plain_units()
    samples = [gold_sample(as_sentence(one, features), ACTIONS) for one in sentences(30, 6)]
    gold = decisions_of_samples(features, samples, [], CPU)
    everything = gold.followed_by(decisions_of_samples(features, samples[:10], [], CPU))
    assert len(everything) > len(gold) > 100
    batches = DrawnBatches(everything, len(gold), Optimise(batch=20, silver=0.25))
    steps = len(gold) // 15
    seen = [n for step in range(steps) for n in batches[step].chosen.tolist()]
    annotated = [n for n in seen if n < len(gold)]
    assert len(annotated) == len(set(annotated)) == steps * 15
    assert len(seen) - len(annotated) == steps * 5
    assert batches[3].labels().tolist() == everything.targets[batches[3].chosen].argmax(1).tolist()
    with pytest.raises(DataError, match="there is nothing to decide"):
        decisions_of_samples(features, [gold_sample(as_sentence(join(["天"], "joined"), features), ACTIONS)], [], CPU)


def test_units_and_back() -> None:
    text = "天地 3.14\u3000Budgie，👨‍👩‍👧 x"
    plain, joined = (plain_units(True, join) for join in (False, True))
    assert units_of(text, plain) == ("天", "地", "▁", "3.14", "▁", "Budgie", "，", "👨‍👩‍👧", "▁", "x")
    assert units_of(text, joined) == ("天", "地", "▁3.14", "▁Budgie", "，", "👨‍👩‍👧", "▁x")
    for features in (plain, joined):
        assert text_of(units_of(text, features)) == text.replace("\u3000", " ")
        again = units_of(text_of(units_of(text, features)), features)
        assert again == units_of(text, features)
    sentence = join(["Việt_Nam", "đẹp", "."], "underscore")
    assert as_sentence(sentence, joined).words == ("Việt", "▁Nam", "▁đẹp", ".")
    assert as_sentence(sentence, joined).tags == ("SPLIT", "MERGE", "SPLIT", "SPLIT")
    marked = as_sentence(sentence, joined, "vlsp")
    assert (marked.words[0], marked.tags) == ("<vlsp>", ("SPLIT", "SPLIT", "MERGE", "SPLIT", "SPLIT"))
    spaced = as_sentence(join(["天地", "▁", "人"], "visible"), plain)
    assert (spaced.words, spaced.tags) == (("天", "地", "▁", "人"), ("SPLIT", "MERGE", "SPLIT", "SPLIT"))


@pytest.mark.parametrize("seed", range(5))
def test_any_sentence_comes_back(seed: int) -> None:
    draw = Random(seed)
    odd = ["\u200b", "\u200c", "\u200d", "▁", "▁ ", "\x1c", "a▁b@c"]
    text = "".join(draw.choices([*"天地人aB1., ៛ក្ខ๑ท้👨🏽🇩", "www.x.y", "3.14", "e\u0301", *odd], k=300))
    for runs, joined in itertools.product([True, False], repeat=2):
        features = plain_units(runs, joined)
        units = units_of(text, features)
        shown = text.translate({0x200B: " ", 0x2581: "▂", 0x1C: "\ufffd"})
        assert text_of(units).split() == shown.split()
        assert units_of(text_of(units), features) == units
        assert len(units) == len(features.units(text))


@pytest.mark.parametrize("joined", [False, True])
def test_text_may_have_what_stands_for_a_space(recipe: Path, joined: bool) -> None:
    """Each ▁ is a word here, beside a space or not; and so are units that Python takes for white space."""
    features = plain_units(True, joined)
    sentence = Segmented("天▁ 地\x1c ▁▁人", ((0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8), (8, 9)))
    cut = as_sentence(sentence, features)
    units = ["天", "▂", "▁", "地", "\ufffd", "▁", "▂", "▂", "人"]
    if joined:
        units = ["天", "▂", "▁地", "\ufffd", "▁▂", "▂", "人"]
    assert cut.words == tuple(units)
    assert cut.tags == ("SPLIT",) * len(units)
    changes = ["optimise.steps = 1", f'network.text = {{ spaces = "{"join" if joined else "break"}" }}']
    text = SegmentedText([sentence, *sentences(9, 1)], [sentence])
    model = train_segmenter(load_recipe(recipe, changes, WITHOUT_STANDARDS), SegmentationMaterial([text]), QUIET, {})
    assert 0x2581 not in reference.read_keys(bytes(model.tensors["characters.keys"].data))  # nobody taught its row
    assert "".join(Segmenter(model).segment(sentence.text, spaces=True)) == sentence.text


def test_a_zero_width_space_is_white_space() -> None:
    sentence = Segmented("天\u200b地 \u200b人", ((0, 1), (2, 3), (5, 6)))
    for runs in (True, False):
        spaces = ["▁"] if runs else ["▁", "▁"]
        cut = as_sentence(sentence, plain_units(runs, False))
        assert cut.words == ("天", "▁", "地", *spaces, "人")
        assert cut.tags == ("SPLIT",) * len(cut.words)
        assert as_sentence(sentence, plain_units(runs, True)).words == ("天", "▁地", "▁人")


# ---- the paper -------------------------------------------------------------------------------------------------


def of_the_papers_size(recipe: Recipe) -> list[Group]:
    rows = {"characters": 5030, "bigrams": 200_000}
    return [replace(g, buckets=rows[g.name], keys=1) if g.name in rows else g for g in recipe.network.groups]


@pytest.mark.parametrize(
    ("name", "h0", "size"),
    [
        ("seg-paper-c64", 518, "846 KB"),
        ("seg-paper-c64-b4", 542, "2.0 MB"),
        ("seg-paper-c256", 2054, "3.2 MB"),
    ],
)
def test_the_papers_segmenters_have_its_sizes(name: str, h0: int, size: str) -> None:
    recipe = load_recipe(name)
    network = replace(recipe.network, groups=tuple(of_the_papers_size(recipe)))
    config = make_config(replace(recipe, network=network), ACTIONS)
    counts = account(config)
    keys = sum(group.keys for group in config.groups)
    assert (config.hidden, config.h0, counts.h0) == (256, h0, h0)
    number, unit = size.split()
    scaled = (counts.size - keys) / (KB if unit == "KB" else MB)
    assert f"{scaled:.{0 if unit == 'KB' else 1}f}" == number
