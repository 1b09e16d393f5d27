# SPDX-License-Identifier: Apache-2.0
"""Progress of clustering on a terminal: a bar if rich is installed, else a line of standard error now and then."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import time
from collections.abc import Callable, Iterator

from budgie.clusters import State

_SECONDS_A_LINE = 5.0


@contextlib.contextmanager
def progress(silent: bool) -> Iterator[Callable[[State], None]]:
    """Gives what shows a state."""
    if silent or not sys.stderr.isatty():
        yield lambda _: None
    elif importlib.util.find_spec("rich") is None:
        yield _Lines()
    else:
        with _bar() as show:
            yield show


def text_of(state: State) -> str:
    """What there is to say beside how much is done."""
    if state.round == 0:
        return f"{state.words:,} words of text"
    return f"round {state.round}, {state.moves:,} moves, log-likelihood {state.likelihood:.4f}"


@contextlib.contextmanager
def _bar() -> Iterator[Callable[[State], None]]:
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=16), TextColumn("{task.fields[text]}"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def show(state: State) -> None:
            if state.task not in tasks:
                for task in tasks.values():
                    bar.update(task, visible=False)
                tasks[state.task] = bar.add_task(state.task, text="")
            # No total makes the bar swing: nobody knows how long the text is before it was read once.
            total = 1.0 if state.done > 0 else None
            bar.update(tasks[state.task], total=total, completed=state.done, text=text_of(state))

        yield show


class _Lines:
    def __init__(self) -> None:
        self.task, self.begin, self.next = "", 0.0, 0.0

    def __call__(self, state: State) -> None:
        now = time.monotonic()
        if state.task != self.task:
            self.task, self.begin, self.next = state.task, now, now
        if now < self.next:
            return
        self.next = now + _SECONDS_A_LINE
        left = f", {(now - self.begin) * (1 / state.done - 1):.0f} s left" if state.done > 0 else ""
        sys.stderr.write(f"{state.task}: {text_of(state)}{left}\n")
