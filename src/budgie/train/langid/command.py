# SPDX-License-Identifier: Apache-2.0
"""`budgie train` for language identifiers."""

from __future__ import annotations

from pathlib import Path

from budgie.errors import ConfigError
from budgie.model.file import Model
from budgie.train.job import Job
from budgie.train.langid.train import train_identifier

LANGUAGES = ()  # one model for all of them, from a folder that is named


def train_model(job: Job) -> Model:
    """Train from a table or a folder of labelled text."""
    training, held_out = job.args.train or [], job.args.dev or []
    if len(training) != 1 or len(held_out) > 1:
        raise ConfigError("language identification takes one --train and at most one --dev")
    dev = Path(held_out[0]) if held_out else None
    return train_identifier(job.recipe, Path(training[0]), dev, job.run)
