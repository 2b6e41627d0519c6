"""Cross-validation: counts per fold and system, or predictions with their folds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Literal, NamedTuple

import numpy as np

from likelier._typing import FloatArray
from likelier.data.counts import BOUNDS, written_count
from likelier.data.named_statistics import from_statistics
from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.findings import Finding
from likelier.formatting import listed
from likelier.readers.columns import check_columns
from likelier.readers.engine import Engine, Table, connected
from likelier.readers.file import cut_findings, find_file
from likelier.readers.pairing import read_files
from likelier.readers.tables import (
    check_filled,
    column_names,
    load_rows,
    open_table,
    read_columns,
)
from likelier.readers.text_column import find_text

Fold = tuple[str, str]
FoldTableKind = Literal["scores", "counts", "predictions"]

_ERRORS = ("tp", "fp", "fn")
_TOTALS = ("gold", "predicted", "correct")


class FoldOutcomes(NamedTuple):
    """Outcomes of cross-validation.

    Attributes
    ----------
    outcomes
        Counts per fold, or the joint outcomes of all folds.
    repetitions
        The number of repetitions of two folds; None for a single hold-out.
    """

    outcomes: Outcomes
    repetitions: int | None


def fold_table_kind(
    path: str | PathLike[str],
    *,
    gold: str = "gold",
    repetition: str = "repetition",
    system: str = "system",
    score: str = "score",
) -> FoldTableKind:
    """Return whether a table holds scores, counts or predictions, by its columns.

    Parameters
    ----------
    path
        The table.
    gold, repetition, system, score
        Names of these columns.
    """
    names = set(column_names(path))
    lower = {name.casefold() for name in names}
    if {system, score} <= names and not {gold, repetition} <= names:
        return "scores"
    by_system = {"system", repetition} <= names
    if by_system or lower & {*_ERRORS} or lower >= {*_TOTALS}:
        return "counts"
    return "predictions" if {gold, repetition} & names else "scores"


def read_counts(
    path: str | PathLike[str], *, repetition: str = "repetition", fold: str = "fold"
) -> FoldOutcomes:
    r"""Read counts per system, repetition and fold.

    Parameters
    ----------
    path
        A table with the columns system, repetition, fold and either tp, fp, fn or
        gold, predicted, correct. Without repetition and fold it is a hold-out. The
        systems stand in the order in which they appear.
    repetition, fold
        Names of the columns of repetition and fold.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "counts.csv")
    >>> _ = path.write_text("system,tp,fp,fn\na,80,20,10\nb,85,15,5\n")
    >>> read_counts(path).outcomes.systems
    ('a', 'b')
    >>> folder.cleanup()
    """
    file = find_file(path)
    with connected([file]) as engine:
        table = open_table(engine, file)
        names = _count_columns(table, (repetition, fold))
        rows = load_rows(engine, table, names)
    cells: dict[str, list[Any]] = rows.to_pydict()
    systems = _texts(cells, table, "system")
    folds = [("1", "1")] * len(systems)
    if fold in cells:
        columns = (_texts(cells, table, name) for name in (repetition, fold))
        folds = list(zip(*columns, strict=True))
    counts = _counts(cells, table)
    order = _row_order(systems, folds, name=file.name)
    names = list(dict.fromkeys(systems))
    statistics = {
        name: values[order].reshape(-1, len(names)) for name, values in counts.items()
    }
    findings = (*cut_findings([table]), *_check_sizes(statistics))
    repetitions = _repetitions(list(dict.fromkeys(folds)), name=file.name)
    outcomes = from_statistics(statistics, systems=names)
    outcomes = replace(outcomes, unit="folds", findings=findings)
    return FoldOutcomes(outcomes, repetitions)


def _count_columns(table: Table, fold_columns: Fold) -> list[str]:
    """Return the columns to read; repetition and fold come together or not at all."""
    name, names = table.file.name, table.names
    present = [column for column in fold_columns if column in names]
    if len(present) == 1:
        check_columns(fold_columns, names, table=name)
    counts = _TOTALS if "correct" in names else _ERRORS
    columns = ["system", *present, *counts]
    check_columns(columns, names, table=name)
    return columns


def _texts(cells: dict[str, list[Any]], table: Table, column: str) -> list[str]:
    check_filled(cells[column], table, column)
    return [str(cell) for cell in cells[column]]


def _counts(cells: dict[str, list[Any]], table: Table) -> dict[str, FloatArray]:
    if "correct" not in cells:
        counts = {name: _numbers(cells[name], table, name) for name in _ERRORS}
        _check_some(counts, table)
        return counts
    gold, predicted, right = (_numbers(cells[name], table, name) for name in _TOTALS)
    for name, whole in (("gold", gold), ("predicted", predicted)):
        wrong = np.flatnonzero(right > whole)
        if wrong.size:
            row = int(wrong[0])
            message = (
                f"{table.locate([row])[0]}: correct must be at most {name}; "
                f"got {right[row]:g} of {whole[row]:g}."
            )
            raise InputError(message)
    counts = {"tp": right, "fp": predicted - right, "fn": gold - right}
    _check_some(counts, table)
    return counts


def _check_some(counts: dict[str, FloatArray], table: Table) -> None:
    """Refuse counts that are all 0: there is nothing to compare."""
    if not any(values.any() for values in counts.values()):
        message = f"{table.file.name} must count some items; all counts are 0."
        raise InputError(message, hint="Are the columns the ones that were meant?")


def _numbers(cells: list[Any], table: Table, name: str) -> FloatArray:
    values = np.array([written_count(cell) for cell in cells])
    wrong = np.flatnonzero(np.isnan(values))
    if wrong.size:
        row = int(wrong[0])
        message = (
            f"{table.locate([row])[0]}: {name} must be a count {BOUNDS}; "
            f"got {cells[row]!r}."
        )
        raise InputError(message)
    return values


def _row_order(systems: list[str], folds: list[Fold], *, name: str) -> list[int]:
    """Order the rows by fold and system; refuse double and missing ones."""
    rows: dict[tuple[Fold, str], int] = {}
    for row, key in enumerate(zip(folds, systems, strict=True)):
        if key in rows:
            (repetition, fold), system = key
            message = (
                f"{name} must have one row per system, repetition and fold; "
                f"{system!r}, repetition {repetition}, fold {fold} is given twice."
            )
            raise InputError(message)
        rows[key] = row
    keys = [(f, s) for f in dict.fromkeys(folds) for s in dict.fromkeys(systems)]
    missing = [
        f"{system}, repetition {repetition}, fold {fold}"
        for (repetition, fold), system in keys
        if ((repetition, fold), system) not in rows
    ]
    if missing:
        message = (
            f"{name} must have every fold of every system; missing: {listed(missing)}."
        )
        raise InputError(message)
    return [rows[key] for key in keys]


def _repetitions(folds: Sequence[Fold], *, name: str) -> int | None:
    if len(folds) == 1:
        return None
    sizes = Counter(repetition for repetition, _ in folds)
    odd = [repetition for repetition, size in sizes.items() if size != 2]
    if odd:
        message = (
            f"{name} must have two folds in every repetition, or one fold in all; "
            f"repetition {odd[0]} has {sizes[odd[0]]}."
        )
        hint = "The counts of m x 2 cross-validation are calibrated, no others."
        raise InputError(message, hint=hint)
    return len(sizes)


def _check_sizes(statistics: dict[str, FloatArray]) -> list[Finding]:
    gold = statistics["tp"] + statistics["fn"]
    findings = []
    if (gold != gold[:, :1]).any():
        message = "the systems have different numbers of gold items in the same fold."
        findings.append(Finding("LIK123", message, severity="warning"))
    if (gold[:, 0] != gold[0, 0]).any():
        message = (
            f"the folds have between {gold[:, 0].min():,.0f} and "
            f"{gold[:, 0].max():,.0f} gold items; the intervals assume equal numbers."
        )
        findings.append(Finding("LIK122", message))
    return findings


def _check_items(engine: Engine, table: Table, columns: Sequence[str]) -> None:
    """Refuse an item that is not tested just once in a repetition, with one gold."""
    table.load(engine, columns, view="tested")
    total = "(SELECT count(DISTINCT c0) FROM tested)"
    sql = (
        "SELECT c1, count(*) AS n, count(DISTINCT c0) AS r, count(DISTINCT c2) AS g, "
        f"{total} AS m FROM tested GROUP BY c1 "
        f"HAVING count(*) <> {total} OR count(DISTINCT c0) <> {total} "
        "OR count(DISTINCT c2) > 1 ORDER BY c1 LIMIT 1"
    )
    wrong = engine.fetch(sql, name=table.file.name).to_pylist()
    if wrong:
        row = wrong[0]
        message = (
            f"{table.file.name} must test every item once in each of {row['m']} "
            f"repetitions, with one gold label; {row['c1']!r} stands in {row['n']} "
            f"rows and {row['r']} repetitions, gold labels: {row['g']}."
        )
        raise InputError(message)


def read_fold_predictions(
    path: str | PathLike[str],
    *,
    gold: str = "gold",
    systems: Sequence[str] | None = None,
    repetition: str = "repetition",
    fold: str = "fold",
) -> FoldOutcomes:
    """Read predictions of test folds: one row per item and repetition.

    Parameters
    ----------
    path
        A table with a gold column, one column per system, and the repetition and fold
        in which the item was tested.
    gold, systems
        Columns; by default all others are systems.
    repetition, fold
        Columns.
    """
    file = find_file(path)
    with connected([file]) as engine:
        table = open_table(engine, file)
        table.load(engine, [repetition, fold], view="folds")
        sql = "SELECT DISTINCT c0, c1 FROM folds ORDER BY c0, c1"
        rows = engine.fetch(sql, name=file.name).to_pylist()
        folds = [tuple(row.values()) for row in rows]
        if any(None in pair for pair in folds):
            read_columns(path, [repetition, fold])  # raises, with the line
        if systems is None:
            others = (gold, repetition, fold, "id")
            text = find_text(engine, table, others, gold=gold)
            systems = [n for n in table.names if n not in (*others, text)]
        outcomes = read_files(path, gold=gold, systems=systems)
        pairs = [(str(first), str(second)) for first, second in folds]
        repetitions = _repetitions(pairs, name=file.name)
        if "id" in table.names:
            _check_items(engine, table, [repetition, "id", gold])
    return FoldOutcomes(outcomes, repetitions)
