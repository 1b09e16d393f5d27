# SPDX-License-Identifier: Apache-2.0
"""A live line of progress on standard error: steps, loss, held-out score, speed, time left. Silent off a terminal."""

from __future__ import annotations

import types

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Column
from rich.text import Text


class _Speed(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed or 0:.1f} steps/s")


class Progress:
    """Use as a context; call `step` as often as you like."""

    def __init__(self, steps: int, done: int = 0, silent: bool = False) -> None:
        console = Console(stderr=True)
        self._bar = Bar(
            BarColumn(bar_width=16),
            MofNCompleteColumn(),
            _Speed(table_column=Column(no_wrap=True)),
            TextColumn("loss {task.fields[loss]} held-out {task.fields[score]}", table_column=Column(no_wrap=True)),
            TimeRemainingColumn(),
            console=console,
            disable=silent or not console.is_terminal,
        )
        self._task = self._bar.add_task("training", total=steps, completed=done, loss="-", score="-")

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | types.TracebackType | None) -> None:
        self._bar.stop()

    def step(self, done: int, loss: float | None = None, score: float | None = None) -> None:
        """Show that `done` steps are done, and the newest loss and score where there are any."""
        self._bar.update(self._task, completed=done)
        if loss is not None:
            self._bar.update(self._task, loss=f"{loss:.3f}")
        if score is not None:
            self._bar.update(self._task, score=f"{score:.2f}")
