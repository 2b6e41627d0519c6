"""Scores from cross-validation: one number per data set, run, fold and system."""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.scores.build import from_arrays as from_arrays
    from likelier.scores.build import from_rows as from_rows
    from likelier.scores.cross_validated import (
        from_cross_validate as from_cross_validate,
    )
    from likelier.scores.table import DataSet as DataSet
    from likelier.scores.table import Scores as Scores

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "DataSet": "table",
        "Scores": "table",
        "from_arrays": "build",
        "from_cross_validate": "cross_validated",
        "from_rows": "build",
    },
)
