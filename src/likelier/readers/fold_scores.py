"""Scores of cross-validation: long tables with one score per row."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
from narwhals.exceptions import NarwhalsError
from numpy.typing import NDArray

from likelier.data.score_constructors import from_rows
from likelier.data.scores import Scores
from likelier.errors import InputError, SettingError
from likelier.findings import Finding
from likelier.readers.cells import Cells, label_cells, number_cells
from likelier.readers.engine import connected, fetch
from likelier.readers.formats import detect
from likelier.readers.frames import cell_text
from likelier.readers.kinds import check_columns
from likelier.readers.tables import check_rows, cut_findings, load, open_table

_SHOWN = 5


@dataclass(frozen=True)
class ScoreReading:
    """Scores that a reader found, with its remarks on the file."""

    scores: Scores

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks on the files, which the scores carry."""
        return self.scores.findings


@dataclass(frozen=True)
class Columns:
    """What the columns of a long table are called.

    Attributes
    ----------
    dataset, run, fold
        Columns that may be absent: then there is one data set, one run, one score.
    system, score
        Columns that must be there.
    """

    dataset: str = "dataset"
    run: str = "run"
    fold: str = "fold"
    system: str = "system"
    score: str = "score"

    def present(self, names: Sequence[str], *, table: str) -> list[str | None]:
        """Give the columns that the table has; the system and the score last."""
        for part, name in (("system", self.system), ("score", self.score)):
            if name == part not in names:
                _refuse_alike(part, names, table)
        check_columns([self.system, self.score], names, table=table)
        asked = {"dataset": self.dataset, "run": self.run, "fold": self.fold}
        unused = [
            n for n in names if n not in (*asked.values(), self.system, self.score)
        ]
        chosen: list[str | None] = []
        for part, name in asked.items():
            if name in names:
                chosen.append(name)
                continue
            if name != part:
                check_columns([name], names, table=table)
            _refuse_alike(part, unused, table)
            chosen.append(None)
        return [*chosen, self.system, self.score]


# Other words for the columns.
_ALIKE = {
    "system": ("model", "method", "classifier", "algorithm", "learner", "name"),
    "score": ("value", "result", "accuracy", "f1", "auc", "metric"),
    "dataset": ("dataset", "datasets", "data", "corpus", "task"),
    "run": ("run", "runs", "repetition", "repeat", "rep"),
    "fold": ("fold", "folds", "split"),
}


def _refuse_alike(part: str, unused: Sequence[str], table: str) -> None:
    """Refuse to pass over a column that is probably meant."""
    for name in unused:
        bare = "".join(c for c in str(name).casefold() if c.isalnum())
        if bare in _ALIKE[part]:
            message = f"{table} must have the column {part!r}; it has {name!r}."
            raise InputError(message, hint=f"If that is meant: --{part} {name}")


def read_scores(
    path: str | PathLike[str],
    *,
    columns: Columns | None = None,
    test_share: float | None = None,
    metric: str = "score",
    higher_is_better: bool = True,
) -> ScoreReading:
    r"""Read a long table of scores: CSV, TSV, JSONL or Parquet.

    Parameters
    ----------
    path
        A file with the columns system and score, and dataset, run and fold where
        there are several. Systems stand in the order in which they appear.
    columns
        What the columns are called.
    test_share
        Which share of a data set's items each fold tests; by default one part of as
        many as a run has folds.
    metric
        What the scores are.
    higher_is_better
        Whether a larger score is a better one.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "scores.csv")
    >>> _ = path.write_text("fold,system,score\n1,a,0.8\n1,b,0.9\n2,a,0.7\n2,b,0.9\n")
    >>> read_scores(path).scores
    <Scores of a, b: 1 data set, 2 folds>
    >>> folder.cleanup()
    """
    file = detect(path)
    with connected([file]) as con:
        table = open_table(con, file)
        chosen = (columns or Columns()).present(table.names, table=file.shown)
        names = [name for name in chosen if name is not None]
        load(con, table, names, view="scores")
        keys = ", ".join(f"c{i}" for i in range(len(names)))
        rows = fetch(con, f"SELECT {keys} FROM scores", shown=file.shown)
    if not rows.num_rows:
        message = f"{file.shown} must have at least one score; it has none."
        raise InputError(message)
    check_rows(table, rows.num_rows)
    found = {name: rows.column(i) for i, name in enumerate(names)}
    scores = _scores(
        [None if name is None else found[name] for name in chosen],
        chosen,
        where=lambda places: table.where(places),
        shown=file.shown,
        test_share=test_share,
        metric=metric,
        higher_is_better=higher_is_better,
    )
    return ScoreReading(replace(scores, findings=cut_findings([table])))


