# SPDX-License-Identifier: Apache-2.0
"""What every embedded model answers, to the last bit: 1,000 texts a task, written down before the core was rebuilt.

    python tests/golden/golden.py            # compare with what is written down
    python tests/golden/golden.py --record   # write it down anew, after a model or an answer was changed on purpose

Each answer is one line of text with floats in hexadecimal. The first few lines of a model are kept as they are, for
people; of the others a digest for each hundred.
"""

from __future__ import annotations

import functools
import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import budgie

OUTPUTS = Path(__file__).with_name("outputs.json")
TEXTS = 1000
A_DIGEST = 100  # lines
SHOWN = 5
_LANGUAGES = 4  # of the model `tokens`, whose standards are languages

# Written for this file: every script that a model knows, and what people and programs put between words.
SENTENCES = (
    "The old ferry leaves the harbour at seven, unless it rains; then nobody knows.",
    "Grandmother's recipe says: 2 eggs, 250 g of flour, and patience.",
    "DON'T PANIC! Visit https://example.org/help?id=42 or write to ann.lee@example.com.",
    "Der Zug nach Köln hat zwanzig Minuten Verspätung, sagte die Schaffnerin müde.",
    "Größe zählt nicht, meinte der Wellensittich und flog über die Straße.",
    "Où est la bibliothèque ? L'été dernier, elle était fermée jusqu'à midi.",
    "Mañana iremos al mercado a comprar naranjas, ¿vienes con nosotros?",
    "Amanhã não há aulas, porque os professores estão em reunião.",
    "Il gatto dorme sul davanzale e non si cura della pioggia.",
    "De fietsen stonden in een lange rij langs de gracht.",
    "Katten sover på taket, men hunden vil ut på tur.",
    "Kissa nukkuu ikkunalaudalla, eikä sade häiritse sitä lainkaan.",
    "Kočka spí na okně a déšť jí vůbec nevadí.",
    "Mačka spava na prozoru, a kiša joj ne smeta nimalo.",
    "Kot śpi na parapecie i nic sobie nie robi z deszczu.",
    "A macska az ablakban alszik, és nem törődik az esővel.",
    "Katė miega ant palangės ir nekreipia dėmesio į lietų.",
    "Pisica doarme pe pervaz și nu-i pasă de ploaie.",
    "Kedi pencerenin önünde uyuyor, İzmir'de yağmur yağıyor.",
    "Кошка спит на подоконнике и не обращает внимания на дождь.",
    "Кіт спить на підвіконні й зовсім не зважає на дощ.",
    "Котката спи на прозореца и изобщо не я е грижа за дъжда.",
    "Η γάτα κοιμάται στο παράθυρο και δεν τη νοιάζει η βροχή.",
    "החתולה ישנה על אדן החלון ולא אכפת לה מהגשם.",
    "القطة تنام على حافة النافذة ولا تهتم بالمطر أبداً.",
    "گربه روی لبهٔ پنجره می‌خوابد و به باران اهمیتی نمی‌دهد.",
    "बिल्ली खिड़की पर सो रही है और उसे बारिश की परवाह नहीं।",
    "고양이는 창가에서 잠을 자고 비가 와도 신경 쓰지 않는다.",
    "Con mèo ngủ trên bậu cửa sổ và chẳng quan tâm đến mưa ở Hà Nội.",
    "Kucing itu tidur di ambang jendela dan tidak peduli pada hujan.",
    "Die kat slaap op die vensterbank en gee nie om vir die reën nie.",
    "Tá an cat ina chodladh ar an bhfuinneog, agus is cuma léi faoin mbáisteach.",
    "El gat dorm a l'ampit de la finestra i no li importa la pluja.",
    "小猫在窗台上睡觉，一点儿也不在乎外面下着的大雨。研究生命起源的学者在北京大学开会。",
    "我們明天早上九點要去圖書館借三本書，你要不要一起來？",
    "佢哋聽日會去圖書館睇書，你想唔想一齊去呀？",
    "猫は窓辺で眠っていて、雨のことなど気にしていない。東京タワーは333メートルです。",
    "ネコがコーヒーをこぼしたので、ﾊﾟｿｺﾝがこわれてしまいました…",
    "แมวนอนอยู่ที่ขอบหน้าต่างและไม่สนใจฝนที่ตกหนักข้างนอก",
    "ឆ្មាដេកនៅលើបង្អួចហើយមិនខ្វល់ពីភ្លៀងទេ។",
    "ကြောင်သည် ပြတင်းပေါက်တွင် အိပ်နေပြီး မိုးရွာခြင်းကို ဂရုမစိုက်ပါ။",
    "კატა ფანჯარაზე სძინავს და წვიმა არ ადარდებს.",
    "Կատուն քնած է պատուհանի մոտ։",
    "👩‍👩‍👧 🇩🇪🇯🇵 :-) <b>bold</b> x=3.14; #tag @name 12:45 — “quotes” ‘n’ dashes…",
)


