"""What a comparison of scores of cross-validation is."""

import re
from typing import TYPE_CHECKING

from likelier.errors import plain
from likelier.references import cites
from likelier.results.paragraph import Said, listed
from likelier.results.said import shared

if TYPE_CHECKING:
    from likelier.results.comparison import Comparison

_SHARE = re.compile(r"test-share (\S+)")


def scores_said(result: "Comparison") -> list[Said]:
    """Say how scores of folds were compared."""
    return [
        shared.asked(result.question),
        *scores_method(result),
        *_quadrature(result),
        *_companions(result),
    ]


def scores_method(result: "Comparison") -> list[Said]:
    """Say all but who was compared on what, and what stands beside."""
    exact = result.across is None
    return [
        Said("A positive difference is one in favour of the candidate"),
        _model(result),
        *_next(result),
        shared.intervals(result.mass),
        shared.region(result.rope),
        shared.verdict(result.rule, result.rope, result.mass),
        *([shared.drawn(result)] if exact else []),
    ]


def _model(result: "Comparison") -> Said:
    method, question = result.origin.method, result.question
    name, described = method["name"], method["description"]
    cited = cites("scores", name)
    found = _SHARE.search(described)
    share = found[1].replace("-", " to ") if found else "unknown"
    strength = described.rpartition(" ")[2]
    folded = question.datasets is not None and question.items > question.datasets
    means = "the mean difference of each data set" if folded else "the differences"
    if name == "correlated-t":
        text = (
            "The mean difference over folds has the posterior of the Bayesian "
            f"correlated t-test: a Student law with {int(question.items) - 1} degrees "
            "of freedom under a flat prior, with the correlation of two folds taken as "
            f"the share of the items that each tests, rho = {share}"
        )
    elif name == "signed-rank":
        text = (
            f"The Bayesian signed-rank test takes {means} as drawn from a Dirichlet "
            "process whose prior is one pseudo-observation of no difference, of weight "
            f"{strength}"
        )
    elif name == "sign":
        text = (
            f"The Bayesian sign test counts in which region {means} lie, with one "
            f"pseudo-observation of no difference, of weight {strength}"
        )
    elif name == "hierarchical":
        text = (
            "In the hierarchical model the differences on the folds of a data set are "
            "jointly normal, with the share of the items that each fold tests as their "
            f"correlation (rho = {share}), and the means of the data sets come from a "
            "Student population whose centre, spread and degrees of freedom are "
            "learned, under the priors of the published model"
        )
    else:
        text = f"The posterior is that of the method {plain(described)}"
    return Said(text, cited)


def _next(result: "Comparison") -> list[Said]:
    """Say what the probabilities and the interval are of, over many data sets."""
    if result.posterior.regions is None:
        return []
    return [
        Said(
            "The probabilities of worse, equivalent and better are those of that "
            f"region holding more of {result.foreseen} than the others do; the "
            f"interval of the difference is that of {result.centre}"
        )
    ]


def _quadrature(result: "Comparison") -> list[Said]:
    found = result.across
    if found is None:
        return []
    return [quadrature(found.population.error)]


def quadrature(error: float) -> Said:
    """Say how exact the integrals are."""
    return Said(
        "The posterior was integrated by quadrature, without random draws; the "
        f"estimated error of a probability is {error:.1e}"
    )


def _companions(result: "Comparison") -> list[Said]:
    known = [c for c in result.companions if c.why_not is None]
    if not known:
        return []
    names = listed(companion.name for companion in known)
    keys = (key for c in known for key in cites("companion", c.name))
    tests = "test is" if len(known) == 1 else "tests are"
    return [Said(f"Beside it the {names} {tests} given", tuple(dict.fromkeys(keys)))]
