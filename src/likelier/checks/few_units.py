"""LIK101: too few independent units for the answer to settle."""

from likelier.findings import Finding
from likelier.outcomes import Outcomes

_ENOUGH = 30
_FEW_CLUSTERS = 10


def few_units(outcomes: Outcomes) -> Finding | None:
    """Remark fewer than 30 items, or clusters of them."""
    if outcomes.n_units >= _ENOUGH or outcomes.unit == "folds":
        return None
    count = f"{outcomes.n_units:g}"
    if not outcomes.clustered:
        message = (
            f"only {count} items: too few for a firm answer; the prior still weighs in "
            "it."
        )
        return Finding("LIK101", message)
    clusters = "1 cluster" if outcomes.n_units == 1 else f"{count} clusters"
    message = (
        f"only {clusters}: too few to tell how clusters differ; the interval is too "
        "narrow, and has no width where all are alike."
    )
    few = outcomes.n_units < _FEW_CLUSTERS
    return Finding("LIK101", message, severity="problem" if few else "note")
