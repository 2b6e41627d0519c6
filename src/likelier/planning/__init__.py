"""Planning: what would n items show, and how many are needed."""

from likelier.planning.assumed import Assumed
from likelier.planning.needed import items_needed, smallest_difference
from likelier.planning.sizes import power

__all__ = ["Assumed", "items_needed", "power", "smallest_difference"]
