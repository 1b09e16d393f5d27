# SPDX-License-Identifier: Apache-2.0
"""Budgie inside of Data-Juicer, which finds it by its entry point: the operator `budgie_language_filter`."""

from __future__ import annotations

from typing import Any

from budgie.errors import MissingExtra

try:
    from data_juicer.ops.base_op import OPERATORS, Filter
    from data_juicer.utils.constant import Fields, StatsKeys
except ImportError as error:
    raise MissingExtra(
        "budgie.integrations.data_juicer needs a package: pip install 'budgie-nlp[data-juicer]', "
        f"or py-data-juicer ({error})"
    ) from None

from budgie.integrations.choice import CODE, Choice


@OPERATORS.register_module("budgie_language_filter")
class BudgieLanguageFilter(Filter):  # type: ignore[misc]  # Data-Juicer has no types
    """Keeps samples in some languages, with the options and the stats of language_id_score_filter."""

    _batched_op = True

    def __init__(
        self, lang: str | list[str] | None = "", min_score: float = 0.8, labels: str = CODE, *args: Any, **kwargs: Any
    ) -> None:
        """What to keep.

        :param lang: Samples in which languages to keep, by any of their names.
        :param min_score: The min language identification confidence scores of samples to keep.
        :param labels: How stats say the language: `code` for en, `iso` for eng_Latn.
        :param args: extra args
        :param kwargs: extra args
        """
        super().__init__(*args, **kwargs)
        self.choice = Choice(lang or None, labels)
        self.wanted = self.choice.all_written()
        self.min_score = min_score

    def compute_stats_batched(self, samples: dict[str, Any], *_: Any, **__: Any) -> dict[str, Any]:
        """Puts the language of each sample and its probability into the stats, unless they are there."""
        lang, lang_score = StatsKeys.lang, StatsKeys.lang_score  # once a batch: reading them takes a microsecond
        missing = [
            (stats, text)
            for stats, text in zip(samples[Fields.stats], samples[self.text_key], strict=True)
            if lang not in stats or lang_score not in stats
        ]
        found = self.choice.identify_batch(text for _, text in missing)
        for (stats, _), one in zip(missing, found, strict=True):
            stats[lang] = self.choice.written(one.language)
            stats[lang_score] = one.probability
        return samples

    def process_batched(self, samples: dict[str, Any]) -> list[bool]:
        """Which samples to keep, by their stats."""
        lang, lang_score = StatsKeys.lang, StatsKeys.lang_score
        return [
            bool(
                (not self.wanted or stats[lang] in self.wanted)
                and self.get_keep_boolean(stats[lang_score], self.min_score)
            )
            for stats in samples[Fields.stats]
        ]
