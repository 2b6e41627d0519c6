"""What the questions and the planning return."""

from likelier.results.across import Across, DataSetRow
from likelier.results.classes import ClassComparison, ClassRow
from likelier.results.companion import Companion
from likelier.results.comparison import Comparison
from likelier.results.estimate import Estimate
from likelier.results.needed import Needed, Smallest
from likelier.results.null_test import NullTest
from likelier.results.order import Order
from likelier.results.pairs import Pairs
from likelier.results.plan import PlanReport
from likelier.results.power import Power, Setting
from likelier.results.question import SCHEMA, Origin, Question
from likelier.results.ranking import Ranking, Ranks
from likelier.results.sensitivity import Sensitivity
from likelier.results.study import Answer, FailedFold, FoldRow, StudyReport, Tally

__all__ = [
    "SCHEMA",
    "Across",
    "Answer",
    "ClassComparison",
    "ClassRow",
    "Companion",
    "Comparison",
    "DataSetRow",
    "Estimate",
    "FailedFold",
    "FoldRow",
    "Needed",
    "NullTest",
    "Order",
    "Origin",
    "Pairs",
    "PlanReport",
    "Power",
    "Question",
    "Ranking",
    "Ranks",
    "Sensitivity",
    "Setting",
    "Smallest",
    "StudyReport",
    "Tally",
]
