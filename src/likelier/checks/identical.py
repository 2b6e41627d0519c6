"""LIK106: the two systems never differ."""

from likelier.findings import Finding
from likelier.outcomes import Outcomes


def identical(outcomes: Outcomes) -> Finding | None:
    """Remark two systems with equal statistics on every item."""
    if len(outcomes.systems) != 2:
        return None
    seen = outcomes.counts > 0
    first, second = (outcomes.only(place).rows[seen] for place in (0, 1))
    same = (first != second).nnz == 0
    if outcomes.labels is not None:
        labels = outcomes.labels[seen]
        same = same and (labels[:, 1] == labels[:, 2]).all()
    if not same:
        return None
    baseline, candidate = outcomes.systems
    message = f"{candidate} and {baseline} never differ: is one file given twice?"
    return Finding("LIK106", message, severity="problem")
