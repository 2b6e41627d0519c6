"""P-values for scores of cross-validation: the companions of the Bayesian tests.

Pure functions of arrays: differences are second minus first, p-values two-sided.
"""

from likelier.score_tests.adjusted import benjamini_hochberg, holm
from likelier.score_tests.five_by_two import five_by_two_f, five_by_two_t
from likelier.score_tests.friedman import Friedman, friedman
from likelier.score_tests.nemenyi import Nemenyi, nemenyi
from likelier.score_tests.replicability import Replicability, k_hat
from likelier.score_tests.resampled_t import resampled_t
from likelier.score_tests.wilcoxon import wilcoxon

__all__ = [
    "Friedman",
    "Nemenyi",
    "Replicability",
    "benjamini_hochberg",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "holm",
    "k_hat",
    "nemenyi",
    "resampled_t",
    "wilcoxon",
]
