"""LIK108: too many possible patterns for a prior on each."""

from likelier.findings import Finding
from likelier.outcomes import Outcomes


def many_cells(outcomes: Outcomes, *, most: int) -> Finding | None:
    """Remark that only observed patterns can occur, since there are so many."""
    if outcomes.n_cells is None or outcomes.n_cells <= most:
        return None
    message = (
        f"{outcomes.n_cells:,} patterns are possible, more than {most:,}: the "
        "bootstrap prior is used, which lets only observed ones occur."
    )
    return Finding("LIK108", message)
