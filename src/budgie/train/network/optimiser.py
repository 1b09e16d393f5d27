# SPDX-License-Identifier: Apache-2.0
"""Averaged stochastic gradient descent with momentum, as in the paper, and Adam; each of K networks at its own rate."""

from __future__ import annotations

import torch
from torch import Tensor

from budgie.train.network.networks import Networks
from budgie.train.network.recipe import Optimise, Setting


class Optimiser:
    """Updates the networks in place and keeps a running average of their weights, which is what gets evaluated."""

    def __init__(self, networks: Networks, optimise: Optimise, settings: list[Setting]) -> None:
        self.networks, self.optimise = networks, optimise
        device = next(networks.parameters()).device
        # A tensor, like everything that changes from step to step: a recorded step (loop.py) must see the new value.
        self.steps = torch.zeros((), device=device, dtype=torch.float64)

        def column(values: list[float]) -> Tensor:
            return torch.tensor(values, device=device)

        self.rate = column([s.learning_rate for s in settings])
        self.momentum = column([s.momentum for s in settings])
        self.gamma = column([float(s.gamma) for s in settings])
        self.l2 = column([s.l2 for s in settings])
        self.dropout = column([s.dropout for s in settings])
        self.first = {name: torch.zeros_like(p) for name, p in networks.named_parameters()}
        self.second = (
            {name: torch.zeros_like(p) for name, p in networks.named_parameters()}
            if optimise.optimiser == "adam"
            else {}
        )
        self.averages = {name: p.detach().clone() for name, p in networks.named_parameters()}

    @property
    def step_count(self) -> int:
        """How many updates there were."""
        return int(self.steps)

    @torch.no_grad()
    def step(self) -> None:
        """One update from the gradients of the networks."""
        self.steps += 1
        rate = self.rate * self._decay()
        forget = torch.clamp(10 / (self.steps + 10), min=1 - self.optimise.average).float()
        for name, parameter in self.networks.named_parameters():
            assert parameter.grad is not None
            gradient, first = parameter.grad, self.first[name]
            shape = [1] * parameter.dim()
            shape[self.networks.axis(name)] = -1
            if self.networks.regularised(name):
                gradient = gradient + self.l2.view(shape) * parameter
            if self.optimise.optimiser == "sgd":
                first.mul_(self.momentum.view(shape)).add_(gradient)
                parameter.sub_(rate.view(shape) * first)
            else:
                beta1, beta2 = 0.9, 0.99
                second = self.second[name]
                first.lerp_(gradient, 1 - beta1)
                second.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
                scale = ((1 - beta2**self.steps) ** 0.5 / (1 - beta1**self.steps)).float()
                parameter.sub_(rate.view(shape) * scale * first / (second.sqrt() + 1e-8))
        self.networks.limit()
        for name, parameter in self.networks.named_parameters():
            self.averages[name].lerp_(parameter, forget)

    def _decay(self) -> Tensor:
        if self.optimise.schedule == "exponential":
            return torch.pow(0.96, torch.floor(self.steps / self.gamma)).float()
        return torch.clamp(1 - (self.steps - 1) / self.optimise.steps, min=0).float()

    def state(self) -> dict[str, object]:
        """Everything needed to go on later."""
        return {
            "step": self.step_count,
            "parameters": self.networks.state_dict(),
            "first": self.first,
            "second": self.second,
            "averages": self.averages,
        }

    def restore(self, state: dict[str, object]) -> None:
        """The inverse of `state`."""
        self.steps.fill_(int(state["step"]))  # type: ignore[call-overload]
        self.networks.load_state_dict(state["parameters"])  # type: ignore[arg-type]
        for name in ("first", "second", "averages"):
            for key, value in state[name].items():  # type: ignore[attr-defined]
                getattr(self, name)[key].copy_(value)
