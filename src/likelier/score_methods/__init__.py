"""Ways to compare two systems from scores of cross-validation."""

from likelier.score_methods.correlated import CorrelatedT
from likelier.score_methods.hierarchical import Hierarchical
from likelier.score_methods.signed_rank import SignedRank, SignTest

__all__ = ["CorrelatedT", "Hierarchical", "SignTest", "SignedRank"]
