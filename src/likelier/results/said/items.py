"""What a comparison of items is: model, prior, folds, factor."""

import re
from typing import TYPE_CHECKING

from likelier.errors import plain
from likelier.references import cites
from likelier.results.paragraph import Said
from likelier.results.said import shared

if TYPE_CHECKING:
    from likelier.evidence import BayesFactor
    from likelier.results.comparison import Comparison
    from likelier.results.question import Question

_FOLDS = re.compile(r"(\d+)x2 folds rho1 (\S+) rho2 (\S+) share (\S+)")


def items_said(result: "Comparison") -> list[Said]:
    """Say how items, or counts of them, were compared."""
    found = _found_folds(result)
    if found is None:
        return [shared.asked(result.question), *items_method(result)]
    by = f"by {found[1]} x 2 cross-validation"
    counts = result.origin.method["name"] in ("independent", "monte-carlo")
    over = by if counts else f"{shared.size(result.question)} {by}"
    return [shared.asked(result.question, over=over), *items_method(result)]


def items_method(result: "Comparison") -> list[Said]:
    """Say all but who was compared on what."""
    method = result.origin.method
    return [
        Said("A positive difference is one in favour of the candidate"),
        *model(method["name"], method["description"], result.question),
        *_folds(result),
        shared.intervals(result.mass, equal_tailed=result.interval == "equal-tailed"),
        shared.region(result.rope),
        *_decision(result),
        *factor(result.factor),
        shared.drawn(result),
    ]


def model(name: str, description: str, question: "Question") -> list[Said]:
    """Say what the posterior is, and its prior."""
    if name == "hierarchical":
        return _pooled(description)
    cited = cites("items", name)
    if name in ("independent", "monte-carlo"):
        prior = description.rpartition("prior=")[2]
        return [
            Said(
                "The score of each system has the posterior that follows from its own "
                f"counts as cells of a Dirichlet distribution, with a prior of {prior} "
                "on each, and the two systems are taken as independent",
                cited,
            )
        ]
    if name not in ("paired", "unpaired"):
        return [Said(f"The posterior is that of the method {plain(description)}")]
    weights = description.split(" dirichlet ")[-1]
    return [_dirichlet(name, weights, question, cited), _prior(weights)]


def _dirichlet(
    name: str, weights: str, question: "Question", cited: tuple[str, ...]
) -> Said:
    both = name == "paired" and len(question.systems) > 1
    over = _cells(weights, question, both=both)
    if both:
        text = f"Both scores have a joint posterior, from a Dirichlet model of {over}"
    elif name == "paired":
        text = f"The score has the posterior of a Dirichlet model of {over}"
    else:
        text = (
            f"Each score has a posterior of its own, from a Dirichlet model of {over}, "
            "as if the systems had been tested on different items"
        )
    return Said(text, cited)


def _cells(weights: str, question: "Question", *, both: bool) -> str:
    if weights == "bootstrap":
        known = both and question.patterns > 0
        count = f"{question.patterns:,} " if known else ""
        return (
            f"the {count}observed patterns of what {'both did' if both else 'it did'}"
        )
    said = "the two predictions" if both else "prediction"
    if question.positive is None:
        return f"all possible patterns of gold label and {said}"
    positive = plain(question.positive)
    count = "8" if both else "4"
    return f"the {count} patterns of gold label and {said}, each {positive} or not"


def _prior(weights: str) -> Said:
    name, _, strength = weights.partition(" strength ")
    told = f", all weighed {strength} times" if strength else ""
    if name == "bootstrap":
        text = (
            "The prior is 0 throughout (the Bayesian bootstrap), so that only observed "
            "patterns can occur"
        )
        return Said(text, ("rubin1981",))
    if name == "uniform":
        return Said(
            "The prior is uniform: 1 for every gold class, and 1 for every pattern "
            f"given the gold class{told}"
        )
    return Said(
        "The prior is objective: a total of 1 for every gold class, spread evenly over "
        f"its patterns{told}"
    )


def _pooled(description: str) -> list[Said]:
    fixed = dict(part.split("=") for part in description.split() if "=" in part)
    worth = fixed.get("concentration")
    weight = "is learned" if worth is None else f"is fixed at {worth}"
    centre = "uniform" if "centre" in fixed else "learned"
    return [
        Said(
            "Given the gold side, positive or negative, what the two systems say in a "
            "class has a Dirichlet prior that all classes share, whose concentration "
            f"{weight} and whose centre is {centre}",
            cites("classes", "hierarchical"),
        )
    ]


def _folds(result: "Comparison") -> list[Said]:
    """Say what share of the counts of m x 2 folds is taken as evidence."""
    found = _found_folds(result)
    if found is None:
        return []
    m, rho1, rho2, share = found.groups()
    return [
        Said(
            f"The counts of the {2 * int(m)} folds, which overlap, were multiplied by "
            f"{share}, the mean of 1 / (1 + rho1 + 2 (m - 1) rho2) for m = {m}, "
            f"rho1 {_range(rho1)} and rho2 {_range(rho2)}",
            ("wang2019",),
        )
    ]


def _found_folds(result: "Comparison") -> re.Match[str] | None:
    parts = map(_FOLDS.fullmatch, result.recipe.extra)
    return next((found for found in parts if found), None)


def _range(rho: str) -> str:
    low, dash, high = rho.partition("-")
    return f"between {low} and {high}" if dash else f"= {low}"


def _decision(result: "Comparison") -> list[Said]:
    tested = result.hypotheses
    rule = shared.verdict(result.rule, result.rope, result.mass)
    if tested is None:
        return [rule]
    margin = f" by more than {tested.margin:g}" if tested.margin else ""
    tests = Said(
        f"The hypothesis H0, that the candidate is not better{margin}, is accepted "
        "where it is at least as probable as H1, that it is",
        ("wang2019",),
    )
    return [tests] if result.rule == "bayes-test" else [tests, rule]


def factor(found: "BayesFactor | None") -> list[Said]:
    """Say what the Bayes factor is of, where there is one."""
    if found is None:
        return []
    text, cited = {
        "rope": (
            "The Bayes factor is the posterior odds of a difference inside the rope "
            "over the prior odds",
            ("jeffreys1961",),
        ),
        "point": (
            "The Bayes factor of no difference at all is the posterior density at 0 "
            "over the prior density (Savage and Dickey)",
            ("dickey1970", "jeffreys1961"),
        ),
        "kde": (
            "The Bayes factor of no difference at all is the posterior density at 0 "
            "over the prior density, both estimated from draws by a Gaussian kernel",
            ("zhang2016", "jeffreys1961"),
        ),
    }[found.of]
    return [Said(f"{text}; words for its size are those of Jeffreys", cited)]
