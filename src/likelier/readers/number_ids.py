"""Ids of several files that are the same numbers written differently, made alike."""

from collections.abc import Sequence

import pyarrow as pa

from likelier.data.number_writing import has_fraction, same_numbers, writing_finding
from likelier.errors import InputError
from likelier.findings import Finding
from likelier.readers.engine import Engine, Table
from likelier.readers.id_checks import check_same_ids
from likelier.readers.item_ids import joined_parts, split_id


def match_ids(
    engine: Engine, tables: Sequence[Table], columns: Sequence[str]
) -> list[Finding]:
    """Check that all files have the same ids, if need be as numbers.

    Programs that know no missing whole numbers write the id 1 as 1.0. Ids with
    fractions stay text: 1.1 and 1.10 may be sections.

    Parameters
    ----------
    engine
        The database; the ids of file i are in table ``t<i>``.
    tables
        The files.
    columns
        The columns that make the ids.

    Returns
    -------
    list
        A remark where numbers were written differently.
    """
    try:
        _check_all(engine, tables)
    except InputError:
        findings = _rewrite(engine, tables, columns)
        if not findings:
            raise
        _check_all(engine, tables)
        return findings
    return []


def _check_all(engine: Engine, tables: Sequence[Table]) -> None:
    first, *others = enumerate(tables)
    for i, table in others:
        check_same_ids(engine, (f"t{first[0]}", first[1]), (f"t{i}", table))


def _rewrite(
    engine: Engine, tables: Sequence[Table], columns: Sequence[str]
) -> list[Finding]:
    """Write the numbers of ids plainly in all tables, where files differ in that."""
    ids = [
        engine.fetch(f"SELECT id FROM t{i}", name=table.file.name)["id"].to_pylist()
        for i, table in enumerate(tables)
    ]
    n = len(columns)
    parts = [[split_id(text, n) for text in own] for own in ids]
    findings = []
    for j, name in enumerate(columns):
        numbers = same_numbers([{part[j]: None for part in own} for own in parts])
        if not numbers or has_fraction(numbers.values()):
            continue
        findings.append(writing_finding(numbers, f"ids in column {name!r}"))
        for part in (part for own in parts for part in own):
            part[j] = numbers[part[j]]
    if findings:
        for i, (own, texts) in enumerate(zip(parts, ids, strict=True)):
            _rename(engine, i, texts, [joined_parts(part) for part in own])
    return findings


def _rename(engine: Engine, i: int, texts: list[str], others: list[str]) -> None:
    """Change the ids of a table, and of the view of its texts, if it has one."""
    view = f"plain{i}"
    engine.register(view, pa.table({"written": texts, "plain": others}))
    engine.con.execute(
        f"UPDATE t{i} SET id = plain FROM {view} WHERE id = {view}.written"
    )
