"""Methods: ways to say how the sums could have been otherwise; none imports another."""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.methods.bootstrap import Bootstrap as Bootstrap
    from likelier.methods.counts import FromCounts as FromCounts
    from likelier.methods.dirichlet import Paired as Paired
    from likelier.methods.dirichlet import Unpaired as Unpaired
    from likelier.methods.hierarchical import Hierarchical as Hierarchical
    from likelier.methods.independent import Independent as Independent
    from likelier.methods.independent import MonteCarlo as MonteCarlo
    from likelier.methods.law_of import has_law as has_law
    from likelier.methods.mcnemar import McNemar as McNemar
    from likelier.methods.mcnemar import SignTest as SignTest
    from likelier.methods.method import CredibleMethod as CredibleMethod
    from likelier.methods.method import ManyMethod as ManyMethod
    from likelier.methods.method import NullMethod as NullMethod
    from likelier.methods.method import PosteriorMethod as PosteriorMethod
    from likelier.methods.method import SamplingMethod as SamplingMethod
    from likelier.methods.randomization import Randomization as Randomization
    from likelier.methods.yang_liu import PTest as PTest
    from likelier.methods.yang_liu import STest as STest

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "Bootstrap": "bootstrap",
        "CredibleMethod": "method",
        "FromCounts": "counts",
        "Hierarchical": "hierarchical",
        "Independent": "independent",
        "ManyMethod": "method",
        "McNemar": "mcnemar",
        "MonteCarlo": "independent",
        "NullMethod": "method",
        "PTest": "yang_liu",
        "Paired": "dirichlet",
        "PosteriorMethod": "method",
        "Randomization": "randomization",
        "STest": "yang_liu",
        "SamplingMethod": "method",
        "SignTest": "mcnemar",
        "Unpaired": "dirichlet",
        "has_law": "law_of",
    },
)
