"""Many data sets with folds: the hierarchical model, by quadrature instead of MCMC.

The folds of data set i are jointly normal around its difference delta_i, with one
standard deviation sigma_i and the correlation of cross-validation. They enter through
their mean and the sum of squares within; sigma_i integrates out, and leaves a Student
law of delta_i. The delta_i come from a Student population with centre delta0, spread
sigma0 and nu degrees of freedom, whose posterior `lattice` integrates.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likelier.distribution import Posterior
from likelier.errors import NotDefinedError
from likelier.score_methods.correlated import check_folds, fold_sd
from likelier.score_methods.means import Means
from likelier.score_methods.population import Population
from likelier.score_methods.region import Region
from likelier.score_methods.solving import solve
from likelier.scores import Scores
from likelier.scores.table import mean_of

FloatArray = NDArray[np.float64]

# The published model's upper bounds, in standard deviations.
_BOUND = 1000.0
TOLERANCE = 1e-4


@dataclass(frozen=True)
class Hierarchical:
    """The model of Corani et al. (2017) with the priors of baycomp.

    Attributes
    ----------
    tolerance
        How large the estimated error of a probability may be.
    """

    tolerance: float = TOLERANCE
    name: ClassVar[str] = "hierarchical"

    def posterior(self, scores: Scores, low: float, high: float) -> Posterior:
        """Give the posterior of delta0, and of the regions of the next data set."""
        population = self.population(scores, low, high)
        return Posterior((), population.delta0, population)

    def population(self, scores: Scores, low: float, high: float) -> Population:
        """Integrate the posterior of the population, exactly enough for a rope."""
        if len(scores.datasets) < 2:
            message = (
                "The hierarchical model must have at least two data sets to learn "
                f"how they differ; got {len(scores.datasets)}."
            )
            raise NotDefinedError(message, hint="One data set: correlated-t.")
        for dataset in scores.datasets:
            check_folds(dataset, least=3)
        means, unit = standardised(scores)
        region = Region(low / unit, high / unit)
        lattice = solve(means, region, tolerance=self.tolerance)
        names = tuple(dataset.name for dataset in scores.datasets)
        return Population(lattice, means, unit, names, (low, high))

    def parameters(self, scores: Scores) -> dict[str, Any]:
        """Return the share of the items that each fold tests, and the tolerance."""
        shares = sorted({float(dataset.test_share) for dataset in scores.datasets})
        share = shares[0] if len(shares) == 1 else (shares[0], shares[-1])
        return {"test_share": share, "tolerance": self.tolerance}


def standardised(scores: Scores) -> tuple[Means, float]:
    """Reduce folds to a Student law per data set, in units of the mean fold sd."""
    gaps = scores.differences()
    sets = scores.datasets
    pairs = list(zip(gaps, sets, strict=True))
    sds = np.array([fold_sd(gap, dataset, ddof=0) for gap, dataset in pairs])
    unit = float(sds.mean())
    n = np.array([len(gap) for gap in gaps], dtype=float)
    rho = np.array([dataset.test_share for dataset in sets])
    centre = np.array([mean_of(gap) for gap in gaps]) / unit
    # Of the mean, given the squares within: (1 + (n-1) rho) W / ((1-rho) n (n-2)).
    inflated = (1 + (n - 1) * rho) / (1 - rho)
    scale = sds / unit * np.sqrt(inflated / (n - 2))
    among = max(float(centre.std()), float(scale.min()))
    bound = max(
        max(float(np.abs(gap).max()) for gap in gaps) / unit, float(scale.max())
    )
    return Means(centre, scale, n - 2, bound, _BOUND * among), unit
