"""What compare(), null_test() and estimate() return."""

from likelier.results.comparison import Comparison
from likelier.results.estimate import Estimate
from likelier.results.null_test import NullTest
from likelier.results.question import SCHEMA, Origin, Question

__all__ = ["SCHEMA", "Comparison", "Estimate", "NullTest", "Origin", "Question"]
