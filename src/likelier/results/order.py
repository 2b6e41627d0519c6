"""The partial order of systems, from the verdicts on all pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from likelier._typing import BoolArray
from likelier.decision import TIED, ThreeProbabilities
from likelier.errors import SettingError
from likelier.formatting import plain


@dataclass(frozen=True, eq=False)
class Order:
    """Which system is below which, which are equivalent, and where nobody knows.

    The relation of two systems is the most probable of below, equivalent and above.

    Attributes
    ----------
    systems
        Names, the lowest first as far as there is an order.
    below
        Whether the row's system is below the column's (system, system).
    alike
        Whether two systems are equivalent (system, system).

    Examples
    --------
    >>> sure = ThreeProbabilities(0.1, 0.1, 0.8, 0)
    >>> same = ThreeProbabilities(0.1, 0.8, 0.1, 0)
    >>> pairs = {("a", "b"): sure, ("a", "c"): sure, ("b", "c"): same}
    >>> print(Order.of(["c", "b", "a"], pairs))
    a < c ≈ b
    """

    systems: tuple[str, ...]
    below: BoolArray
    alike: BoolArray

    @classmethod
    def of(
        cls,
        systems: Sequence[str],
        pairs: Mapping[tuple[str, str], ThreeProbabilities],
        *,
        threshold: float = 0.0,
    ) -> "Order":
        """Take the most probable relation of every pair, if it is probable enough.

        Parameters
        ----------
        systems
            Names.
        pairs
            For a baseline and a candidate, what is known of the candidate.
        threshold
            How probable a relation must be to count.
        """
        checked_threshold(threshold)
        n = len(systems)
        below, alike = np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=bool)
        for (first, second), known in pairs.items():
            i, j = systems.index(first), systems.index(second)
            shares = (known.worse, known.equivalent, known.better)
            largest = [share > max(shares) - TIED for share in shares]
            if max(shares) < threshold or sum(largest) > 1:
                continue
            below[j, i], _, below[i, j] = largest
            alike[i, j] = alike[j, i] = largest[1]
        places = _lowest_first(below)
        names = tuple(systems[place] for place in places)
        return cls(names, below[np.ix_(places, places)], alike[np.ix_(places, places)])

    def __str__(self) -> str:
        if self.chain is None:
            return "; ".join(self._remarks())
        other = [f"{plain(a)} {sign} {plain(b)}" for a, sign, b in self.exceptions]
        return f"{self.chain}, but {', '.join(other)}" if other else self.chain

    @cached_property
    def known(self) -> BoolArray:
        """Whether something can be said of two systems."""
        return self.below | self.below.T | self.alike

    @cached_property
    def chain(self) -> str | None:
        """The order as one line, where no pair is unknown or turned round."""
        n = len(self.systems)
        upper = np.triu(np.ones((n, n), dtype=bool), 1)
        if (self.below.T & upper).any() or (~self.known & upper).any():
            return None
        signs = [self._sign(i, i + 1) for i in range(n - 1)]
        names = [plain(name) for name in self.systems]
        steps = (f" {s} {name}" for s, name in zip(signs, names[1:], strict=True))
        return names[0] + "".join(steps)

    def _sign(self, i: int, j: int) -> str:
        if self.alike[i, j]:
            return "≈"
        return "<" if self.below[i, j] else ">" if self.below[j, i] else "?"

    @cached_property
    def exceptions(self) -> tuple[tuple[str, str, str], ...]:
        """Pairs of which the chain, read from end to end, says something else."""
        n = len(self.systems)
        found = []
        for i in range(n):
            for j in range(i + 2, n):
                steps = {self._sign(k, k + 1) for k in range(i, j)}
                read = "≈" if steps == {"≈"} else "<"
                sign = self._sign(i, j)
                if sign != read:
                    found.append((self.systems[i], sign, self.systems[j]))
        return tuple(found)

    @cached_property
    def _component(self) -> NDArray[np.int32]:
        """The circle that each system belongs to; most are alone in theirs."""
        return np.asarray(connected_components(self.below, connection="strong")[1])

    @cached_property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """Circles of systems, each below the next and the last below the first."""
        counts = np.bincount(self._component)
        groups = [
            np.flatnonzero(self._component == c) for c in np.flatnonzero(counts > 1)
        ]
        paths = (self._circle(group.tolist()) for group in groups)
        return tuple(tuple(self.systems[i] for i in path) for path in paths)

    def _circle(self, group: list[int]) -> list[int]:
        """Find a shortest way from the first of a circle round to itself."""
        before: dict[int, int] = {}
        found = [group[0]]
        for system in found:
            for other in group:
                if not self.below[system, other]:
                    continue
                if other == group[0]:
                    path = [system]
                    while path[-1] != group[0]:
                        path.append(before[path[-1]])
                    return path[::-1]
                if other not in before:
                    before[other] = system
                    found.append(other)
        raise AssertionError(group)  # pragma: no cover - a circle comes round

    @cached_property
    def circular(self) -> tuple[tuple[str, str], ...]:
        """Pairs inside circles with the first system below the second."""
        inside = self.below & (self._component[:, None] == self._component)
        return tuple((self.systems[i], self.systems[j]) for i, j in np.argwhere(inside))

    @cached_property
    def covers(self) -> tuple[tuple[str, str], ...]:
        """Pairs with one system directly below the other: the lines of the graph."""
        strict = self.below & (self._component[:, None] != self._component)
        reach = strict.copy()
        for _ in self.systems:
            reach |= (reach.astype(int) @ strict.astype(int)) > 0
        direct = strict & ~((strict.astype(int) @ reach.astype(int)) > 0)
        return tuple((self.systems[i], self.systems[j]) for i, j in np.argwhere(direct))

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """How high each system stands: above how many others in a row."""
        height = dict.fromkeys(self.systems, 0)
        for _ in self.systems:
            for low, high in self.covers:
                height[high] = max(height[high], height[low] + 1)
        return tuple(height[name] for name in self.systems)

    @cached_property
    def equivalent(self) -> tuple[tuple[str, str], ...]:
        """Pairs that are most probably equivalent."""
        return self._pairs(self.alike)

    @cached_property
    def undecided(self) -> tuple[tuple[str, str], ...]:
        """Pairs of which nothing can be said."""
        return self._pairs(~self.known)

    def _pairs(self, mask: BoolArray) -> tuple[tuple[str, str], ...]:
        chosen = np.argwhere(np.triu(mask, 1))
        return tuple((self.systems[i], self.systems[j]) for i, j in chosen)

    def _remarks(self) -> list[str]:
        parts = [f"{plain(low)} < {plain(high)}" for low, high in self.covers]
        parts += [f"{plain(a)} ≈ {plain(b)}" for a, b in self.equivalent]
        parts += [f"{plain(a)} ? {plain(b)}" for a, b in self.undecided]
        circles = [" < ".join(map(plain, (*c, c[0]))) for c in self.cycles]
        shown = {pair for c in self.cycles for pair in pairwise((*c, c[0]))}
        rest = [pair for pair in self.circular if pair not in shown]
        parts += [f"{plain(low)} < {plain(high)}" for low, high in rest]
        told = [", ".join(parts)] if parts else []
        return [*told, *(f"in a circle: {circle}" for circle in circles)]

    def to_dict(self) -> dict[str, Any]:
        """Give the order as it stands in the JSON."""
        return {
            "systems": list(self.systems),
            "chain": self.chain,
            "exceptions": [list(exception) for exception in self.exceptions]
            if self.chain is not None
            else [],
            "below": [list(pair) for pair in self.covers],
            "equivalent": [list(pair) for pair in self.equivalent],
            "undecided": [list(pair) for pair in self.undecided],
            "cycles": [list(cycle) for cycle in self.cycles],
            "circular": [list(pair) for pair in self.circular],
        }


def _lowest_first(below: BoolArray) -> list[int]:
    """Put systems in a line with none above one that it is below, circles apart.

    Among those that could come next, who is above fewer systems comes first.
    """
    circle = connected_components(below, connection="strong")[1]
    strict = below & (circle[:, None] != circle)
    lead = below.sum(axis=0) - below.sum(axis=1)
    left = list(range(len(below)))
    line: list[int] = []
    while left:
        free = [i for i in left if not strict[left, i].any()]
        following = min(free, key=lambda i: (lead[i], i))
        line.append(following)
        left.remove(following)
    return line


def checked_threshold(threshold: float) -> float:
    """Return the threshold of a relation, if it is a probability."""
    if not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        message = f"threshold must lie between 0 and 1; got {threshold!r}."
        raise SettingError(message)
    return threshold
