"""How a run goes: a live display on a terminal, plain lines in a pipe."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, RLock, Thread
from time import monotonic
from typing import Any

from likelier import wording
from likelier.cli.captured import to_lines, to_stderr
from likelier.errors import plain
from likelier.study.plan import Place
from likelier.study.running import Resumed, Watcher

_RUNNING_SHOWN = 8
_REFRESH = 4


@contextmanager
def watching(name: str) -> Iterator[Watcher]:
    """Show how a study goes, as fits who looks."""
    if not sys.stderr.isatty():
        with to_stderr():
            yield Lines(name)
        return
    live = Live(name)
    with live.shown():
        yield live


def opening(name: str, report: Resumed, workers: int) -> list[str]:
    """Say what a run found, and what it will do."""
    kept = f"{report.done:,} of {report.total:,} folds are there already"
    left = len(report.left)
    todo = f"{left:,} to run, {workers} at a time" if left else "nothing to run"
    lines = [f"{plain(name)}: {kept}, {todo}"]
    if report.damaged:
        count = wording.counted(report.damaged, "damaged result")
        lines.append(f"{count} removed, to be run again")
    lines += [
        f"{wording.counted(count, 'stored result')} not used, {plain(reason)}"
        for reason, count in report.refused.items()
    ]
    return lines


def duration(seconds: float) -> str:
    """Write a time as people say it.

    Examples
    --------
    >>> duration(0.25), duration(75), duration(7300)
    ('0.2 s', '1 min 15 s', '2 h 1 min')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


@dataclass
class Counter:
    """What was done of what there is to do.

    Attributes
    ----------
    left
        How many folds this run has.
    workers
        How many run at a time.
    done, failed
        How many of them ended.
    handed
        Those that were handed out and have not ended, the oldest first.
    """

    left: int = 0
    workers: int = 1
    done: int = 0
    failed: int = 0
    handed: dict[Place, float] = field(default_factory=dict)
    started: float = field(default_factory=monotonic)

    @property
    def running(self) -> list[Place]:
        """Those that run; a few more wait in the workers' queue."""
        return list(self.handed)[: self.workers]

    def ended(self, place: Place, *, failed: bool) -> None:
        """Count a fold that ended."""
        self.handed.pop(place, None)
        self.done += not failed
        self.failed += failed

    @property
    def time_left(self) -> float | None:
        """How many seconds the rest will take, at the pace so far."""
        ended = self.done + self.failed
        if not ended:
            return None
        return (monotonic() - self.started) / ended * (self.left - ended)


class Lines(Watcher):
    """One line per fold, for pipes and logs."""

    def __init__(self, name: str) -> None:
        self._name, self._count, self._total = name, Counter(), 0
        self._before = 0

    def begins(self, report: Resumed, workers: int) -> None:
        """Say what is there already, and what is left to do."""
        self._count = Counter(len(report.left), workers)
        self._total, self._before = report.total, report.done
        for line in opening(self._name, report, workers):
            self._say(line)

    def starts(self, place: Place) -> None:
        """Say nothing: the end of a fold is told."""

    def finishes(self, place: Place, seconds: float) -> None:
        """Tell a fold that was stored."""
        self._count.ended(place, failed=False)
        self._tell(place, duration(seconds))

    def fails(self, place: Place, error: str) -> None:
        """Tell a fold that failed."""
        self._count.ended(place, failed=True)
        self._tell(place, f"failed: {error}")

    def _tell(self, place: Place, what: str) -> None:
        ended = self._before + self._count.done + self._count.failed
        left = self._count.time_left
        rest = "" if not left else f", about {duration(left)} left"
        told = plain(what).removesuffix(".")
        self._say(f"[{ended}/{self._total}] {plain(str(place))}: {told}{rest}")

    @staticmethod
    def _say(line: str) -> None:
        # Whoever read the lines may be gone: folds are run and stored all the same.
        with suppress(OSError):
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()


class Live(Watcher):
    """A bar, what runs and what failed, drawn again and again."""

    def __init__(self, name: str) -> None:
        from rich.console import Console
        from rich.live import Live as Screen

        self._name, self._count = name, Counter()
        self._total = self._before = 0
        # A copy of standard error, which workers write to as well, past all displays.
        self._terminal = os.fdopen(
            os.dup(2), "w", encoding=sys.stderr.encoding, errors="backslashreplace"
        )
        self._console = Console(file=self._terminal, markup=False, highlight=False)
        self._screen = Screen(
            get_renderable=self._drawn,
            console=self._console,
            auto_refresh=False,
            transient=True,
        )
        # What is drawn depends on what stands there: one at a time, whoever draws.
        self._drawing = RLock()
        self._end = Event()

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Keep the display on the screen."""
        ticking = Thread(target=self._tick, daemon=True)
        with to_lines(self._say, self._terminal):
            self._screen.start()
            ticking.start()
            try:
                yield
            finally:
                self._end.set()
                ticking.join()
                with self._drawing:
                    self._screen.stop()
        if self._count.left:
            self._say(self._summary())

    def _tick(self) -> None:
        while not self._end.wait(1 / _REFRESH):
            with self._drawing:
                self._screen.refresh()

    def _say(self, line: str) -> None:
        with self._drawing:
            self._console.print(plain(line))

    def begins(self, report: Resumed, workers: int) -> None:
        """Show what is there already, and what is left to do."""
        self._count = Counter(len(report.left), workers)
        self._total, self._before = report.total, report.done
        for line in opening(self._name, report, workers):
            self._say(line)

    def starts(self, place: Place) -> None:
        """Show a fold that was handed out."""
        self._count.handed[place] = monotonic()

    def finishes(self, place: Place, seconds: float) -> None:  # noqa: ARG002
        """Count a fold that was stored."""
        self._count.ended(place, failed=False)

    def fails(self, place: Place, error: str) -> None:
        """Show a fold that failed."""
        self._count.ended(place, failed=True)
        self._say(f"failed: {place}: {error}")

    def _summary(self) -> str:
        count = self._count
        took = duration(monotonic() - count.started)
        failed = f", {count.failed:,} failed" if count.failed else ""
        return f"{count.done:,} folds run in {took}{failed}"

    def _drawn(self) -> Any:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        if not self._total:
            return ""
        count = self._count
        ended = self._before + count.done + count.failed
        left = count.time_left
        rest = "" if left is None else f"about {duration(left)} left"
        failed = f"{count.failed:,} failed" if count.failed else ""
        grid = Table.grid(padding=(0, 2))
        grid.add_row(
            ProgressBar(total=max(self._total, 1), completed=ended, width=30),
            Text(f"{ended:,} of {self._total:,} folds"),
            Text(f"{len(count.running)} running"),
            Text(failed, style="red"),
            Text(rest),
        )
        # Handed out from another thread: what is drawn is a copy.
        running = list(count.running)[:_RUNNING_SHOWN]
        return Group(grid, *(Text(f"  {plain(str(place))}") for place in running))
