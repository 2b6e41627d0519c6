"""Progress of a run: a live display on a terminal, plain lines in a pipe.

What systems print meanwhile, here or in workers, is kept out of the results.
"""

import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, RLock, Thread
from time import monotonic
from typing import Any, TextIO

from likelier.formatting import counted, plain
from likelier.study.runner import RunStart, Watcher
from likelier.study.schedule import FoldKey

_RUNNING_SHOWN = 8
_REFRESH = 4
_LOOK_EVERY = 0.1
_AT_ONCE = 65536


@contextmanager
def watching(name: str) -> Iterator[Watcher]:
    """Show how a study goes, as fits who looks."""
    if not sys.stderr.isatty():
        with to_stderr():
            yield Lines(name)
        return
    live = Live(name)
    with live.on_screen():
        yield live


def opening(name: str, report: RunStart, workers: int) -> list[str]:
    """Say what a run found, and what it will do."""
    kept = f"{report.done:,} of {report.total:,} folds are there already"
    left = len(report.left)
    todo = f"{left:,} to run, {workers} at a time" if left else "nothing to run"
    lines = [f"{plain(name)}: {kept}, {todo}"]
    if report.damaged:
        count = counted(report.damaged, "damaged result")
        lines.append(f"{count} removed, to be run again")
    lines += [
        f"{counted(count, 'stored result')} not used, {plain(reason)}"
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
    """Folds that were done, of those that there are to do.

    Attributes
    ----------
    left
        Number of folds that this run has.
    workers
        Number of folds that run at a time.
    done, failed
        Number of folds that ended.
    handed
        Folds that were handed out and have not ended, the oldest first.
    """

    left: int = 0
    workers: int = 1
    done: int = 0
    failed: int = 0
    handed: dict[FoldKey, float] = field(default_factory=dict)
    started: float = field(default_factory=monotonic)

    @property
    def running(self) -> list[FoldKey]:
        """Folds that run; a few more wait in the workers' queue."""
        return list(self.handed)[: self.workers]

    def ended(self, fold: FoldKey, *, failed: bool) -> None:
        """Count a fold that ended."""
        self.handed.pop(fold, None)
        self.done += not failed
        self.failed += failed

    @property
    def time_left(self) -> float | None:
        """Seconds that the rest will take, at the pace so far."""
        ended = self.done + self.failed
        if not ended:
            return None
        return (monotonic() - self.started) / ended * (self.left - ended)


class Lines(Watcher):
    """One line per fold, for pipes and logs."""

    def __init__(self, name: str) -> None:
        self._name, self._count = name, Counter()
        self._total = self._before = 0

    def begins(self, report: RunStart, workers: int) -> None:
        """Say what is there already, and what is left to do."""
        self._count = Counter(len(report.left), workers)
        self._total, self._before = report.total, report.done
        for line in opening(self._name, report, workers):
            self._say(line)

    def finishes(self, fold: FoldKey, seconds: float) -> None:
        """Report a fold that was stored."""
        self._ends(fold, duration(seconds), failed=False)

    def fails(self, fold: FoldKey, error: str) -> None:
        """Report a fold that failed."""
        self._ends(fold, f"failed: {error}", failed=True)

    def _ends(self, fold: FoldKey, text: str, *, failed: bool) -> None:
        self._count.ended(fold, failed=failed)
        left = self._count.time_left
        rest = "" if not left else f", about {duration(left)} left"
        text = plain(text).removesuffix(".")
        self._say(f"[{self._ended}/{self._total}] {plain(str(fold))}: {text}{rest}")

    @property
    def _ended(self) -> int:
        return self._before + self._count.done + self._count.failed

    def _say(self, line: str) -> None:
        # Whoever read the lines may be gone: folds are run and stored all the same.
        with suppress(OSError):
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()


class Live(Lines):
    """A bar, what runs and what failed, drawn again and again."""

    def __init__(self, name: str) -> None:
        from rich.console import Console
        from rich.live import Live as Screen

        super().__init__(name)
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
    def on_screen(self) -> Iterator[None]:
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

    def starts(self, fold: FoldKey) -> None:
        """Show a fold that was handed out."""
        self._count.handed[fold] = monotonic()

    def finishes(self, fold: FoldKey, seconds: float) -> None:  # noqa: ARG002
        """Count a fold that was stored."""
        self._count.ended(fold, failed=False)

    def fails(self, fold: FoldKey, error: str) -> None:
        """Show a fold that failed."""
        self._count.ended(fold, failed=True)
        self._say(f"failed: {fold}: {error}")

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
        count, left = self._count, self._count.time_left
        grid = Table.grid(padding=(0, 2))
        grid.add_row(
            ProgressBar(total=max(self._total, 1), completed=self._ended, width=30),
            Text(f"{self._ended:,} of {self._total:,} folds"),
            Text(f"{len(count.running)} running"),
            Text(f"{count.failed:,} failed" if count.failed else "", style="red"),
            Text("" if left is None else f"about {duration(left)} left"),
        )
        # Handed out from another thread: what is drawn is a copy.
        running = list(count.running)[:_RUNNING_SHOWN]
        return Group(grid, *(Text(f"  {plain(str(fold))}") for fold in running))


# --- what systems print ---------------------------------------------------------------


@contextmanager
def to_stderr() -> Iterator[None]:
    """Let everything that is written to standard output go to standard error."""
    with _restored(1):
        os.dup2(2, 1)
        yield


@contextmanager
def to_lines(say: Callable[[str], None], terminal: TextIO) -> Iterator[None]:
    """Hand everything that is written to standard output and error over in lines.

    Parameters
    ----------
    say
        Takes each line.
    terminal
        Where it shows them; opened on a copy of standard error.
    """
    read, write = os.pipe()
    stop = Event()
    reader = Thread(target=_hand_over, args=(read, stop, say), daemon=True)
    with _restored(1), _restored(2):
        os.dup2(write, 1)
        os.dup2(write, 2)
        os.close(write)
        reader.start()
        try:
            yield
        finally:
            sys.stderr.flush()
            sys.stdout.flush()
            # Workers may hold the other end for long: it is not waited for its end.
            stop.set()
            reader.join()
            os.close(read)
            terminal.flush()


@contextmanager
def _restored(descriptor: int) -> Iterator[None]:
    sys.stdout.flush()
    sys.stderr.flush()
    saved = os.dup(descriptor)
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(saved, descriptor)
        os.close(saved)


def _hand_over(read: int, stop: Event, say: Callable[[str], None]) -> None:
    rest = b""
    while True:
        last = stop.is_set()
        ready, _, _ = select.select([read], [], [], 0 if last else _LOOK_EVERY)
        if ready:
            content = (rest + os.read(read, _AT_ONCE)).replace(b"\r", b"\n")
            *lines, rest = content.split(b"\n")
            if len(rest) > _AT_ONCE:
                lines, rest = [*lines, rest], b""
            _say_all(lines, say)
        elif last:
            break
    _say_all([rest], say)


def _say_all(lines: list[bytes], say: Callable[[str], None]) -> None:
    for line in lines:
        # Whatever happens here, reading goes on: workers would wait for it.
        with suppress(Exception):
            if line:
                say(line.decode(errors="replace"))
