# SPDX-License-Identifier: Apache-2.0
"""Corpora and snippets, on tiny made-up corpora: cleaning, held-out lines, determinism, balance, lengths, noise."""

import lzma
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from budgie.errors import DataError
from budgie.formats.labelled import Example
from budgie.train.langid import noise
from budgie.train.langid.background import BACKGROUND
from budgie.train.langid.cleaning import chinese, clean, key
from budgie.train.langid.corpora import Corpora, CorpusSettings, Pool, corpora_of, evaluation_keys, load_corpora
from budgie.train.langid.snippets import SnippetSampler
from budgie.train.langid.word_lists import SLOTS, read_word_list
from budgie.train.network.snippet_settings import SnippetSettings

QUIET = SnippetSettings(
    lower=0, upper=0, title=0, inserted=0, foreign=0, diacritics=0, variant=0, stretched=0, cut_inside_words=0
)
SUBJECTS = ("der Hund", "die Katze", "das Pferd", "ein Vogel", "mein Freund", "unser Nachbar", "jede Lehrerin")
VERBS = ("sieht", "findet", "sucht", "kennt", "liebt", "malt", "verkauft")
OBJECTS = ("das Haus am See", "den alten Baum", "eine rote Blume", "viele kleine Steine", "das Buch")
GERMAN = [f"Heute {verb} {subject} {thing}." for subject, verb, thing in product(SUBJECTS, VERBS, OBJECTS)]
ENGLISH = [f"Today number {a} of the {b} makes a {c}." for a, b, c in product("abcdefgh", "klmnop", "rstuvw")]
CHINESE = [f"我今天在{a}里看到了{b}和{c}，我们都很高兴。" for a, b, c in product("城山河家", "猫狗鸟鱼", "花草树木")]


def write(folder: Path, source: str, label: str, lines: list[str]) -> None:
    path = folder / source / f"{label}.txt.xz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress("".join(f"{line}\n" for line in lines).encode()))


@pytest.fixture
def train(tmp_path: Path) -> Path:
    write(tmp_path, "tatoeba", "de", GERMAN)
    write(
        tmp_path,
        "mediawiki",
        "de",
        ["Seite speichern", "Today number a of the k makes a r.", "{{PLURAL}} $1", GERMAN[0]],
    )
    write(tmp_path, "tatoeba", "en", ENGLISH)
    write(tmp_path, "tatoeba", "zh", CHINESE)
    write(tmp_path, "mediawiki", "sh", ["ovo se izostavlja"])
    write(tmp_path, "unilex_wordfreq", "de", ["Haus\t900", "und\t5000", "makes\t2", "42\t7", "Слово\t3"])
    return tmp_path


def lines_of(corpora: Corpora) -> set[tuple[str, str]]:
    return {(pool.label, line) for pool in corpora.texts for line in pool.text.splitlines()}


def test_corpora_are_cleaned_and_deduplicated(train: Path) -> None:
    training, held_out = load_corpora([train])
    lines = lines_of(training) | lines_of(held_out)
    assert training.labels == held_out.labels == ("de", "en", "zh")
    assert ("de", "Seite speichern") in lines
    assert {text for label, text in lines if label == "de"} == {*GERMAN, "Seite speichern"}
    assert {text for label, text in lines if label == "en"} == set(ENGLISH)


def test_held_out_lines_are_the_last_of_each_file_and_never_trained_on(train: Path) -> None:
    training, held_out = load_corpora([train], settings=CorpusSettings(held_out_share=0.1, held_out_lines=12))
    assert not lines_of(training) & lines_of(held_out)
    assert {text for label, text in lines_of(held_out) if label == "de"} == set(GERMAN[-12:])
    assert {text for label, text in lines_of(held_out) if label == "zh"} == set(CHINESE[-7:])


