"""Command `split`: the folds in which each item is tested."""

import csv
import inspect
import io
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.outputs import Outputs
from likelier.cli.setting_options import option
from likelier.errors import InputError, unknown_name
from likelier.formatting import listed

if TYPE_CHECKING:
    from likelier.designs import Design
    from likelier.findings import Finding

_DesignName = Annotated[
    str, option("Design: mx2, kfold, repeated, 5x2 or train-dev-test.")
]
_Repetitions = Annotated[int, option("Number of repetitions of mx2.")]
_FoldCount = Annotated[int, option("Number of folds of kfold and repeated.", "--k")]
_Repeats = Annotated[int, option("Number of repeats of repeated.")]
_Stratify = Annotated[
    str | None, option("Column of the classes to spread evenly over folds.")
]
_Groups = Annotated[str | None, option("Column of the groups to keep together.")]
_Out = Annotated[
    Path | None,
    option("Write to this file, as JSONL (.jsonl) or CSV; by default print CSV."),
]


def split(
    file: data.SplitFile,
    *,
    design: _DesignName = "mx2",
    m: _Repetitions = 3,
    k: _FoldCount = 10,
    repeats: _Repeats = 10,
    stratify: _Stratify = None,
    groups: _Groups = None,
    id: data.Id = None,  # noqa: A002 - the option is called --id
    seed: setting.Seed = None,
    out: _Out = None,
) -> None:
    """Write the repetition and fold in which each item is tested.

    likelier split items.csv --design mx2 --m 3 --stratify label
    """
    from likelier import designs
    from likelier.readers.tables import read_columns

    outputs = Outputs(others=() if out is None else (out,)).check([file])
    sizes = {"m": m, "k": k, "repeats": repeats}
    made = _made(design, sizes, stratify=stratify is not None, seed=seed)
    names = [name for name in (id, stratify, groups) if name is not None]
    columns, n = read_columns(file, names)
    # A row number is no id: other commands would look for a column of that name.
    name = "row" if id is None else "id"
    items = [str(i) for i in range(n)] if id is None else columns[id]
    _check_ids(items, f"Column {id!r} of {file}")
    labels, together = columns.get(stratify or ""), columns.get(groups or "")
    rows = [
        {name: items[row.item], "repetition": row.repetition, "fold": row.fold}
        | ({"role": row.role} if design == "train-dev-test" else {})
        for row in designs.assignment_rows(made, n, labels, together)
    ]
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    text = "".join(lines) if out and out.suffix == ".jsonl" else _as_csv(rows)
    if out is None:
        sys.stdout.write(text)
    else:
        outputs.write(out, text)
    for line in _description(made, n, labels, together):
        sys.stderr.write(f"{line}\n")


def _made(
    name: str, sizes: dict[str, int], *, stratify: bool, seed: int | None
) -> "Design":
    """Make a design by its name, with those of the sizes that it has."""
    from likelier.designs import DESIGNS

    if name not in DESIGNS:
        raise unknown_name(name, DESIGNS, kind="design")
    own = inspect.signature(DESIGNS[name]).parameters
    chosen = {size: count for size, count in sizes.items() if size in own}
    return DESIGNS[name](**chosen, stratify=stratify, seed=seed)


def _check_ids(items: Sequence[str], source: str) -> None:
    twice = [name for name, count in Counter(items).items() if count > 1]
    if twice:
        message = f"{source} must have each id once; twice: {listed(twice)}."
        raise InputError(message)


def _as_csv(rows: Sequence[dict[str, Any]]) -> str:
    text = io.StringIO()
    # A lone carriage return would pass for a line end unless it is quoted.
    odd = any("\r" in str(value) for row in rows for value in row.values())
    quoting: Any = csv.QUOTE_NONNUMERIC if odd else csv.QUOTE_MINIMAL
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n", quoting=quoting)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _description(design: "Design", n: int, labels: Any, groups: Any) -> list[str]:
    """Describe how the items were split, with findings."""
    from likelier.designs import BlockedMx2, Folds

    findings: Sequence[Finding] = ()
    text = design.described()
    if isinstance(design, BlockedMx2):
        dealt = design.assign(n, labels, groups)
        text = f"{dealt.described()}: {dealt.imbalance.sentence()}"
        findings = dealt.findings()
    elif isinstance(design, Folds):
        findings = design.findings(n, labels)
    return [text, *map(str, findings)]
