"""Sentences that methods paragraphs share: data, model, rope, interval, rule, draws."""

from dataclasses import replace
from typing import TYPE_CHECKING

from likelier import formatting
from likelier.citations import Sentence
from likelier.formatting import join_words, plain

if TYPE_CHECKING:
    from likelier.bayes_factor import BayesFactor
    from likelier.interval import Rope
    from likelier.settings import DataSummary, FoldWeight, Range, Settings

DIRECTION = Sentence("A positive difference is one in favour of the candidate")
ORDER = "The order takes the most probable relation of each pair of systems"
COMPANION_CITES = {
    "corrected resampled t": ("nadeau2003",),
    "5x2cv t": ("dietterich1998",),
    "5x2cv F": ("alpaydin1999",),
    "Wilcoxon": ("demsar2006",),
    "Bayesian sign": ("benavoli2017",),
}


def compared(
    settings: "Settings", *, of: str = "", over: str | None = None
) -> Sentence:
    """Name the systems, the metric and the data of a comparison."""
    first, second = settings.system_labels
    baseline = "the baseline" if first == "baseline" else f"the baseline {first}"
    return Sentence(
        f"We compared the candidate {second} with {baseline} on "
        f"{settings.metric_name}{of} {over or size(settings.data)}"
    )


def size(data: "DataSummary") -> str:
    """Write how much data there are, and what is independent of what."""
    if data.data_sets is not None:
        return f"({data.size})"
    units = ", which are the independent units" if data.clustered else ""
    return f"over {data.amount}{units}"


def rope(region: "Rope | None") -> Sentence:
    """Name the differences that count as none."""
    if region is None:
        return Sentence(
            "No region of practical equivalence was given, so the verdict is about a "
            "difference of any size"
        )
    within = "within" if region.low == -region.high else "from"
    return Sentence(
        f"Differences {within} {region}, in the unit of the metric, count as "
        "practically equivalent (the rope)"
    )


def intervals(mass: float, *, equal_tailed: bool = False) -> Sentence:
    """Name the kind of the intervals."""
    text = f"Intervals are {100 * mass:g} % highest-density intervals (HDI)"
    if equal_tailed:
        text = f"{text}, but those of the systems' own scores are equal-tailed"
    return Sentence(text)


def rule(settings: "Settings") -> Sentence:
    """Describe how the verdict follows from the posterior."""
    text, cites = _RULES[settings.rule or "hdi-rope"]
    if settings.rule in ("hdi-rope", "zhang") and settings.rope is None:
        text = text.replace(_BY_ROPE, _BY_ZERO)
    sides = "worse and better" if settings.rope is None else _THREE
    text = text.format(sides=sides, percent=f"{100 * (settings.mass or 0):g} %")
    return Sentence(f"By the rule {settings.rule}, {text}", cites)


_THREE = "worse, equivalent and better"
_BY_ZERO = (
    "the candidate is called better or worse where the HDI of the difference "
    "excludes 0, and the comparison undecided elsewhere"
)
_WHOLLY = (
    "the candidate is called better or worse where the HDI of the difference lies "
    "wholly beyond the rope, and equivalent where it lies wholly inside"
)
_BY_ROPE = (
    f"{_WHOLLY}; where the interval crosses one end only, it is said to lean to the "
    "more probable of the two sides, and the comparison is undecided where the "
    "interval holds the whole rope"
)
_RULES = {
    "hdi-rope": (_BY_ROPE, ("kruschke2013", "zhang2016")),
    "zhang": (
        f"{_WHOLLY}; it is said to lean to one side where the interval crosses that "
        "end only, and to the side of the interval's midpoint where the interval holds "
        "the whole rope",
        ("zhang2016",),
    ),
    "bayes-test": (
        "the candidate is called more probably better where that is more probable than "
        "not, and more probably not better elsewhere",
        ("wang2019",),
    ),
    "regions": (
        "the verdict is the most probable of {sides}, where one is",
        ("benavoli2017",),
    ),
    "region-mass": (
        "the verdict is the one of {sides} whose probability is at least {percent}; "
        "where none is, it leans to the more probable side or is undecided",
        ("benavoli2017",),
    ),
}


def draws(settings: "Settings", independent: int) -> Sentence:
    """Say how many draws the numbers rest on, or that nothing is random."""
    what = "Probabilities and intervals"
    if not settings.draws:
        return Sentence(f"{what} are computed without random draws")
    return Sentence(
        f"{what} rest on {independent:,} independent draws from the posterior, "
        f"seed {settings.seed}, and not on a Markov chain"
    )


def fold_weight(folds: "FoldWeight | None") -> list[Sentence]:
    """Name the share of the counts of m x 2 folds that is taken as evidence."""
    if folds is None or folds.repetitions is None:
        return []
    m, share = folds.repetitions, folds.share
    return [
        Sentence(
            f"The counts of the {2 * m} folds, which overlap, were multiplied by "
            f"{share:.8g}, the mean of 1 / (1 + rho1 + 2 (m - 1) rho2) for m = {m}, "
            f"rho1 {_range(folds.rho1)} and rho2 {_range(folds.rho2)}",
            ("wang2019",),
        )
    ]


def _range(rho: "Range") -> str:
    ends = rho if isinstance(rho, tuple) else (rho,)
    if len(ends) == 1 or ends[0] == ends[1]:
        return f"= {ends[0]:g}"
    return f"between {ends[0]:g} and {ends[1]:g}"


def factor(bayes_factor: "BayesFactor | None") -> list[Sentence]:
    """Define the Bayes factor, where there is one."""
    if bayes_factor is None:
        return []
    text, cites = _FACTORS[bayes_factor.of]
    prior = f", under the prior {bayes_factor.prior}" if bayes_factor.prior else ""
    words = "words for its size are those of Jeffreys"
    return [Sentence(f"{text}{prior}; {words}", cites)]


_FACTORS = {
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
}


def quadrature(error: float) -> Sentence:
    """Say how exact the integrals of the hierarchical model are."""
    return Sentence(
        "The posterior was integrated by quadrature, without random draws; the "
        f"estimated error of a probability is {error:.1e}"
    )


def each_system(systems: tuple[str, ...], metric: str, data: "DataSummary") -> Sentence:
    """Name many systems that were compared with each other."""
    names = join_words(map(plain, systems))
    return Sentence(
        f"We compared {len(systems)} systems with each other on {metric} "
        f"{size(data)}: {names}; each of them is the baseline of those that follow it"
    )


def interval(kind: str, mass: float) -> Sentence:
    """Define the interval of an estimate."""
    meaning = {
        "hdi": "the shortest credible interval",
        "equal-tailed": "a credible interval with equal tails",
        "confidence": "by the percentiles of the draws",
    }[kind]
    name = formatting.interval_name(kind, mass)
    return Sentence(f"The interval is the {name}, {meaning}")


def posterior_model(
    settings: "Settings", *, positive: str | None = None
) -> list[Sentence]:
    """Describe the method that gave a posterior.

    Parameters
    ----------
    settings
        Those of the answer.
    positive
        Positive class to name, in place of the settings' own.
    """
    if settings.describe is None:
        return [
            Sentence(
                f"The posterior is that of the method {plain(settings.method_text)}"
            )
        ]
    return settings.describe(replace(settings, positive=positive or settings.positive))


def null_model(settings: "Settings") -> list[Sentence]:
    """Describe the test that gave a p-value."""
    if settings.describe is None:
        return [Sentence(f"The test is {plain(settings.method_text)}")]
    return settings.describe(settings)