def test_sentences_of_evaluation_sets_are_not_trained_on(train: Path, tmp_path: Path) -> None:
    training, held_out = load_corpora([train], exclude=evaluation_keys([GERMAN[7].upper() + "!!", "Seite"]))
    assert ("de", GERMAN[7]) not in lines_of(training) | lines_of(held_out)
    dev = tmp_path / "dev"
    write(dev, "lingua_sentences", "de", [GERMAN[9]])
    write(dev, "udhr", "sm", ["O tagata soifua uma ua saoloto lo latou fananau mai."])
    training, _ = load_corpora([train], dev, CorpusSettings(udhr_for_training=("sm",)))
    assert ("de", GERMAN[9]) not in lines_of(training)
    assert ("sm", "O tagata soifua uma ua saoloto lo latou fananau mai.") in lines_of(training)


def test_rare_languages_and_text_of_none(train: Path, tmp_path: Path) -> None:
    rare = tmp_path / "rare"
    write(rare, "tatoeba", "de", ["Noch ein Satz auf Deutsch."])
    write(rare, "tatoeba", "bar", ["Des is a Satz auf Boarisch.", "I woaß ned, wo des is."])
    training, held_out = load_corpora([train], settings=CorpusSettings(background_lines=50), rare=rare)
    assert training.rare == held_out.rare == {"bar"}
    assert training.labels == ("de", "en", "zh", "bar", BACKGROUND)
    assert ("de", "Noch ein Satz auf Deutsch.") in lines_of(training)
    made = {pool.source: pool.text for pool in training.texts if pool.label == BACKGROUND}
    assert {
        "python_library",
        "torch_headers",
        "made_up_code",
        "hexadecimal",
        "base64",
        "keys",
        "letters",
        "bytes",
    } == set(made)
    assert any(pool.label == BACKGROUND for pool in held_out.texts)
    plain, quiet = SnippetSettings(), SnippetSettings(rare_weight=0.001, background_weight=0.001)
    drawn = [Counter(SnippetSampler(training, 1, one).batch(0, 4000)[1].tolist()) for one in (plain, quiet)]
    assert min(drawn[0][number] for number in (3, 4)) > 15
    assert max(drawn[1][number] for number in (3, 4)) < 5


def test_word_lists_keep_words_of_the_language(train: Path) -> None:
    training, _ = load_corpora([train])
    (words,) = training.words
    assert words.text == "Haus\nund\n"  # not the English word, the number, the Russian word
    drawn = Counter(words.text[start:].partition("\n")[0] for start in words.starts or ())
    assert sum(drawn.values()) == SLOTS
    assert drawn["und"] / drawn["Haus"] == pytest.approx((5000 / 900) ** 0.5, rel=0.01)


def test_an_empty_word_list_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "tesseract_wordlist", "de", ["1", "2"])
    assert read_word_list(tmp_path / "tesseract_wordlist" / "de.txt.xz", {"de": {}}, 10, 0.5) is None


def test_slovene_and_slovak_are_taken_apart_and_chinese_is_sorted(tmp_path: Path) -> None:
    write(tmp_path, "ud", "sk", ["to je naše mesto", "kde si bol", "on je tu dnes"])
    write(tmp_path, "ud", "sl", ["to je naše mesto", "kje si bil", "on je tukaj danes"])
    write(tmp_path, "tatoeba", "sl", ["Kje si bil danes?", "Kde si bol dnes?", "Ľudia sú tu.", "To je mesto."])
    write(tmp_path, "ud", "zh", ["我们学习汉语", "我們學習漢語", "我是人"])
    write(tmp_path, "ud", "zh-Hant", ["這是我的書", "这是我的书"])
    lines = lines_of(load_corpora([tmp_path])[0])
    assert ("sl", "Kje si bil danes?") in lines
    assert ("sk", "Kde si bol dnes?") in lines
    assert ("sk", "Ľudia sú tu.") in lines
    assert "To je mesto." not in {text for _, text in lines}
    assert {text for label, text in lines if label == "zh"} == {"我们学习汉语", "我是人", "这是我的书"}
    assert chinese("我們學習漢語") == "zh-Hant"


