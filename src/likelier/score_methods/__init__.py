"""Ways to compare two systems from scores of cross-validation."""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.score_methods.correlated import CorrelatedT as CorrelatedT
    from likelier.score_methods.hierarchical import Hierarchical as Hierarchical
    from likelier.score_methods.signed_rank import SignedRank as SignedRank
    from likelier.score_methods.signed_rank import SignTest as SignTest

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "CorrelatedT": "correlated",
        "Hierarchical": "hierarchical",
        "SignTest": "signed_rank",
        "SignedRank": "signed_rank",
    },
)
