# SPDX-License-Identifier: Apache-2.0
"""The treebanks with raw text behind tokens and sentences: which files, of which release, under which licence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from budgie.formats.lines import read_lines
from budgie.formats.treebank import TreebankSentence, read_treebank
from budgie.train.data.datasets import find

_SUFFIX = ".conllu.xz"
_BLOCK = 20  # sentences: documents stay together where there is nothing else to divide by
_HELD_OUT = 10  # every so many blocks are left to choose by


@dataclass(frozen=True)
class RawTreebank:
    """Treebanks of one language, as files below a folder of data without their suffix.

    Where dev has no file of its own, a tenth of what is trained on is left to choose by.
    """

    licence: str
    train: tuple[str, ...]
    dev: tuple[str, ...]
    test: tuple[str, ...]

    def training(self) -> list[TreebankSentence]:
        """The sentences to learn from."""
        return [one for name in self.train for one in self._part(name, held_out=False)]

    def multiword(self) -> list[TreebankSentence]:
        """Those to learn multiword tokens from: of some treebanks they were not kept, or only some of them."""
        parts = [self._part(name, held_out=False) for name in self.train]
        most = max(map(_multiword_share, parts))
        return [one for part in parts if _multiword_share(part) >= most / 2 for one in part]

    def held_out(self) -> list[TreebankSentence]:
        """The sentences to choose by."""
        return [one for name in self.dev for one in self._part(name, held_out=True)]

    def tests(self) -> dict[str, list[TreebankSentence]]:
        """The sentences to report, by treebank."""
        return {name.partition("-")[0]: read_treebank(_file(name)) for name in self.test}

    def _part(self, name: str, held_out: bool) -> list[TreebankSentence]:
        sentences = read_treebank(_file(name))
        if name not in self.train or name not in self.dev:
            return sentences
        return [one for i, one in enumerate(sentences) if (i // _BLOCK % _HELD_OUT == 0) is held_out]


def _multiword_share(sentences: Sequence[TreebankSentence]) -> float:
    tokens = [token for sentence in sentences for token in sentence.tokens]
    return sum(len(token.words) > 1 for token in tokens) / len(tokens)


def _file(name: str) -> Path:
    return find("ud-raw") / f"{name}{_SUFFIX}"


def _of(licence: str, train: str, dev: str, test: str) -> RawTreebank:
    return RawTreebank(licence, tuple(train.split()), tuple(dev.split()), tuple(test.split()))


_BY_SA = "CC-BY-SA-4.0"
_NC = "CC-BY-NC-SA-3.0"

# By language. Text that was pre-tokenised (Vietnamese) teaches nothing about tokens, and that without punctuation
# (Thai) nothing about sentences: they are left out.
RAW_TREEBANKS = {
    "af": _of(_BY_SA, "af_afribooms-train", "af_afribooms-dev", "af_afribooms-test"),
    "ar": _of(_NC, "ar_padt-train.um", "ar_padt-dev.um", "ar_padt-test.um"),
    "be": _of(_BY_SA, "be_hse-train.r2.6 be_hse-dev", "be_hse-dev", "be_hse-test"),
    "bg": _of(_NC, "bg_btb-train.um", "bg_btb-dev", "bg_btb-test"),
    "ca": _of("CC-BY-4.0", "ca_ancora-train.um ca_ancora-dev.r2.8", "ca_ancora-dev.r2.8", "ca_ancora-test.r2.8"),
    "cs": _of(_BY_SA, "cs_cac-train.um cs_cltt-train", "cs_cac-dev cs_cltt-dev", "cs_cac-test cs_cltt-test"),
    "cy": _of(_BY_SA, "cy_ccg-train", "cy_ccg-dev", "cy_ccg-test"),
    "da": _of(_BY_SA, "da_ddt-train.um", "da_ddt-dev", "da_ddt-test"),
    "de": _of(_BY_SA, "de_gsd-train.um", "de_gsd-dev", "de_gsd-test"),
    "el": _of(_BY_SA, "el_gud-train", "el_gud-train", "el_gud-test"),
    "en": _of(_BY_SA, "en_ewt-train", "en_ewt-dev", "en_ewt-test"),
    "es": _of(_BY_SA, "es_gsd-train.um es_ancora-train.um", "es_gsd-dev", "es_gsd-test es_ancora-test.r2.8"),
    "et": _of("CC-BY-NC-SA-4.0", "et_edt-train.um et_ewt-train.r2.10", "et_ewt-dev", "et_edt-test et_ewt-test"),
    "eu": _of(_NC, "eu_bdt-train.um", "eu_bdt-dev", "eu_bdt-test"),
    "fa": _of(_BY_SA, "fa_seraji-train.um fa_perdt-dev", "fa_seraji-dev", "fa_seraji-test fa_perdt-test"),
    "fi": _of(_BY_SA, "fi_tdt-train.um", "fi_tdt-dev", "fi_tdt-test"),
    "fr": _of(
        f"{_BY_SA}; LGPLLR",
        "fr_gsd-train.um fr_sequoia-train fr_alts-train",
        "fr_gsd-dev fr_sequoia-dev",
        "fr_gsd-test fr_sequoia-test",
    ),
    "ga": _of("CC-BY-SA-3.0", "ga_idt-train.r2.6", "ga_idt-dev", "ga_idt-test"),
    "gl": _of("LGPLLR", "gl_treegal-train", "gl_treegal-dev", "gl_treegal-test"),
    "he": _of(
        _BY_SA, "he_iahltwiki-dev he_iahltknesset-dev he_iahltknesset-test", "he_iahltwiki-dev", "he_iahltwiki-test"
    ),
    "hi": _of(_NC, "hi_hdtb-train.um", "hi_hdtb-dev.um", "hi_hdtb-test.um"),
    "hr": _of(_BY_SA, "hr_set-train.tok", "hr_set-dev", "hr_set-test"),
    "hu": _of(_NC, "hu_szeged-train", "hu_szeged-dev", "hu_szeged-test"),
    "hy": _of(_BY_SA, "hy_bsut-train hy_armtdp-train.r2.4", "hy_bsut-dev hy_armtdp-dev", "hy_bsut-test hy_armtdp-test"),
    "id": _of(_BY_SA, "id_gsd-train.r2.1 id_csui-train", "id_gsd-dev", "id_gsd-test id_csui-test"),
    "is": _of(
        _BY_SA,
        "is_modern-train.dev2022 is_icepahc-train.modern is_gc-dev",
        "is_modern-dev",
        "is_modern-test is_gc-test",
    ),
    # The tweets of TWITTIRO are not cut into sentences.
    "it": _of(_BY_SA, "it_parlamint-train", "it_parlamint-train", "it_parlamint-test it_isdt-test"),
    "ja": _of(_BY_SA, "ja_gsd-dev", "ja_gsd-dev", "ja_gsd-test"),
    "ka": _of(_BY_SA, "ka_gnc-train ka_glc-dev", "ka_gnc-dev", "ka_gnc-test ka_glc-test"),
    "ko": _of(_BY_SA, "ko_gsd-train.dev2018", "ko_gsd-dev", "ko_gsd-test"),
    "lt": _of(_BY_SA, "lt_alksnis-train.dev2019 lt_hse-train", "lt_alksnis-dev", "lt_alksnis-test"),
    "lv": _of(_BY_SA, "lv_lvtb-train.r2.0 lv_lvtb-train.um", "lv_lvtb-dev", "lv_lvtb-test.r2.12"),
    "mt": _of(_BY_SA, "mt_mudt-train", "mt_mudt-dev", "mt_mudt-test"),
    "nl": _of(
        _BY_SA, "nl_lassysmall-train.um nl_alpino-train.um", "nl_alpino-dev", "nl_alpino-test nl_lassysmall-test"
    ),
    "nn": _of(_BY_SA, "no_nynorsk-train.ndt", "no_nynorsk-dev", "no_nynorsk-test"),
    "no": _of(_BY_SA, "no_bokmaal-train", "no_bokmaal-dev", "no_bokmaal-test"),
    "pl": _of("GPL-3.0", "pl_lfg-train.um pl_sz-train.um", "pl_lfg-dev", "pl_lfg-test pl_pdb-test"),
    "pt": _of(_BY_SA, "pt_bosque-train pt_gsd-train", "pt_bosque-dev pt_gsd-dev", "pt_bosque-test pt_gsd-test"),
    "ro": _of(_BY_SA, "ro_rrt-train.um", "ro_rrt-dev", "ro_rrt-test"),
    "ru": _of(_BY_SA, "ru_taiga-train.r2.7 ru_gsd-train.um", "ru_taiga-dev ru_gsd-dev", "ru_taiga-test ru_gsd-test"),
    "sk": _of(_BY_SA, "sk_snk-train", "sk_snk-dev", "sk_snk-test"),
    "sl": _of(_BY_SA, "sl_ssj-train.um sl_ssj-dev", "sl_ssj-dev", "sl_ssj-test"),
    "sr": _of(_BY_SA, "sr_set-train.um", "sr_set-dev", "sr_set-test"),
    "sv": _of(_BY_SA, "sv_talbanken-train.um", "sv_talbanken-dev", "sv_talbanken-test"),
    "ta": _of(_NC, "ta_ttb-train", "ta_ttb-dev", "ta_ttb-test"),
    "tr": _of(_BY_SA, "tr_boun-dev", "tr_boun-dev", "tr_boun-test"),
    "uk": _of(_BY_SA, "uk_parlamint-train.r2.15", "uk_parlamint-dev", "uk_parlamint-test uk_iu-test"),
    "zh": _of(_BY_SA, "zh_gsd-train.um", "zh_gsd-dev zh_gsdsimp-dev", "zh_gsd-test zh_gsdsimp-test"),
}

# Texts with a sentence on each line.
SINGLE_LINES = ("tatoeba", "commonvoice", "oldi_seed", "google_lr_wiki", "tico19")
_LINES_SUFFIX = ".txt.xz"


def single_line_languages() -> list[str]:
    """The languages of these texts."""
    return sorted({path.name.removesuffix(_LINES_SUFFIX) for source in SINGLE_LINES for path in find(source).iterdir()})


def read_single_lines(language: str) -> list[str]:
    """The lines of a language."""
    files = (find(source) / f"{language}{_LINES_SUFFIX}" for source in SINGLE_LINES)
    return [line.strip() for path in files if path.exists() for line in read_lines(path)]
