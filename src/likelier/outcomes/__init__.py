"""What each system did on the items: distinct patterns of statistics with counts."""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.outcomes.build import from_counts as from_counts
    from likelier.outcomes.build import from_labels as from_labels
    from likelier.outcomes.build import from_patterns as from_patterns
    from likelier.outcomes.build import from_scores as from_scores
    from likelier.outcomes.build import from_sets as from_sets
    from likelier.outcomes.chunks import from_chunks as from_chunks
    from likelier.outcomes.differing import Items as Items
    from likelier.outcomes.table import Outcomes as Outcomes
    from likelier.outcomes.table import Sums as Sums

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "Items": "differing",
        "Outcomes": "table",
        "Sums": "table",
        "from_chunks": "chunks",
        "from_counts": "build",
        "from_labels": "build",
        "from_patterns": "build",
        "from_scores": "build",
        "from_sets": "build",
    },
)
