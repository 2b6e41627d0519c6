"""Disagreements of the verdict, the Bayes factor and companions, and their reasons."""

from typing import TYPE_CHECKING

from likelier import formatting
from likelier.decision import TESTED
from likelier.formatting import join_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likelier.results.companions import Companion
    from likelier.results.comparison import Comparison

ALPHA = 0.05
_SAME = 1e-9
_CLEAR = ("better", "worse")


def disagreements(result: "Comparison", companions: "Sequence[Companion]") -> list[str]:
    """Say where the answers to a comparison differ, and for what reason."""
    # Hypotheses are another question; a block is reason enough.
    if result.tested or result.verdict.reason is not None:
        return []
    return [
        *_of_p_values(result, companions),
        *_of_probabilities(result, companions),
        *_of_factor(result),
        *_of_largest(result),
    ]


def _of_p_values(result: "Comparison", companions: "Sequence[Companion]") -> list[str]:
    tests = [(c.name, c.p_value) for c in companions if c.p_value is not None]
    small = [name for name, p_value in tests if p_value < ALPHA]
    large = [name for name, p_value in tests if p_value >= ALPHA]
    verdict, lines = result.verdict.name, []
    agrees = verdict in _CLEAR or (
        verdict in TESTED and not result.hdi.low <= 0 <= result.hdi.high
    )
    for names, disagree, what in (
        (small, not agrees, "a difference"),
        (large, verdict in _CLEAR, "no difference"),
    ):
        if names and disagree:
            find = "finds" if len(names) == 1 else "find"
            lines.append(
                f"{join_words(names)} {find} {what} at {ALPHA:g}, the verdict is "
                f"{verdict}: {_reason(result)}."
            )
    if small and large:
        lines.append(
            f"{join_words(small)} and {join_words(large)} fall on different sides of "
            f"{ALPHA:g}: they order the same data by different statistics."
        )
    return lines


def _reason(result: "Comparison") -> str:
    """Return the first reason for which a p-value and the verdict may disagree."""
    if result.posterior.regions is not None:
        return (
            f"the verdict speaks of {result.foreseen}, the tests of the data sets at "
            "hand"
        )
    if _is_small(result):
        return (
            "a p-value asks whether there is any difference at all, the verdict "
            f"whether it is beyond {result.rope}"
        )
    if result.rule in ("regions", "bayes-test"):
        return (
            f"the rule {result.rule} takes what is most probable, however little more "
            "probable it is"
        )
    if result.rule == "region-mass":
        return (
            f"the rule region-mass asks for {100 * result.mass:.10g} % on one side, "
            "the tests look at both"
        )
    if result.settings.method != "paired":
        return (
            f"the method {result.settings.method} does not use that both systems "
            "saw the same items, the tests do"
        )
    if abs(result.mass - (1 - ALPHA)) > _SAME:
        interval = formatting.interval_name("hdi", result.mass)
        return f"the verdict rests on a {interval}, the tests on a level of {ALPHA:g}"
    return (
        "a p-value asks how odd the data were if nothing differed, the posterior how "
        "probable a difference is, given its prior"
    )


def _is_small(result: "Comparison") -> bool:
    """Return whether there is a difference, but not surely one beyond the rope."""
    rope, hdi = result.rope, result.hdi
    if rope is None or hdi.low <= 0 <= hdi.high or result.verdict.name in _CLEAR:
        return False
    return hdi.low <= rope.high and hdi.high >= rope.low


def _of_probabilities(
    result: "Comparison", companions: "Sequence[Companion]"
) -> list[str]:
    """Name companions that hold another region to be the most probable."""
    here = result.probability.most
    lines = []
    for companion in companions:
        shares = companion.probability
        there = None if shares is None else shares.most
        if here and there and there != here:
            lines.append(
                f"{companion.name} holds {there} to be the most probable, not {here}: "
                "it weighs data sets or folds in another way."
            )
    return lines


def _of_factor(result: "Comparison") -> list[str]:
    """Name a Bayes factor that points away from the verdict."""
    factor, verdict = result.factor, result.verdict.name
    if factor is None or factor.strength == "anecdotal":
        return []
    if factor.of != "rope":
        return _of_point(verdict, speaks_for=factor.log10 > 0)
    if factor.log10 < 0 and verdict == "equivalent":
        return [
            "The Bayes factor speaks against equivalence, the verdict is equivalent: "
            "the prior held equivalence to be more probable still."
        ]
    if factor.log10 > 0 and verdict in _CLEAR:
        return [
            f"The Bayes factor speaks for equivalence, the verdict is {verdict}: the "
            "factor tells how far the data moved the prior's odds, the verdict where "
            "they are now."
        ]
    if factor.log10 > 0 and verdict != "equivalent" and _reaches_out(result):
        return [
            "The Bayes factor speaks for equivalence, but the interval still reaches "
            "beyond the rope: more items would have to settle it."
        ]
    return []


def _reaches_out(result: "Comparison") -> bool:
    """Return whether the interval reaches beyond the rope."""
    rope, hdi = result.rope, result.hdi
    return rope is not None and (hdi.low < rope.low or hdi.high > rope.high)


def _of_point(verdict: str, *, speaks_for: bool) -> list[str]:
    """Set a point null against the verdict on the rope."""
    if speaks_for and verdict in _CLEAR:
        return [
            f"The Bayes factor speaks for no difference at all, the verdict is "
            f"{verdict}: a point null weighs how wide the prior is, the interval does "
            "not (Lindley's paradox)."
        ]
    if not speaks_for and verdict == "equivalent":
        return [
            "The Bayes factor speaks against no difference at all, the verdict is "
            "equivalent: the factor asks for a difference of any size, the verdict "
            "for one beyond the rope."
        ]
    return []


def _of_largest(result: "Comparison") -> list[str]:
    """Explain a verdict that leans away from equivalent, the most probable."""
    rope, verdict = result.rope, result.verdict.name
    if rope is None or verdict not in ("leans better", "leans worse"):
        return []
    if result.probability.most != "equivalent":
        return []
    start = f"Equivalent is the most probable of the three, the verdict {verdict}: "
    if result.hdi.low < rope.low and result.hdi.high > rope.high:
        middle = f"the rule {result.rule} takes the side of the interval's middle."
        return [start + middle]
    return [f"{start}the interval crosses one end of the rope."]
