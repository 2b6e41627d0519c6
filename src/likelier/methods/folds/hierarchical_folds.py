"""Many data sets with folds: the hierarchical model, by quadrature instead of MCMC.

The folds of data set i are jointly normal around its difference delta_i, with one
standard deviation sigma_i and the correlation of cross-validation. They enter through
their mean and the sum of squares within; sigma_i integrates out, and leaves a Student
law of delta_i. The delta_i come from a Student population with centre delta0, spread
sigma0 and nu degrees of freedom, whose posterior `refinement` integrates.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from likelier.citations import Sentence
from likelier.data.scores import Scores, mean_of
from likelier.interval import Rope
from likelier.methods.folds.fold_likelihood import FoldMeans, RopeRegion
from likelier.methods.folds.fold_method import FoldMethod, FoldPosterior, share_text
from likelier.methods.folds.population import Population
from likelier.methods.folds.refinement import solve
from likelier.settings import Settings
from likelier.streams import Streams

TOLERANCE = 1e-4
# The published model's upper bounds, in standard deviations.
_BOUND = 1000.0


@dataclass(frozen=True)
class HierarchicalFolds(FoldMethod):
    """Model of Corani et al. (2017) with the priors of baycomp.

    Attributes
    ----------
    tolerance
        Largest estimated error of a probability.
    """

    tolerance: float = TOLERANCE
    name: ClassVar[str] = "hierarchical"
    default_rule: ClassVar[str] = "region-mass"
    data_sets: ClassVar[Literal["one", "many"]] = "many"
    least_folds: ClassVar[int] = 3

    def posterior(
        self, scores: Scores, _streams: Streams, rope: Rope | None, /
    ) -> FoldPosterior:
        """Return the posterior of delta0, and of the regions of the next data set."""
        ends = (0.0, 0.0) if rope is None else (rope.low, rope.high)
        population = self.population(scores, *ends)
        return FoldPosterior((), population.delta0, population, population)

    def population(self, scores: Scores, low: float, high: float) -> Population:
        """Integrate the posterior of the population, exactly enough for a rope."""
        self.check(scores)
        means, unit = standardise(scores)
        region = RopeRegion(low / unit, high / unit)
        points = solve(means, region, tolerance=self.tolerance)
        names = tuple(dataset.name for dataset in scores.datasets)
        return Population(points, means, unit, names, (low, high))

    def parameters(self, scores: Scores, /) -> dict[str, Any]:
        """Return the share of the items that each fold tests, and the tolerance."""
        shares = sorted({float(dataset.test_share) for dataset in scores.datasets})
        share = shares[0] if len(shares) == 1 else (shares[0], shares[-1])
        return {"test_share": share, "tolerance": self.tolerance}

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the model of folds and data sets."""
        text = (
            "In the hierarchical model the differences on the folds of a data set are "
            "jointly normal, with the share of the items that each fold tests as their "
            f"correlation (rho = {share_text(settings)}), and the means of the data "
            "sets come from a Student population whose centre, spread and degrees of "
            "freedom are learned, under the priors of the published model"
        )
        return [Sentence(text, ("corani2017",))]


def standardise(scores: Scores) -> tuple[FoldMeans, float]:
    """Reduce folds to a Student law per data set, in units of the mean fold sd."""
    gaps, sets = scores.differences(), scores.datasets
    pairs = zip(gaps, sets, strict=True)
    sds = np.array([dataset.fold_sd(gap, ddof=0) for gap, dataset in pairs])
    unit = float(sds.mean())
    n = np.array([len(gap) for gap in gaps], dtype=float)
    rho = np.array([dataset.test_share for dataset in sets])
    centre = np.array([mean_of(gap) for gap in gaps]) / unit
    # Of the mean, given the squares within: (1 + (n-1) rho) W / ((1-rho) n (n-2)).
    inflated = (1 + (n - 1) * rho) / (1 - rho)
    scale = sds / unit * np.sqrt(inflated / (n - 2))
    among = max(float(centre.std()), float(scale.min()))
    largest = max(float(np.abs(gap).max()) for gap in gaps) / unit
    delta_bound = max(largest, float(scale.max()))
    return FoldMeans(centre, scale, n - 2, delta_bound, _BOUND * among), unit
