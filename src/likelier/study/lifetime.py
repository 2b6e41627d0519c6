"""Lifetime of workers: when their run is killed they end, with the commands they run.

A module of its own that imports nothing heavy: workers load it first, and until they
have, neither the end of the run nor an interrupt reaches them as it should.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

# Tells all processes that a command has started, also those that left its group.
VARIABLE = "LIKELIER_COMMAND"
_LOOK_EVERY, _MOST_ROUNDS = 0.5, 200
_watched: set[int] = set()
# The process groups of commands that this worker runs, and the folder of each.
running_commands: dict[int, str] = {}


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
    for group, folder in tuple(running_commands.items()):
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)
        end_started(folder)
    os._exit(1)


def end_started(folder: str) -> None:
    """End all that a command has started, as far as /proc tells of processes.

    Parameters
    ----------
    folder
        The folder of the command, which the variable of its processes names.
    """
    for _ in range(_MOST_ROUNDS):
        # A process may have started another while the list was read.
        found = list(_processes_of(folder))
        if not found:
            return
        for process in found:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.01)


def _processes_of(folder: str) -> Iterator[int]:
    mark = f"{VARIABLE}={folder}".encode()
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208
    except OSError:
        return
    for name in names:
        try:
            with open(f"/proc/{name}/environ", "rb") as file:  # noqa: PTH123
                variables = file.read().split(b"\0")
        except OSError:
            continue
        if mark in variables and int(name) != os.getpid():
            yield int(name)
