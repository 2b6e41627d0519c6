"""The line about what takes long: on a terminal only, and gone afterwards."""

import io
import sys
import time

import pytest

from likelier.cli import working as module
from likelier.cli.working import sized, working


class Stream(io.StringIO):
    """Standard error of a terminal, or of none."""

    def __init__(self, *, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


@pytest.fixture
def written(monkeypatch):
    """Return what is written while the work takes so many seconds."""
    monkeypatch.setattr(module, "PATIENCE", 0.01)

    def written(seconds, *, terminal=True, text="counting"):
        stream = Stream(terminal=terminal)
        monkeypatch.setattr(sys, "stderr", stream)
        with working(text):
            time.sleep(seconds)
        return stream.getvalue()

    return written


def test_long_work_is_named_and_the_line_erased(written):
    lines = written(0.1).split("\r\x1b[2K")
    assert lines[1] == "counting … 0 s"
    assert lines[-1] == ""


def test_short_work_is_silent(written, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 10)
    assert written(0) == ""


def test_nothing_is_written_into_pipes(written):
    assert written(0.1, terminal=False) == ""


def test_names_cannot_move_the_cursor(written):
    assert "\x1b[31m" not in written(0.1, text="counting \x1b[31mred")


def test_the_line_is_erased_after_an_error(monkeypatch):
    def failing():
        with working("counting"):
            time.sleep(0.05)
            raise ValueError

    monkeypatch.setattr(module, "PATIENCE", 0.01)
    monkeypatch.setattr(sys, "stderr", Stream(terminal=True))
    with pytest.raises(ValueError):  # noqa: PT011 (its own)
        failing()
    assert sys.stderr.getvalue().endswith("\r\x1b[2K")


def test_large_files_are_named_with_their_size(tmp_path):
    large = tmp_path / "large.csv"
    large.write_bytes(b"x" * 3_000_000)
    assert sized([large]) == f"{large} (3 MB)"
    assert sized([large, large]) == "2 files (6 MB)"
