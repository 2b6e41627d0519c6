"""How a run goes: plain lines in a pipe, a live display on a terminal."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from tests.cli.toys import FOLDS, GOOD, POOR, toy

from likelier.cli import progress
from likelier.cli.progress import Counter, Lines, duration, opening
from likelier.study import read_toml
from likelier.study.runner import RunStart, run_folds
from likelier.study.schedule import FoldKey, PlannedFold

SCRIPT = Path(sys.executable).with_name("likelier")
LIMIT = 60
FOLD_KEYS = [FoldKey("d", "a", 1, fold) for fold in (1, 2, 3, 4)]
LEFT = tuple(PlannedFold(key, str(key), {}) for key in FOLD_KEYS)


# --- words --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0.0 s"),
        (9.94, "9.9 s"),
        (59.4, "59 s"),
        (59.6, "1 min 0 s"),
        (3599.4, "59 min 59 s"),
        (3599.6, "1 h 0 min"),
        (90_000, "25 h 0 min"),
    ],
)
def test_duration(seconds, words):
    assert duration(seconds) == words


def test_opening_says_what_was_found():
    report = RunStart(10, LEFT, 2, {"a on d: other data": 3})
    assert opening("mine", report, 2) == [
        "mine: 6 of 10 folds are there already, 4 to run, 2 at a time",
        "2 damaged results removed, to be run again",
        "3 stored results not used, a on d: other data",
    ]
    done = RunStart(10, ())
    assert opening("m\x1b", done, 0) == [
        r"m\x1b: 10 of 10 folds are there already, nothing to run"
    ]


def test_time_left_goes_by_the_pace_so_far(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    count = Counter(left=10, workers=2, started=100.0)
    assert count.time_left is None
    now[0] = 106.0
    count.ended(FOLD_KEYS[0], failed=False)
    count.ended(FOLD_KEYS[1], failed=True)
    # Two of ten in six seconds: eight more in 24.
    assert count.time_left == pytest.approx(24.0)
    assert (count.done, count.failed) == (1, 1)


def test_running_are_the_oldest_that_were_handed_out():
    count = Counter(left=4, workers=2)
    for key in FOLD_KEYS:
        count.handed[key] = 0.0
    assert count.running == FOLD_KEYS[:2]
    count.ended(FOLD_KEYS[0], failed=False)
    assert count.running == FOLD_KEYS[1:3]


def test_lines(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    lines = Lines("mine")
    lines.begins(RunStart(10, LEFT), 2)
    lines._count.started = 0.0
    for key in FOLD_KEYS:
        lines.starts(key)
    now[0] = 30.0
    lines.finishes(FOLD_KEYS[0], 29.0)
    lines.fails(FOLD_KEYS[1], "ValueError: \x1b[31mno")
    lines.finishes(FOLD_KEYS[2], 1.0)
    lines.finishes(FOLD_KEYS[3], 0.5)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "mine: 6 of 10 folds are there already, 4 to run, 2 at a time",
        "[7/10] a on d, repetition 1, fold 1: 29 s, about 1 min 30 s left",
        r"[8/10] a on d, repetition 1, fold 2: failed: ValueError: \x1b[31mno"
        ", about 30 s left",
        "[9/10] a on d, repetition 1, fold 3: 1.0 s, about 10 s left",
        "[10/10] a on d, repetition 1, fold 4: 0.5 s",
    ]


# --- in a pipe ----------------------------------------------------------------

LINE = re.compile(
    r"\[(\d+)/8\] (\w+) on mails, repetition 1, fold (\d): "
    r"(?:\d+\.\d s|failed: .*?)(, about [\d.]+ s left)?"
)


def test_a_pipe_gets_a_line_per_fold(tmp_path, monkeypatch, call):
    systems = {"good": GOOD, "bad": {"fail": "no luck"}}
    toy(tmp_path, systems=systems, design=FOLDS)
    monkeypatch.chdir(tmp_path)
    done = call("study", "run", "study.toml", "--engine", "threads", "--workers", 2)
    assert done.code == 4
    first, *lines, last = done.err.splitlines()
    assert first == "toy: 0 of 8 folds are there already, 8 to run, 2 at a time"
    assert last.startswith("likelier: 4 folds failed")
    matches = [LINE.fullmatch(line) for line in lines]
    assert all(matches), lines
    assert [int(match[1]) for match in matches] == list(range(1, 9))
    assert {(m[2], m[3]) for m in matches} == {(s, f) for s in systems for f in "1234"}
    assert [match[4] is None for match in matches] == [False] * 7 + [True]
    assert sum("failed: ValueError: no luck" in line for line in lines) == 4


def test_a_run_goes_on_when_nobody_reads_its_lines(tmp_path):
    toy(tmp_path, design=FOLDS)
    with subprocess.Popen(
        [SCRIPT, "study", "run", "study.toml", "--engine", "threads", "--workers", "1"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        run.stderr.readline()
        run.stderr.close()
        out = run.stdout.read()
    assert run.returncode == 0
    assert "8 of 8 folds finished" in out


# --- on a terminal ------------------------------------------------------------


class Terminal:
    """The lines of a terminal, as far as our output moves on it."""

    CODE = re.compile(r"\x1b\[(\?)?([\d;]*)([A-Za-z])|\x1b\].*?\x07|\r|\n|[^\x1b\r\n]+")
    PART = re.compile(r"(\x1b(\[[?\d;]*|\][^\x07]*)?)?\Z")

    def __init__(self):
        self.lines, self.row, self.column = [""], 0, 0
        self.seen, self.rest = [], ""
        self.decoder = codecs.getincrementaldecoder("utf-8")()

    def feed(self, content):
        text = self.rest + self.decoder.decode(content)
        # Whatever is read may end within a character or a code.
        self.rest = self.PART.search(text)[0]
        for match in self.CODE.finditer(text.removesuffix(self.rest)):
            part = match[0]
            if part == "\r":
                self.column = 0
            elif part == "\n":
                self.row += 1
                self.lines += [""] * (self.row + 1 - len(self.lines))
            elif match[3] is not None:
                self._move(match[1], match[2], match[3])
            elif not part.startswith("\x1b"):
                line = self.lines[self.row].ljust(self.column)
                end = self.column + len(part)
                self.lines[self.row] = line[: self.column] + part + line[end:]
                self.column = end
        self.seen.append("\n".join(self.lines))

    def _move(self, private, number, letter):
        if private or letter in "mhl":
            return
        if letter == "A":
            self.row = max(0, self.row - int(number or 1))
        elif letter == "K":
            self.lines[self.row] = ""
        else:
            message = f"unknown movement {number}{letter}"
            raise AssertionError(message)

    def visible(self):
        return [line.rstrip() for line in self.lines if line.strip()]


class Watched:
    """A run whose standard error is a terminal."""

    def __init__(self, folder, *words):
        self.screen = Terminal()
        self.master, slave = pty.openpty()
        size = struct.pack("HHHH", 24, 100, 0, 0)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, size)
        self.process = subprocess.Popen(
            [SCRIPT, "study", "run", *words],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=slave,
            stdin=subprocess.DEVNULL,
            env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"},
            start_new_session=True,
        )
        os.close(slave)
        self._end = time.monotonic() + LIMIT

    def read(self, until=None):
        """Read until something is on the screen, or to the end."""
        while time.monotonic() < self._end:
            ready, _, _ = select.select([self.master], [], [], 0.2)
            if ready:
                try:
                    text = os.read(self.master, 65536)
                except OSError:  # the other end is closed
                    return
                if not text:
                    return
                self.screen.feed(text)
            if until is not None and re.search(until, "\n".join(self.screen.lines)):
                return
        message = f"nothing in time: {self.screen.visible()}"
        raise AssertionError(message)

    def ended(self):
        """Read to the end; give the exit code and what stands on standard output."""
        self.read()
        out = self.process.stdout.read().decode()
        self.process.stdout.close()
        os.close(self.master)
        return self.process.wait(LIMIT), out


NOISE = ["noise of C", "noise of Python"]


def test_a_terminal_has_a_live_display(tmp_path):
    waiting = {"wait": 0.3}
    systems = {"poor": POOR | waiting, "good": GOOD | waiting}
    toy(tmp_path, systems=systems, design=FOLDS)
    run = Watched(tmp_path, "study.toml", "--engine", "threads", "--workers", "2")
    code, out = run.ended()
    assert code == 0
    frames = "\n".join(run.screen.seen)
    assert re.search(r"━+ +\d+ of 8 folds +2 running", frames)
    assert re.search(r" [1-7] of 8 folds +[12] running +about [\d.]+ s left", frames)
    assert "  poor on mails, repetition 1, fold 1" in frames
    # Nothing of it is left at the end.
    first, last = run.screen.visible()
    assert first == "toy: 0 of 8 folds are there already, 8 to run, 2 at a time"
    assert re.fullmatch(r"8 folds run in [\d.]+ s", last)
    assert not re.search(r"━ +\d+ of 8 folds", out)
    assert "toy: 4-fold stratified seed 0, 1 data set, 8 of 8 folds" in out


def test_a_run_that_goes_on_with_hostile_names_failures_and_noise(tmp_path):
    name, safe_name = "[bold]\x1b[31m<i>\n", r"[bold]\x1b[31m<i>\n"
    head = {"data": (f"d {name}",), "name": name, "design": FOLDS}
    done = {f"a {name}": GOOD}
    path = toy(tmp_path, systems=done, **head)
    run_folds(read_toml(path), tmp_path / "study.db", engine="threads", workers=1)
    slow = POOR | {"wait": 0.3, "noise": True}
    left = {f"b {name}": {"fail": name}, f"c {name}": slow}
    toy(tmp_path, systems=done | left, **head)
    run = Watched(tmp_path, "study.toml", "--engine", "threads", "--workers", "1")
    code, out = run.ended()
    assert code == 4
    assert "noise" not in out
    frames = "\n".join(run.screen.seen)
    # What was there already counts for the bar, not for the pace.
    ended = r"1 running +[1-4] failed +about [\d.]+ s left"
    assert re.search(rf"━+ +([4-9]|1[01]) of 12 folds +{ended}", frames)
    assert not re.search(r" [0-3] of 12 folds +\d running", frames)
    lines = run.screen.visible()
    where = "are there already, 8 to run, 1 at a time"
    assert lines[0] == f"{safe_name}: 4 of 12 folds {where}"
    # Lines may be broken by the width.
    failed = [line for line in lines if line.startswith("failed: ")]
    place = f"failed: b {safe_name} on d {safe_name}, repetition 1, fold"
    assert [line[: len(place) + 3] for line in failed] == [
        f"{place} {fold}:" for fold in (1, 2, 3, 4)
    ]
    noise = sorted(line for line in lines if "noise" in line)
    assert noise == [*NOISE[:1] * 4, *NOISE[1:] * 4]
    (summary,) = (i for i, line in enumerate(lines) if " folds run in " in line)
    assert re.fullmatch(r"4 folds run in [\d.]+ s, 4 failed", lines[summary])
    assert lines[summary + 1].startswith("likelier: 4 folds failed")
    assert not any("running" in line or "━" in line for line in lines)


def test_nothing_to_run(tmp_path):
    study = read_toml(toy(tmp_path))
    run_folds(study, tmp_path / "study.db", engine="threads", workers=1)
    run = Watched(tmp_path, "study.toml", "--engine", "threads", "--workers", "1")
    code, out = run.ended()
    assert code == 0
    assert out.startswith("≳ good is more probably better than poor")
    line = "toy: 8 of 8 folds are there already, nothing to run"
    assert run.screen.visible() == [line]


def test_an_interrupted_run_leaves_a_clean_screen_and_what_systems_printed(tmp_path):
    systems = {"good": GOOD | {"wait": 1.0, "noise": True}}
    toy(tmp_path, systems=systems, design=FOLDS | {"k": 30})
    run = Watched(tmp_path, "study.toml", "--workers", "1")
    run.read(until=r"━+ +[1-9] of 30 folds +1 running")
    # In the midst of a fold: between two, joblib's worker would print a traceback.
    time.sleep(0.3)
    os.killpg(run.process.pid, signal.SIGINT)
    code, out = run.ended()
    assert (code, out) == (130, "")
    first, *rest = run.screen.visible()
    assert first == "toy: 0 of 30 folds are there already, 30 to run, 1 at a time"
    message = (
        "likelier: stopped; what is finished is kept, and the next run goes on there."
    )
    assert rest[-1] == message
    # What worker processes print stands above the display.
    assert set(rest[:-1]) == set(NOISE)
    assert not any("━" in line or "Traceback" in line for line in rest), "\n".join(rest)
