# SPDX-License-Identifier: Apache-2.0
"""Which texts are gone on with: those in some languages."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from budgie.errors import ConfigError


class Keep:
    """Judges texts by what was found of them; without `least`, an answer has to be reliable."""

    def __init__(self, languages: Sequence[str], least: float | None, known: Collection[str]) -> None:
        from budgie.languages import choose  # noqa: PLC0415

        self.labels = {choose(name, known, "this model") for name in languages}
        if not self.labels:
            raise ConfigError("--keep names no language")
        self.least = least

    def places(self, answers: Sequence[tuple[str, float, bool]]) -> list[int]:
        """Where the answers are whose texts are kept: languages, how probable and whether reliable."""
        labels, least = self.labels, self.least
        return [
            place
            for place, (language, probability, reliable) in enumerate(answers)
            if language in labels and (reliable if least is None else probability >= least)
        ]
