"""Files: one wide table, or the gold labels and one file per system.

DuckDB reads and counts them; labels and ids are text, byte for byte.
"""

from collections.abc import Sequence
from os import PathLike

from likelier.errors import InputError, SettingError
from likelier.readers.engine import connected
from likelier.readers.formats import File, detect
from likelier.readers.joined import read_joined
from likelier.readers.kinds import check_kind
from likelier.readers.sources import Reading, Wish
from likelier.readers.wide import read_wide

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]

__all__ = ["Paths", "Reading", "read_files"]


def read_files(
    paths: Paths,
    *,
    gold: str = "gold",
    systems: Sequence[str] | None = None,
    kind: str = "labels",
    id: str | None = None,  # noqa: A002 (the word people know)
    label: str | None = None,
    cluster: str | None = None,
    separator: str | None = None,
) -> Reading:
    r"""Count the items of one wide file, or of several files joined on an id.

    Parameters
    ----------
    paths
        One file with a column of gold labels and one column per system; or the gold
        file and then one file per system; for scores, one file per system only.
        CSV, TSV, JSONL or Parquet, told by content; text may be gzipped.
    gold
        The column of gold labels.
    systems
        The columns of a wide file, by default all others; the names to give to the
        systems of several files, by default the names of the files.
    kind
        What a cell holds: ``labels`` (one label), ``scores`` (a number) or ``sets``
        (labels between separators, or a list).
    id
        The column of ids; needed for several files.
    label
        The column with the label or score in several files. By default the column
        ``label`` (``score`` for scores), or that of the gold name, or the only one
        that is left.
    cluster
        The column that says which items belong together; in the first file.
    separator
        What stands between the labels of a set in CSV and TSV.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "predictions.csv")
    >>> _ = path.write_text("gold,a,b\nyes,yes,no\nno,no,no\n")
    >>> read_files(path).outcomes
    <Outcomes of a, b: 2 items, 2 patterns, 2 classes>
    >>> folder.cleanup()
    """
    wish = Wish(check_kind(kind), gold, systems, id, label, cluster, separator)
    if isinstance(paths, str | PathLike):
        paths = [paths]
    if not paths:
        message = "paths must name at least one file; got none."
        raise InputError(message)
    files = [detect(path) for path in paths]
    _check_separator(wish, files)
    with connected(files) as con:
        if len(files) == 1:
            return read_wide(con, files[0], wish)
        return read_joined(con, files, wish)


def _check_separator(wish: Wish, files: Sequence[File]) -> None:
    if wish.separator == "":
        message = "separator must not be empty; got ''."
        raise SettingError(message)
    text = [file.shown for file in files if file.form in ("csv", "tsv")]
    if wish.kind == "sets" and wish.separator is None and text:
        message = f"separator must be given for sets of labels in {text[0]}; got none."
        raise SettingError(message, hint="For cells like 'a;b' the separator is ';'.")
