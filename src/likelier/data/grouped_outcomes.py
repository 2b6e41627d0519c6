"""Outcomes of groups, such as tasks, side by side: each group keeps its own classes.

A row holds what a unit adds to its own group, and 0 in the columns of all others. So
sums over units are the sums of every group at once, whatever the weights, and a mean
over groups is a function of these sums.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from likelier._typing import IntArray
from likelier.data.differing_items import DifferingItems, together
from likelier.data.outcomes import Outcomes

# How many items of a group a unit has; it stands at the group's first class.
GROUP_ITEMS = "group_items"


@dataclass(frozen=True, eq=False, repr=False)
class GroupedOutcomes(Outcomes):
    """Distinct patterns of all groups, with their counts.

    Made by `side_by_side`. The last statistic of each class, `group_items`, counts the
    items of its group.

    Attributes
    ----------
    groups
        Names of the groups.
    own_classes
        Names of the classes within each group; those of the table have the group's
        name before them.
    own_negatives
        Whether true negatives exist within groups.
    """

    groups: tuple[str, ...] = ()
    own_classes: tuple[tuple[str, ...], ...] = ()
    own_negatives: bool = False

    @property
    def positive(self) -> str | None:
        """The class that stands against all others, where it is that of all groups."""
        names = {name for own in self.own_classes for name in own}
        return names.pop() if self.one_vs_rest and len(names) == 1 else None

    @cached_property
    def parts(self) -> tuple[slice, ...]:
        """The classes of each group."""
        ends = np.cumsum([len(own) for own in self.own_classes]).tolist()
        starts = [0, *ends[:-1]]
        return tuple(slice(*both) for both in zip(starts, ends, strict=True))

    @cached_property
    def members(self) -> tuple[Outcomes, ...]:
        """Outcomes of each group alone, without `group_items`."""
        return tuple(self._member(group) for group in range(len(self.groups)))

    @cached_property
    def group(self) -> IntArray:
        """Number of the group of each pattern."""
        return np.asarray(self.in_groups.indices, dtype=np.int64)  # one in each row

    @property
    def in_groups(self) -> Any:
        """Sparse 1 where a pattern is of a group (pattern, group)."""
        width, items = len(self.statistics), self.statistics.index(GROUP_ITEMS)
        first = np.array([part.start for part in self.parts])
        return sparse.csr_array(self.rows[:, first * width + items] > 0, dtype=float)

    @cached_property
    def lean(self) -> int:
        """Which of two systems adds less where they first differ, group by group."""
        return next((member.lean for member in self.members if member.lean), 0)

    def _grouping(self) -> tuple[IntArray, IntArray]:
        """Find the first of equal patterns, group by group, and that of each."""
        firsts, each, n = [], np.empty(len(self.counts), dtype=np.int64), 0
        for number, member in enumerate(self.members):
            own = np.flatnonzero(self.group == number)
            first, equal = member._grouping()
            firsts.append(own[first])
            each[own] = n + equal
            n += len(first)
        return np.concatenate(firsts), each

    def has_gold(self) -> Any:
        """Return which patterns have gold items of which class; else of which group."""
        return super().has_gold() if "tp" in self.statistics else self.in_groups

    def with_rows(self, rows_of: Callable[[Outcomes], Any]) -> Any:
        """Return the table's rows with others in place of those of each group."""
        names = zip(self.groups, self.members, strict=True)
        others = side_by_side({n: replace(m, rows=rows_of(m)) for n, m in names})
        back = np.argsort(np.argsort(self.group, kind="stable"), kind="stable")
        return others.rows[back]

    def _member(self, group: int) -> Outcomes:
        """Keep the patterns of one group, and its classes."""
        own = np.flatnonzero(self.group == group)
        column = np.arange(self.rows.shape[1]).reshape(self.shape)
        kept = [i for i, name in enumerate(self.statistics) if name != GROUP_ITEMS]
        columns = column[:, self.parts[group]][..., kept].ravel()
        return Outcomes(
            systems=self.systems,
            classes=self.own_classes[group],
            statistics=tuple(self.statistics[i] for i in kept),
            rows=self.rows[own][:, columns],
            counts=self.counts[own],
            sizes=self.sizes[own],
            strata=np.zeros(len(own), dtype=np.int64),
            all_classes=self.all_classes,
            same_classes=self.same_classes,
            negatives=self.own_negatives,
            one_vs_rest=self.one_vs_rest,
            one_label=self.one_label,
            unit=self.unit,
        )


