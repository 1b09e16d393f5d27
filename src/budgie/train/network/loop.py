# SPDX-License-Identifier: Apache-2.0
"""The training loop: K networks at once, early stopping on held-out data, a log, and checkpoints to go on from."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from budgie.errors import ConfigError, Error
from budgie.model.config import Config
from budgie.train.network.batches import Batches, Minibatch, stream
from budgie.train.network.networks import Bag, Counts, Form, Networks, SingleRows
from budgie.train.network.optimiser import Optimiser
from budgie.train.network.progress import Progress
from budgie.train.network.recipe import Optimise, Recipe, Setting

_SHOWN = 50  # steps between two losses on the screen: looking at one makes a GPU wait
_BEFORE_RECORDING = 3  # steps


@dataclass(frozen=True)
class Trained:
    """The best of K networks on held-out data: its averaged weights, by parameter name, without the axis K."""

    weights: dict[str, Tensor]
    setting: Setting
    score: float
    step: int
    scores: list[float]  # the best of each setting

    def info(self, recipe: Recipe, about: Mapping[str, str], scores: Mapping[str, float]) -> dict[str, str]:
        """What a model says of its training; `scores` are shares, of which it says the percentage."""
        return {
            "recipe": recipe.about,
            **about,
            "scores": json.dumps({name: round(100 * score, 2) for name, score in scores.items()}),
            "setting": json.dumps(dataclasses.asdict(self.setting)),
            "steps": str(self.step),
        }


@dataclass(frozen=True)
class Run:
    """Where and how a training runs, apart from what is trained."""

    device: str = "cpu"
    threads: int = 1  # of torch on a CPU; small minibatches lose more to waiting than they gain from a second one
    workers: int = 0  # processes that make minibatches ahead of time
    form: Form = "sparse"
    log: Path | None = None
    checkpoint: Path | None = None
    resume: bool = False
    quiet: bool = False


def find_device(name: str) -> torch.device:
    """The device of --device, if it is there."""
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("--device cuda: PyTorch finds no GPU here; say --device cpu")
    return torch.device(name)


class Training:
    """The state of a training; `train` is its whole life."""

    def __init__(self, config: Config, optimise: Optimise, run: Run, start: Mapping[str, Tensor] | None = None) -> None:
        torch.manual_seed(optimise.seed)
        torch.set_num_threads(run.threads)
        self.optimise, self.run = optimise, run
        self.settings = optimise.settings()
        self.device = find_device(run.device)
        networks = Networks(config, len(self.settings), optimise.seed, run.form, optimise.embedding_start)
        if start is not None:
            for name, parameter in networks.named_parameters():
                parameter.data[:] = start[name].unsqueeze(networks.axis(name))
        self.networks = networks.to(self.device)
        self.optimiser = Optimiser(self.networks, optimise, self.settings)
        self.dropout = self.optimiser.dropout if any(setting.dropout for setting in self.settings) else None
        self.step_count = 0
        self._unrecorded = 0  # steps of this process; a training that goes on begins without any
        self._recorded: _Recorded | None = None
        self.best = [-1.0] * len(self.settings)
        self.best_step = [0] * len(self.settings)
        self.best_weights = {name: average.clone() for name, average in self.optimiser.averages.items()}
        if run.resume and run.checkpoint:
            self._restore(run.checkpoint)

    def step(self, batch: Minibatch) -> Tensor:
        """One minibatch; the loss of each network."""
        self.step_count += 1
        batch = batch.to(self.device)
        varying = batch.varying()
        if self.device.type == "cpu" or varying is None:
            return self._step(batch)
        # On a GPU starting so many small operations takes longer than the operations: they are recorded once, and
        # then only played again on new contents of the same memory. A recording must not hold anybody's first time.
        if self._unrecorded < _BEFORE_RECORDING:
            self._unrecorded += 1
            return self._step(batch)
        if self._recorded is None:
            self._recorded = _Recorded(self, batch, varying)
        return self._recorded.step(varying) if self._recorded.fits(varying) else self._step(batch)

    def _step(self, batch: Minibatch) -> Tensor:
        return self.learn(batch.bags, batch.gold)[0]

    def learn(self, bags: Sequence[Bag | Counts | SingleRows], gold: Tensor) -> tuple[Tensor, Tensor]:
        """One update of the networks; the loss of each, and what they said before it [K, B, L]."""
        scores = self.networks(bags, self.dropout)
        losses = functional.cross_entropy(
            scores.flatten(0, 1),
            torch.cat([gold] * len(self.settings)),
            reduction="none",
            label_smoothing=self.optimise.smoothing,
        )
        per_network = losses.view(len(self.settings), -1).mean(1)
        self.networks.zero_grad(set_to_none=True)
        per_network.sum().backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        return per_network.detach(), scores.detach()

    @torch.no_grad()
    def evaluate(self, held_out: Iterable[Minibatch] | None) -> list[float]:
        """Accuracy of each network's averaged weights; where it is a new best one, those weights are kept.

        Without held-out texts there is nothing to choose by, and the newest weights are kept.
        """
        if held_out is None:
            self.best_weights = {name: average.clone() for name, average in self.optimiser.averages.items()}
            return [0.0] * len(self.settings)
        right, count = torch.zeros(len(self.settings)), 0
        now = {name: p.detach().clone() for name, p in self.networks.named_parameters()}
        self._put(self.optimiser.averages)
        for batch in held_out:
            there = batch.to(self.device)
            labels = there.labels()
            right += (self.networks(there.bags).argmax(2) == labels).sum(1).cpu()
            count += len(labels)
        self._put(now)
        scores: list[float] = (100 * right / count).tolist()
        for k, score in enumerate(scores):
            if score > self.best[k]:
                self.best[k], self.best_step[k] = score, self.step_count
                for name, average in self.optimiser.averages.items():
                    axis = self.networks.axis(name)
                    self.best_weights[name].select(axis, k).copy_(average.select(axis, k))
        return scores

    def newest_best(self) -> int:
        """The step at which the best network of all was found."""
        return self.best_step[self._best_setting()]

    def _best_setting(self) -> int:
        return max(range(len(self.settings)), key=lambda k: self.best[k])

    def result(self) -> Trained:
        """The best network so far."""
        k = self._best_setting()
        weights = {
            name: tensor.select(self.networks.axis(name), k).cpu().contiguous()
            for name, tensor in self.best_weights.items()
        }
        return Trained(weights, self.settings[k], self.best[k], self.best_step[k], list(self.best))

    def save(self) -> None:
        """Write the checkpoint, if one is wanted."""
        if self.run.checkpoint is None:
            return
        unfinished = self.run.checkpoint.with_name(self.run.checkpoint.name + ".part")
        torch.save({"of": self.what(), **self.state()}, unfinished)
        unfinished.replace(self.run.checkpoint)

    def state(self) -> dict[str, Any]:
        """Everything needed to go on later."""
        return {
            "optimiser": self.optimiser.state(),
            "best": self.best,
            "best_step": self.best_step,
            "best_weights": self.best_weights,
            "random": torch.get_rng_state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """The inverse of `state`."""
        self.optimiser.restore(state["optimiser"])
        self.step_count = self.optimiser.step_count
        self.best, self.best_step = state["best"], state["best_step"]
        self.best_weights = state["best_weights"]
        torch.set_rng_state(state["random"].cpu())

    @contextlib.contextmanager
    def saved_on_interrupt(self) -> Iterator[None]:
        """Write the checkpoint when somebody presses Ctrl-C."""
        try:
            yield
        except KeyboardInterrupt:
            self.save()
            raise

    def _restore(self, path: Path) -> None:
        if not path.exists():
            raise ConfigError(f"there is no checkpoint {path} to go on from: leave out --resume")
        try:
            state = torch.load(path, weights_only=True, map_location=self.device)
        except Exception as error:
            raise ConfigError(f"{path} is damaged: delete it and begin again ({type(error).__name__})") from None
        if state["of"] != self.what():
            raise ConfigError(f"{path} is of a training with another recipe, other labels or another seed")
        self.restore(state)
        if self.step_count > self.optimise.steps:
            raise ConfigError(
                f"{path} has {self.step_count} steps behind it, more than the {self.optimise.steps} asked for"
            )

    def what(self) -> str:
        """What is trained and how; only the number of steps may change when a training goes on."""
        optimise = {**dataclasses.asdict(self.optimise), "steps": 0}
        return json.dumps([self.networks.config.to_dict(), optimise])

    def _put(self, weights: dict[str, Tensor]) -> None:
        for name, parameter in self.networks.named_parameters():
            parameter.data.copy_(weights[name])


class _Recorded:
    """One step as a CUDA graph: it reads its minibatch from, and leaves its losses in, memory that stays the same."""

    def __init__(self, training: Training, batch: Minibatch, varying: Tensor) -> None:
        self._varying = varying  # of `batch`: it stays where it is
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._losses = training._step(batch)

    def fits(self, varying: Tensor) -> bool:
        """Whether this is a minibatch of the same shape."""
        return varying.shape == self._varying.shape

    def step(self, varying: Tensor) -> Tensor:
        self._varying.copy_(varying)
        self._graph.replay()
        return self._losses.clone()


def train(
    config: Config,
    optimise: Optimise,
    batches: Batches,
    held_out: Iterable[Minibatch] | None,
    run: Run = Run(),
    start: Mapping[str, Tensor] | None = None,
) -> Trained:
    """Train all settings of the grid and give the best network on held-out data.

    Weights are random at first, or those of `start`, named as in `Trained`.
    """
    return run_through(Training(config, optimise, run, start), batches, held_out)


def run_through(training: Training, batches: Batches, held_out: Iterable[Minibatch] | None) -> Trained:
    """Do all the steps of a training; the best network on held-out data."""
    run, optimise = training.run, training.optimise
    begun = time.monotonic()
    first = training.step_count
    with Progress(optimise.steps, first, silent=run.quiet) as progress, _Log(run) as log, training.saved_on_interrupt():
        for batch in stream(batches, range(first, optimise.steps), run.workers):
            losses = training.step(batch)
            step = training.step_count
            if step % optimise.evaluate_every and step != optimise.steps:
                progress.step(step, float(losses.min()) if step % _SHOWN == 0 else None)
                continue
            _check_loss(losses, step, optimise)
            scores = training.evaluate(held_out)
            training.save()
            progress.step(step, float(losses.min()), max(scores))
            log.write(step=step, seconds=round(time.monotonic() - begun, 1), loss=losses.tolist(), dev=scores)
            if held_out is not None and step - training.newest_best() >= optimise.patience * optimise.evaluate_every:
                break
    return training.result()


class _Log(contextlib.ExitStack):
    """JSON lines, one for each evaluation; nothing where no log is wanted."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self._file = self.enter_context(run.log.open("a" if run.resume else "w", encoding="utf-8")) if run.log else None

    def write(self, **values: object) -> None:
        if self._file:
            self._file.write(json.dumps(values) + "\n")
            self._file.flush()


def _check_loss(losses: Tensor, step: int, optimise: Optimise) -> None:
    if not bool(torch.isfinite(losses).any()):
        rates = ", ".join(map(str, optimise.learning_rate))
        raise Error(f"the loss is not a number any more at step {step}: lower the learning rate ({rates})")
