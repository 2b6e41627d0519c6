"""Description of tables: by the names of their columns, and by their cells."""

from collections.abc import Sequence

from likelier.errors import InputError
from likelier.readers.columns import check_systems
from likelier.readers.engine import Engine, Table
from likelier.readers.file import cut_findings, file_names
from likelier.readers.gold_names import is_gold_name
from likelier.readers.reader import Description
from likelier.readers.tables import load_rows
from likelier.readers.text_column import find_text

# Usual names of columns that are no systems.
_PARTS = ("id", "cluster", "repetition", "run", "fold")
# Names of gold labels where no other column has a usual one.
_GOLD = ("y", "target")
_COUNTS: tuple[set[str], ...] = ({"tp", "fp", "fn"}, {"gold", "predicted", "correct"})


def describe_tables(
    engine: Engine, tables: Sequence[Table], *, name: str
) -> Description:
    """Describe one table with a column or a row per system, or a table per system.

    Parameters
    ----------
    engine
        The database.
    tables
        Open tables.
    name
        Name of the format.
    """
    first = tables[0]
    systems = file_names([table.file for table in tables])
    gold = text = None
    key = "id" if "id" in first.names else None
    if len(tables) > 1:
        kind = "scores" if all("score" in t.names for t in tables) else "labels"
        if kind == "labels":
            gold, *systems = systems
        if key is None:
            shared = set.intersection(*(set(table.names) for table in tables))
            others = ("gold", "label", "score")
            key = next((n for n in first.names if n in shared - {*others}), None)
    elif "system" in first.names:
        kind = _long_kind(first.names)
        rows = load_rows(engine, first, ["system"])
        systems = [str(system) for system in rows["system"].unique().to_pylist()]
    else:
        gold = _gold(first.names)
        text = find_text(engine, first, (*_PARTS, gold), gold=gold)
        columns = [n for n in first.names if n not in (*_PARTS, gold, text)]
        kind, systems = _cells(engine, first, columns, gold)
    return Description(
        format=name,
        kind=kind,
        items=first.count_rows(engine),
        columns=first.names,
        systems=tuple(systems),
        gold=gold,
        id=key,
        text=text,
        findings=cut_findings(tables),
    )


def _gold(names: Sequence[str]) -> str | None:
    """Return the column called gold, or by another of its usual names."""
    if "gold" in names:
        return "gold"
    bare = {name.strip().casefold() for name in names}
    # Beside x, y is no more than the other of two.
    others = [] if "x" in bare else [n for n in names if n.strip().casefold() in _GOLD]
    usual = [name for name in names if is_gold_name(name)] or others
    return usual[0] if len(usual) == 1 else None


def _long_kind(names: Sequence[str]) -> str:
    if "score" in names:
        return "scores"
    return "counts" if any(counts <= {*names} for counts in _COUNTS) else "labels"


def _cells(
    engine: Engine, table: Table, columns: list[str], gold: str | None
) -> tuple[str, list[str]]:
    """Return what columns hold, and which of them seem to be systems.

    Beside gold labels these are the columns that have one of them at least once; else
    those that hold numbers, if any do.
    """
    if not columns:
        return "labels", columns
    check_systems(columns)
    cells = [*([] if gold is None else [gold]), *columns]
    for lists in ((), cells):
        try:
            table.load(engine, cells, view="described", lists=lists)
            break
        except InputError:
            continue
    else:
        return "objects", columns
    if any("[]" in kind for kind in engine.types("described").values()):
        return "sets", columns
    texts = ", ".join(f"CAST(c{i} AS VARCHAR) AS c{i}" for i in range(len(cells)))
    test = (
        "TRUE GROUP BY name HAVING count(TRY_CAST(cell AS DOUBLE)) = "
        "(SELECT count(*) FROM texts)"
        if gold is None
        else "cell IN (SELECT c0 FROM texts) GROUP BY name"
    )
    sql = (
        f"WITH texts AS (SELECT {texts} FROM described) SELECT name FROM "
        f"(UNPIVOT texts ON COLUMNS(*) INTO NAME name VALUE cell) WHERE {test}"
    )
    rows = engine.fetch(sql, name=table.file.name)
    passed = {*rows["name"].to_pylist()}
    first = len(cells) - len(columns)
    kept = [name for i, name in enumerate(columns, first) if f"c{i}" in passed]
    return "scores" if gold is None and kept else "labels", kept or columns
