"""The same input gives the same bytes, whatever process makes the page."""

import os
import subprocess
import sys
from pathlib import Path

from tests.browser.digests import CHOSEN

ROOT = Path(__file__).parents[2]


def digests(**environment):
    """Make the pages in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.browser.digests"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | environment,
    )
    return done.stdout.splitlines()


def test_two_processes_make_the_same_pages():
    first = digests(PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C.UTF-8")
    second = digests(PYTHONHASHSEED="2", TZ="Asia/Kathmandu", LC_ALL="C")
    assert first == second
    assert len(first) == len(CHOSEN)
