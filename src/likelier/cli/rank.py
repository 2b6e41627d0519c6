"""Command `rank`: many systems in order, by predictions or by scores of folds."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.option_values import (
    is_set,
    metric_of,
    names_of,
    range_of,
    refuse,
)
from likelier.cli.outputs import Outputs, with_outputs
from likelier.cli.questions import log_tables, long_tables, only_question, read_items
from likelier.cli.working import sized, working
from likelier.errors import InputError
from likelier.formatting import counted, listed

if TYPE_CHECKING:
    from likelier.data.outcomes import Outcomes
    from likelier.data.scores import Scores
    from likelier.metrics.metric import Metric

_LONG = tuple(data.LONG_COLUMNS)
_OF_LONG = ("repeat", "group")
_OF_SCORES = ("dataset", "run", "fold", "system", "score", "test_share")
# The direction is an option of scores, too.
_LOGS = {n: o for n, o in data.LOG_OPTIONS.items() if n != "higher_is_better"}
_OF_TABLES = ("gold", "positive", "id", "label", "text")
_OF_ITEMS = (*_OF_TABLES, "cluster", "prior", "strength")


@with_outputs(
    {"logs": _LOGS},
    plots=("ranks", "order", "critical", "simplex"),
    example="P(best) > 0.9",
    verdicts=False,
)
def rank(
    context: typer.Context,
    files: data.RankFiles,
    *,
    metric: setting.RankMetric = None,
    systems: data.SystemNames = None,
    positive: setting.Positive = None,
    rope: setting.RopeText = None,
    higher_is_better: setting.HigherIsBetter = True,
    gold: data.Gold = "gold",
    id: data.Id = None,  # noqa: A002 - the option is called --id
    label: data.Label = None,
    cluster: data.Cluster = None,
    text: data.Text = None,
    dataset: data.DatasetColumn = "dataset",
    run: data.RunColumn = "run",
    fold: data.FoldColumn = "fold",
    system: data.SystemColumn = "system",
    score: data.ScoreColumn = "score",
    repeat: data.LongRepeat = None,
    group: data.LongGroup = None,
    test_share: data.TestShare = None,
    logs: dict[str, Any],
    method: setting.ScoreMethod = None,
    prior: setting.Prior = None,
    strength: setting.Strength = 1.0,
    rule: setting.ScoreRule = None,
    threshold: setting.Threshold = 0.0,
    alpha: setting.Level = 0.05,
    mass: setting.Mass = 0.95,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    outputs: Outputs,
) -> None:
    """Rank many systems by scores, or by predictions with --metric, or by logs.

    likelier rank scores.csv --rope 0.01

    likelier rank predictions.csv --metric accuracy --rope 0.01

    likelier rank runs/* --rope 0.01

    likelier rank answers.csv --system model --id item --score correct --rope 0.01
    """
    import likelier as lk
    from likelier.readers.logs.find_logs import has_logs

    outputs = outputs.check(files)
    names = names_of(systems)
    table: Outcomes | Scores
    chosen: Metric | None
    of_items: dict[str, Any] = {"systems": systems, "cluster": cluster}
    logs["higher_is_better"] = None if higher_is_better else False
    if has_logs(files):
        others = (*_OF_SCORES, *_OF_LONG, *_OF_TABLES)
        refuse(context, others, without="tables, not logs")
        tables = log_tables(files, metric, **of_items, **logs)
        chosen, table = only_question(tables, positive)
    elif id is not None and any(is_set(context, name) for name in _LONG):
        refuse(context, ("dataset", "fold", "test_share"), without="scores of folds")
        # Of these, scores of folds have usual names, and items none.
        usual = {"system": system, "score": score, "run": run}
        of_items |= {n: x if is_set(context, n) else None for n, x in usual.items()}
        of_items |= {"repeat": repeat, "group": group}
        of_items |= {"gold": gold, "id": id, "label": label, "text": text}
        tables = long_tables(context, files, metric, logs=logs, **of_items)
        chosen, table = only_question(tables, positive)
    elif metric is None:
        refuse(context, tuple(_LOGS), without="logs of evaluation tools")
        refuse(context, (*_OF_ITEMS, *_OF_LONG), without="predictions, with --metric")
        chosen = None
        table = _read_scores(
            files,
            (dataset, run, fold, system, score),
            gold=gold,
            test_share=test_share,
            higher_is_better=higher_is_better,
        )
    else:
        refuse(context, tuple(_LOGS), without="logs of evaluation tools")
        refuse(context, (*_OF_SCORES, "higher_is_better"), without="scores")
        refuse(context, _OF_LONG, without="--id, the column of the items' ids")
        chosen = metric_of(metric)
        if len(files) == 1:
            hint = "Is it a table of scores? Leave --metric out."
            _check_kind(files[0], gold, other={system, score}, hint=hint)
        table = read_items(
            context,
            files,
            [chosen],
            systems=systems,
            gold=gold,
            id=id,
            label=label,
            cluster=cluster,
            text=text,
        )
    with working(f"ranking {counted(len(table.systems), 'system')}"):
        result = lk.rank(
            table,
            metric=chosen,
            positive=positive,
            rope=range_of(rope, name="rope"),
            method=method,
            prior=prior,
            strength=strength,
            systems=names,
            mass=mass,
            rule=rule,
            threshold=threshold,
            alpha=alpha,
            draws=draws,
            seed=seed,
        )
    outputs.deliver(result)


def _read_scores(
    files: Sequence[Path],
    columns: tuple[str, str, str, str, str],
    *,
    gold: str,
    **settings: Any,
) -> "Scores":
    """Read the one table of scores."""
    from likelier.readers.fold_scores import ScoreColumns, read_scores

    hint = "Predictions come with --metric."
    if len(files) != 1:
        message = f"Scores must be in one file; got {len(files)}."
        raise InputError(message, hint=hint)
    names = ScoreColumns(*columns)
    _check_kind(files[0], names.system, other={gold}, hint=hint)
    with working(f"reading scores of {sized(files)}"):
        return read_scores(files[0], columns=names, **settings)


def _check_kind(file: Path, column: str, *, other: set[str], hint: str) -> None:
    """Refuse a table that lacks a column, and has those of the other kind of data."""
    from likelier.readers.tables import column_names

    names = column_names(file)
    if column not in names and other <= set(names):
        message = f"{file} must have the column {column!r}; it has {listed(names)}."
        raise InputError(message, hint=hint)
