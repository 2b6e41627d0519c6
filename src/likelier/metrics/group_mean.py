"""The mean of a metric over groups, such as tasks: each group counts alike."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from likelier._typing import FloatArray
from likelier.data.grouped_outcomes import (
    GROUP_ITEMS,
    GroupedOutcomes,
    side_by_side,
)
from likelier.data.outcomes import Outcomes, Sums
from likelier.errors import NotDefinedError
from likelier.metrics.metric import DataKind, Metric


@dataclass(frozen=True)
class GroupMean(Metric):
    """The metric of each group alone, averaged over the groups.

    Attributes
    ----------
    of_group
        The metric of a group.
    """

    of_group: Metric = field(kw_only=True)

    @property
    def averages_classes(self) -> bool:
        """Return True: every group weighs the same, however few items it has."""
        return True

    @cached_property
    def data(self) -> DataKind:
        """Content of an item that the metric's statistics follow from."""
        return self.of_group.data

    def grouped(self, outcomes: Outcomes) -> GroupedOutcomes:
        """Return the outcomes; refuse those that are not of groups."""
        if isinstance(outcomes, GroupedOutcomes):
            return outcomes
        message = f"{self.name} must have outcomes of groups side by side."
        raise NotDefinedError(message, hint="data.grouped_outcomes.side_by_side(…)")

    def values_of_sums(self, view: Outcomes, sums: Sums) -> FloatArray:
        """Compute the mean (..., system) of sums over a `view` of all groups."""
        grouped = self.grouped(view)
        negatives = "tn" in self.of_group.statistics
        values = [
            self.of_group.values_of_sums(
                member, _of_part(member, part, sums, negatives=negatives)
            )
            for member, part in zip(grouped.members, grouped.parts, strict=True)
        ]
        return np.asarray(np.mean(values, axis=0))

    def _check(self, outcomes: Outcomes) -> None:
        self.grouped(outcomes)


def mean_over_groups(
    metric: Metric, tables: Mapping[str, Outcomes], *, name: str
) -> tuple[GroupMean, GroupedOutcomes]:
    """Make the mean of a metric over groups, and the outcomes that it is computed on.

    Parameters
    ----------
    metric
        The metric of a group.
    tables
        Outcomes of the same systems by group, with the positive class chosen.
    name
        What to call the mean.

    Examples
    --------
    >>> from likelier import metrics, Outcomes
    >>> tasks = {"x": Outcomes.from_labels("aabb", "abbb"),
    ...          "y": Outcomes.from_labels("ab", "ab")}
    >>> metric, table = mean_over_groups(metrics.accuracy, tasks, name="mean_accuracy")
    >>> metric.observed(table)
    array([0.875])
    """
    # In one order, whichever group the data had first.
    views = {group: metric.view(tables[group]) for group in sorted(tables)}
    grouped = side_by_side(
        {group: view.without_labels().merged() for group, view in views.items()}
    )
    needed = {*metric.statistics, GROUP_ITEMS}
    if "tn" in needed:
        needed |= {"tp", "fp", "fn"}
    if metric.average == "samples":
        needed.add("score")
    mean = GroupMean(
        name,
        tuple(statistic for statistic in grouped.statistics if statistic in needed),
        metric.formula,
        average="classes",
        bounds=metric.bounds,
        higher_is_better=metric.higher_is_better,
        beta=metric.beta,
        of_group=metric,
    )
    return mean, grouped


def _of_part(member: Outcomes, part: slice, sums: Sums, *, negatives: bool) -> Sums:
    """Return the sums of one group's classes, and the items of the group."""
    own = {name: sums[name][..., part] for name in member.statistics}
    items = sums[GROUP_ITEMS][..., part][..., :1]
    return member.with_items(own, items, negatives=negatives)
