"""Results: what the questions return."""

from likelier.results.changes import ChangeRow, Changes
from likelier.results.companions import Companion
from likelier.results.comparison import Comparison
from likelier.results.data_sets import DataSetRow, DataSets
from likelier.results.estimate import Estimate
from likelier.results.group_comparison import GroupComparison, GroupRow
from likelier.results.null_test import NullTest
from likelier.results.order import Order
from likelier.results.plan_answer import ItemsNeeded, SmallestDifference
from likelier.results.plan_report import Chances, PlanReport
from likelier.results.ranking import Ranking
from likelier.results.ranks import PairTest, Ranks
from likelier.results.result import SCHEMA, Result
from likelier.results.result_list import ResultList
from likelier.results.sensitivity import Sensitivity
from likelier.results.study_folds import FailedFold, FoldRow, Tally
from likelier.results.study_report import StudyReport

__all__ = [
    "SCHEMA",
    "Chances",
    "ChangeRow",
    "Changes",
    "Companion",
    "Comparison",
    "DataSetRow",
    "DataSets",
    "Estimate",
    "FailedFold",
    "FoldRow",
    "GroupComparison",
    "GroupRow",
    "ItemsNeeded",
    "NullTest",
    "Order",
    "PairTest",
    "PlanReport",
    "Ranking",
    "Ranks",
    "Result",
    "ResultList",
    "Sensitivity",
    "SmallestDifference",
    "StudyReport",
    "Tally",
]
