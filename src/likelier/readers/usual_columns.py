"""Columns of a table that have the usual names of systems, ids, runs and tasks."""

from collections.abc import Iterable, Sequence
from typing import Any

from likelier.errors import InputError
from likelier.readers.field_names import field_names
from likelier.readers.frames import looks_like_frame
from likelier.readers.gold_names import is_gold_name
from likelier.readers.item_rows import RowSource, row_source
from likelier.readers.row_columns import RowColumns
from likelier.readers.text_column import usual_text

# Usual names by the part that a column plays, the most usual one first.
_NAMES = {
    "system": ("system", "model", "model_name", "model_id", "provider"),
    "id": (
        *("id", "item", "item_id", "doc_id", "sample_id", "question_id"),
        *("example_id", "instance_id", "qid", "question", "prompt"),
    ),
    "run": ("run", "seed", "run_id"),
    "repeat": ("repeat", "epoch", "repetition", "trial", "attempt"),
    "group": ("task", "dataset", "data_set", "benchmark", "subset", "group"),
    "label": ("prediction", "predicted", "pred", "output", "answer", "response"),
    "cluster": ("cluster", "document", "passage", "speaker"),
}
# How many columns may be scores.
_MOST_SCORES = 20


def usual_columns(path: Any) -> dict[str, Any] | None:
    """Return the columns of a table with a row per system and item, by their part.

    Parameters
    ----------
    path
        A table file, or a data frame.

    Returns
    -------
    dict
        Arguments of `read`; None where the table has no column of systems and ids.

    Examples
    --------
    >>> import pyarrow as pa
    >>> rows = {"Model": ["a", "b"], "item": [1, 1], "seed": [1, 1], "f1": [0.5, 1.0]}
    >>> usual_columns(pa.table(rows))
    {'system': 'Model', 'id': 'item', 'run': 'seed', 'score': ['f1']}
    """
    source = row_source(path)
    known = source.names if looks_like_frame(path) else field_names(path)
    parts = {part: _first(known, names) for part, names in _NAMES.items()}
    columns: dict[str, Any] = {p: name for p, name in parts.items() if name is not None}
    if not {"system", "id"} <= {*columns}:
        return None
    golds = [name for name in known if is_gold_name(name)]
    if golds and "label" in columns:
        columns["gold"] = golds[0]
    else:
        columns.pop("label", None)
    rest = [name for name in known if name not in columns.values()]
    text = usual_text(rest, ())
    if text is not None:
        columns["text"] = text
    scores = _numeric(source, [name for name in rest if name != text])
    return columns | ({"score": scores} if scores else {})


def is_output(name: str) -> bool:
    """Return whether a column has a usual name of what a system answered."""
    return _first([name], _NAMES["label"]) is not None


def is_about_items(name: str) -> bool:
    """Return whether a column has a usual name of ids, clusters, groups or sources."""
    parts = ("id", "cluster", "group")
    usual = (*(n for part in parts for n in _NAMES[part]), "doc", "source", "src")
    return _first([name], usual) is not None


def _first(columns: Iterable[str], names: Sequence[str]) -> str | None:
    """Return the column whose name comes first among usual ones."""
    bare = {str(c).strip().casefold().replace(" ", "_"): c for c in columns}
    return next((bare[name] for name in names if name in bare), None)


def _numeric(source: RowSource, names: Sequence[str]) -> list[str]:
    """Return the columns whose cells are numbers, or empty."""
    found = []
    for name in names[:_MOST_SCORES]:
        try:
            RowColumns(source, [name], [name]).scores(name)
        except InputError:
            continue
        found.append(name)
    return found
