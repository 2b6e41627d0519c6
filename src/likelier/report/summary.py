"""One dictionary for any number of results: the only truth that views are made of."""

import json
from collections.abc import Sequence
from typing import Any

from likelier.results import (
    SCHEMA,
    ClassComparison,
    Comparison,
    Estimate,
    NullTest,
    Pairs,
    PlanReport,
    Ranking,
    Sensitivity,
    StudyReport,
)

# One answer each, several of which make a table.
Single = Comparison | NullTest | Estimate
# Each a table of its own.
Composite = ClassComparison | Sensitivity | PlanReport | Pairs | Ranking | StudyReport
Result = Single | Composite

_PLURAL = {
    "comparison": "comparisons",
    "null_test": "null_tests",
    "estimate": "estimates",
    "classes": "class_comparisons",
    "sensitivity": "sensitivities",
    "plan": "plans",
    "comparisons": "all_pairs",
    "ranking": "rankings",
    "study": "studies",
}


def summary(
    results: Sequence[Result], *, several: bool = False, timings: bool = False
) -> dict[str, Any]:
    """Give one result as its own JSON, several as a list under their plural.

    Parameters
    ----------
    results
        Results of one kind.
    several
        Whether a single result stands in a list as well.
    timings
        Whether studies tell how long their folds took.
    """
    parts = [
        result.to_dict(timings=timings)
        if isinstance(result, StudyReport)
        else result.to_dict()
        for result in results
    ]
    if len(parts) == 1 and not several:
        return parts[0]
    plural = _PLURAL[parts[0]["kind"]]
    return {"schema": SCHEMA, "kind": plural, plural: parts}


def as_json(document: dict[str, Any], *, ascii_only: bool = False) -> str:
    """Write a summary as JSON text; numbers that are not finite cannot occur."""
    text = json.dumps(document, ensure_ascii=ascii_only, indent=2, allow_nan=False)
    return f"{text}\n"
