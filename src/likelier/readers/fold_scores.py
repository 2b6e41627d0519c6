"""Scores of cross-validation: tables with one score per row, or one per system."""

from collections.abc import Callable, Mapping, Sequence
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
from likelier.errors import InputError
from likelier.readers.cell_checks import check_labels, check_numbers, decimal_hint
from likelier.readers.columns import check_columns
from likelier.readers.engine import connected
from likelier.readers.file import cut_findings, find_file
from likelier.readers.frames import cell_texts
from likelier.readers.tables import load_rows, open_table

_LOCATED = 5

Locate = Callable[[Sequence[int]], list[str]]


@dataclass(frozen=True)
class ScoreColumns:
    """Names of the columns of a table of scores.

    Attributes
    ----------
    dataset, run, fold
        Columns that may be absent: then there is one data set, one run, one score.
    system, score
        Columns of a table with one score per row. Where neither is there, every
        further column beside that of the data sets is a system.
    """

    dataset: str = "dataset"
    run: str = "run"
    fold: str = "fold"
    system: str = "system"
    score: str = "score"

    def systems(self, names: Sequence[str]) -> list[str]:
        """Return the columns of systems; none where each row has one score."""
        keys = (self.dataset, self.run, self.fold)
        usual = (self.system, self.score) == ("system", "score")
        alike = (*_ALIKE["system"], *_ALIKE["score"], "system", "score")
        if not usual or self.dataset not in names or any(map(_of(alike), names)):
            return []
        return [name for name in names if name not in keys]

    def present(self, names: Sequence[str], *, table: str) -> list[str | None]:
        """Return the columns that the table has; the system and the score last."""
        if self.systems(names):
            keys = (self.dataset, self.run, self.fold)
            return [*(key if key in names else None for key in keys), None, None]
        for part, name in (("system", self.system), ("score", self.score)):
            if name == part not in names:
                _refuse_alike(part, names, table)
        check_columns([self.system, self.score], names, table=table)
        optional = {"dataset": self.dataset, "run": self.run, "fold": self.fold}
        used = (*optional.values(), self.system, self.score)
        for part, name in optional.items():
            if name not in names:
                if name != part:
                    check_columns([name], names, table=table)
                _refuse_alike(part, [n for n in names if n not in used], table)
        present = [name if name in names else None for name in optional.values()]
        return [*present, self.system, self.score]


# Other words for the columns.
_ALIKE = {
    "system": ("model", "method", "classifier", "algorithm", "learner", "name"),
    "score": ("value", "result", "accuracy", "f1", "auc", "metric"),
    "dataset": ("dataset", "datasets", "data", "corpus", "task"),
    "run": ("run", "runs", "repetition", "repeat", "rep"),
    "fold": ("fold", "folds", "split"),
}


def _of(words: Sequence[str]) -> Callable[[object], bool]:
    """Return whether a name is one of the words, whatever its case and marks."""
    return lambda name: "".join(filter(str.isalnum, str(name).casefold())) in words


def _refuse_alike(part: str, unused: Sequence[str], table: str) -> None:
    """Refuse to pass over a column that is probably meant."""
    for name in unused:
        if _of(_ALIKE[part])(name):
            message = f"{table} must have the column {part!r}; it has {name!r}."
            raise InputError(message, hint=f"If that is meant: --{part} {name}")


