"""Partial order of systems, from the probabilities of all pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._typing import BoolArray
from likelier.decision import TIED, ThreeProbabilities
from likelier.errors import SettingError
from likelier.formatting import plain


@dataclass(frozen=True, eq=False)
class Order:
    """Partial order: systems below others, equivalent ones, and undecided pairs.

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
            Probabilities of the candidate by baseline and candidate.
        threshold
            Least probability of a relation that counts.
        """
        checked_threshold(threshold)
        n = len(systems)
        below, alike = np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=bool)
        for (first, second), p in pairs.items():
            i, j = systems.index(first), systems.index(second)
            shares = (p.worse, p.equivalent, p.better)
            largest = [share > max(shares) - TIED for share in shares]
            if max(shares) < threshold or sum(largest) > 1:
                continue
            below[j, i], _, below[i, j] = largest
            alike[i, j] = alike[j, i] = largest[1]
        line = _lowest_first(below)
        names, square = tuple(systems[index] for index in line), np.ix_(line, line)
        return cls(names, below[square], alike[square])

    def __str__(self) -> str:
        if self.chain is None:
            return "; ".join(self._remarks())
        other = [f"{plain(a)} {sign} {plain(b)}" for a, sign, b in self.exceptions]
        return f"{self.chain}, but {', '.join(other)}" if other else self.chain

    @cached_property
    def decided(self) -> BoolArray:
        """Whether the relation of two systems is decided (system, system)."""
        return self.below | self.below.T | self.alike

    @cached_property
    def chain(self) -> str | None:
        """Order as one line, where no pair is undecided or reversed."""
        n = len(self.systems)
        upper = np.triu(np.ones((n, n), dtype=bool), 1)
        if (self.below.T & upper).any() or (~self.decided & upper).any():
            return None
        signs = [self._sign(i, i + 1) for i in range(n - 1)]
        first, *others = map(plain, self.systems)
        steps = (f" {s} {name}" for s, name in zip(signs, others, strict=True))
        return first + "".join(steps)

    def _sign(self, i: int, j: int) -> str:
        if self.alike[i, j]:
            return "≈"
        return "<" if self.below[i, j] else ">" if self.below[j, i] else "?"

    @cached_property
    def exceptions(self) -> tuple[tuple[str, str, str], ...]:
        """Pairs whose relation is not the one that the chain suggests."""
        n = len(self.systems)
        exceptions = []
        for i in range(n):
            for j in range(i + 2, n):
                steps = {self._sign(k, k + 1) for k in range(i, j)}
                read = "≈" if steps == {"≈"} else "<"
                sign = self._sign(i, j)
                if sign != read:
                    exceptions.append((self.systems[i], sign, self.systems[j]))
        return tuple(exceptions)

    @cached_property
    def _component(self) -> NDArray[np.int32]:
        """Number of the circle that each system is in; most are alone in theirs."""
        return _circles(self.below)

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
        """Return a shortest path from the first of a circle round to itself."""
        before: dict[int, int] = {}
        reached = [group[0]]
        for system in reached:
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
                    reached.append(other)
        raise AssertionError(group)  # pragma: no cover - a circle comes round

    @cached_property
    def circular(self) -> tuple[tuple[str, str], ...]:
        """Pairs inside circles with the first system below the second."""
        inside = self._component[:, None] == self._component
        return self._pairs(self.below & inside)

    @cached_property
    def covers(self) -> tuple[tuple[str, str], ...]:
        """Pairs with one system directly below the other: the lines of the graph."""
        strict = self.below & (self._component[:, None] != self._component)
        reach = strict.copy()
        for _ in self.systems:
            reach |= (reach.astype(int) @ strict.astype(int)) > 0
        return self._pairs(strict & ~((strict.astype(int) @ reach.astype(int)) > 0))

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """Level of each system: the number of others in a row below it."""
        height = dict.fromkeys(self.systems, 0)
        for _ in self.systems:
            for low, high in self.covers:
                height[high] = max(height[high], height[low] + 1)
        return tuple(height[name] for name in self.systems)

    @cached_property
    def equivalent(self) -> tuple[tuple[str, str], ...]:
        """Pairs that are most probably equivalent."""
        return self._pairs(np.triu(self.alike, 1))

    @cached_property
    def undecided(self) -> tuple[tuple[str, str], ...]:
        """Pairs whose relation is open."""
        return self._pairs(np.triu(~self.decided, 1))

    def _pairs(self, mask: BoolArray) -> tuple[tuple[str, str], ...]:
        return tuple((self.systems[i], self.systems[j]) for i, j in np.argwhere(mask))

    def _remarks(self) -> list[str]:
        circles = [(*cycle, cycle[0]) for cycle in self.cycles]
        steps = {pair for circle in circles for pair in pairwise(circle)}
        rest = tuple(pair for pair in self.circular if pair not in steps)
        signs = {" < ": self.covers, " ≈ ": self.equivalent, " ? ": self.undecided}
        pairs = [(sign, pair) for sign in signs for pair in signs[sign]]
        pairs += [(" < ", pair) for pair in rest]
        text = ", ".join(sign.join(map(plain, pair)) for sign, pair in pairs)
        lines = [f"in a circle: {' < '.join(map(plain, c))}" for c in circles]
        return [*([text] if text else []), *lines]

    def to_dict(self) -> dict[str, Any]:
        """Return the order as in the JSON."""
        exceptions = () if self.chain is None else self.exceptions
        return {
            "systems": list(self.systems),
            "chain": self.chain,
            "exceptions": [list(exception) for exception in exceptions],
            "below": [list(pair) for pair in self.covers],
            "equivalent": [list(pair) for pair in self.equivalent],
            "undecided": [list(pair) for pair in self.undecided],
            "cycles": [list(cycle) for cycle in self.cycles],
            "circular": [list(pair) for pair in self.circular],
        }


def _circles(below: BoolArray) -> NDArray[np.int32]:
    """Return the number of the circle of each system; most are alone in theirs."""
    from scipy.sparse.csgraph import connected_components

    return np.asarray(connected_components(below, connection="strong")[1])


def _lowest_first(below: BoolArray) -> list[int]:
    """Put systems in a line with none above one that it is below, but for circles.

    Of those that could come next, the one above fewer systems comes first.
    """
    circle = _circles(below)
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
