"""How far indexing is, on standard error: a bar where somebody looks, a line now and then else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from handrail.cli.session import say

if TYPE_CHECKING:
    from handrail.corpus.build import Progress
    from handrail.engine import Engine

Report: TypeAlias = "Callable[[Progress], None]"

LINE_SECONDS = 5.0  # between two lines in a log


def index_starter(engine: Engine, collection: str) -> None:
    """Index the packaged corpus if ``collection`` is that one and it was never indexed."""
    from handrail.engine import STARTER

    if collection != STARTER or engine.library.exists(STARTER):
        return
    say("first use: indexing the starter corpus, once. It ships with the package.")
    with reported("starter") as report:
        engine.ensure_starter(report)


@contextmanager
def reported(name: str) -> Iterator[Report]:
    """A callback that shows progress; Ctrl-C passes on, with a word about what is kept."""
    try:
        if sys.stderr.isatty():
            with _bar(name) as report:
                yield report
        else:
            yield _Lines(name)
    except KeyboardInterrupt:
        say("what was embedded so far is kept; the same command goes on from there")
        raise


@contextmanager
def _bar(name: str) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[seen]}"),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None, seen="")

        def report(seen: Progress) -> None:
            bar.update(task, completed=seen.done, total=seen.total, seen=_seen(seen))

        yield report


class _Lines:
    """At most one line every few seconds, and one for the last text."""

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self._next = clock() + LINE_SECONDS

    def __call__(self, progress: Progress) -> None:
        if self._clock() < self._next and progress.done < progress.total:
            return
        self._next = self._clock() + LINE_SECONDS
        say(f"{self._name}: {_seen(progress)}")


def _seen(progress: Progress) -> str:
    pace = f"{progress.rate:.0f} a second, {progress.seconds_left:.0f} s left"
    return f"{progress.done}/{progress.total} texts, {pace}"


@contextmanager
def counted(what: str) -> Iterator[Callable[[int, int], None]]:
    """A callback for plain counts: a bar where somebody looks, nothing else."""
    if not sys.stderr.isatty():
        yield _uncounted
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _uncounted(done: int, total: int) -> None:
    """Nobody looks."""
