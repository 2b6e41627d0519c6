"""Means over the tasks of logs, each task alike, as averages over classes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from likelier import metrics
from likelier.data.grouped_scores import scores_by_group
from likelier.data.outcomes import Outcomes
from likelier.metrics import formulas
from likelier.metrics.metric import Metric
from likelier.readers.logs.log import Log
from likelier.readers.logs.log_choice import ChosenLogs
from likelier.readers.logs.log_pairing import PairedItems


def mean_over_tasks(
    metric: Metric,
    paired: Sequence[PairedItems],
    chosen: ChosenLogs,
    clusters: list[str] | None,
) -> tuple[tuple[Metric, Outcomes], ...]:
    """Return the mean over tasks, each alike, as an average over classes.

    Scores between their ends are parts of a right and a wrong answer, so that the
    mean of a task is a recall, and tasks take the place of classes.
    """
    if metric.formula is not formulas.mean:
        return ()
    values = np.concatenate([p.values for p in paired])
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    width = (high - low) or 1.0
    task = np.repeat(np.arange(len(paired)), [len(p.items) for p in paired])
    outcomes = scores_by_group(
        (values - low) / width,
        task,
        systems=chosen.systems,
        groups=[p.task for p in paired],
        cluster=clusters,
    )
    mean = Metric(
        f"{metric.name}_mean_over_tasks",
        ("tp", "fn"),
        formulas.scaled_recall(low, width),
        average="macro",
        bounds=metric.bounds,
        higher_is_better=metric.higher_is_better,
    )
    source = chosen.source([p.task for p in paired])
    return ((mean, replace(outcomes, source=source)),)


def right_or_wrong(chosen: ChosenLogs) -> ChosenLogs:
    """Give a score of 1 to right labels and of 0 to wrong ones: their accuracy."""
    name = metrics.accuracy.name

    def scored(log: Log) -> Log:
        pairs = zip(*log.labels[chosen.metric], strict=True)
        right = [np.nan if label is None else gold == label for gold, label in pairs]
        return replace(log, scores={name: np.array(right, float)}, labels={})

    return chosen.converted(scored, name)
