"""Is system B really better than system A, by how much, and how sure are we.

Public names are loaded when first used, so that importing the package stays light.
"""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier import data as data
    from likelier import designs as designs
    from likelier import errors as errors
    from likelier import laws as laws
    from likelier import methods as methods
    from likelier import metrics as metrics
    from likelier import plots as plots
    from likelier import readers as readers
    from likelier import study as study
    from likelier._compare import compare as compare
    from likelier._doctor import Diagnosis as Diagnosis
    from likelier._doctor import doctor as doctor
    from likelier._estimate import estimate as estimate
    from likelier._folds import compare_folds as compare_folds
    from likelier._groups import compare_groups as compare_groups
    from likelier._null_test import null_test as null_test
    from likelier._plan import Plan as Plan
    from likelier._plan import plan as plan
    from likelier._rank import rank as rank
    from likelier._sensitivity import sensitivity as sensitivity
    from likelier.data.outcomes import Outcomes as Outcomes
    from likelier.data.scores import Scores as Scores
    from likelier.errors import LikelierError as LikelierError
    from likelier.interval import Rope as Rope
    from likelier.methods.simulation import Assumed as Assumed
    from likelier.readers.logs.log_items import LogItems as LogItems
    from likelier.readers.read_items import read as read
    from likelier.results.comparison import Comparison as Comparison
    from likelier.results.estimate import Estimate as Estimate
    from likelier.results.group_comparison import GroupComparison as GroupComparison
    from likelier.results.group_comparison import GroupRow as GroupRow
    from likelier.results.null_test import NullTest as NullTest
    from likelier.results.plan_answer import ItemsNeeded as ItemsNeeded
    from likelier.results.plan_answer import SmallestDifference as SmallestDifference
    from likelier.results.plan_report import Chances as Chances
    from likelier.results.plan_report import PlanReport as PlanReport
    from likelier.results.ranking import Ranking as Ranking
    from likelier.results.result_list import ResultList as ResultList
    from likelier.results.sensitivity import Sensitivity as Sensitivity
    from likelier.results.study_report import StudyReport as StudyReport

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        **dict.fromkeys(
            (
                "data",
                "designs",
                "errors",
                "laws",
                "methods",
                "metrics",
                "plots",
                "readers",
                "study",
            ),
            "",
        ),
        "Assumed": "methods.simulation",
        "Chances": "results.plan_report",
        "Comparison": "results.comparison",
        "Diagnosis": "_doctor",
        "Estimate": "results.estimate",
        "GroupComparison": "results.group_comparison",
        "GroupRow": "results.group_comparison",
        "ItemsNeeded": "results.plan_answer",
        "LikelierError": "errors",
        "LogItems": "readers.logs.log_items",
        "NullTest": "results.null_test",
        "Outcomes": "data.outcomes",
        "Plan": "_plan",
        "PlanReport": "results.plan_report",
        "Ranking": "results.ranking",
        "ResultList": "results.result_list",
        "Rope": "interval",
        "Scores": "data.scores",
        "Sensitivity": "results.sensitivity",
        "SmallestDifference": "results.plan_answer",
        "StudyReport": "results.study_report",
        "compare": "_compare",
        "compare_folds": "_folds",
        "compare_groups": "_groups",
        "doctor": "_doctor",
        "estimate": "_estimate",
        "null_test": "_null_test",
        "plan": "_plan",
        "rank": "_rank",
        "read": "readers.read_items",
        "sensitivity": "_sensitivity",
    },
)
