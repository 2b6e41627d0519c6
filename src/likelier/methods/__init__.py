"""Methods: how a difference could have been otherwise.

`items` holds the methods for items, `folds` those for scores of cross-validation.
"""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.methods.folds.correlated_t import CorrelatedT as CorrelatedT
    from likelier.methods.folds.fold_tests import five_by_two_f as five_by_two_f
    from likelier.methods.folds.fold_tests import five_by_two_t as five_by_two_t
    from likelier.methods.folds.fold_tests import resampled_t as resampled_t
    from likelier.methods.folds.fold_tests import wilcoxon as wilcoxon
    from likelier.methods.folds.hierarchical_folds import (
        HierarchicalFolds as HierarchicalFolds,
    )
    from likelier.methods.folds.rank_tests import Friedman as Friedman
    from likelier.methods.folds.rank_tests import Nemenyi as Nemenyi
    from likelier.methods.folds.rank_tests import Replicability as Replicability
    from likelier.methods.folds.rank_tests import (
        benjamini_hochberg as benjamini_hochberg,
    )
    from likelier.methods.folds.rank_tests import friedman as friedman
    from likelier.methods.folds.rank_tests import holm as holm
    from likelier.methods.folds.rank_tests import k_hat as k_hat
    from likelier.methods.folds.rank_tests import nemenyi as nemenyi
    from likelier.methods.folds.signed_rank import BayesianSignTest as BayesianSignTest
    from likelier.methods.folds.signed_rank import SignedRank as SignedRank
    from likelier.methods.items.bootstrap import Bootstrap as Bootstrap
    from likelier.methods.items.delong import DeLong as DeLong
    from likelier.methods.items.dirichlet import Paired as Paired
    from likelier.methods.items.dirichlet import Unpaired as Unpaired
    from likelier.methods.items.exact_laws import ExactLaw as ExactLaw
    from likelier.methods.items.exact_laws import Independent as Independent
    from likelier.methods.items.exact_laws import MonteCarlo as MonteCarlo
    from likelier.methods.items.exact_laws import has_law as has_law
    from likelier.methods.items.hierarchical_classes import (
        HierarchicalClasses as HierarchicalClasses,
    )
    from likelier.methods.items.randomization import Randomization as Randomization
    from likelier.methods.items.sign_tests import McNemar as McNemar
    from likelier.methods.items.sign_tests import PTest as PTest
    from likelier.methods.items.sign_tests import SignTest as SignTest
    from likelier.methods.items.sign_tests import STest as STest
    from likelier.methods.protocols import EstimateMethod as EstimateMethod
    from likelier.methods.protocols import NullMethod as NullMethod
    from likelier.methods.protocols import PosteriorMethod as PosteriorMethod
    from likelier.methods.protocols import SimulatedMethod as SimulatedMethod

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "BayesianSignTest": "folds.signed_rank",
        "Bootstrap": "items.bootstrap",
        "CorrelatedT": "folds.correlated_t",
        "DeLong": "items.delong",
        "EstimateMethod": "protocols",
        "ExactLaw": "items.exact_laws",
        "Friedman": "folds.rank_tests",
        "HierarchicalClasses": "items.hierarchical_classes",
        "HierarchicalFolds": "folds.hierarchical_folds",
        "Independent": "items.exact_laws",
        "McNemar": "items.sign_tests",
        "MonteCarlo": "items.exact_laws",
        "Nemenyi": "folds.rank_tests",
        "NullMethod": "protocols",
        "PTest": "items.sign_tests",
        "Paired": "items.dirichlet",
        "PosteriorMethod": "protocols",
        "Randomization": "items.randomization",
        "Replicability": "folds.rank_tests",
        "STest": "items.sign_tests",
        "SignTest": "items.sign_tests",
        "SignedRank": "folds.signed_rank",
        "SimulatedMethod": "protocols",
        "Unpaired": "items.dirichlet",
        "benjamini_hochberg": "folds.rank_tests",
        "five_by_two_f": "folds.fold_tests",
        "five_by_two_t": "folds.fold_tests",
        "friedman": "folds.rank_tests",
        "has_law": "items.exact_laws",
        "holm": "folds.rank_tests",
        "k_hat": "folds.rank_tests",
        "nemenyi": "folds.rank_tests",
        "resampled_t": "folds.fold_tests",
        "wilcoxon": "folds.fold_tests",
    },
)
