# SPDX-License-Identifier: Apache-2.0
"""One task on the same texts, `rounds` times: what callgrind looks at. Imports nothing but Budgie."""

import gc
import sys

import budgie

gc.disable()  # when it runs depends on everything that was ever imported

# Written for this file. Several scripts for what reads running text; the language of the model for all else.
MIXED = (
    "The lighthouse keeper counted eleven ships before breakfast and wrote each of their names into his book.",
    "Der Leuchtturmwärter zählte vor dem Frühstück elf Schiffe und schrieb ihre Namen in sein Buch.",
    "Le gardien du phare a compté onze navires avant le déjeuner et noté leurs noms dans son livre.",
    "Смотритель маяка насчитал до завтрака одиннадцать кораблей и записал их имена в свою книгу.",
    "灯塔看守人在早饭前数了十一艘船，并把它们的名字写进了书里。",
    "حارس المنارة عد إحدى عشرة سفينة قبل الفطور وكتب أسماءها في كتابه.",
    "फूल वाली गली में आज सुबह से बहुत भीड़ है और सब लोग खुश हैं।",
    "Deniz feneri bekçisi kahvaltıdan önce on bir gemi saydı ve adlarını defterine yazdı.",
)
ENGLISH = (
    "The keeper of the old lighthouse counted eleven ships before breakfast .",
    "When the fog came in from the north , nobody in the village could see the harbour any more .",
    "She asked her brother whether he had ever read the letters that their grandfather sent from Lisbon .",
    "Prices rose by 3.5 % in March , which surprised even the bank 's own economists .",
)
CHINESE = (
    "灯塔看守人在早饭前数了十一艘船，并把它们的名字写进了书里。",
    "北京大学的研究生昨天在实验室里讨论了生命起源的问题，直到深夜才离开。",
    "2024年3月，公司发布了新款手机，售价为3999元，受到年轻人的欢迎。",
)


def work(task: str, rounds: int) -> int:
    """How many units (texts, characters, words) one round has."""
    if task.startswith("identify") or task == "spans":
        return read_languages(task, rounds)
    if task == "segment":
        lines = [line * 3 for line in CHINESE] * 24
        segmenter = budgie.load("seg-zh")
        for _ in range(rounds):
            segmenter.spans_batch(lines)
        return sum(map(len, lines))
    # New words in every sentence, as in running text, where the cache helps with most words but not with all.
    sentences = [[*line.split(), f"word{i}"] for i in range(100) for line in ENGLISH]
    if task == "tag":
        ask = budgie.load("pos-en").tag_batch
    else:
        ask = budgie.load("preorder-en-ja", beam=4 if task == "preorder, beam 4" else 1).permutations
    for _ in range(rounds):
        ask(sentences)
    return sum(map(len, sentences))


def read_languages(task: str, rounds: int) -> int:
    documents = task == "identify documents"
    texts = (
        [text * 12 for text in MIXED] * 4 if documents else [text * copies for text in MIXED for copies in (1, 2)] * 8
    )
    model = budgie.load("langid")
    for _ in range(rounds):
        if task == "spans":
            for text in texts:
                model.spans(text)
        else:
            model.identify_batch(texts)
    return sum(map(len, texts)) if documents else len(texts)


if __name__ == "__main__":
    sys.stdout.write(f"{work(sys.argv[1], int(sys.argv[2]))}\n")
