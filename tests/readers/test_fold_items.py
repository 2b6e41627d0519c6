"""Predictions of folds: every item is tested once in each repetition."""

import pytest

from likelier.errors import InputError
from likelier.readers.fold_counts import read_fold_predictions


def rows():
    return [
        [f"d{item}", "ab"[item % 2], "a", "b", repetition, 1 + item // 4]
        for repetition in (1, 2, 3)
        for item in range(8)
    ]


def write(path, table):
    lines = ["id,gold,first,second,repetition,fold"]
    lines += [",".join(map(str, row)) for row in table]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_whole_folds_are_read(tmp_path):
    reading = read_fold_predictions(write(tmp_path / "p.csv", rows()))
    assert (reading.repetitions, reading.outcomes.n_items) == (3, 24)


@pytest.mark.parametrize("change", ["missing", "twice", "gold"])
def test_items_that_do_not_fit_are_named(tmp_path, change):
    table = rows()
    if change == "missing":
        table.pop(9)
    elif change == "twice":
        table.append(list(table[1]))
    else:
        table[9][1] = "a"
    with pytest.raises(InputError, match="'d1' stands in"):
        read_fold_predictions(write(tmp_path / "p.csv", table))