@pytest.mark.parametrize(
    ("line", "label", "source", "expected"),
    [
        ("Die Datei „$1“ hat <b>{{PLURAL:$2|ein Byte|Bytes}}</b>.", "de", "mediawiki", "Die Datei hat ."),
        ("Siehe https://example.com/x für mehr.", "de", "tatoeba", "Siehe für mehr."),
        ("Cafe\u0301 ﬁn", "fr", "tatoeba", "Café fin"),
        ("1 dag:1 day,1 uge:1 week", "da", "mediawiki", ""),
        ("12:30 - 14:00", "de", "ud", ""),
        ("This is the text that you have", "fr", "storybooks", ""),
        ("Mozilla налози Firefox", "sr", "mozilla_www", ""),
        ("使用 JavaScript 调试器", "zh", "mozilla_www", "使用 JavaScript 调试器"),
        ("Ναι , σ το σπίτι .", "el", "ud", "Ναι, στο σπίτι."),
    ],
)
def test_clean(line: str, label: str, source: str, expected: str) -> None:
    assert clean(line, label, source) == expected


def test_keys_forget_case_and_marks_but_not_vowel_signs() -> None:
    assert key("Guten Tag, Welt 1!") == key("guten tag welt")
    assert key("कि") != key("की")


def test_anyones_text_keeps_all_but_repetitions() -> None:
    examples = [
        Example("spam", "buy  now"),
        Example("spam", "buy now"),
        Example("ham", "привет"),
        Example("ham", "1 2"),
    ]
    training, _ = corpora_of(examples)
    assert lines_of(training) == {("spam", "buy now"), ("ham", "привет"), ("ham", "1 2")}


def test_batches_depend_on_seed_and_index_alone(train: Path) -> None:
    training, _ = load_corpora([train])
    one, other = SnippetSampler(training, 7), SnippetSampler(training, 7)
    other.batch(1, 50)
    texts, labels = one.batch(3, 200)
    again, same = other.batch(3, 200)
    assert texts == again
    assert labels.dtype == np.int64
    assert (labels == same).all()
    assert one.batch(4, 200)[0] != texts
    assert SnippetSampler(training, 8).batch(3, 200)[0] != texts


def test_snippets_carry_the_label_of_their_text(train: Path) -> None:
    training, _ = load_corpora([train])
    everything = {label: "" for label in training.labels}
    for pool in (*training.texts, *training.words):
        everything[pool.label] += pool.text.replace("\n", " ")
    texts, labels = SnippetSampler(training, 1, QUIET).batch(0, 3000)
    for text, label in zip(texts, labels, strict=True):
        assert all(word in everything[training.labels[label]] for word in text.split()), text


def test_labels_are_balanced_by_dampened_size() -> None:
    corpora = Corpora(
        ("large", "none", "small"),
        (Pool("large", "a", "some words here\n" * 1000), Pool("small", "a", "other words there\n")),
    )
    times = (16000 / 18) ** 0.3  # that the large one is drawn for each time of the small one
    for settings, large in (
        (SnippetSettings(label_power=0.3), times / (times + 1)),
        (SnippetSettings(label_cap=18), 0.5),
    ):
        _, labels = SnippetSampler(corpora, 1, settings).batch(0, 20_000)
        counts = np.bincount(labels, minlength=3) / 20_000
        assert counts == pytest.approx([large, 0, 1 - large], abs=0.01)
        assert counts[1] == 0


def test_sources_are_balanced_by_weight() -> None:
    corpora = Corpora(("xx",), (Pool("xx", "ebible", "amen\n" * 100), Pool("xx", "tatoeba", "ciao\n" * 100)))
    texts, _ = SnippetSampler(corpora, 1, QUIET).batch(0, 20_000)
    bible = sum("amen" in text for text in texts) / len(texts)
    assert bible == pytest.approx(0.3 / 1.3, abs=0.02)


def only(**shares: Any) -> SnippetSettings:
    lengths: dict[str, Any] = dict.fromkeys(("word", "pair", "short", "part", "line", "lines"), 0.0)
    return replace(QUIET, **{**lengths, **shares})