def score_frame(
    frame: Any,
    *,
    columns: Columns | None = None,
    test_share: float | None = None,
    metric: str = "score",
    higher_is_better: bool = True,
) -> ScoreReading:
    """Take a data frame of any engine; the columns are those of `read_scores`."""
    table = _collected(frame)
    chosen = (columns or Columns()).present(table.columns, table="The frame")
    *keys, score = chosen
    scores = _scores(
        [
            *(None if key is None else _texts(table[key]) for key in keys),
            _values(table[str(score)]),
        ],
        chosen,
        where=lambda places: [f"row {place}" for place in places],
        shown="The frame",
        test_share=test_share,
        metric=metric,
        higher_is_better=higher_is_better,
    )
    return ScoreReading(scores)


def _collected(frame: Any) -> Any:
    try:
        table = nw.from_native(frame).lazy().collect()
    except NarwhalsError as error:
        message = f"The frame must have different column names; {error}."
        raise InputError(message) from error
    except TypeError as error:
        message = (
            "data must be Scores, or a data frame with the columns dataset, run, fold, "
            f"system, score; got {type(frame).__name__}."
        )
        raise InputError(message, hint="Arrays: Scores.from_arrays(a, b)") from error
    if not len(table):
        message = "The frame must have at least one score; it has none."
        raise InputError(message)
    return table


def _texts(column: Any) -> Any:
    """Write the names in a column as text, whatever its type."""
    missing = column.is_null().to_list()
    pairs = zip(column.to_list(), missing, strict=True)
    return pa.array([None if gone else cell_text(value) for value, gone in pairs])


def _values(column: Any) -> Any:
    """Take the numbers of a column, and text where it is none."""
    missing = column.is_null().to_list()
    pairs = zip(column.to_list(), missing, strict=True)
    return pa.array([None if gone else str(value) for value, gone in pairs])


def _scores(
    cells: Sequence[Any],
    names: Sequence[str | None],
    *,
    where: Any,
    shown: str,
    test_share: float | None,
    metric: str,
    higher_is_better: bool,
) -> Scores:
    *keys, score = cells
    texts = [
        None if key is None else _clean(key, str(name), where, number=False)
        for key, name in zip(keys, names, strict=False)
    ]
    dataset, run, fold, system = texts
    values = _clean(score, str(names[-1]), where, number=True)
    if system is None:  # pragma: no cover - the column was checked
        message = f"{shown} must have a column of systems."
        raise SettingError(message)
    return from_rows(
        ["data"] * len(values) if dataset is None else list(dataset),
        list(system),
        values,
        run=None if run is None else list(run),
        fold=None if fold is None else list(fold),
        test_share=test_share,
        metric=metric,
        higher_is_better=higher_is_better,
        where=shown,
    )


def _clean(column: Any, name: str, where: Any, *, number: bool) -> NDArray[Any]:
    """Give the values of a column, or tell where the bad ones stand."""
    check = number_cells if number else label_cells
    found: Cells = check(column, name=f"Column {name!r}")
    if not found.bad.any():
        return found.values
    bad = np.flatnonzero(found.bad)
    what = "a finite number" if number else "a value"
    told = ", ".join(where(bad[:_SHOWN].tolist()))
    more = ", …" if len(bad) > _SHOWN else ""
    value = column[int(bad[0])].as_py()
    seen = "" if value is None else f" (the first is {value!r})"
    message = (
        f"Column {name!r} must have {what} in every row; {len(bad):,} of "
        f"{len(found.bad):,} have not: {told}{more}{seen}."
    )
    raise InputError(message)
