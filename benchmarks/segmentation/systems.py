# SPDX-License-Identifier: Apache-2.0
"""One segmenter a function, asked from inside its own environment: the standard library and that segmenter only.

A peer's function takes the code of a language; Budgie's takes a model and, or "", a standard. White space is not
scored, so a system may give it as tokens, leave it inside words, or drop it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Segmenter:
    """A loaded system. What its calls give is what is timed: a list of words, as Python strings, for each text."""

    one: Callable[[str], list[str]]
    many: Callable[[list[str]], list[list[str]]] | None = None  # only where the system has a batch call


def budgie(model: str, standard: str = "") -> Segmenter:
    """Budgie: an embedded model or a file, with the words of a corpus if the model knows several kinds."""
    import budgie

    loaded = budgie.load(model, standard=standard) if standard else budgie.load(model)
    return Segmenter(loaded.segment, lambda texts: loaded.segment_batch(texts, threads=1))


def jieba(_language: str) -> Segmenter:
    """Jieba in its default mode, with the hidden Markov model for words that its dictionary does not have."""
    import logging

    import jieba

    jieba.setLogLevel(logging.WARNING)
    return Segmenter(jieba.lcut)


def rjieba(_language: str) -> Segmenter:
    """Jieba in Rust: the same dictionary and algorithm."""
    import rjieba

    return Segmenter(rjieba.cut)


def pyicu(language: str) -> Segmenter:
    """ICU's word breaks. They also separate white space and punctuation."""
    import icu

    breaks = icu.BreakIterator.createWordInstance(icu.Locale({"zh-Hant": "zh-TW"}.get(language, language)))

    def one(text: str) -> list[str]:
        breaks.setText(text)
        ends = list(breaks)
        if not ends or ends[-1] == len(text):
            return cut(text, ends)
        # ICU counts in UTF-16, where characters such as emoji are two.
        units = text.encode("utf-16-le")
        starts = [0, *ends]
        return [units[2 * start : 2 * end].decode("utf-16-le") for start, end in zip(starts, ends, strict=False)]

    def cut(text: str, ends: list[int]) -> list[str]:
        start, words = 0, []
        for end in ends:
            words.append(text[start:end])
            start = end
        return words

    return Segmenter(one)


def pkuseg(_language: str) -> Segmenter:
    """Its maintained fork, with the model that the original carries: the fork would download one."""
    import importlib.util
    import io
    from contextlib import redirect_stderr
    from pathlib import Path

    import spacy_pkuseg

    carrier = importlib.util.find_spec("pkuseg")  # found, not imported: it was built for another Python
    if carrier is None or carrier.origin is None:
        raise ModuleNotFoundError("pkuseg, which carries the model, is not installed")
    with redirect_stderr(io.StringIO()):  # it warns that the model is in the original's format
        return Segmenter(spacy_pkuseg.pkuseg(str(Path(carrier.origin).parent / "models" / "default")).cut)


def thulac(_language: str) -> Segmenter:
    """THULAC without tags: its words come in pairs with an empty one."""
    import thulac

    model = thulac.thulac(seg_only=True)
    return Segmenter(lambda text: [word for word, _ in model.cut(text)])


def snownlp(_language: str) -> Segmenter:
    """SnowNLP."""
    from snownlp import seg

    return Segmenter(lambda text: list(seg.seg(text)))


def budoux(language: str) -> Segmenter:
    """BudouX, which cuts phrases for line breaking, not words."""
    import budoux

    load = {
        "zh": budoux.load_default_simplified_chinese_parser,
        "zh-Hant": budoux.load_default_traditional_chinese_parser,
        "ja": budoux.load_default_japanese_parser,
        "th": budoux.load_default_thai_parser,
    }[language]
    return Segmenter(load().parse)


def pycantonese(_language: str) -> Segmenter:
    """PyCantonese. It is trained on all of HKCanCor, so on our test set too."""
    import pycantonese

    return Segmenter(pycantonese.segment)


def fugashi(_language: str) -> Segmenter:
    """MeCab with UniDic. Its output with spaces between words is its quickest."""
    import fugashi

    parse = fugashi.Tagger("-Owakati").parse
    return Segmenter(lambda text: parse(text).split(" "))


def sudachi(_language: str) -> Segmenter:
    """Sudachi's short units, which are nearest to the words of Universal Dependencies."""
    import sudachipy

    tokenize = sudachipy.Dictionary(dict="core").tokenizer(mode=sudachipy.SplitMode.A).tokenize
    return Segmenter(lambda text: [morpheme.surface() for morpheme in tokenize(text)])


def nagisa(_language: str) -> Segmenter:
    """Nagisa."""
    import nagisa

    return Segmenter(nagisa.wakati)


def janome(_language: str) -> Segmenter:
    """Janome, words only."""
    from janome.tokenizer import Tokenizer

    tokenize = Tokenizer(wakati=True).tokenize
    return Segmenter(lambda text: list(tokenize(text)))


def tinysegmenter(_language: str) -> Segmenter:
    """TinySegmenter."""
    import tinysegmenter

    return Segmenter(tinysegmenter.TinySegmenter().tokenize)


def pythainlp(_language: str) -> Segmenter:
    """PyThaiNLP's default engine: maximal matching within Thai character clusters."""
    from pythainlp.tokenize import word_tokenize

    return Segmenter(lambda text: word_tokenize(text, engine="newmm"))


def attacut(_language: str) -> Segmenter:
    """AttaCut in its default mode: a network over syllables and characters."""
    from attacut import Tokenizer

    return Segmenter(Tokenizer("attacut-sc").tokenize)


def deepcut(_language: str) -> Segmenter:
    """DeepCut, without the bar of progress that Keras would draw for each text."""
    from functools import partial

    from deepcut import DeepcutTokenizer

    tokenizer = DeepcutTokenizer()
    tokenizer.model.predict = partial(tokenizer.model.predict, verbose=0)
    return Segmenter(tokenizer.tokenize)


def underthesea(_language: str) -> Segmenter:
    """Underthesea. It would put another accent on some syllables unless told to keep them."""
    from underthesea import word_tokenize

    return Segmenter(lambda text: word_tokenize(text, use_token_normalize=False))


def pyvi(_language: str) -> Segmenter:
    """Pyvi, which writes the spaces inside words as underscores."""
    from pyvi import ViTokenizer

    return Segmenter(lambda text: [word.replace("_", " ") for word in ViTokenizer.tokenize(text).split()])


def khmernltk(_language: str) -> Segmenter:
    """Khmer-nltk."""
    from khmernltk import word_tokenize

    return Segmenter(word_tokenize)


def khmercut(_language: str) -> Segmenter:
    """Khmercut, on one process."""
    from khmercut import tokenize

    return Segmenter(tokenize)


def pyidaungsu(_language: str) -> Segmenter:
    """Pyidaungsu."""
    import pyidaungsu

    return Segmenter(lambda text: pyidaungsu.tokenize(text, form="word"))


OURS = "budgie"
SYSTEMS: dict[str, Callable[..., Segmenter]] = {
    system.__name__: system
    for system in (
        budgie,
        jieba,
        rjieba,
        pyicu,
        pkuseg,
        thulac,
        snownlp,
        budoux,
        pycantonese,
        fugashi,
        sudachi,
        nagisa,
        janome,
        tinysegmenter,
        pythainlp,
        attacut,
        deepcut,
        underthesea,
        pyvi,
        khmernltk,
        khmercut,
        pyidaungsu,
    )
}
