"""The questions a person asks of data, one per module."""

from likelier.questions.bayes_testing import bayes_test
from likelier.questions.class_by_class import compare_classes
from likelier.questions.comparing import compare
from likelier.questions.estimating import estimate
from likelier.questions.null_testing import null_test
from likelier.questions.pairing import compare_pairs
from likelier.questions.prior_range import sensitivity
from likelier.questions.scores_comparing import compare_scores

__all__ = [
    "bayes_test",
    "compare",
    "compare_classes",
    "compare_pairs",
    "compare_scores",
    "estimate",
    "null_test",
    "sensitivity",
]
