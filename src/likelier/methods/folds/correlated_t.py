"""One data set: the Bayesian correlated t-test.

Folds share training items, so their differences are correlated as if by the share of
items that each tests. Nadeau and Bengio's variance, and a Student posterior.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from likelier._typing import FloatArray
from likelier.citations import Sentence
from likelier.data.scores import DataSet, Scores, mean_of
from likelier.interval import Rope
from likelier.laws.real_line import StudentLaw
from likelier.methods.folds.fold_method import FoldMethod, FoldPosterior, share_text
from likelier.settings import Settings
from likelier.streams import Streams


@dataclass(frozen=True)
class CorrelatedT(FoldMethod):
    """Correlated t-test of Corani & Benavoli (2015), for one data set."""

    name: ClassVar[str] = "correlated-t"
    default_rule: ClassVar[str] = "hdi-rope"
    data_sets: ClassVar[Literal["one", "many"]] = "one"
    least_folds: ClassVar[int] = 2

    def posterior(
        self, scores: Scores, _streams: Streams, _rope: Rope | None, /
    ) -> FoldPosterior:
        """Return the posterior of both mean scores and of their difference."""
        self.check(scores)
        dataset = scores.datasets[0]
        systems = tuple(_mean_law(column, dataset) for column in dataset.values.T)
        return FoldPosterior(systems, _mean_law(scores.differences()[0], dataset))

    def parameters(self, scores: Scores, /) -> dict[str, Any]:
        """Return the share of the items that each fold tests."""
        return {"test_share": float(scores.datasets[0].test_share)}

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the posterior and its correlation."""
        text = (
            "The mean difference over folds has the posterior of the Bayesian "
            f"correlated t-test: a Student law with {int(settings.data.items) - 1} "
            "degrees of freedom under a flat prior, with the correlation of two folds "
            "taken as the share of the items that each tests, "
            f"rho = {share_text(settings)}"
        )
        return [Sentence(text, ("corani2015", "nadeau2003"))]


def _mean_law(values: FloatArray, dataset: DataSet) -> StudentLaw:
    """Return the posterior of the mean of correlated folds, under a flat prior."""
    n = len(values)
    variance = dataset.fold_sd(values) ** 2 * (1 / n + dataset.test_per_train)
    return StudentLaw(mean_of(values), float(np.sqrt(variance)), float(n - 1))
