"""The questions a person asks of data, one per module."""

from likelier.questions.bayes_testing import bayes_test
from likelier.questions.comparing import compare
from likelier.questions.estimating import estimate
from likelier.questions.null_testing import null_test

__all__ = ["bayes_test", "compare", "estimate", "null_test"]
