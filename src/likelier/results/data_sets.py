"""Data sets of the hierarchical model: each of them, their population, the next."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from likelier import formatting
from likelier.formatting import plain
from likelier.interval import Interval
from likelier.results.parts import Table, columns

if TYPE_CHECKING:
    from likelier.laws.real_line import TabulatedLaw
    from likelier.methods.folds.population import Population


@dataclass(frozen=True)
class DataSetRow:
    """One data set: its mean difference, and what it is after shrinkage.

    Attributes
    ----------
    name
        The data set.
    folds
        How many folds it has.
    observed
        The mean difference of its folds.
    alone
        The interval of its difference from its own folds only.
    shrunken
        The posterior of its difference, given all data sets.
    """

    name: str
    folds: int
    observed: float
    alone: Interval
    shrunken: "TabulatedLaw" = field(repr=False)


@dataclass(frozen=True, eq=False)
class DataSets:
    """The population of data sets, its members, and the next one.

    Attributes
    ----------
    population
        The posterior of delta0, sigma0 and nu.
    folds
        How many folds each data set has.
    mass
        The mass of the intervals.
    """

    population: "Population" = field(repr=False)
    folds: tuple[int, ...]
    mass: float

    @cached_property
    def rows(self) -> tuple[DataSetRow, ...]:
        """The data sets, in their order."""
        found = self.population
        rows = zip(
            found.names,
            self.folds,
            found.unit * found.means.centre,
            found.alone,
            found.shrunken,
            strict=True,
        )
        return tuple(
            DataSetRow(name, folds, float(mean), law.hdi(self.mass), shrunken)
            for name, folds, mean, law, shrunken in rows
        )

    def lines(self) -> list[str]:
        """Say what the next data set will probably show."""
        worse, inside, better = map(formatting.percent, self.predictive)
        low, high = self.population.next.hdi(self.mass)
        rope_low, rope_high = self.population.rope
        middle = "" if rope_low == rope_high else f", within the rope {inside}"
        return [
            f"next data set: worse {worse}{middle}, better {better}; "
            f"{100 * self.mass:g} % between {low:+.4g} and {high:+.4g}",
            f"quadrature error about {self.population.error:.1e} with "
            f"{self.population.n_points:,} points",
        ]

    @cached_property
    def predictive(self) -> tuple[float, float, float]:
        """The probabilities that the next data set lies below, in, above the rope."""
        return self.population.predictive()

    def table(self) -> Table:
        """Return every data set: alone, and shrunken."""
        show = formatting.decimals_for(self.population.delta0.std())
        name = formatting.interval_name("hdi", self.mass)
        rows = []
        for row in self.rows:
            shrunken = row.shrunken.hdi(self.mass)
            rows.append(
                (
                    plain(row.name),
                    f"{row.folds:,}",
                    formatting.number(row.observed, show, signed=True),
                    formatting.ends(row.alone, show, signed=True),
                    formatting.number(row.shrunken.mean(), show, signed=True),
                    formatting.ends(shrunken, show, signed=True),
                )
            )
        names = ("data set", "folds", "mean", f"{name} alone", "shrunken", name)
        return Table("Data sets", columns(*names, text=["data set"]), tuple(rows))

    def to_dict(self) -> dict[str, Any]:
        """Give the data sets and their population as they stand in the JSON."""
        found = self.population
        worse, inside, better = self.predictive
        return {
            "population": {
                "delta0": self._summary(found.delta0),
                "sigma0": self._summary(found.sigma0, mean=False),
                "nu": self._summary(found.nu, mean=False),
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
                "interval": found.next.hdi(self.mass).to_dict(),
            },
            "quadrature": {"error": found.error, "points": found.n_points},
        }

    def _summary(self, known: "TabulatedLaw", *, mean: bool = True) -> dict[str, Any]:
        # The means of sigma0 and nu hang on their bounds: they are not told.
        centre = {"mean": known.mean(), "sd": known.std()} if mean else {}
        kind = known.hdi if mean else known.interval
        return {
            **centre,
            "median": known.median(),
            "interval": kind(self.mass).to_dict(),
        }
