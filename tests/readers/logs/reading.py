"""What the tests of all readers of logs need."""

from collections import Counter
from pathlib import Path

import numpy as np
from tests.readers.logs.mutations import mutants

from likelier.errors import LikelierError
from likelier.readers.file import find_file

DATA = Path(__file__).parent / "data"


def read(format_, path):
    """Return the logs in a file, which must be of the format."""
    file = find_file(path)
    assert format_.sniff(file)
    return list(format_.read(file))


def check(log):
    """Check what must hold of any log."""
    n = len(log.items)
    assert n > 0
    assert all(isinstance(item, str) for item in log.items)
    assert all(len(column) == n for column in log.scores.values())
    assert all(column.dtype == float for column in log.scores.values())
    assert all(len(column) == n for column in log.hashes.values())
    assert log.repeats is None or len(log.repeats) == n
    assert len(set(zip(log.items, log.repeats or [1] * n, strict=True))) == n
    assert all(
        0 <= row < n and reason is not None for row, reason in log.errors.items()
    )
    for row in log.errors:
        assert all(np.isnan(column[row]) for column in log.scores.values())
    assert all(isinstance(value, str) for value in log.conditions.values())
    assert str(log.file.name) in log.locate(n - 1)
    for name in (*log.fields, *filter(None, [log.text])):
        check_look_up(log, name)


def check_look_up(log, name):
    """Check that a field can be looked up, or is refused politely."""
    n = len(log.items)
    try:
        every = log.look_up(name, None)
    except LikelierError:
        # A byte that is not UTF-8 in a text which is not read before.
        return
    assert len(every) == n
    # As text, in which NaN equals itself.
    assert str(log.look_up(name, [n - 1, 0])) == str([every[-1], every[0]])


def survive(format_, path, raw, *, n, seed):
    """Read damaged copies: each must be read, or refused; count what happened."""
    counts = Counter()
    for mutant in mutants(raw, n, seed):
        path.write_bytes(mutant)
        counts[attempt(format_, path)] += 1
    return counts


def attempt(format_, path, *, named=None):
    """Return what became of a file; any error but ours goes through.

    An error must name the file, or what is `named` instead.
    """
    try:
        file = find_file(path)
        if not format_.sniff(file):
            return "not of the format"
    except LikelierError:
        return "no file"
    logs, problem = [], None
    try:
        logs = list(format_.read(file))
    except LikelierError as error:
        problem = str(error)
    for log in logs:
        check(log)
    assert problem is None or (named or file.name) in problem
    return "read" if problem is None else "refused"
