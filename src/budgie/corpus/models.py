# SPDX-License-Identifier: Apache-2.0
"""The pipelines of a run, made once a process: what annotates, and what judges texts before that."""

from __future__ import annotations

from functools import lru_cache

from budgie import shared
from budgie.corpus.options import Options
from budgie.keep import Keep
from budgie.pipeline import Pipeline


class Models:
    """Of one set of options.

    A text that is left out needs nothing but its language. Where no tokens are wanted, that is all there is; else it is
    looked for in advance: by spans, whose languages are those that tokens are found by.
    """

    def __init__(self, options: Options) -> None:
        priors = dict(options.priors) or None
        self.pipeline = Pipeline(options.languages, options.tasks, options.probabilities, priors)
        self.keep: Keep | None = None
        self.judge = self.pipeline
        if options.keep is not None:
            self.keep = Keep(options.keep, options.least, shared.identifier().all_languages)
            if "tokens" in self.pipeline.tasks:
                self.judge = Pipeline(tasks=["spans"], priors=priors)

    @property
    def judges_first(self) -> bool:
        """Whether texts are judged before they are annotated."""
        return self.judge is not self.pipeline


@lru_cache(maxsize=4)
def models_for(options: Options) -> Models:
    """Those of this process."""
    return Models(options)
