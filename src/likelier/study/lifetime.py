"""Lifetime of workers: when their run is killed they end, with the commands they run.

A module of its own that imports nothing heavy: workers load it first, and until they
have, neither the end of the run nor an interrupt reaches them as it should.
"""

import os
import signal
import threading
import time
from contextlib import suppress

_LOOK_EVERY = 0.5
_watched: set[int] = set()
# The process groups of commands that this worker runs.
command_groups: set[int] = set()


def start_worker(driver: int) -> None:
    """Start a worker's life: not at all, if the run that started it has died since."""
    if os.name == "posix" and os.getppid() != driver:
        os._exit(1)
    end_with(driver)


def end_with(driver: int) -> None:
    """End this process soon after the run that started it has died.

    Nothing happens where this process is the run itself, or belongs to a cluster that
    looks after its workers.

    Parameters
    ----------
    driver
        The process of the run.
    """
    if os.name != "posix" or os.getppid() != driver or driver in _watched:
        return
    _watched.add(driver)
    threading.Thread(target=_watch, args=(driver,), daemon=True).start()


def _watch(driver: int) -> None:
    while os.getppid() == driver:
        time.sleep(_LOOK_EVERY)
    for group in tuple(command_groups):
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    os._exit(1)
