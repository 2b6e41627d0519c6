"""Many systems: their order and their ranks."""

from likelier.ranking.ranked import rank

__all__ = ["rank"]
