"""Methods: ways to say how the sums could have been otherwise; none imports another."""

from likelier.methods.bootstrap import Bootstrap
from likelier.methods.counts import FromCounts
from likelier.methods.dirichlet import Paired, Unpaired
from likelier.methods.hierarchical import Hierarchical
from likelier.methods.independent import Independent, MonteCarlo
from likelier.methods.law_of import has_law
from likelier.methods.mcnemar import McNemar, SignTest
from likelier.methods.method import (
    CredibleMethod,
    ManyMethod,
    NullMethod,
    PosteriorMethod,
    SamplingMethod,
)
from likelier.methods.randomization import Randomization
from likelier.methods.yang_liu import PTest, STest

__all__ = [
    "Bootstrap",
    "CredibleMethod",
    "FromCounts",
    "Hierarchical",
    "Independent",
    "ManyMethod",
    "McNemar",
    "MonteCarlo",
    "NullMethod",
    "PTest",
    "Paired",
    "PosteriorMethod",
    "Randomization",
    "STest",
    "SamplingMethod",
    "SignTest",
    "Unpaired",
    "has_law",
]
