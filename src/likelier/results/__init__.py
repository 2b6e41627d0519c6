"""What the questions and the planning return."""

from likelier.results.classes import ClassComparison, ClassRow
from likelier.results.comparison import Comparison
from likelier.results.estimate import Estimate
from likelier.results.needed import Needed, Smallest
from likelier.results.null_test import NullTest
from likelier.results.plan import PlanReport
from likelier.results.power import Power, Setting
from likelier.results.question import SCHEMA, Origin, Question
from likelier.results.sensitivity import Sensitivity

__all__ = [
    "SCHEMA",
    "ClassComparison",
    "ClassRow",
    "Comparison",
    "Estimate",
    "Needed",
    "NullTest",
    "Origin",
    "PlanReport",
    "Power",
    "Question",
    "Sensitivity",
    "Setting",
    "Smallest",
]
