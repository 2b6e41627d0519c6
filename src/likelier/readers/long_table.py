"""Tables of items as logs: a row per system and item, or a column per system."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from likelier._typing import FloatArray
from likelier.errors import InputError
from likelier.readers.item_ids import IdColumns, id_columns
from likelier.readers.item_rows import RowSource, row_source
from likelier.readers.logs.log import LabelPairs, Log
from likelier.readers.row_axes import LogRows, RowAxes
from likelier.readers.row_columns import RowColumns

# The metric of a table whose columns are systems.
_SCORE = "score"


def read_long(
    data: Any,
    *,
    system: str,
    id: IdColumns,  # noqa: A002 (the word people know)
    score: str | Sequence[str] | None = None,
    gold: str | None = None,
    label: str | None = None,
    run: str | None = None,
    repeat: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
    text: str | None = None,
) -> list[Log]:
    r"""Read a table with one row per system and item; a log for each system.

    Parameters
    ----------
    data
        A table file, or a data frame of any library.
    system
        The column of the system's name.
    id
        The column of the items' ids, or several that are the id together.
    score
        The column of the scores, or several: the metrics. Truth values are 1 and 0;
        a missing cell is NaN. A row without any value is an error.
    gold, label
        The columns of the gold and the predicted labels.
    run
        The column of the run, such as the seed; a log for each.
    repeat
        The column of the number of the repeat.
    group
        The column of the task or data set; a log for each. By default the task is
        the name of the file.
    cluster
        The column that says which items belong together.
    text
        The column of the items' texts.

    Examples
    --------
    >>> import pyarrow as pa
    >>> rows = {"system": ["a", "b"] * 2, "id": [1, 1, 2, 2], "f1": [1, 0, 0.5, None]}
    >>> a, b = read_long(pa.table(rows), system="system", id="id", score="f1")
    >>> a.items, a.scores["f1"], b.errors
    (['1', '2'], array([1. , 0.5]), {1: 'no value'})
    """
    source = row_source(data)
    scores = _several(score)
    labels = _label_columns(gold, label)
    if not scores and not labels:
        message = "score must name a column, or gold and label two; got none."
        raise InputError(message)
    axes = RowAxes(id_columns(id, source.names), group, run, repeat)
    if not axes.id:
        message = "id must name the column of the items' ids; got None."
        raise InputError(message, hint="Rows are never paired by their position.")
    columns = axes.load(source, [system, *labels], scores, cluster=cluster)
    metrics = {name: columns.scores(name) for name in scores}
    pairs = [columns.labels(name) for name in labels]
    systems = columns.names(system)
    about = _about(source, cluster, text)
    return [
        _log(columns, part, metrics, pairs, about)
        for part in axes.parts(columns, systems)
    ]


def read_wide(
    data: Any,
    *,
    systems: Sequence[str] | None = None,
    id: IdColumns | None = None,  # noqa: A002 (the word people know)
    gold: str | None = None,
    run: str | None = None,
    repeat: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
    text: str | None = None,
) -> list[Log]:
    """Read a table with one row per item and one column per system.

    There is a log for each system, group and run. Cells are scores, the metric
    ``score``; or labels, where `gold` names a column.

    Parameters
    ----------
    data
        A table file, or a data frame of any library.
    systems
        The columns of the systems; by default all that have no other part.
    id
        The columns of ids; by default rows are numbered, from 1.
    gold
        The column of the gold labels.
    run, repeat, group, cluster, text
        As in `read_long`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"dataset": ["u", "u", "v"], "a": [1, 2, 3], "b": [0, 1, 4]})
    >>> logs = read_wide(table, group="dataset")
    >>> [(log.system, log.task, *log.items) for log in logs]
    [('a', 'u', '1', '2'), ('a', 'v', '3'), ('b', 'u', '1', '2'), ('b', 'v', '3')]
    """
    source = row_source(data)
    axes = RowAxes(id_columns(id, source.names), group, run, repeat)
    golds = _several(gold)
    others = {*axes.names, *golds, cluster, text}
    names = [n for n in source.names if n not in others] if systems is None else systems
    if not names:
        message = f"{source.file.name} must have a column per system; it has none."
        raise InputError(message)
    texts, numbers = ([*golds, *names], []) if golds else ([], names)
    columns = axes.load(source, texts, numbers, cluster=cluster)
    parts = list(axes.parts(columns, None))
    answers = [columns.labels(name) for name in golds]
    about = _about(source, cluster, text)
    logs = []
    for name in names:
        metrics = {} if golds else {_SCORE: columns.scores(name)}
        pairs = [*answers, columns.labels(name)] if golds else []
        mine = (part._replace(system=str(name)) for part in parts)
        logs += [_log(columns, part, metrics, pairs, about) for part in mine]
    return logs


def _several(names: str | Sequence[str] | None) -> list[str]:
    return [] if names is None else [names] if isinstance(names, str) else list(names)


def _label_columns(gold: str | None, label: str | None) -> list[str]:
    if (gold is None) != (label is None):
        absent = "gold" if gold is None else "label"
        message = f"gold and label must be given together; {absent} is None."
        raise InputError(message)
    return [name for name in (gold, label) if name is not None]


def _about(source: RowSource, cluster: str | None, text: str | None) -> dict[str, Any]:
    named = [name for name in (cluster, text) if name is not None]
    fields = tuple(dict.fromkeys([*source.names, *named]))
    return {"fields": fields, "cluster": cluster, "text": text}


def _log(
    columns: RowColumns,
    part: LogRows,
    metrics: dict[str, FloatArray],
    pairs: Sequence[list[str | None]],
    about: dict[str, Any],
) -> Log:
    source, rows = columns.source, part.rows

    def look_up(name: str, wanted: Sequence[int] | None) -> list[Any]:
        picked = rows if wanted is None else rows[np.asarray(wanted, np.int64)]
        return source.look_up(name, picked)

    scores = {name: values[rows] for name, values in metrics.items()}
    labels, own = {}, [[values[row] for row in rows.tolist()] for values in pairs]
    if own:
        labels = {"labels": LabelPairs(*own)}
    return Log(
        file=source.file,
        format=source.format,
        system=part.system,
        task=part.task,
        run=part.run,
        items=part.items,
        repeats=part.repeats,
        locate=lambda row: source.at(int(rows[row])),
        scores=scores,
        labels=labels,
        errors=_errors(scores, own),
        look_up=look_up,
        **about,
    )


def _errors(
    scores: dict[str, FloatArray], labels: Sequence[list[str | None]]
) -> dict[int, str]:
    """Name the rows that lack every value: others have what some metric needs."""
    missing = [np.isnan(values) for values in scores.values()]
    missing += [np.array([v is None for v in column]) for column in labels[1:]]
    rows = np.flatnonzero(np.all(missing, axis=0))
    return dict.fromkeys(rows.tolist(), "no value")
