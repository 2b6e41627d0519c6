"""Data sets of the hierarchical model: each of them, their population, the next."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from likelier import formatting
from likelier.formatting import plain
from likelier.interval import Interval, Rope
from likelier.results.parts import Cell, Forest, ForestRow, Table, columns

if TYPE_CHECKING:
    from likelier.laws.real_line import TabulatedLaw
    from likelier.methods.folds.population import Population


@dataclass(frozen=True)
class DataSetRow:
    """One data set: its mean difference, before and after shrinkage.

    Attributes
    ----------
    name
        The data set.
    folds
        Number of its folds.
    observed
        Mean difference of its folds.
    alone
        Interval of its difference from its own folds only.
    shrunken
        Posterior of its difference from the folds of all data sets.
    """

    name: str
    folds: int
    observed: float
    alone: Interval
    shrunken: "TabulatedLaw" = field(repr=False)


@dataclass(frozen=True, eq=False)
class DataSets:
    """Population of data sets, its members, and the next one.

    Attributes
    ----------
    population
        Posterior of delta0, sigma0 and nu.
    folds
        Number of folds of each data set.
    mass
        Mass of the intervals.
    """

    population: "Population" = field(repr=False)
    folds: tuple[int, ...]
    mass: float

    @cached_property
    def rows(self) -> tuple[DataSetRow, ...]:
        """Data sets, in their order."""
        population = self.population
        means = population.unit * population.means.centre
        laws = population.alone, population.shrunken
        rows = zip(population.names, self.folds, means, *laws, strict=True)
        return tuple(
            DataSetRow(name, folds, float(mean), law.hdi(self.mass), shrunken)
            for name, folds, mean, law, shrunken in rows
        )

    def lines(self) -> list[str]:
        """Say what the next data set will probably show, and the numerical error."""
        error, points = self.population.error, self.population.n_points
        return [
            self.next_line(),
            f"quadrature error about {error:.1e} with {points:,} points",
        ]

    def next_line(self) -> str:
        """Say what the next data set will probably show."""
        worse, inside, better = map(formatting.percent, self.predictive)
        show = formatting.decimals_for(self.population.delta0.std())
        low, high = (
            formatting.number(end, show, signed=True)
            for end in self.population.next.hdi(self.mass)
        )
        rope_low, rope_high = self.population.rope
        middle = "" if rope_low == rope_high else f", within the rope {inside}"
        return (
            f"next data set: worse {worse}{middle}, better {better}; "
            f"{100 * self.mass:g} % between {low} and {high}"
        )

    @cached_property
    def predictive(self) -> tuple[float, float, float]:
        """Probabilities that the next data set lies below, in and above the rope."""
        return self.population.predictive()

    def table(self) -> Table:
        """Return every data set: alone, and shrunken."""
        show = formatting.decimals_for(self.population.delta0.std())
        name = formatting.interval_name("hdi", self.mass)
        rows = tuple(
            (
                plain(row.name),
                f"{row.folds:,}",
                formatting.number(row.observed, show, signed=True),
                formatting.ends(row.alone, show, signed=True),
                formatting.number(row.shrunken.mean(), show, signed=True),
                formatting.ends(row.shrunken.hdi(self.mass), show, signed=True),
            )
            for row in self.rows
        )
        names = ("data set", "folds", "mean", f"{name} alone", "shrunken", name)
        return Table("Data sets", columns(*names, text=["data set"]), rows)

    def forest(self) -> Forest:
        """Put the data sets on one scale: as counted, and shrunken."""
        show = formatting.decimals_for(self.population.delta0.std())
        rows = tuple(
            ForestRow(
                plain(row.name),
                row.shrunken.mean(),
                row.shrunken.hdi(self.mass),
                (Cell(f"{row.folds:,}", row.folds),),
                (
                    Cell(
                        formatting.number(row.shrunken.mean(), show, signed=True),
                        row.shrunken.mean(),
                    ),
                    Cell(
                        formatting.ends(row.shrunken.hdi(self.mass), show, signed=True)
                    ),
                ),
                counted=row.observed,
            )
            for row in self.rows
        )
        low, high = self.population.rope
        return Forest(
            title="Every data set",
            head="data set",
            before=("folds",),
            after=("difference", f"{100 * self.mass:g} % interval"),
            rows=rows,
            note=(
                "Data sets borrow from each other: the dot is the difference after "
                "sharing strength, the short stroke below it the mean of the folds.",
            ),
            rope=None if low == high else Rope(low, high),
            sorted_by="",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the data sets and their population as in the JSON."""
        population = self.population
        worse, inside, better = self.predictive
        return {
            "population": {
                "delta0": self._summary(population.delta0),
                "sigma0": self._summary(population.sigma0, mean=False),
                "nu": self._summary(population.nu, mean=False),
            },
            "data_sets": [
                {
                    "name": row.name,
                    "folds": row.folds,
                    "value": row.observed,
                    "alone": row.alone.to_dict(),
                    **self._summary(row.shrunken),
                }
                for row in self.rows
            ],
            "predictive": {
                "worse": worse,
                "equivalent": inside,
                "better": better,
                "interval": population.next.hdi(self.mass).to_dict(),
            },
            "quadrature": {
                "error": population.error,
                "points": population.n_points,
            },
        }

    def _summary(self, law: "TabulatedLaw", *, mean: bool = True) -> dict[str, Any]:
        # The means of sigma0 and nu depend on their bounds: they are left out.
        centre = {"mean": law.mean(), "sd": law.std()} if mean else {}
        interval = law.hdi(self.mass) if mean else law.interval(self.mass)
        return {**centre, "median": law.median(), "interval": interval.to_dict()}
