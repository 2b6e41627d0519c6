"""Results: what the questions return."""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.results.changes import ChangeRow as ChangeRow
    from likelier.results.changes import Changes as Changes
    from likelier.results.companions import Companion as Companion
    from likelier.results.comparison import Comparison as Comparison
    from likelier.results.data_sets import DataSetRow as DataSetRow
    from likelier.results.data_sets import DataSets as DataSets
    from likelier.results.estimate import Estimate as Estimate
    from likelier.results.group_comparison import GroupComparison as GroupComparison
    from likelier.results.group_comparison import GroupRow as GroupRow
    from likelier.results.null_test import NullTest as NullTest
    from likelier.results.order import Order as Order
    from likelier.results.plan_answer import ItemsNeeded as ItemsNeeded
    from likelier.results.plan_answer import SmallestDifference as SmallestDifference
    from likelier.results.plan_report import Chances as Chances
    from likelier.results.plan_report import PlanReport as PlanReport
    from likelier.results.ranking import Ranking as Ranking
    from likelier.results.ranks import PairTest as PairTest
    from likelier.results.ranks import Ranks as Ranks
    from likelier.results.result import SCHEMA as SCHEMA
    from likelier.results.result import Result as Result
    from likelier.results.result_list import ResultList as ResultList
    from likelier.results.sensitivity import Sensitivity as Sensitivity
    from likelier.results.study_folds import FailedFold as FailedFold
    from likelier.results.study_folds import FoldRow as FoldRow
    from likelier.results.study_folds import Tally as Tally
    from likelier.results.study_report import StudyReport as StudyReport

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "Chances": "plan_report",
        "ChangeRow": "changes",
        "Changes": "changes",
        "Companion": "companions",
        "Comparison": "comparison",
        "DataSetRow": "data_sets",
        "DataSets": "data_sets",
        "Estimate": "estimate",
        "FailedFold": "study_folds",
        "FoldRow": "study_folds",
        "GroupComparison": "group_comparison",
        "GroupRow": "group_comparison",
        "ItemsNeeded": "plan_answer",
        "NullTest": "null_test",
        "Order": "order",
        "PairTest": "ranks",
        "PlanReport": "plan_report",
        "Ranking": "ranking",
        "Ranks": "ranks",
        "Result": "result",
        "ResultList": "result_list",
        "SCHEMA": "result",
        "Sensitivity": "sensitivity",
        "SmallestDifference": "plan_answer",
        "StudyReport": "study_report",
        "Tally": "study_folds",
    },
)
