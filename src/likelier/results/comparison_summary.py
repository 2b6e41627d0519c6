"""Summary of a comparison: headline, lede and facts that a page begins with."""

from collections import Counter
from typing import TYPE_CHECKING

from likelier import formatting
from likelier.decision import TESTED
from likelier.formatting import join_words
from likelier.interval import Interval
from likelier.results.parts import (
    Bar,
    Fact,
    Ruler,
    Share,
    Strong,
    Summary,
    Tally,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from likelier.results.comparison import Comparison

# Headlines by verdict; the verdict's own word is strong.
HEADLINES: dict[str, tuple[str, str, str]] = {
    "better": ("{second} is ", "better", " than {first}"),
    "worse": ("{second} is ", "worse", " than {first}"),
    "equivalent": ("{second} and {first} are practically ", "equivalent", ""),
    "leans better": ("{second} is probably ", "better", " than {first}, not surely"),
    "leans worse": ("{second} is probably ", "worse", " than {first}, not surely"),
    "leans equivalent": (
        "{second} and {first} are probably ",
        "equivalent",
        ", not surely",
    ),
    "undecided": ("", "Undecided:", " {second} may be better than {first}, or worse"),
    "more probably better": (
        "{second} is ",
        "more probably better",
        " than {first}{margin}",
    ),
    "more probably not better": (
        "{second} is ",
        "more probably not better",
        " than {first}{margin}",
    ),
}
_BLOCKED = ("", "Undecided:", " {reason}")
# The side that each verdict is about.
_SIDES = {
    "better": "better",
    "leans better": "better",
    "worse": "worse",
    "leans worse": "worse",
    "equivalent": "equivalent",
    "leans equivalent": "equivalent",
}


def comparison_summary(result: "Comparison") -> Summary:
    """Return what a page of one comparison begins with."""
    settings = result.settings
    return Summary(
        headline=headline(result),
        context=f"{settings.metric_name} · {settings.data.extent}",
        lede=_lede(result),
        verdict=result.verdict,
        facts=(how_sure(result), by_how_much(result)),
        findings=result.findings,
        lines=tuple(result.page_lines()),
        next_step=next_step(result, "What would decide it:"),
    )


def next_step(result: "Comparison", start: str) -> Words:
    """Say how many more items would probably decide, where the verdict is open."""
    line = result.outlook_line()
    return () if line is None else (Strong(start), f" {line}.")


def headline(result: "Comparison") -> Words:
    """Say the verdict in one sentence without a number."""
    first, second = result.settings.system_labels
    verdict = result.verdict
    margin = " by more than the margin" if result.margin else ""
    pieces = HEADLINES[verdict.name] if verdict.reason is None else _BLOCKED
    names = {"first": first, "second": second, "margin": margin}
    start, word, end = (
        piece.format(**names, reason=verdict.reason) for piece in pieces
    )
    return tuple(piece for piece in (start, Strong(word), end) if piece)


def _lede(result: "Comparison") -> Words:
    """Say both values, how sure the answer is, and what mattered."""
    side = _SIDES.get(result.verdict.name)
    if result.verdict.reason is not None:
        return (*_against(result), " The numbers below are not to be relied on.")
    if result.verdict.name in TESTED:
        return (*_moves(result), *_hypotheses(result))
    if side is None:
        return (*_against(result), *_both_fit(result))
    share = dict(zip(("worse", "equivalent", "better"), _texts(result), strict=True))
    opening = _against(result) if side == "equivalent" else _moves(result)
    return (
        *opening,
        " It is ",
        Strong(in_words(share[side])),
        f" probable that {_claim(result, side)}.",
    )


def _values(result: "Comparison") -> tuple[str, str]:
    first, second = result.settings.data.observed
    show = result.decimals
    return formatting.number(first, show), formatting.number(second, show)


def _subject(result: "Comparison") -> str:
    """Name what has the two values."""
    name = result.settings.metric_name
    if result.settings.data.data_sets is not None:
        name = f"mean {name}"
    # Names that mix cases are written as they are.
    return name.capitalize() if name.islower() else name


def _moves(result: "Comparison") -> Words:
    """Say from which value to which the metric rises or falls."""
    first, second = _values(result)
    if first == second:
        return _against(result)
    values = result.settings.data.observed
    verb = "rises" if values[1] > values[0] else "falls"
    return f"{_subject(result)} {verb} from {first} to ", Strong(second), "."


def _against(result: "Comparison") -> Words:
    first, second = _values(result)
    return (f"{_subject(result)} is {second} against {first}.",)


def _claim(result: "Comparison", side: str) -> str:
    """Say what is so probable."""
    second, rope = result.settings.system_labels[1], result.rope
    if result.posterior.regions is not None:
        return f"{side} is the likeliest outcome on {result.foreseen}"
    if rope is None:
        return f"{second} is {side}"
    if side == "equivalent":
        matter = "said not to matter"
        if rope.low == -rope.high:
            return f"the difference is smaller than {rope.high:g}, {_LEAST}"
        return f"the difference lies within {rope}, {matter}"
    least = rope.high if side == "better" else abs(rope.low)
    change = "gain" if side == "better" else "loss"
    return f"the {change} is more than {least:g}, {_LEAST}"


_LEAST = "the least that was said to matter"


def _both_fit(result: "Comparison") -> Words:
    """Say which loss and which gain still fit the data."""
    low, high = result.hdi
    loss, gain = (formatting.number(abs(x), result.decimals) for x in (low, high))
    amount = result.settings.data.amount
    if low < 0 < high:
        text = f" With {amount}, a loss of {loss} fits the data as well as a gain of"
        return f"{text} {gain}.", ""
    return (f" With {amount}, the difference may be anything in {result.hdi_text}.",)


def _hypotheses(result: "Comparison") -> Words:
    test, second = result.hypotheses, result.settings.system_labels[1]
    least = 0.0 if result.rope is None else result.rope.high
    share = result.probability.text(result.probability.better)
    if test is not None:
        least, share = test.margin, result.probability.text(test.h1)
    margin = f" by more than {least:g}" if least else ""
    return (
        f" The probability that {second} is better{margin} is ",
        Strong(share),
        "; a Bayes test takes the more probable side, however little more probable.",
    )


def _texts(result: "Comparison") -> tuple[str, str, str]:
    return result.probability.texts(result.rope)


def in_words(percentage: str) -> str:
    """Write a bound on a percentage as in a sentence.

    Examples
    --------
    >>> in_words(">99.9 %"), in_words("93 %")
    ('more than 99.9 %', '93 %')
    """
    return percentage.replace(">", "more than ").replace("<", "less than ")


def bar(result: "Comparison") -> Bar:
    """Return the probabilities of worse, equivalent and better; two without a rope."""
    named = zip(result.probability.to_dict().items(), _texts(result), strict=True)
    shares = tuple(Share(name, share, text) for (name, share), text in named)
    if result.rope is None or result.rope.half_width == 0:
        return Bar((shares[0], shares[2]), ("worse", "better"))
    return Bar(shares)


def how_sure(result: "Comparison") -> Fact:
    """Return the probability of the verdict's side, with all of them as a bar."""
    probability, side = result.probability, _SIDES.get(result.verdict.name)
    shares, value, remark = bar(result), "Not sure", "all three are possible"
    if len(shares.shares) == 2:
        remark = "both are possible"
    if result.verdict.reason is not None:
        side = probability.most or "better"
    if side is not None:
        value = probability.text(probability.to_dict()[side])
        remark = side
    if result.tested and result.hypotheses is not None:
        test = result.hypotheses
        side = "better" if test.decision == "H1" else "not better"
        value = probability.text(max(test.h0, test.h1))
        remark = f"{side}: accept {test.decision}"
    elif side is None and result.verdict.name in TESTED:
        remark = result.verdict.name.removeprefix("more probably ")
        better = probability.better
        value = probability.text(better if remark == "better" else 1 - better)
        remark += f" by more than {result.margin:g}" if result.margin else ""
    if result.verdict.reason is not None:
        remark = f"{remark}, not to be relied on"
    return Fact("How sure", value, remark, shares)


def by_how_much(result: "Comparison", *, title: str = "By how much") -> Fact:
    """Return the difference with its interval on a scale."""
    return difference_fact(result, title, turned=False)


def difference_fact(result: "Comparison", title: str, *, turned: bool) -> Fact:
    """Return the difference of two systems, or that of the first over the second.

    Parameters
    ----------
    result
        The comparison.
    title
        Heading of the fact.
    turned
        Whether to take the first minus the second.
    """
    first, second = result.settings.system_labels
    value, hdi, rope = result.difference, result.hdi, result.rope
    text, (low, high) = result.difference_text, result.end_texts()
    if turned:
        first, second, value = second, first, -value
        hdi = Interval(-hdi.high, -hdi.low, mass=hdi.mass, kind=hdi.kind)
        rope = None if rope is None else type(rope)(-rope.high, -rope.low)
        text, low, high = map(_turned, (text, high, low))
    of = "" if result.posterior.regions is None else f" of {result.centre}"
    return Fact(
        title,
        text,
        f"{100 * result.mass:g} % interval{of} {low} to {high}",
        Ruler(value, hdi, rope, (first, second)),
    )


def _turned(number: str) -> str:
    """Give a number the other sign; 0 keeps its own."""
    return number.translate(_SIGNS) if number.strip("+-0.") else number


_SIGNS = str.maketrans("+-", "-+")
# Beyond, verdicts are only counted: in a headline, in squares.
_MOST_NAMED, _MOST_SQUARES = 6, 40
_FROM_WORSE = (
    *("worse", "leans worse", "more probably not better"),
    *("undecided", "leans equivalent", "equivalent"),
    *("more probably better", "leans better", "better"),
)


def joint_summary(results: "Sequence[Comparison]", labels: "Sequence[str]") -> Summary:
    """Return what a page of several comparisons begins with."""
    amounts = dict.fromkeys(result.settings.data.amount for result in results)
    pairs = list(zip(labels, results, strict=True))
    return Summary(
        headline=_joint_headline(results),
        context=" · ".join(amounts),
        facts=(tally(pairs, "One by one"),),
    )


def _joint_headline(results: "Sequence[Comparison]") -> Words:
    """Say the verdicts: by metric, by candidate, or how many there are of each."""
    metrics = list(dict.fromkeys(one.settings.metric_name for one in results))
    pairs = list(dict.fromkeys(one.settings.system_labels for one in results))
    baselines = {first for first, _ in pairs}
    first, second = pairs[0]
    if len(results) > _MOST_NAMED or (len(metrics) > 1 and len(pairs) > 1):
        counts = Counter(one.verdict.name for one in results)
        if len(counts) == 1:
            return f"{len(results)} comparisons, all ", Strong(*counts)
        texts = [("", name, f" in {count}") for name, count in counts.most_common()]
        return f"{len(results)} comparisons: ", *listed(texts)
    if len(pairs) == 1:
        names = by_verdict((one.settings.metric_name, one) for one in results)
        texts = [("", name, f" on {join_words(of)}") for name, of in names.items()]
        return f"{second} against {first}: ", *listed(texts)
    names = by_verdict((one.settings.system_labels[1], one) for one in results)
    texts = [(f"{join_words(of)} ", name, "") for name, of in names.items()]
    start = f"Against {first}: " if len(baselines) == 1 else ""
    return start, *listed(texts)


def by_verdict(
    labelled: "Iterable[tuple[str, Comparison]]",
) -> dict[str, list[str]]:
    """Sort labels by the verdicts of their comparisons."""
    names: dict[str, list[str]] = {}
    for label, result in labelled:
        names.setdefault(result.verdict.name, []).append(label)
    return names


def listed(verdicts: "Iterable[tuple[str, str, str]]") -> "Iterator[str]":
    """Write verdicts strong, each with what comes before and after it."""
    for index, (before, name, after) in enumerate(verdicts):
        yield f"{', ' if index else ''}{before}"
        yield Strong(name)
        yield after


def tally(labelled: "Sequence[tuple[str, Comparison]]", title: str) -> Fact:
    """Return the verdicts of many comparisons: a square for each, or how many."""
    counts = Counter(result.verdict.name for _, result in labelled)
    if len(labelled) > _MOST_SQUARES:
        names = [name for name in _FROM_WORSE if name in counts]
        shares = (Share(x, counts[x] / len(labelled), f"{counts[x]:,}") for x in names)
        tones = tuple(name.replace(" ", "-") for name in names)
        return Fact(title, "", "", Bar(tuple(shares), tones))
    remark = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    cells = tuple((label, result.verdict) for label, result in labelled)
    return Fact(title, "", remark, Tally(cells))
