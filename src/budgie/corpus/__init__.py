# SPDX-License-Identifier: Apache-2.0
"""Corpora: many files in, one annotated file out for each, a summary and a report."""

from budgie.corpus.options import Options
from budgie.corpus.run import Run, annotate_corpus

__all__ = ["Options", "Run", "annotate_corpus"]
