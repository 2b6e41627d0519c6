"""Cross-validation: counts per fold and system, or predictions with their folds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Literal

import numpy as np

from likelier._typing import FloatArray
from likelier.data.constructors import from_counts
from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.findings import Finding
from likelier.formatting import listed
from likelier.readers.engine import connected, fetch
from likelier.readers.files import read_files
from likelier.readers.formats import detect
from likelier.readers.items import read_columns
from likelier.readers.kinds import check_columns
from likelier.readers.tables import (
    Table,
    check_rows,
    column_names,
    cut_findings,
    load,
    open_table,
)

Fold = tuple[str, str]
FoldTableKind = Literal["scores", "counts", "predictions"]

_ERRORS = ("tp", "fp", "fn")
_TOTALS = ("gold", "predicted", "correct")


@dataclass(frozen=True)
class FoldReading:
    """What a reader of folds gives.

    Attributes
    ----------
    outcomes
        Counts per fold, or the joint outcomes of all folds.
    repetitions
        How many repetitions of two folds; None for a single hold-out.
    """

    outcomes: Outcomes
    repetitions: int | None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks on the files, which the outcomes carry."""
        return self.outcomes.findings


def fold_table_kind(
    path: str | PathLike[str],
    *,
    gold: str = "gold",
    repetition: str = "repetition",
    system: str = "system",
    score: str = "score",
) -> FoldTableKind:
    """Tell by its columns whether a table holds scores, counts or predictions.

    Parameters
    ----------
    path
        The table.
    gold, repetition, system, score
        What these columns are called.
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
) -> FoldReading:
    r"""Read counts per system, repetition and fold.

    Parameters
    ----------
    path
        A table with the columns system, repetition, fold and either tp, fp, fn or
        gold, predicted, correct. Without repetition and fold it is a hold-out. The
        systems stand in the order in which they appear.
    repetition, fold
        What the columns of repetition and fold are called.

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
    file = detect(path)
    with connected([file]) as con:
        table = open_table(con, file)
        place = (repetition, fold)
        names = _columns(table, place)
        load(con, table, names, view="counts")
        keys = ", ".join(f"c{i}" for i in range(len(names)))
        rows = fetch(con, f"SELECT {keys} FROM counts", shown=file.shown)
        check_rows(table, rows.num_rows)
    cells = dict(zip(names, (c.to_pylist() for c in rows.columns), strict=True))
    systems = _filled(cells["system"], table, "system")
    folds = _folds(cells, table, rows.num_rows, place)
    counts = _counts(cells, table)
    order = _full(systems, folds, shown=file.shown)
    n_systems = len(dict.fromkeys(systems))
    statistics = {
        name: values[order].reshape(-1, n_systems) for name, values in counts.items()
    }
    outcomes = from_counts(statistics, systems=list(dict.fromkeys(systems)))
    findings = (*cut_findings([table]), *_uneven(statistics))
    repetitions = _repetitions(list(dict.fromkeys(folds)), shown=file.shown)
    counted = replace(outcomes, unit="folds", findings=tuple(findings))
    return FoldReading(counted, repetitions)


def _columns(table: Table, named: Fold) -> list[str]:
    shown, names = table.file.shown, table.names
    totals = "correct" in names
    place = [name for name in named if name in names]
    if len(place) == 1:
        check_columns(named, names, table=shown)
    wanted = ["system", *place, *(_TOTALS if totals else _ERRORS)]
    check_columns(wanted, names, table=shown)
    return wanted


def _filled(cells: list[Any], table: Table, name: str) -> list[str]:
    missing = [row for row, cell in enumerate(cells) if cell is None]
    if missing:
        place = table.where(missing[:1])[0]
        message = f"{place}: column {name!r} must have a value in every row."
        raise InputError(message)
    return [str(cell) for cell in cells]


def _folds(
    cells: dict[str, list[Any]], table: Table, n: int, named: Fold
) -> list[Fold]:
    if named[1] not in cells:
        return [("1", "1")] * n
    repetition, fold = (_filled(cells[name], table, name) for name in named)
    return list(zip(repetition, fold, strict=True))


def _counts(cells: dict[str, list[Any]], table: Table) -> dict[str, FloatArray]:
    if "correct" not in cells:
        return {name: _numbers(cells[name], table, name) for name in _ERRORS}
    gold, said, right = (_numbers(cells[name], table, name) for name in _TOTALS)
    for name, whole in (("gold", gold), ("predicted", said)):
        wrong = np.flatnonzero(right > whole)
        if wrong.size:
            row = int(wrong[0])
            message = (
                f"{table.where([row])[0]}: correct must be at most {name}; "
                f"got {right[row]:g} of {whole[row]:g}."
            )
            raise InputError(message)
    return {"tp": right, "fp": said - right, "fn": gold - right}


