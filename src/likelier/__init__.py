"""Is system B really better than system A, by how much, and how sure are we.

Public names are loaded when first used, so that importing the package stays light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likelier import (
        designs,
        errors,
        laws,
        methods,
        metrics,
        plots,
        readers,
        schemes,
        study,
    )
    from likelier._compare import compare
    from likelier._estimate import estimate
    from likelier._folds import compare_folds
    from likelier._groups import compare_groups
    from likelier._null_test import null_test
    from likelier._plan import Plan, plan
    from likelier._rank import rank
    from likelier._sensitivity import sensitivity
    from likelier.errors import LikelierError
    from likelier.interval import Rope
    from likelier.methods.simulation import Assumed
    from likelier.outcomes import Outcomes
    from likelier.results import (
        Chances,
        Comparison,
        Estimate,
        GroupComparison,
        GroupRow,
        ItemsNeeded,
        NullTest,
        PlanReport,
        Ranking,
        ResultList,
        Sensitivity,
        SmallestDifference,
        StudyReport,
    )
    from likelier.scores import Scores

_MODULES = (
    "designs",
    "errors",
    "laws",
    "methods",
    "metrics",
    "plots",
    "readers",
    "schemes",
    "study",
)
_HOME = {
    "Assumed": "methods.simulation",
    "Chances": "results",
    "Comparison": "results",
    "Estimate": "results",
    "GroupComparison": "results",
    "GroupRow": "results",
    "ItemsNeeded": "results",
    "LikelierError": "errors",
    "NullTest": "results",
    "Outcomes": "outcomes",
    "Plan": "_plan",
    "PlanReport": "results",
    "Ranking": "results",
    "ResultList": "results",
    "Rope": "interval",
    "Scores": "scores",
    "Sensitivity": "results",
    "SmallestDifference": "results",
    "StudyReport": "results",
    "compare": "_compare",
    "compare_folds": "_folds",
    "compare_groups": "_groups",
    "estimate": "_estimate",
    "null_test": "_null_test",
    "plan": "_plan",
    "rank": "_rank",
    "sensitivity": "_sensitivity",
}

__all__ = [
    "Assumed",
    "Chances",
    "Comparison",
    "Estimate",
    "GroupComparison",
    "GroupRow",
    "ItemsNeeded",
    "LikelierError",
    "NullTest",
    "Outcomes",
    "Plan",
    "PlanReport",
    "Ranking",
    "ResultList",
    "Rope",
    "Scores",
    "Sensitivity",
    "SmallestDifference",
    "StudyReport",
    "compare",
    "compare_folds",
    "compare_groups",
    "designs",
    "errors",
    "estimate",
    "laws",
    "methods",
    "metrics",
    "null_test",
    "plan",
    "plots",
    "rank",
    "readers",
    "schemes",
    "sensitivity",
    "study",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"likelier.{name}")
    if name in _HOME:
        return getattr(import_module(f"likelier.{_HOME[name]}"), name)
    message = f"module 'likelier' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return list(__all__)