def side_by_side(tables: Mapping[str, Outcomes]) -> GroupedOutcomes:
    """Put the tables of groups side by side.

    Parameters
    ----------
    tables
        Outcomes of the same systems and statistics by group.

    Examples
    --------
    >>> from likelier import Outcomes
    >>> tasks = {"x": Outcomes.from_labels("aab", "abb"),
    ...          "y": Outcomes.from_labels("ab", "ab")}
    >>> side_by_side(tasks).classes
    ('x: a', 'x: b', 'y: a', 'y: b')
    """
    each = list(tables.values())
    first = each[0]
    own = tuple(table.classes for table in each)
    starts = np.cumsum([0, *(len(names) for names in own)]).tolist()
    shape = len(first.systems), starts[-1], len(first.statistics) + 1
    blocks = []
    for table, start in zip(each, starts[:-1], strict=True):
        classes = start + np.arange(len(table.classes))
        rows = placed(table, classes, shape)
        group = np.ravel_multi_index(
            (np.arange(shape[0]), start, shape[2] - 1),
            shape,
        )
        items = sparse.csr_array(
            (
                np.repeat(table.sizes, shape[0]),
                np.tile(group, len(table.sizes)),
                np.arange(len(table.sizes) + 1) * shape[0],
            ),
            shape=rows.shape,
        )
        blocks.append(rows + items)
    names = zip(tables, own, strict=True)
    return GroupedOutcomes(
        systems=first.systems,
        classes=tuple(
            name if len(classes) == 1 else f"{name}: {one}"
            for name, classes in names
            for one in classes
        ),
        statistics=(*first.statistics, GROUP_ITEMS),
        rows=sparse.vstack(blocks, format="csr"),
        counts=np.concatenate([table.counts for table in each]),
        sizes=np.concatenate([table.sizes for table in each]),
        strata=np.zeros(sum(len(table.counts) for table in each), dtype=np.int64),
        all_classes=first.all_classes,
        same_classes=first.same_classes,
        one_vs_rest=first.one_vs_rest,
        one_label=first.one_label,
        unit=first.unit,
        groups=tuple(tables),
        own_classes=own,
        own_negatives=first.negatives,
    )


def all_items(groups: Mapping[str, Outcomes]) -> Outcomes:
    """Put the items of groups together, as if they were one table.

    Parameters
    ----------
    groups
        Outcomes of the same systems and statistics by group.

    Examples
    --------
    >>> from likelier import Outcomes
    >>> all_items({"x": Outcomes.from_labels("aab", "abb"),
    ...            "y": Outcomes.from_labels("c", "c")})
    <Outcomes of first: 4 items, 4 patterns, 3 classes>
    """
    tables = list(groups.values())
    first = tables[0]
    classes = sorted({name for table in tables for name in table.classes})
    shape = len(first.systems), len(classes), len(first.statistics)
    codes = [
        np.array([classes.index(name) for name in table.classes]) for table in tables
    ]
    both = list(zip(tables, codes, strict=True))
    # Of one class against the rest, labels are 0 and 1 whatever its name.
    labels = [np.arange(2)] * len(tables) if first.one_vs_rest else codes
    known = [
        code[table.labels]
        for table, code in zip(tables, labels, strict=True)
        if table.labels is not None
    ]
    whole = replace(
        first,
        classes=tuple(classes),
        rows=sparse.vstack([placed(t, code, shape) for t, code in both], format="csr"),
        counts=np.concatenate([table.counts for table in tables]),
        sizes=np.concatenate([table.sizes for table in tables]),
        strata=np.concatenate(
            [code[table.strata] for table, code in zip(tables, labels, strict=True)]
        ),
        labels=np.vstack(known) if len(known) == len(tables) else None,
        items=_all_differing(groups),
        findings=(),
    )
    return whole.merged()


def _all_differing(groups: Mapping[str, Outcomes]) -> DifferingItems | None:
    """Return the items of all groups on which systems differ in their labels."""
    parts = {name: table.items for name, table in groups.items()}
    labels = {n: p for n, p in parts.items() if p is not None and p.kind == "labels"}
    return together(labels) if len(labels) == len(parts) else None


def placed(table: Outcomes, classes: IntArray, shape: tuple[int, int, int]) -> Any:
    """Return the rows of a table in a wider layout.

    Parameters
    ----------
    table
        The table.
    classes
        Class of the layout that each of its classes becomes.
    shape
        Systems, classes, statistics of the layout; further statistics stay 0.
    """
    system, code, statistic = np.unravel_index(
        np.arange(table.rows.shape[1]), table.shape
    )
    column = np.ravel_multi_index((system, classes[code], statistic), shape)
    rows = table.rows
    parts = rows.data, column[rows.indices], rows.indptr
    wide = sparse.csr_array(
        parts, shape=(rows.shape[0], int(np.prod(shape))), copy=True
    )
    wide.sort_indices()
    return wide
