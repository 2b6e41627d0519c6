"""Calls that the type checker takes, and calls that it must refuse.

Read by ``make check``, never run: an ``ignore`` that is not needed is an error there.
"""

import likelier as lk
from likelier.methods.items.bootstrap import Bootstrap
from likelier.methods.items.dirichlet import Paired, Unpaired
from likelier.methods.items.exact_laws import ExactLaw
from likelier.methods.items.randomization import Randomization
from likelier.methods.items.sign_tests import McNemar, PTest, SignTest, STest


def number(_: float) -> None:
    """Take a number."""


def methods_by_kind() -> None:
    """Give every question a method of its own kind, and of another."""
    g, a, b = [1, 0], [1, 1], [1, 0]

    lk.compare(g, a, b, metric="accuracy", method=Paired())
    lk.compare(g, a, b, metric="accuracy", method=Unpaired())
    lk.compare(g, a, b, metric="accuracy", method="paired")
    lk.null_test(g, a, b, metric="accuracy", method=Bootstrap())
    lk.null_test(g, a, b, metric="accuracy", method=Randomization())
    lk.null_test(g, a, b, metric="accuracy", method=McNemar())
    lk.null_test(g, a, b, metric="accuracy", method=SignTest())
    lk.null_test(g, a, b, metric="accuracy", method=STest())
    lk.null_test(g, a, b, metric="accuracy", method=PTest())
    lk.estimate(g, a, metric="accuracy", method=Paired())
    lk.estimate(g, a, metric="accuracy", method=ExactLaw())
    lk.estimate(g, a, metric="accuracy", method=Bootstrap())
    number(lk.null_test(g, a, b, metric="accuracy").p_value)
    number(lk.compare(g, a, b, metric="accuracy").probability.better)

    lk.compare(g, a, b, metric="accuracy", method=Randomization())  # type: ignore[arg-type]
    lk.compare(g, a, b, metric="accuracy", method=Bootstrap())  # type: ignore[arg-type]
    lk.compare(g, a, b, metric="accuracy", method=McNemar())  # type: ignore[arg-type]
    lk.compare(g, a, b, metric="accuracy", method=ExactLaw())  # type: ignore[arg-type]
    lk.null_test(g, a, b, metric="accuracy", method=Paired())  # type: ignore[arg-type]
    lk.null_test(g, a, b, metric="accuracy", method=Unpaired())  # type: ignore[arg-type]
    lk.null_test(g, a, b, metric="accuracy", method=ExactLaw())  # type: ignore[arg-type]
    lk.estimate(g, a, metric="accuracy", method=McNemar())  # type: ignore[arg-type]
    lk.estimate(g, a, metric="accuracy", method=Randomization())  # type: ignore[arg-type]
    lk.estimate(g, a, metric="accuracy", method=Unpaired())  # type: ignore[arg-type]
    number(lk.compare(g, a, b, metric="accuracy").p_value)  # type: ignore[attr-defined]
    number(lk.null_test(g, a, b, metric="accuracy").probability)  # type: ignore[attr-defined]
    Paired(prior="jeffreys")  # type: ignore[arg-type]
    Bootstrap(alternative="upper")  # type: ignore[arg-type]
