"""Is system B really better than system A, by how much, and how sure are we.

Public names are loaded when first used, so that importing the package stays light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likelier import errors, laws, methods, metrics, outcomes, plots, readers
    from likelier.decision import Rope
    from likelier.errors import LikelierError
    from likelier.outcomes import Outcomes
    from likelier.questions import compare, estimate, null_test
    from likelier.results import Comparison, Estimate, NullTest

_MODULES = ("errors", "laws", "methods", "metrics", "outcomes", "plots", "readers")
_HOME = {
    "Comparison": "likelier.results",
    "Estimate": "likelier.results",
    "LikelierError": "likelier.errors",
    "NullTest": "likelier.results",
    "Outcomes": "likelier.outcomes",
    "Rope": "likelier.decision",
    "compare": "likelier.questions",
    "estimate": "likelier.questions",
    "null_test": "likelier.questions",
}

__all__ = [
    "Comparison",
    "Estimate",
    "LikelierError",
    "NullTest",
    "Outcomes",
    "Rope",
    "compare",
    "errors",
    "estimate",
    "laws",
    "methods",
    "metrics",
    "null_test",
    "outcomes",
    "plots",
    "readers",
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
