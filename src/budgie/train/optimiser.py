# SPDX-License-Identifier: Apache-2.0
"""Averaged stochastic gradient descent with momentum, as in the paper, and Adam; each of K networks at its own rate."""

from __future__ import annotations

import torch
from torch import Tensor

from budgie.train.networks import Networks
from budgie.train.recipe import Optimise, Setting


class Optimiser:
    """Updates the networks in place and keeps a running average of their weights, which is what gets evaluated."""

    def __init__(self, networks: Networks, optimise: Optimise, settings: list[Setting]) -> None:
        self.networks, self.optimise = networks, optimise
        self.step_count = 0
        device = next(networks.parameters()).device

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

    @torch.no_grad()
    def step(self) -> None:
        """One update from the gradients of the networks."""
        self.step_count += 1
        rate = self.rate * self._decay()
        keep = min(self.optimise.average, self.step_count / (self.step_count + 10))
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
                scale = (1 - beta2**self.step_count) ** 0.5 / (1 - beta1**self.step_count)
                parameter.sub_(rate.view(shape) * scale * first / (second.sqrt() + 1e-8))
        self.networks.limit()
        for name, parameter in self.networks.named_parameters():
            self.averages[name].lerp_(parameter, 1 - keep)

    def _decay(self) -> Tensor:
        if self.optimise.schedule == "exponential":
            return torch.pow(0.96, torch.floor(self.step_count / self.gamma))
        return torch.full_like(self.gamma, max(0.0, 1 - (self.step_count - 1) / self.optimise.steps))

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
        self.step_count = int(state["step"])  # type: ignore[call-overload]
        self.networks.load_state_dict(state["parameters"])  # type: ignore[arg-type]
        for name in ("first", "second", "averages"):
            for key, value in state[name].items():  # type: ignore[attr-defined]
                getattr(self, name)[key].copy_(value)