def read_scores(
    path: str | PathLike[str],
    *,
    columns: ScoreColumns | None = None,
    test_share: float | None = None,
    metric: str = "score",
    higher_is_better: bool = True,
) -> Scores:
    r"""Read a table of scores: CSV, TSV, JSONL or Parquet.

    Parameters
    ----------
    path
        A file with the columns system and score, and dataset, run and fold where
        there are several; or with the column dataset and one for each system. Systems
        stand in the order in which they appear.
    columns
        Names of the columns.
    test_share
        The share of a data set's items each fold tests; by default one part of as
        many as a run has folds.
    metric
        Name of the scores.
    higher_is_better
        Whether a larger score is a better one.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "scores.csv")
    >>> _ = path.write_text("fold,system,score\n1,a,0.8\n1,b,0.9\n2,a,0.7\n2,b,0.9\n")
    >>> read_scores(path)
    <Scores of a, b: 1 data set, 2 folds>
    >>> folder.cleanup()
    """
    file = find_file(path)
    with connected([file]) as engine:
        table = open_table(engine, file)
        chosen = columns or ScoreColumns()
        present = chosen.present(table.names, table=file.name)
        systems = chosen.systems(table.names)
        wanted = [*(name for name in present if name is not None), *systems]
        rows = load_rows(engine, table, wanted)
    scores = _scores(
        [None if name is None else rows[name] for name in present],
        present,
        {name: rows[name] for name in systems},
        locate=table.locate,
        where=file.name,
        test_share=test_share,
        metric=metric,
        higher_is_better=higher_is_better,
    )
    return replace(scores, findings=cut_findings([table]))


def score_frame(
    frame: Any,
    *,
    columns: ScoreColumns | None = None,
    test_share: float | None = None,
    metric: str = "score",
    higher_is_better: bool = True,
) -> Scores:
    """Read a data frame of any engine; the columns are those of `read_scores`."""
    table = _collected(frame)
    chosen = columns or ScoreColumns()
    present = chosen.present(table.columns, table="The frame")
    *names, score = present
    cells = [
        None if name is None else pa.array(cell_texts(table[name])) for name in names
    ]
    return _scores(
        [*cells, None if score is None else _numbers(table[score])],
        present,
        {name: _numbers(table[name]) for name in chosen.systems(table.columns)},
        locate=lambda rows: [f"row {row}" for row in rows],
        where="The frame",
        test_share=test_share,
        metric=metric,
        higher_is_better=higher_is_better,
    )


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


def _numbers(column: Any) -> Any:
    """Return the cells of a column as text, numbers or not."""
    pairs = zip(column.to_list(), column.is_null().to_list(), strict=True)
    return pa.array([None if missing else str(value) for value, missing in pairs])


def _scores(
    cells: Sequence[Any],
    names: Sequence[str | None],
    systems: Mapping[str, Any],
    *,
    locate: Locate,
    **settings: Any,
) -> Scores:
    """Check the columns of a table, and make scores of them.

    Parameters
    ----------
    cells, names
        Data set, run, fold, system and score; None for a column that is not there.
    systems
        Scores of each system, where each has its own column.
    locate
        Names rows in a message.
    **settings
        As in `from_rows`.
    """
    *keys, score = cells
    dataset, run, fold, system = (
        None if key is None else list(_checked(key, str(name), locate))
        for key, name in zip(keys, names, strict=False)
    )
    columns = systems or {str(names[-1]): score}
    values = [_checked(c, name, locate, number=True) for name, c in columns.items()]
    if systems:
        system = [name for name in systems for _ in values[0]]
        keys = [None if k is None else k * len(systems) for k in (dataset, run, fold)]
        dataset, run, fold = keys
    every = np.concatenate(values)
    return from_rows(
        ["data"] * len(every) if dataset is None else dataset,
        system or [],
        every,
        run=run,
        fold=fold,
        **settings,
    )


def _checked(
    column: Any, name: str, locate: Locate, *, number: bool = False
) -> NDArray[Any]:
    """Return the values of a column, or refuse it and locate the bad ones."""
    check = check_numbers if number else check_labels
    checked = check(column, title=f"Column {name!r}")
    if not checked.bad.any():
        return checked.values
    bad = np.flatnonzero(checked.bad)
    content = "a finite number" if number else "a value"
    lines = ", ".join(locate(bad[:_LOCATED].tolist()))
    more = ", …" if len(bad) > _LOCATED else ""
    value = column[int(bad[0])].as_py()
    first = "" if value is None else f" (the first is {value!r})"
    message = (
        f"Column {name!r} must have {content} in every row; {len(bad):,} of "
        f"{len(checked.bad):,} have none: {lines}{more}{first}."
    )
    raise InputError(message, hint=decimal_hint(value) if number else None)
