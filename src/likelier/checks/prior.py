"""LIK108 and LIK109: priors on too many cells, and factors that draws do not show."""

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


def unresolved(*, asked: bool, given: bool) -> Finding | None:
    """Remark a factor of the rope that is missing for want of draws."""
    if not asked or given:
        return None
    message = (
        "the draws are too few to give a Bayes factor of this rope: hardly any of the "
        "prior's lie inside, or outside."
    )
    return Finding("LIK109", message)
