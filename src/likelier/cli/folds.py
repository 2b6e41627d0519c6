"""Commands `folds` and `split`: answers from cross-validation, and its folds."""

import csv
import inspect
import io
import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.compare import as_one, pairs_of
from likelier.cli.outputs import Outputs, with_outputs, working
from likelier.errors import InputError, unknown_name
from likelier.formatting import listed

if TYPE_CHECKING:
    from likelier.designs import Design
    from likelier.findings import Finding
    from likelier.results.comparison import Comparison

_OF_SCORES = ("dataset", "run", "system", "score", "test_share", "higher_is_better")
_OF_COUNTS = (
    *("gold", "positive", "repetition", "beta", "alpha"),
    *("margin", "rho1", "rho2", "interval"),
)


@with_outputs(plots=("posterior", "simplex", "data-sets", "intervals", "densities"))
def folds(
    context: typer.Context,
    file: data.FoldFile,
    *,
    metric: setting.FoldMetric = None,
    systems: data.SystemNames = None,
    positive: setting.Positive = None,
    rope: setting.RopeText = None,
    higher_is_better: setting.HigherIsBetter = True,
    gold: data.Gold = "gold",
    dataset: data.DatasetColumn = "dataset",
    run: data.RunColumn = "run",
    repetition: data.RepetitionColumn = "repetition",
    fold: data.FoldColumn = "fold",
    system: data.SystemColumn = "system",
    score: data.ScoreColumn = "score",
    test_share: data.TestShare = None,
    beta: setting.Beta = None,
    alpha: setting.Alpha = None,
    method: setting.FoldMethod = None,
    rule: setting.FoldRule = None,
    mass: setting.Mass = 0.95,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    margin: setting.Margin = 0.0,
    rho1: setting.Rho1 = "0,0.5",
    rho2: setting.Rho2 = "0.25,0.5",
    interval: setting.FoldInterval = "hdi",
    outputs: Outputs,
) -> None:
    """Compare systems by cross-validation: scores, counts or predictions of folds.

    likelier folds scores.csv --rope 0.01

    likelier folds counts.csv --metric f1
    """
    import likelier as lk
    from likelier.readers import fold_counts
    from likelier.readers.fold_scores import ScoreColumns, read_scores
    from likelier.results.result_list import ResultList
    from likelier.streams import as_seed

    outputs.check([file])
    names = setting.names_of(systems)
    settings: dict[str, Any] = {
        "rope": setting.range_of(rope, name="rope"),
        "method": method,
        "rule": rule,
        "mass": mass,
        "draws": draws,
        "seed": as_seed(seed),
    }
    kind = fold_counts.fold_table_kind(
        file, gold=gold, repetition=repetition, system=system, score=score
    )
    if kind == "scores":
        setting.refuse(context, _OF_COUNTS, without="counts or predictions of folds")
        with working("reading scores"):
            scores = read_scores(
                file,
                columns=ScoreColumns(dataset, run, fold, system, score),
                test_share=test_share,
                metric="score" if metric is None else metric,
                higher_is_better=higher_is_better,
            )
        pairs = pairs_of(scores.systems if names is None else names)
        with working("comparing scores"):
            compared = [lk.compare_folds(scores, systems=p, **settings) for p in pairs]
        outputs.deliver(as_one(compared))
        return
    setting.refuse(context, _OF_SCORES, without="scores of folds")
    if kind == "counts":
        setting.refuse(context, ["gold"], without="predictions of folds")
    settings |= {
        "positive": positive,
        "margin": margin,
        "rho1": setting.range_of(rho1, name="rho1"),
        "rho2": setting.range_of(rho2, name="rho2"),
        "interval": interval,
    }
    text = "precision,recall,f1" if metric is None else metric
    metrics = setting.metrics_of(text, beta=beta, alpha=alpha)
    columns = {"repetition": repetition, "fold": fold}
    with working("counting items"):
        reading = (
            fold_counts.read_counts(file, **columns)
            if kind == "counts"
            else fold_counts.read_fold_predictions(
                file, gold=gold, systems=names, **columns
            )
        )
    pairs = pairs_of(reading.outcomes.systems if names is None else names)
    settings["repetitions"] = reading.repetitions

    def tested(**changed: float) -> "list[Comparison]":
        return [
            lk.compare_folds(
                reading.outcomes, systems=pair, metric=m, **settings | changed
            )
            for m in metrics
            for pair in pairs
        ]

    # A plot also shows the mean over folds, where rho1 and rho2 are 1 (Wang 2015).
    by_mean = outputs.plot is not None and reading.repetitions is not None
    beside = tested(rho1=1.0, rho2=1.0) if by_mean else []
    outputs.deliver(ResultList(tested(), beside=beside), kind="densities")


def split(
    file: data.SplitFile,
    *,
    design: setting.DesignName = "mx2",
    m: setting.Repetitions = 3,
    k: setting.FoldCount = 10,
    repeats: setting.Repeats = 10,
    stratify: setting.Stratify = None,
    groups: setting.Groups = None,
    id: data.Id = None,  # noqa: A002 - the option is called --id
    seed: setting.Seed = None,
    out: setting.Out = None,
) -> None:
    """Write the repetition and fold in which each item is tested.

    likelier split items.csv --design mx2 --m 3 --stratify label
    """
    from likelier import designs
    from likelier.readers.tables import read_columns
    from likelier.report.document import check_writable, write_whole

    if out is not None:
        check_writable(out)
        if out.resolve() == file.resolve():
            message = f"{out} must not be the input and the output."
            raise InputError(message)
    sizes = {"m": m, "k": k, "repeats": repeats}
    made = _made(design, sizes, stratify=stratify is not None, seed=seed)
    names = [name for name in (id, stratify, groups) if name is not None]
    columns, n = read_columns(file, names)
    items = [str(i) for i in range(n)] if id is None else columns[id]
    _check_ids(items, f"Column {id!r} of {file}")
    labels, together = columns.get(stratify or ""), columns.get(groups or "")
    rows = [
        {"id": items[row.item], "repetition": row.repetition, "fold": row.fold}
        | ({"role": row.role} if design == "train-dev-test" else {})
        for row in designs.assignment_rows(made, n, labels, together)
    ]
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    text = "".join(lines) if out and out.suffix == ".jsonl" else _as_csv(rows)
    if out is None:
        sys.stdout.write(text)
    else:
        write_whole(out, text.encode())
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
        message = f"{source} must have different ids; double: {listed(twice)}."
        raise InputError(message)


def _as_csv(rows: Sequence[dict[str, Any]]) -> str:
    text = io.StringIO()
    # A lone carriage return would pass for a line end unless it is quoted.
    odd = any("\r" in row["id"] for row in rows)
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
