"""What each system did on the items: distinct patterns of statistics with counts."""

from likelier.outcomes.build import (
    from_counts,
    from_labels,
    from_patterns,
    from_scores,
    from_sets,
)
from likelier.outcomes.chunks import from_chunks
from likelier.outcomes.items import Items
from likelier.outcomes.table import Outcomes, Sums

__all__ = [
    "Items",
    "Outcomes",
    "Sums",
    "from_chunks",
    "from_counts",
    "from_labels",
    "from_patterns",
    "from_scores",
    "from_sets",
]
