"""Sentences that paragraphs of different kinds share: rope, verdict, draws."""

from typing import TYPE_CHECKING

from likelier import wording
from likelier.decision import Rope
from likelier.results.paragraph import Said

if TYPE_CHECKING:
    from likelier.results.comparison import Comparison
    from likelier.results.question import Question


def asked(question: "Question", *, of: str = "", over: str | None = None) -> Said:
    """Say who was compared with whom, on what and on how much."""
    first, second = question.shown_systems
    return Said(
        f"We compared the candidate {second} with {_baseline(first)} on "
        f"{question.metric_name}{of} {over or size(question)}"
    )


def _baseline(name: str) -> str:
    return "the baseline" if name == "baseline" else f"the baseline {name}"


def size(question: "Question") -> str:
    """Say how much data there are, and what is independent of what."""
    if question.datasets is not None:
        return f"({wording.folds(question.datasets, int(question.items))})"
    if question.units == question.items:
        return f"over {question.amount}"
    return f"over {question.amount}, which are the independent units"


def region(rope: Rope | None) -> Said:
    """Say which differences are taken as no difference."""
    if rope is None:
        return Said(
            "No region of practical equivalence was given, so the verdict is about a "
            "difference of any size"
        )
    return Said(
        f"Differences {_within(rope)}, in the unit of the metric, count as practically "
        "equivalent (the rope)"
    )


def _within(rope: Rope) -> str:
    return f"within {rope}" if rope.low == -rope.high else f"from {rope}"


def intervals(mass: float, *, equal_tailed: bool = False) -> Said:
    """Say what kind the intervals are."""
    text = f"Intervals are {100 * mass:g} % highest-density intervals (HDI)"
    if equal_tailed:
        text = f"{text}, but those of the systems' own scores are equal-tailed"
    return Said(text)


def verdict(rule: str, rope: Rope | None, mass: float) -> Said:
    """Say how the verdict follows from the posterior."""
    known = {
        "hdi-rope": _by_interval,
        "zhang": _by_midpoint,
        "bayes-test": _by_half,
        "regions": _by_most,
        "region-mass": _by_mass,
    }
    text, cited = known[rule](rope, mass)
    return Said(f"By the rule {rule}, {text}", cited)


Told = tuple[str, tuple[str, ...]]


def _by_interval(rope: Rope | None, _: float) -> Told:
    cited = ("kruschke2013", "zhang2016")
    if rope is None:
        text = (
            "the candidate is called better or worse where the HDI of the difference "
            "excludes 0, and the comparison undecided elsewhere"
        )
        return text, cited
    text = (
        "the candidate is called better or worse where the HDI of the difference lies "
        "wholly beyond the rope, and equivalent where it lies wholly inside; it is "
        "said to lean to one side where the interval crosses that end only, and the "
        "comparison is undecided where the interval holds the whole rope"
    )
    return text, cited


def _by_midpoint(rope: Rope | None, mass: float) -> Told:
    text, _ = _by_interval(rope, mass)
    text = (
        f"{text}; in that last case the verdict leans to the side of the interval's "
        "midpoint instead"
    )
    return text, ("zhang2016",)


def _by_half(_: Rope | None, __: float) -> Told:
    text = (
        "the candidate is called better where that is more probable than not, and not "
        "better elsewhere"
    )
    return text, ("wang2019",)


def _by_most(rope: Rope | None, _: float) -> Told:
    text = f"the verdict is the most probable of {_sides(rope)}, where one is"
    return text, ("benavoli2017",)


def _by_mass(rope: Rope | None, mass: float) -> Told:
    text = (
        f"the verdict is the one of {_sides(rope)} whose probability is "
        f"at least {100 * mass:g} %; where none is, it leans to the more probable side "
        "or is undecided"
    )
    return text, ("benavoli2017",)


def _sides(rope: Rope | None) -> str:
    return "worse and better" if rope is None else "worse, equivalent and better"


def drawn(result: "Comparison") -> Said:
    """Say how many draws the numbers rest on, or that nothing is random."""
    method, what = result.origin.method, "Probabilities and intervals"
    if "draws" not in method:
        return Said(f"{what} are computed without random draws")
    free = result.posterior.difference.n_independent
    return Said(
        f"{what} rest on {free:,} independent draws from the posterior, "
        f"seed {method['seed']}, and not on a Markov chain"
    )
