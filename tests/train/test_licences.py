# SPDX-License-Identifier: Apache-2.0
"""The one rule for licences, on all data that has one."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from budgie.licences import classify, classify_model, narrowest
from budgie.train.data import preordering, segmentation, treebanks
from budgie.train.data.datasets import DATASETS


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("CC-BY-SA-4.0", "free"),
        ("CC-BY-SA-4.0, some treebanks CC-BY-SA-3.0", "free"),
        ("no copyright restriction (Linköping University; Europarl)", "free"),
        ("CC-BY-NC-SA-3.0", "non-commercial"),
        ("CC-BY-NC", "non-commercial"),
        ("CC-BY-ND-4.0", "unclear"),
        ("CC-BY-SA-4.0 or CC-BY-NC-SA-3.0 (sources differ)", "non-commercial"),
        ("research only (SIGHAN 2005; PFR People's Daily 1998)", "research"),
        ("not stated (Tanaka Corpus; CC-BY-2.0-FR in Tatoeba)", "unclear"),
        ("", "unclear"),
        ("all rights reserved", "unclear"),
        ("all rights reserved; CC0-1.0", "unclear"),
        ("CC0-1.0; CC-BY-NC-SA-4.0; research only (a; b); MIT", "research"),
    ],
)
def test_a_licence(licence: str, expected: str) -> None:
    assert classify(licence) == expected


def test_the_narrowest_counts() -> None:
    assert narrowest(["free", "free"]) == "free"
    assert narrowest(["research", "free", "non-commercial"]) == "research"
    assert narrowest(["unclear", "research"]) == "unclear"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, "free"),
        ({"silver": "the treebank itself"}, "free"),
        ({"silver": "tatoeba (CC-BY-2.0-FR), ud (CC-BY-SA-4.0, some treebanks CC-BY-SA-3.0)"}, "free"),
        ({"silver": "Articles (NICT) (CC-BY-SA-3.0 (NICT, Wikipedia)), news (CC-BY-NC-SA-4.0)"}, "non-commercial"),
        ({"tagger": "a treebank (CC-BY-SA-4.0), silver: texts (licence not stated)"}, "unclear"),
        ({"clusters": "en.tsv"}, "unclear"),  # of what text
        ({"lexicon": "a list (MIT), another (all rights reserved)"}, "unclear"),
    ],
)
def test_a_model_is_made_of_all_its_sources(more: dict[str, str], expected: str) -> None:
    assert classify_model("pos", {"licence": "CC-BY-SA-4.0", **more}) == expected
    assert classify_model("pos", more) == "unclear"


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("CC0-1.0", "free"),
        ("CC0-1.0; research only (news)", "free"),
        ("not stated (news); CC0-1.0; all rights reserved", "free"),
        ("CC-BY-NC-4.0; CC0-1.0; not stated (news)", "non-commercial"),
        ("", "unclear"),
    ],
)
def test_what_may_teach_an_identifier(licence: str, expected: str) -> None:
    """The one exception: research and unclear sources, if the file lists them, and no other task."""
    listed = {"licence": licence, "trained_on": "news, books"}
    assert classify_model("langid", listed) == expected
    assert classify_model("langid", {"licence": licence}) == classify(licence)
    for task in ("pos", "seg", "preorder"):
        assert classify_model(task, listed) == classify(licence)


@pytest.mark.parametrize(
    "licence", ["GPL-2.0-or-later", "GPL-3.0", "AGPL-3.0", "LGPLLR", "MPL-2.0", "GFDL-1.2-or-later"]
)
def test_licences_of_copies_allow_any_use(licence: str) -> None:
    assert classify(licence) == "free"


# Only identifiers learn from them: their weights hold no text.
OF_IDENTIFIERS = set(
    (
        "bible_xml cebqa ciluba_text cis_hymnals crubadan_wordfreq fijian_hymns haw_proverbs hmong_gov "
        "ibt_chechen jw300_test kalaallisut_aligner lingua_corsa malay_dataset malay_subtitles masakhanews "
        "newari_dataset newsgradient nn_public quran samoan_lds sr_translit tokpisin_crawl web_home "
    ).split()
)


def test_data_sets() -> None:
    unclear = {name for name, one in DATASETS.items() if classify(one.licence) == "unclear"}
    folders = {"langid/train", "langid/train_extra", "langid/train_more", "langid/dev", "ud11", "ud2", "ud-raw"}
    assert unclear - folders == OF_IDENTIFIERS | {  # what is in folders has a licence each
        "preorder/enja-tanaka50k-auto",
        "preorder/enfr-hansards-manual",
        "preorder/enhi-wpt05-manual",
        "preorder/enro-wpt05-manual",
        "preorder/enzh-tsinghua-manual",
    }


def test_treebanks() -> None:
    for language, treebank in (*treebanks.TREEBANKS.items(), *treebanks.UD11.items()):
        assert classify(treebank.licence) in ("free", "non-commercial"), language


def test_segmented_text() -> None:
    found = {
        language: narrowest(classify(one.licence) for one in corpora)
        for language, corpora in segmentation.SEGMENTED_CORPORA.items()
    }
    assert {language for language, one in found.items() if one == "free"} == {"ja", "th", "vi", "yue", "zh"}
    assert {language for language, one in found.items() if one == "research"} == {"zh-research"}


def test_aligned_text() -> None:
    free = {name for name, one in preordering.ALIGNED_CORPORA.items() if classify(one.licence) == "free"}
    assert free == {"enja-kftt-manual", "enja-kyoto-auto", "ensv-ges-manual"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pos-en", "free"),
        ("pos-fr", "free"),
        ("pos-af", "unclear"),
        ("pos-el", "unclear"),
        ("preorder-en-ja", "unclear"),
    ],
)
def test_clusters_of_a_model_that_is_trained_again(name: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their text has licences where we know it; a file of another language is of nobody knows what."""
    pytest.importorskip("torch", reason="training needs the extra `train`")
    from budgie.tasks import TASKS
    from budgie.train.job import Job
    from budgie.train.network.loop import Run
    from budgie.train.network.recipe import load_recipe

    task, _, language = name.partition("-")
    command: Any = TASKS[task].training()
    given = {"clusters": Path("some.tsv"), "train": None, "dev": None, "silver": None, "set": [], "without": []}
    args = Namespace(**given, budget=None, workers=0, device="cpu", start=None, tagger="pos-en")
    monkeypatch.setattr(command, "read_clusters", lambda _: None)
    for kind in (treebanks.Treebank, preordering.AlignedCorpus):
        monkeypatch.setattr(kind, "read", lambda _self, _split: [])
    for function in ("train_tagger", "train_preorderer"):
        monkeypatch.setattr(command, function, lambda _recipe, _material, _run, about: about, raising=False)
    about = command.train_model(Job(load_recipe(command.recipe_of(language, args)), language, args, Run()))
    assert classify_model(task, about) == expected
    if task == "preorder":
        assert classify_model(task, {**about, "clusters": "known (MIT)"}) == "free"
        assert "Tanaka" in about["clusters"]
        assert "silver: Common Voice (CC0-1.0)" in about["tagger"]
        assert "clusters: Brown clusters of spacy-lookups-data 1.0.5 (MIT)" in about["tagger"]
