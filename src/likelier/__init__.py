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
    )
    from likelier.decision import Rope
    from likelier.errors import LikelierError
    from likelier.outcomes import Outcomes
    from likelier.questions import bayes_test, compare, estimate, null_test
    from likelier.results import Comparison, Estimate, NullTest

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
)
_HOME = {
    "Comparison": "likelier.results",
    "Estimate": "likelier.results",
    "LikelierError": "likelier.errors",
    "NullTest": "likelier.results",
    "Outcomes": "likelier.outcomes",
    "Rope": "likelier.decision",
    "bayes_test": "likelier.questions",
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
    "bayes_test",
    "compare",
    "designs",
    "errors",
    "estimate",
    "laws",
    "methods",
    "metrics",
    "null_test",
    "outcomes",
    "plots",
    "readers",
    "schemes",
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
