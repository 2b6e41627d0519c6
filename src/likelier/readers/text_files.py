"""Texts and their references: plain lines of several files, or columns of a table."""

from collections.abc import Sequence
from os import PathLike
from typing import NamedTuple

from likelier.data.constructors import system_names
from likelier.data.outcomes import Outcomes
from likelier.data.text_constructor import from_texts
from likelier.errors import InputError
from likelier.readers.columns import check_columns
from likelier.readers.file import (
    File,
    Paths,
    file_names,
    find_file,
    find_files,
    text_blocks,
)
from likelier.readers.tables import column_names, read_columns
from likelier.readers.usual_columns import is_about_items

Path = str | PathLike[str]


def read_texts(
    paths: Paths,
    *,
    metrics: Sequence[str],
    references: Sequence[Path] = (),
    gold: str | Sequence[str] = "reference",
    systems: Sequence[str] | None = None,
    cluster: str | None = None,
    tokenize: str | None = None,
    lowercase: bool = False,
) -> Outcomes:
    r"""Count the segments of texts: one line, or one row of a table, each.

    Parameters
    ----------
    paths
        The references, then one file per system, with one segment per line; or a
        single table with columns of references and of each system.
    metrics
        Names of metrics of text, as in `Outcomes.from_texts`.
    references
        Further files of references.
    gold
        Column of references in a table, or several.
    systems
        Columns of a table; names to give to the systems of files, by default those of
        the files.
    cluster
        Column of the document or speaker of each segment; or a file with one per line.
    tokenize, lowercase
        As in `Outcomes.from_texts`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> paths = [pathlib.Path(folder.name, name) for name in ("ref", "a", "b")]
    >>> for path, text in zip(paths, ("one two\n", "one two\n", "one\n")):
    ...     _ = path.write_text(text)
    >>> read_texts(paths, metrics=["wer"])
    <Outcomes of a, b: 1 items, 1 patterns, 1 classes>
    >>> folder.cleanup()
    """
    files = find_files(paths)
    if len(files) > 1:
        if gold != "reference":
            message = "gold must come with one table; got several files of lines."
            raise InputError(message, hint="Further references: --references FILE")
        segments = _from_lines(files, references, systems, cluster)
    else:
        if references:
            message = "references must come with files of lines; got one table."
            raise InputError(message, hint="Columns of references: --gold ref1,ref2")
        names = [gold] if isinstance(gold, str) else list(gold)
        segments = _from_table(files[0], names, systems, cluster)
    return from_texts(
        list(zip(*segments.references, strict=True)),
        *segments.outputs,
        metrics=metrics,
        systems=segments.systems,
        cluster=segments.clusters,
        tokenize=tokenize,
        lowercase=lowercase,
    )


class Segments(NamedTuple):
    """Texts of references and of systems, each segment by segment."""

    references: list[list[str]]
    outputs: list[list[str]]
    systems: tuple[str, ...]
    clusters: list[str] | None


def _from_lines(
    files: Sequence[File],
    references: Sequence[Path],
    systems: Sequence[str] | None,
    cluster: str | None,
) -> Segments:
    """Read one file of references, one per system, and further ones."""
    names = system_names(systems or file_names(files[1:]), len(files) - 1)
    further = [find_file(path) for path in references]
    beside = [] if cluster is None else [find_file(cluster)]
    every = [*files, *further, *beside]
    texts = [_lines(file) for file in every]
    if len({len(lines) for lines in texts}) > 1:
        counts = [f"{f.name} has {len(t):,}" for f, t in zip(every, texts, strict=True)]
        message = f"All files must have the same number of lines; {', '.join(counts)}."
        raise InputError(message)
    groups = texts.pop() if beside else None
    n = len(files)
    return Segments([texts[0], *texts[n:]], texts[1:n], names, groups)


def _lines(file: File) -> list[str]:
    """Return the lines of a file, without their ends."""
    lines: list[str] = []
    for block, _, _ in text_blocks(file):
        lines += block.decode().removesuffix("\n").split("\n")
    return lines


def _from_table(
    file: File, gold: Sequence[str], systems: Sequence[str] | None, cluster: str | None
) -> Segments:
    """Read columns of a table, by default all but the references for systems."""
    every = column_names(file.path)
    parts = [*gold, *([] if cluster is None else [cluster])]
    check_columns(parts, every, table=file.name)
    if not systems:
        systems = _columns_of_texts(file, parts, every)
    names = system_names(systems, len(systems))
    check_columns(names, every, table=file.name)
    columns, _ = read_columns(file.path, [*parts, *names], empty=names)
    return Segments(
        [columns[name] for name in gold],
        [columns[name] for name in names],
        names,
        None if cluster is None else columns[cluster],
    )


def _columns_of_texts(
    file: File, parts: Sequence[str], every: Sequence[str]
) -> list[str]:
    """Return the columns that seem to be outputs of systems.

    Columns of numbers, such as scores of segments, are outputs only where references
    are numbers, too; usual names of ids, clusters and sources are none, nor is what is
    mostly empty, such as notes.
    """
    others = [n for n in every if n not in parts and not is_about_items(n)]
    columns, _ = read_columns(file.path, [*parts, *others], empty=others)
    if all(_are_numbers(columns[name]) for name in parts[:1]):
        return others
    found = [
        name
        for name in others
        if _mostly_filled(columns[name]) and not _are_numbers(columns[name])
    ]
    if not found:
        message = f"{file.name} must have a column of texts per system; got none."
        raise InputError(message, hint="Name them: --systems a,b")
    return found


def _mostly_filled(cells: Sequence[str]) -> bool:
    return 2 * sum(bool(cell.strip()) for cell in cells) >= len(cells)


def _are_numbers(cells: Sequence[str]) -> bool:
    """Return whether all cells are numbers or empty."""
    try:
        numbers = [float(cell) for cell in cells if str(cell).strip()]
    except ValueError:
        return False
    return bool(numbers)
