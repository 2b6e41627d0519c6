"""Classes that learn from each other: a hierarchical model, without MCMC.

The predictions of two systems, given the gold side, positive or negative, have a
distribution of their own in every class, and these come from one Dirichlet whose
concentration and centre are learned (the extension that Zhang et al. 2016 propose in
section 5, doi:10.1145/2911451.2911547). A class of few items borrows from the others,
the more the more they are alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from likelier._typing import FloatArray
from likelier.bayes_factor import LogDensity
from likelier.citations import Sentence
from likelier.data.outcomes import Outcomes
from likelier.distribution import Posterior, drawn_posterior
from likelier.errors import NotDefinedError, SettingError, unknown_name
from likelier.methods.items.pooling import Pooling, pool
from likelier.methods.protocols import PosteriorMethod
from likelier.metrics.metric import Metric
from likelier.settings import Settings
from likelier.streams import Streams

CentreName = Literal["uniform"]
Sides = tuple[Pooling, Pooling]

_CELLS = 4
# Random numbers of a class: 4 cells on 2 sides, and the shares of the sides.
_NUMBERS = 2 * _CELLS + 2
# Smaller numbers cannot be divided by.
_TOO_SMALL = 1e-280
# The other methods' purposes are 0 to 3. Here: the negatives' and the positives'
# pooling, and the draws.
_POSTERIOR, _PRIOR = (4, 5, 6), (7, 8, 9)


@dataclass(frozen=True, kw_only=True)
class HierarchicalClasses:
    """Two systems on the same items, class by class, with a prior the classes share.

    Use this for many classes of few items each; with many items in every class it
    agrees with `Paired`.

    Given the gold side, the predictions in a class have the prior
    Dirichlet(concentration x centre). The centre is uniform before any item was seen,
    and so is 4 / (4 + concentration): in the median the prior weighs as much as the
    uniform one. The share of a class's gold items has a uniform prior of its own.

    Given what is shared, the classes are taken as independent, as with sets of labels.
    Where every item has one label, an error counts in two classes, and with few
    classes the posterior of a mean over them is too narrow: use `Paired` there.

    Parameters
    ----------
    concentration
        Number of items of each class and gold side that the common centre weighs as
        much as; learned by default. A very large number makes all classes one.
    centre
        ``uniform`` puts the centre in the middle; learned by default. With a
        concentration of 4 it leaves the uniform prior, and no class learns of another.

    Examples
    --------
    >>> from likelier import metrics, Outcomes
    >>> table = Outcomes.from_labels("aabbcc" * 9, "abbbcc" * 9, "aabbca" * 9)
    >>> classes = [table.binary(name) for name in table.classes]
    >>> method = HierarchicalClasses()
    >>> values = method.draw_classes(classes, metrics.f1, Streams.of(0, draws=100))
    >>> values.shape
    (100, 3, 2)
    """

    name: ClassVar[str] = "hierarchical"
    concentration: float | None = None
    centre: CentreName | None = None

    def __post_init__(self) -> None:
        if self.centre not in (None, "uniform"):
            raise unknown_name(self.centre, ("uniform",), kind="centre")
        number = self.concentration
        if number is not None and not 0 < number < np.inf:
            message = f"concentration must be a finite number above 0; got {number!r}."
            raise SettingError(message)

    def posteriors(
        self, tables: Sequence[Outcomes], metric: Metric, streams: Streams
    ) -> "list[ClassPosterior]":
        """Return the posterior and the prior of each class, under the joint model.

        Parameters
        ----------
        tables
            One class against the rest each, as `Outcomes.binary` gives them.
        metric
            A metric of one class.
        streams
            Source of random numbers.
        """
        symmetric = all(table.symmetric for table in tables)
        after = self.draw_classes(tables, metric, streams)
        before = self.draw_classes(tables, metric, streams, prior=True)
        return [
            ClassPosterior(
                self,
                drawn_posterior(after[:, i], metric.differences, mirror=symmetric),
                drawn_posterior(before[:, i], metric.differences, mirror=True),
            )
            for i in range(len(tables))
        ]

    def draw_classes(
        self,
        tables: Sequence[Outcomes],
        metric: Metric,
        streams: Streams,
        *,
        prior: bool = False,
    ) -> FloatArray:
        """Draw the metric (draw, class, system), from the posterior or the prior."""
        counts, purposes = _counts(tables), _POSTERIOR
        if prior:
            counts, purposes = np.zeros_like(counts), _PRIOR
        sides = self._pooled(counts, streams, purposes)
        view = metric.view(tables[0].completed()).without_labels()

        def block(generator: np.random.Generator, n: int) -> FloatArray:
            weights = _weights(sides, counts, generator, n)
            values = metric.values(view, weights.reshape(-1, 2 * _CELLS))
            return values.reshape(n, len(counts), -1)

        width = _NUMBERS * len(counts)
        return streams.run(block, width=width, purpose=purposes[-1])

    def pooling(self, tables: Sequence[Outcomes], streams: Streams) -> Sides:
        """Compute what the classes share, on the negative and on the positive side."""
        return self._pooled(_counts(tables), streams, _POSTERIOR)

    def parameters(self) -> dict[str, Any]:
        """Return what is fixed; the rest is learned."""
        fixed = {"concentration": self.concentration, "centre": self.centre}
        return {name: value for name, value in fixed.items() if value is not None}

    def _pooled(
        self, counts: FloatArray, streams: Streams, purposes: tuple[int, ...]
    ) -> Sides:
        middle = None if self.centre is None else np.full(_CELLS, 1 / _CELLS)
        negative, positive = (
            pool(
                counts[:, side],
                streams,
                purpose=purposes[side],
                draws=streams.draws_for(_NUMBERS * len(counts)),
                concentration=self.concentration,
                fixed=middle,
            )
            for side in range(2)
        )
        return negative, positive


@dataclass(frozen=True, eq=False)
class ClassPosterior(PosteriorMethod):
    """Posterior of one class that the joint model of all classes gave."""

    method: HierarchicalClasses
    after: Posterior
    before: Posterior

    @property
    def name(self) -> str:
        """Name on the command line and in recipes."""
        return self.method.name

    def posterior(self, *_: object) -> Posterior:
        """Return the posterior of the class."""
        return self.after

    def prior_distribution(self, *_: object) -> Posterior:
        """Return the prior of the class."""
        return self.before

    def log_density_at_zero(self, *_: object, prior: bool) -> LogDensity:  # noqa: ARG002
        """Refuse: the joint model has no density of a point."""
        message = "A point null is not offered where classes learn from each other."
        raise NotDefinedError(message, hint="Give a rope.")

    def parameters(self, _: Outcomes) -> dict[str, Any]:
        """Return what is fixed; the rest is learned."""
        return self.method.parameters()

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the prior that the classes share."""
        concentration = settings.parameters.get("concentration")
        weight = "is learned"
        if concentration is not None:
            weight = f"is fixed at {concentration:g}"
        centre = settings.parameters.get("centre") or "learned"
        text = (
            "Given the gold side, positive or negative, what the two systems say in a "
            "class has a Dirichlet prior that all classes share, whose concentration "
            f"{weight} and whose centre is {centre}"
        )
        return [Sentence(text, ("zhang2015",))]


