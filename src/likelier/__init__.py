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
        outcomes,
        plots,
        readers,
        schemes,
        scores,
        study,
    )
    from likelier.decision import Rope
    from likelier.errors import LikelierError
    from likelier.outcomes import Outcomes
    from likelier.planning import Assumed, items_needed, power, smallest_difference
    from likelier.questions import (
        bayes_test,
        compare,
        compare_classes,
        compare_pairs,
        compare_scores,
        estimate,
        null_test,
        sensitivity,
    )
    from likelier.ranking import rank
    from likelier.results import (
        ClassComparison,
        ClassRow,
        Comparison,
        Estimate,
        Needed,
        NullTest,
        Pairs,
        Power,
        Ranking,
        Sensitivity,
        Smallest,
        StudyReport,
    )
    from likelier.scores import Scores

_MODULES = (
    "designs",
    "errors",
    "laws",
    "methods",
    "metrics",
    "outcomes",
    "plots",
    "readers",
    "schemes",
    "scores",
    "study",
)
_HOME = {
    "Assumed": "likelier.planning",
    "ClassComparison": "likelier.results",
    "ClassRow": "likelier.results",
    "Comparison": "likelier.results",
    "Estimate": "likelier.results",
    "LikelierError": "likelier.errors",
    "Needed": "likelier.results",
    "NullTest": "likelier.results",
    "Outcomes": "likelier.outcomes",
    "Pairs": "likelier.results",
    "Power": "likelier.results",
    "Ranking": "likelier.results",
    "Rope": "likelier.decision",
    "Scores": "likelier.scores",
    "Sensitivity": "likelier.results",
    "Smallest": "likelier.results",
    "StudyReport": "likelier.results",
    "bayes_test": "likelier.questions",
    "compare": "likelier.questions",
    "compare_classes": "likelier.questions",
    "compare_pairs": "likelier.questions",
    "compare_scores": "likelier.questions",
    "estimate": "likelier.questions",
    "items_needed": "likelier.planning",
    "null_test": "likelier.questions",
    "power": "likelier.planning",
    "rank": "likelier.ranking",
    "sensitivity": "likelier.questions",
    "smallest_difference": "likelier.planning",
}

__all__ = [
    "Assumed",
    "ClassComparison",
    "ClassRow",
    "Comparison",
    "Estimate",
    "LikelierError",
    "Needed",
    "NullTest",
    "Outcomes",
    "Pairs",
    "Power",
    "Ranking",
    "Rope",
    "Scores",
    "Sensitivity",
    "Smallest",
    "StudyReport",
    "bayes_test",
    "compare",
    "compare_classes",
    "compare_pairs",
    "compare_scores",
    "designs",
    "errors",
    "estimate",
    "items_needed",
    "laws",
    "methods",
    "metrics",
    "null_test",
    "outcomes",
    "plots",
    "power",
    "rank",
    "readers",
    "schemes",
    "scores",
    "sensitivity",
    "smallest_difference",
    "study",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"likelier.{name}")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    message = f"module 'likelier' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return list(__all__)