@functools.cache
def texts() -> tuple[str, ...]:
    """The sentences, then the same cut, joined, mixed and damaged in many ways; always the same ones."""
    draw, found = random.Random(13), list(SENTENCES)
    while len(found) < TEXTS:
        text = draw.choice(SENTENCES)
        for _ in range(draw.randrange(4)):
            text = draw.choice(_CHANGES)(text, draw)
        found.append(text)
    return tuple(found)


def _cut(text: str, draw: random.Random) -> str:
    start, end = sorted(draw.randrange(len(text) + 1) for _ in range(2))
    return text[start:end]


def _join(text: str, draw: random.Random) -> str:
    return text + draw.choice(["", " ", "\n", "\r\n\n", "\t", "\u3000", "\u200b"]) + draw.choice(SENTENCES)


def _repeat(text: str, draw: random.Random) -> str:
    return text * draw.randrange(1, 12) if len(text) < 2000 else text


def _case(text: str, draw: random.Random) -> str:
    return draw.choice([str.upper, str.lower, str.title])(text)


def _damage(text: str, draw: random.Random) -> str:
    characters = list(text)
    for _ in range(draw.randrange(1, 6)):
        place = draw.randrange(len(characters) + 1)
        characters.insert(place, chr(draw.choice([draw.randrange(0x250), draw.randrange(0xD800), 0x1F600, 0xD800])))
    return "".join(characters)


def _shuffle(text: str, draw: random.Random) -> str:
    words = text.split(" ")
    draw.shuffle(words)
    return " ".join(words)


_CHANGES = (_cut, _join, _repeat, _case, _damage, _shuffle)


# ---- what each kind of model is asked --------------------------------------------------------------------------


def _language(model: budgie.LanguageIdentifier) -> Iterator[str]:
    for text in texts():
        best = model.identify(text)
        ranked = [(one.language, one.probability.hex()) for one in model.rank(text, 3)]
        few = model.identify(text, languages=["de", "en", "zh", "ru"])
        spans = [(span.start, span.end, span.language, span.probability.hex()) for span in model.spans(text[:400])]
        yield f"{best.language} {best.probability.hex()} {best.reliable} {ranked} {few.language} {spans}"
    for text, answer in zip(texts(), model.identify_batch([_utf8(text) for text in texts()], threads=2), strict=True):
        yield f"{len(text)} {answer.language} {answer.probability.hex()}"


def _tags(model: budgie.Tagger) -> Iterator[str]:
    sentences = [text.split()[:200] for text in texts()]
    probabilities = model.probabilities(sentences, threads=2)
    for tags, likely in zip(model.tag_batch(sentences), probabilities, strict=True):
        yield " ".join(f"{tag}:{one.hex()}" for tag, one in zip(tags, likely, strict=True))
    for sentence in sentences[:A_DIGEST]:
        yield str([[(tag, likely.hex()) for tag, likely in of_word] for of_word in model.rank(sentence, 2)])


def _words(model: budgie.Segmenter) -> Iterator[str]:
    asked = model.standards[:_LANGUAGES] if model.finds_sentences else model.standards
    for standard in asked or (None,):
        segmenter = budgie.Segmenter(model.model, dictionary=["窗台上", "図書館"], standard=standard)
        if segmenter.finds_sentences:
            for sentences in segmenter.sentences_batch(texts(), threads=2):
                yield f"{standard} {[[tuple(span) for span in sentence] for sentence in sentences]}"
            continue
        for spans in segmenter.spans_batch(texts(), threads=2, spaces=True):
            yield f"{standard} {[tuple(span) for span in spans]}"
    yield from map(str, model.segment_batch([_utf8(text) for text in texts()[:A_DIGEST]], spaces=True))


def _order(model: budgie.Preorderer) -> Iterator[str]:
    sentences = [text.split()[:200] for text in texts()]
    for beam in (1, 4):
        preorderer = budgie.Preorderer(model.model, beam=beam)
        yield from map(str, preorderer.permutations(sentences[: TEXTS // beam], threads=2))
    yield str(model.reorder([word for text in texts()[:150] for word in text.split()]).permutation)


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


_ASKED: dict[str, Callable[..., Iterator[str]]] = {"langid": _language, "pos": _tags, "seg": _words, "preorder": _order}


def outputs(name: str) -> dict[str, list[str]]:
    """What the model of this name answers."""
    model = budgie.load(name)
    lines = list(_ASKED[model.model.task](model))
    hundreds = ("\n".join(lines[at : at + A_DIGEST]) for at in range(0, len(lines), A_DIGEST))
    return {
        "first": [line[:400] for line in lines[:SHOWN]],
        "digests": [hashlib.sha256(some.encode()).hexdigest()[:16] for some in hundreds],
    }


def recorded() -> dict[str, dict[str, list[str]]]:
    """What is written down, by the name of the model."""
    return dict(json.loads(OUTPUTS.read_text("utf-8")))


def main(arguments: list[str]) -> int:
    found = {name: outputs(name) for name in budgie.models()}
    if arguments == ["--record"]:
        OUTPUTS.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
        return 0
    changed = [name for name, lines in found.items() if recorded().get(name) != lines]
    sys.stdout.write(f"{len(found) - len(changed)} models answer as written down; others: {changed or 'none'}\n")
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