def test_lengths_of_text_with_spaces() -> None:
    corpora = Corpora(("de",), (Pool("de", "tatoeba", "".join(f"{line}\n" for line in GERMAN)),))

    def draw(**shares: float) -> list[str]:
        return SnippetSampler(corpora, 1, only(**shares)).batch(0, 500)[0]

    words = {word.strip(".") for line in GERMAN for word in line.split()}
    assert set(draw(word=1)) <= words
    assert {len(text.split()) for text in draw(pair=1)} <= {1, 2}
    assert all(5 <= len(text) <= 34 for text in draw(short=1))
    assert np.mean([len(text) >= 14 for text in draw(short=1)]) > 0.7
    assert set(draw(line=1)) <= set(GERMAN)
    assert all(any(text in line for line in GERMAN) for text in draw(part=1))
    lines = draw(lines=1)
    assert all(len(text) <= 1000 and "\n" not in text for text in lines)
    assert np.mean([len(text) > 300 for text in lines]) > 0.8  # less only near the end of the corpus


def test_text_without_spaces_is_cut_between_characters() -> None:
    corpora = Corpora(("zh",), (Pool("zh", "tatoeba", "".join(f"{line}\n" for line in CHINESE)),))
    texts, _ = SnippetSampler(corpora, 1, only(short=1)).batch(0, 500)
    assert len({len(text) for text in texts}) > 5
    assert all(0 < len(text) <= 34 for text in texts)


def test_names_do_not_stand_for_another_script() -> None:
    corpora = Corpora(
        ("ru",), (Pool("ru", "tatoeba", "Сегодня компания Microsoft неожиданно купила компанию Activision\n"),)
    )
    assert not any(text.isascii() for text in SnippetSampler(corpora, 1, only(word=1, pair=1)).batch(0, 300)[0])


def test_a_word_with_no_letters_gives_way_to_its_line() -> None:
    corpora = Corpora(("de",), (Pool("de", "tatoeba", "1984 -- 2001 !\n"),))
    assert set(SnippetSampler(corpora, 1, only(word=1)).batch(0, 20)[0]) == {"1984 -- 2001 !"}


def test_nothing_to_draw_from_is_an_error() -> None:
    with pytest.raises(DataError, match="no text"):
        SnippetSampler(Corpora(("de",), ()), 1)


def test_noise_is_added() -> None:
    corpora = Corpora(("de",), (Pool("de", "tatoeba", "".join(f"{line}\n" for line in GERMAN)),))
    texts, _ = SnippetSampler(corpora, 1).batch(0, 4000)
    assert any(text.isupper() for text in texts)
    assert any("https://" in text for text in texts)
    quiet, _ = SnippetSampler(corpora, 1, QUIET).batch(0, 4000)
    assert not any(text.isupper() or "https://" in text for text in quiet)


def test_case_follows_the_language() -> None:
    assert noise.upper("straße", "de") == "STRASSE"
    assert noise.upper("istanbul", "tr") == "İSTANBUL"
    assert noise.lower("ISPARTA İzmir", "tr") == "ısparta izmir"
    assert noise.upper("Καλημέρα κόσμε", "el") == "ΚΑΛΗΜΕΡΑ ΚΟΣΜΕ"


@pytest.mark.parametrize(
    ("label", "text", "plain"),
    [
        ("pl", "zażółć łódź", "zazolc lodz"),
        ("hr", "đak čita", "djak cita"),
        ("de", "größere Füße", "groessere Fuesse"),
        ("eo", "ĉiu ŝati", "cxiu sxati"),
        ("haw", "ʻaʻole kēia", "aole keia"),
        ("vi", "Việt Nam đẹp", "Viet Nam dep"),
        ("is", "það æði", "thad aedi"),
    ],
)
def test_diacritics_are_dropped_as_people_do(label: str, text: str, plain: str) -> None:
    assert noise.without_diacritics(text, label) == plain


def test_insertions_and_stretching() -> None:
    random = Random(1)
    assert noise.insert("ein Satz", "X", 0.1) == "X ein Satz"
    assert noise.insert("ein Satz", "X", 0.3) == "ein X Satz"
    assert noise.insert("ein Satz", "X", 0.9) == "ein Satz X"
    assert noise.stretch("ja!", random).startswith("jaaa")
    assert all(noise.insertion(random) for _ in range(200))
    assert noise.spelling_variant("știință", "ro", random) == "ştiinţă"
    assert noise.spelling_variant("Ọ̀pọ̀ ọdún", "yo", random) == "Ọpọ ọdun"
