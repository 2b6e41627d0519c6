"""LIK101: too few independent units for the answer to settle."""

from likelier.findings import Finding
from likelier.outcomes import Outcomes

_ENOUGH = 30


def few_units(outcomes: Outcomes) -> Finding | None:
    """Remark fewer than 30 items, or clusters of them."""
    if outcomes.n_units >= _ENOUGH or outcomes.unit == "folds":
        return None
    unit = "clusters" if outcomes.clustered else "items"
    message = (
        f"only {outcomes.n_units:g} {unit}: too few for a firm answer; the prior still "
        "weighs in it."
    )
    return Finding("LIK101", message)
