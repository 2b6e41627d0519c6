"""LIK108: too many possible patterns for a prior on each."""

from likelier.findings import Finding


def many_cells(cells: int | None) -> Finding | None:
    """Remark that only observed patterns can occur, since there are so many."""
    if cells is None:
        return None
    message = (
        f"{cells:,} patterns are possible, too many for a prior on each: the "
        "bootstrap prior is used, which lets only observed ones occur."
    )
    return Finding("LIK108", message)
