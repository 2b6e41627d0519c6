"""Three probabilities, verdicts, and the rules that choose one."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import ceil, log10

import numpy as np

from likelier.distribution import Difference, Regions
from likelier.errors import unknown_name
from likelier.findings import Finding
from likelier.formatting import percent, percents
from likelier.interval import Interval, Rope, rope_ends

# Probabilities that differ by less are the same but for rounding.
TIED = 1e-9


@dataclass(frozen=True)
class ThreeProbabilities:
    """Probabilities that the second system is worse, equivalent, better.

    Without a rope nothing is equivalent, and an exact tie counts half to each side.

    Attributes
    ----------
    worse, equivalent, better
        The probabilities.
    draws
        Number of independent draws that they rest on; 0 where they are exact.
    """

    worse: float
    equivalent: float
    better: float
    draws: int

    @classmethod
    def of_regions(cls, regions: Regions, rope: Rope | None) -> "ThreeProbabilities":
        """Compute how probably each region holds the most of the next data set."""
        shares = regions.shares(*rope_ends(rope))
        return cls._without_ties(shares, rope, regions.n_independent)

    @classmethod
    def of(cls, difference: Difference, rope: Rope | None) -> "ThreeProbabilities":
        """Compute the probabilities of a difference below, in and above the rope."""
        low, high = rope_ends(rope)
        worse, better = difference.share_below(low), difference.share_above(high)
        n = difference.n_draws
        if n:  # counts of draws add up exactly
            inside = (n - round(worse * n) - round(better * n)) / n
        elif worse < better:  # the difference of two small tails: 1 - p loses digits
            inside = max(difference.share_below(high) - worse, 0.0)
        else:
            inside = max(difference.share_above(low) - better, 0.0)
        shares = worse, inside, better
        return cls._without_ties(shares, rope, difference.n_independent)

    @classmethod
    def _without_ties(
        cls, shares: tuple[float, float, float], rope: Rope | None, draws: int
    ) -> "ThreeProbabilities":
        """Count ties half to each side where there is no rope."""
        worse, inside, better = shares
        if rope is None:
            worse, inside, better = worse + inside / 2, 0.0, better + inside / 2
        return cls(worse, inside, better, draws)

    @classmethod
    def at_ropes(
        cls,
        difference: Difference,
        regions: Regions | None,
        ropes: Sequence[Rope | None],
    ) -> tuple["ThreeProbabilities", ...]:
        """Compute the probabilities for many ropes: of regions where there are some."""
        if regions is not None:
            return tuple(cls.of_regions(regions, rope) for rope in ropes)
        return tuple(cls.of(difference, rope) for rope in ropes)

    @property
    def most(self) -> str | None:
        """The most probable of the three; none where two are as probable."""
        shares = self.to_dict().items()
        names = [name for name, share in shares if share > self.largest - TIED]
        return names[0] if len(names) == 1 else None

    def text(self, probability: float) -> str:
        """Write one of the probabilities, no finer than the draws allow."""
        return percent(probability, self.mcse(probability), draws=self.draws)

    def texts(self, rope: Rope | None) -> tuple[str, str, str]:
        """Write all three; without a rope nothing can be equivalent."""
        worse, inside, better = self.all_texts()
        return worse, "-" if rope is None else inside, better

    def all_texts(self) -> tuple[str, ...]:
        """Write worse, equivalent and better, no finer than the draws allow."""
        shares = (self.worse, self.equivalent, self.better)
        return percents(shares, [*map(self.mcse, shares)], draws=self.draws)

    def to_dict(self) -> dict[str, float]:
        """Return the probabilities as in the JSON."""
        return {
            "worse": self.worse,
            "equivalent": self.equivalent,
            "better": self.better,
        }

    @property
    def largest(self) -> float:
        """The largest of the three."""
        return max(self.worse, self.equivalent, self.better)

    def mcse(self, probability: float) -> float:
        """Return the Monte-Carlo standard error of one of the probabilities."""
        if self.draws == 0:
            return 0.0
        return float(np.sqrt(probability * (1 - probability) / self.draws))


@dataclass(frozen=True)
class Verdict:
    """Verdict on two systems, and the rule that chose it.

    Attributes
    ----------
    symbol, name
        The verdict as a sign and in words.
    rule
        The rule that chose it.
    open
        Whether the evidence decides neither way: more items may.
    reason
        Why there is no verdict, where a finding blocks it.
    """

    symbol: str
    name: str
    rule: str
    open: bool = False
    reason: str | None = None

    def __str__(self) -> str:
        return f"{self.symbol} {self.name}"

    def unless(self, block: Finding | None) -> "Verdict":
        """Return the verdict, or none with the reason where a finding blocks it."""
        if block is None:
            return self
        return Verdict("?", NAMES["?"], self.rule, open=True, reason=block.reason)

    def to_dict(self) -> dict[str, object]:
        """Return the verdict as in the JSON."""
        return asdict(self)


NAMES = {
    "≫": "better",
    "≪": "worse",
    "≈": "equivalent",
    ">": "leans better",
    "<": "leans worse",
    "~": "leans equivalent",
    "?": "undecided",
    "≳": "more probably better",
    "≲": "more probably not better",
}
EVERY = tuple(NAMES.values())
EQUIVALENT = ("equivalent", "leans equivalent")
# More items may turn these into a clear verdict.
OPEN = ("undecided", "leans better", "leans worse", "leans equivalent")
# Verdicts of the Bayes test: the more probable side, however little more probable.
TESTED = ("more probably better", "more probably not better")


@dataclass(frozen=True)
class Hypotheses:
    """H0: the second system is not better by more than the margin; H1: it is.

    Wang & Li (2019), equation 31; H0 is accepted where it is at least as probable.

    Examples
    --------
    >>> Hypotheses(h0=0.3, h1=0.7).decision
    'H1'
    """

    h0: float
    h1: float
    margin: float = 0.0
    draws: int = 0

    @classmethod
    def of(cls, difference: Difference, margin: float) -> "Hypotheses":
        """Compute the probabilities of a difference up to and above the margin."""
        h1 = difference.share_above(margin)
        exact = difference.n_draws == 0
        h0 = difference.share_below(margin) if exact else 1 - h1
        return cls(h0, h1, margin, difference.n_draws)

    def text(self, probability: float) -> str:
        """Write one of the probabilities, no finer than the draws allow."""
        if not self.draws:
            return f"{probability:.4g}"
        least = 3 / self.draws
        if probability in (0.0, 1.0):
            return f"<{least:.2g}" if probability == 0 else f">{1 - least:.4g}"
        error = float(np.sqrt(probability * (1 - probability) / self.draws))
        return f"{probability:.{ceil(-log10(error))}f}"

    @property
    def decision(self) -> str:
        """The hypothesis that is accepted."""
        return "H0" if self.h0 >= self.h1 else "H1"

    def verdict(self, mass: float) -> Verdict:
        """Return the decision as a verdict, open below a probability of the mass."""
        symbol = "≳" if self.decision == "H1" else "≲"
        unsure = max(self.h0, self.h1) < mass
        return Verdict(symbol, NAMES[symbol], "bayes-test", open=unsure)

    def to_dict(self) -> dict[str, object]:
        """Return the hypotheses as in the JSON."""
        return {
            "h0": self.h0,
            "h1": self.h1,
            "decision": self.decision,
            "margin": self.margin,
        }


Rule = Callable[[Interval, Rope | None, ThreeProbabilities], str]


_SIDES = {"≪": "worse", "≈": "equivalent", "≫": "better"}
_LEANS = {"≪": "<", "≈": "~", "≫": ">"}


def _touched(hdi: Interval, rope: Rope | None) -> str:
    """Return the sides of the rope that an interval touches, as clear symbols."""
    low, high = rope_ends(rope)
    inside = rope is not None and hdi.low <= high and hdi.high >= low
    if rope is None and hdi.low <= 0 <= hdi.high:
        return "≪≫"
    below, above = hdi.low < low, hdi.high > high
    touched = {"≪": below, "≈": inside, "≫": above}
    return "".join(side for side, touches in touched.items() if touches)


def _hdi_rope(
    hdi: Interval, rope: Rope | None, probabilities: ThreeProbabilities
) -> str:
    """Decide where the interval is on one side; else lean to the more probable one.

    With a small mass the interval may leave out the most probable side; then nothing
    is said.
    """
    sides = _touched(hdi, rope)
    shares = probabilities.to_dict()
    most = [
        side for side in sides if shares[_SIDES[side]] > probabilities.largest - TIED
    ]
    if len(most) == 0 or len(sides) == 3 or rope is None:
        return sides if len(sides) == len(most) == 1 else "?"
    # Of two sides that are as probable the modest one.
    return sides if len(sides) == 1 else _LEANS["≈" if "≈" in most else most[0]]


def _zhang(hdi: Interval, rope: Rope | None, _: ThreeProbabilities) -> str:
    sides = _touched(hdi, rope)
    if len(sides) == 1:
        return sides
    if sides in ("≈≫", "≪≈"):
        return ">" if sides == "≈≫" else "<"
    return ">" if hdi.low + hdi.high > 0 else "<"


def _bayes_test(_: Interval, __: Rope | None, probabilities: ThreeProbabilities) -> str:
    return "≳" if probabilities.better > 0.5 else "≲"


def _regions(_: Interval, __: Rope | None, probabilities: ThreeProbabilities) -> str:
    symbols = {"worse": "≪", "equivalent": "≈", "better": "≫"}
    return symbols.get(probabilities.most or "", "?")


def _region_mass(
    hdi: Interval, _: Rope | None, probabilities: ThreeProbabilities
) -> str:
    most = _regions(hdi, None, probabilities)
    if probabilities.largest >= hdi.mass:
        return most
    return _LEANS.get(most, "?")


RULES: dict[str, Rule] = {
    "hdi-rope": _hdi_rope,
    "zhang": _zhang,
    "bayes-test": _bayes_test,
    "regions": _regions,
    "region-mass": _region_mass,
}


def decide(
    rule: str, *, hdi: Interval, rope: Rope | None, probabilities: ThreeProbabilities
) -> Verdict:
    """Choose a verdict by a named rule.

    Parameters
    ----------
    rule
        hdi-rope (Kruschke), zhang (as their published code: never undecided),
        bayes-test (more probably better, or more probably not better), regions
        (the most probable of the three) or region-mass (the one of the three that is
        as probable as the mass of the interval; else what it leans to).
    hdi
        The highest-density interval of the difference.
    rope
        The region of practical equivalence, if there is one.
    probabilities
        The probabilities of worse, equivalent and better.

    Examples
    --------
    >>> hdi = Interval(0.02, 0.05, mass=0.95, kind="hdi")
    >>> decide("hdi-rope", hdi=hdi, rope=Rope.of(0.01),
    ...        probabilities=ThreeProbabilities(0.0, 0.01, 0.99, 1000)).name
    'better'
    """
    if rule not in RULES:
        raise unknown_name(rule, RULES, kind="rule")
    symbol = RULES[rule](hdi, rope, probabilities)
    name = NAMES[symbol]
    better = probabilities.better
    unsure = name in TESTED and max(better, 1 - better) < hdi.mass
    return Verdict(symbol, name, rule, open=unsure or name in OPEN)


def symbol_table(
    rule: str,
    *,
    hdis: Sequence[Interval],
    ropes: Sequence[Rope | None],
    probabilities: Sequence[ThreeProbabilities],
) -> tuple[str, ...]:
    """Return the symbols of verdicts: for each rope one letter for each interval."""
    symbol = RULES[rule]
    return tuple(
        "".join(symbol(hdi, rope, shares) for hdi in hdis)
        for rope, shares in zip(ropes, probabilities, strict=True)
    )