def _numbers(cells: list[Any], table: Table, name: str) -> FloatArray:
    values = np.empty(len(cells))
    for row, cell in enumerate(cells):
        try:
            values[row] = float("nan" if cell is None else cell)
        except ValueError:
            values[row] = np.nan
        if not 0 <= values[row] < np.inf:
            message = (
                f"{table.where([row])[0]}: {name} must be a count of at least 0; "
                f"got {cell!r}."
            )
            raise InputError(message)
    return values


def _full(systems: list[str], folds: list[Fold], *, shown: str) -> list[int]:
    """Order the rows by fold and system; refuse double and missing ones."""
    place: dict[tuple[Fold, str], int] = {}
    for row, key in enumerate(zip(folds, systems, strict=True)):
        if key in place:
            (repetition, fold), system = key
            message = (
                f"{shown} must have one row per system, repetition and fold; "
                f"{system!r}, repetition {repetition}, fold {fold} stands there twice."
            )
            raise InputError(message)
        place[key] = row
    wanted = [(f, s) for f in dict.fromkeys(folds) for s in dict.fromkeys(systems)]
    missing = [
        f"{system}, repetition {repetition}, fold {fold}"
        for (repetition, fold), system in wanted
        if ((repetition, fold), system) not in place
    ]
    if missing:
        told = listed(missing)
        message = f"{shown} must have every fold of every system; missing: {told}."
        raise InputError(message)
    return [place[key] for key in wanted]


def _repetitions(folds: Sequence[Fold], *, shown: str) -> int | None:
    if len(folds) == 1:
        return None
    sizes: dict[str, int] = {}
    for repetition, _ in folds:
        sizes[repetition] = sizes.get(repetition, 0) + 1
    odd = [repetition for repetition, size in sizes.items() if size != 2]
    if odd:
        message = (
            f"{shown} must have two folds in every repetition, or one fold in all; "
            f"repetition {odd[0]} has {sizes[odd[0]]}."
        )
        hint = "The counts of m x 2 cross-validation are calibrated, no others."
        raise InputError(message, hint=hint)
    return len(sizes)


def _uneven(statistics: dict[str, FloatArray]) -> list[Finding]:
    gold = statistics["tp"] + statistics["fn"]
    findings = []
    if (gold != gold[:, :1]).any():
        message = "the systems have different numbers of gold items in the same fold."
        findings.append(Finding("LIK123", message, severity="problem"))
    if (gold[:, 0] != gold[0, 0]).any():
        message = (
            f"the folds have between {gold[:, 0].min():,.0f} and "
            f"{gold[:, 0].max():,.0f} gold items; the intervals assume equal numbers."
        )
        findings.append(Finding("LIK122", message))
    return findings


def _check_items(con: Any, table: Table, columns: Sequence[str]) -> None:
    """Refuse an item that is not tested just once in a repetition, with one gold."""
    shown = table.file.shown
    load(con, table, columns, view="tested")
    total = "(SELECT count(DISTINCT c0) FROM tested)"
    sql = (
        "SELECT c1, count(*) AS n, count(DISTINCT c0) AS r, count(DISTINCT c2) AS g, "
        f"{total} AS m FROM tested GROUP BY c1 "
        f"HAVING count(*) <> {total} OR count(DISTINCT c0) <> {total} "
        "OR count(DISTINCT c2) > 1 ORDER BY c1 LIMIT 1"
    )
    wrong = fetch(con, sql, shown=shown).to_pylist()
    if wrong:
        row = wrong[0]
        message = (
            f"{shown} must test every item once in each of {row['m']} repetitions, "
            f"with one gold label; {row['c1']!r} stands in {row['n']} rows and "
            f"{row['r']} repetitions, gold labels: {row['g']}."
        )
        raise InputError(message)


def read_fold_predictions(
    path: str | PathLike[str],
    *,
    gold: str = "gold",
    systems: Sequence[str] | None = None,
    repetition: str = "repetition",
    fold: str = "fold",
) -> FoldReading:
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
    file = detect(path)
    with connected([file]) as con:
        table = open_table(con, file)
        load(con, table, [repetition, fold], view="folds")
        sql = "SELECT c0, c1, count(*) AS n FROM folds GROUP BY ALL ORDER BY c0, c1"
        rows = fetch(con, sql, shown=file.shown).to_pylist()
    if any(None in (row["c0"], row["c1"]) for row in rows):
        read_columns(path, [repetition, fold])  # tells the line
    if systems is None:
        taken = (gold, repetition, fold, "id")
        systems = [name for name in table.names if name not in taken]
    reading = read_files(path, gold=gold, systems=systems)
    pairs = [(str(row["c0"]), str(row["c1"])) for row in rows]
    repetitions = _repetitions(pairs, shown=file.shown)
    if "id" in table.names:
        with connected([file]) as con:
            _check_items(con, table, [repetition, "id", gold])
    return FoldReading(reading.outcomes, repetitions)