def _weights(
    sides: Sides, counts: FloatArray, generator: np.random.Generator, n: int
) -> FloatArray:
    """Draw the shares of all cells (draw, class, side, cell)."""
    prior = np.stack([side.shapes(generator, n) for side in sides], axis=1)
    cells = generator.standard_gamma(prior[:, np.newaxis] + counts)
    items = counts.sum(axis=-1)
    gold = generator.standard_gamma(items + 1.0, size=(n, *items.shape))
    totals = cells.sum(axis=-1)
    _fill_corners(cells, totals, prior, generator)
    cells *= (gold / totals)[..., np.newaxis]
    return cells


def _fill_corners(
    cells: FloatArray,
    totals: FloatArray,
    prior: FloatArray,
    generator: np.random.Generator,
) -> None:
    """Fill one cell of a class where all cells are too small for a float.

    With shapes near 0 one cell is larger than the others by far, each with the chance
    that the centre gives it.
    """
    draw, group, side = np.nonzero(totals < _TOO_SMALL)
    below = np.cumsum(prior[draw, side], axis=1)
    aim = generator.random(len(draw)) * below[:, -1]
    cell = (below <= aim[:, np.newaxis]).sum(axis=1)
    cells[draw, group, side] = np.eye(_CELLS)[cell]
    totals[draw, group, side] = 1.0


def _counts(tables: Sequence[Outcomes]) -> FloatArray:
    """Count the items (class, gold side, pair of predictions)."""
    if len(tables) == 0:
        message = "tables must hold at least one class; got none."
        raise SettingError(message)
    for table in tables:
        _check(table)
    counts = np.array([table.completed().counts for table in tables])
    return counts.reshape(len(tables), 2, _CELLS)


def _check(table: Outcomes) -> None:
    if len(table.systems) != 2:
        message = f"There must be two systems; got {len(table.systems)}."
        raise NotDefinedError(message, hint="Take outcomes.pair(first, second).")
    if len(table.classes) != 1:
        got = f"{len(table.classes)} classes"
    elif table.n_cells is None:
        got = "clusters, scores or counts"
    else:
        return
    message = f"A table must hold one class against the rest, item by item; got {got}."
    raise NotDefinedError(message, hint="Take outcomes.binary(name) for each class.")
