# SPDX-License-Identifier: Apache-2.0
"""A network that learns from labels and from a larger one, which learns the same minibatches at the same time.

Labels say nothing of others that are nearly as probable; a teacher does. It is thrown away in the end. Its rows are a
multiple of the small network's, so that one number of a row serves both: row r of the small one is what rows
r * times to r * times + times - 1 of the teacher are together, as ids are hashes scaled to the number of rows.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import torch
from torch import Tensor

from budgie.model.config import Config
from budgie.train.network.batches import Minibatch
from budgie.train.network.loop import Run, Training
from budgie.train.network.networks import Bag
from budgie.train.network.recipe import Optimise, TeacherSettings


def teacher_of(config: Config, settings: TeacherSettings) -> Config:
    """The network of a teacher: more rows, wider, and never rounded."""
    groups = tuple(
        dataclasses.replace(
            group, buckets=group.buckets * settings.rows, dim=group.dim * settings.width, bits=32, scale="row"
        )
        for group in config.groups
    )
    return dataclasses.replace(config, groups=groups, hidden=settings.hidden)


class TaughtTraining(Training):
    """Minibatches have the teacher's ids; held-out ones, as everywhere, the network's own."""

    def __init__(self, config: Config, optimise: Optimise, run: Run, settings: TeacherSettings) -> None:
        self.taught = settings
        alone = dataclasses.replace(run, checkpoint=None, resume=False)
        learning = dataclasses.replace(optimise, learning_rate=(settings.learning_rate,))
        self.teacher = Training(teacher_of(config, settings), learning, alone)
        # A tensor, like everything that changes from step to step: a recorded step must see the new value.
        self.share = torch.zeros((), device=self.teacher.device)
        super().__init__(config, optimise, run)

    def _step(self, batch: Minibatch) -> Tensor:
        bags = [bag for bag in batch.bags if isinstance(bag, Bag)]
        _, said = self.teacher.learn([bag.thinned(self.taught.feature_dropout) for bag in bags], batch.gold)
        whole = max(1.0, self.taught.warm * self.optimise.steps)
        self.share.copy_(torch.clamp(self.optimiser.steps / whole, max=1) * self.taught.share)
        gold = self.share * said[0].softmax(1)
        gold.scatter_add_(1, batch.gold[:, None], (1 - self.share).expand(len(gold), 1))
        return self.learn([bag.coarser(self.taught.rows) for bag in bags], gold)[0]

    def state(self) -> dict[str, Any]:
        """Everything needed to go on later."""
        return {**super().state(), "teacher": self.teacher.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """The inverse of `state`."""
        self.teacher.restore(state["teacher"])
        super().restore(state)

    def what(self) -> str:
        """What is trained and how."""
        return json.dumps([super().what(), dataclasses.asdict(self.taught)])
