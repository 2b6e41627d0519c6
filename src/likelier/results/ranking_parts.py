"""Parts of a ranking: the best, leaderboard with tiers, heat map, pairs."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from likelier import formatting
from likelier.formatting import plain
from likelier.results.comparison_parts import comparison_row, forest_note
from likelier.results.comparison_summary import difference_fact, in_words, next_step
from likelier.results.parts import (
    Bar,
    BoardRow,
    Fact,
    Forest,
    HeatMap,
    Leaderboard,
    Part,
    Picture,
    Share,
    Strong,
    Summary,
    Words,
)

if TYPE_CHECKING:
    from likelier.interval import Interval
    from likelier.results.comparison import Comparison
    from likelier.results.ranking import Ranking
    from likelier.results.ranks import Ranks

# The best is among systems that hold this probability together.
_MASS = 0.95
_MOST_NAMED = 3
# Beyond, a heat map is too fine to be read.
_MOST_HEATED = 30
# Beyond, a page has no triangles: each takes 30 kB.
_MOST_TRIANGLES = 10


def ranking_summary(ranking: "Ranking") -> Summary:
    """Return what the page of a ranking begins with."""
    first = ranking.comparisons[0]
    one, other = (ranking.systems[i] for i in ranking.places[:2])
    leaders = ranking.between(one, other)
    turned = leaders.settings.systems[0] == one
    lead = difference_fact(leaders, "Lead of the first over the second", turned=turned)
    ranks = ranking.ranks
    facts = (lead,) if ranks is None else (_which_best(ranking, ranks), lead)
    return Summary(
        headline=_headline(ranking),
        context=f"{ranking.settings.metric_name} · {len(ranking.systems)} systems · "
        f"{first.settings.data.extent}",
        lede=_lede(ranking),
        facts=facts,
        findings=ranking.findings,
        next_step=next_step(leaders, "What would tell the first two apart:"),
    )


def _candidates(ranks: "Ranks") -> list[int]:
    """Return the fewest systems among which the best probably is."""
    order = np.argsort(-ranks.best, kind="stable")
    reached = np.cumsum(ranks.best[order]) >= _MASS
    return [int(i) for i in order[: int(np.argmax(reached)) + 1]]


def _headline(ranking: "Ranking") -> Words:
    if ranking.block is not None:
        return Strong("Undecided"), ranking.block
    if ranking.ranks is None:
        return (f"{ranking.order}",)
    among = _candidates(ranking.ranks)
    names = [plain(ranking.systems[i]) for i in among]
    if len(names) > _MOST_NAMED:
        return Strong("Undecided:"), f" any of {len(names)} systems may be the best"
    pieces: list[str] = [f"The best{ranking.ranks.scope} is "]
    for index, name in enumerate(names):
        pieces += [" or " if index else "", Strong(name)]
    return tuple(piece for piece in pieces if piece)


def _lede(ranking: "Ranking") -> Words:
    ranks = ranking.ranks
    if ranking.block is not None:
        return ("The numbers below are not to be relied on.",)
    if ranks is None:
        return ()
    among = _candidates(ranks)
    share = float(ranks.best[among].sum())
    error = float(np.sqrt(share * (1 - share) / ranks.draws))
    text = formatting.percent(share, error, draws=ranks.draws)
    if len(among) == 1:
        return (
            "It is ",
            Strong(in_words(text)),
            " probable that none of the others is better.",
        )
    if len(among) == len(ranking.systems):
        return ("The data cannot tell which is the best.",)
    two = " two" if len(among) == 2 else ""
    return (
        "It is ",
        Strong(in_words(text)),
        f" probable that the best is one of these{two}; the data cannot tell which.",
    )


def _which_best(ranking: "Ranking", ranks: "Ranks") -> Fact:
    """Return the probabilities of the likeliest systems to be the best."""
    order = [int(i) for i in np.argsort(-ranks.best, kind="stable")]
    shares = [
        Share(plain(ranking.systems[i]), float(ranks.best[i]), ranks.best_text(i))
        for i in order[:2]
    ]
    rest = order[2:]
    if rest:
        share = max(0.0, 1 - sum(one.share for one in shares))
        error = float(np.sqrt(share * (1 - share) / ranks.draws))
        text = formatting.percent(share, error, draws=ranks.draws)
        name = formatting.counted(len(rest), "other")
        shares.append(Share(name, share, text))
    tones = ("better", "leans-better", "equivalent")[: len(shares)]
    first = shares[0]
    return Fact("Which is best", first.text, first.name, Bar(tuple(shares), tones))


def ranking_body(ranking: "Ranking") -> Iterator[Part]:
    """Yield the leaderboard, the heat map, what is no chain, and all pairs."""
    yield leaderboard(ranking)
    if len(ranking.systems) <= _MOST_HEATED:
        yield heat_map(ranking)
    if ranking.order.chain is None:
        title = "The order by the most probable relation of each pair"
        yield Picture(title, ranking, "order")
    yield _pairs(ranking)
    few = len(ranking.comparisons) <= _MOST_TRIANGLES
    if few and all(result.is_triangle for result in ranking.comparisons):
        title = "What the next data set may show, pair by pair"
        yield Picture(title, ranking, "simplex", folded=True)


def tiers(ranking: "Ranking") -> list[int]:
    """Return the tiers of the systems, from the first place on.

    A system begins a new tier where some system of the tier above is surely better.

    Returns
    -------
    list of int
        Tier of each system, in the order of `places`.
    """
    numbers: list[int] = []
    for index, place in enumerate(ranking.places):
        name = ranking.systems[place]
        tier = numbers[-1] if numbers else 1
        members = ranking.places[numbers.index(tier) : index] if numbers else ()
        beaten = any(_beats(ranking, ranking.systems[i], name) for i in members)
        numbers.append(tier + beaten)
    return numbers


def _beats(ranking: "Ranking", one: str, other: str) -> bool:
    """Return whether a system is surely better than another."""
    result = ranking.between(one, other)
    wins = "worse" if result.settings.systems[0] == one else "better"
    return result.verdict.name == wins


def leaderboard(ranking: "Ranking") -> Leaderboard:
    """Put the systems in order, tier by tier."""
    first = ranking.comparisons[0]
    show = max(result.decimals for result in ranking.comparisons)
    intervals = _intervals(ranking)
    rope = first.rope
    least = "" if rope is None else ", beyond the rope"
    rows = []
    for tier, place in zip(tiers(ranking), ranking.places, strict=True):
        name, ranks = ranking.systems[place], ranking.ranks
        interval = intervals.get(name)
        rows.append(
            BoardRow(
                tier,
                plain(name),
                ranking.observed[place],
                interval,
                formatting.number(ranking.observed[place], show),
                "–" if interval is None else formatting.ends(interval, show),
                "–" if ranks is None else ranks.range_text(place),
                0.0 if ranks is None else float(ranks.best[place]),
                "–" if ranks is None else ranks.best_text(place),
            )
        )
    what = (
        f"Within a tier no system is surely better than another{least}; a tier "
        "begins where some system of the tier above is."
    )
    return Leaderboard(
        note=" ".join([what, *lopsided(ranking)]),
        metric=ranking.settings.metric_name,
        interval_name=f"{100 * first.mass:g} % interval",
        rows=tuple(rows),
    )


def lopsided(ranking: "Ranking") -> list[str]:
    """Say which lead counts for whom, where the rope is not symmetric."""
    rope = ranking.comparisons[0].rope
    if rope is None or rope.low == -rope.high:
        return []
    names = formatting.join_words(map(plain, ranking.systems))
    return [
        f"The rope is not symmetric: in the order of the data, {names}, a system is "
        f"better than an earlier one with a lead of more than {rope.high:g}, and than "
        f"a later one with more than {-rope.low:g}."
    ]


def _intervals(ranking: "Ranking") -> "dict[str, Interval | None]":
    return {
        name: interval
        for result in ranking.comparisons
        for name, _, interval in result.per_system
    }


def heat_map(ranking: "Ranking") -> HeatMap:
    """Return how probably each system is better than each other, the best first."""
    names = [ranking.systems[place] for place in ranking.places]
    rope = ranking.comparisons[0].rope
    least = "" if rope is None else f", beyond the rope, {rope}"
    if rope is not None and rope.low != -rope.high:
        least += " (of the system that comes later in the data less the earlier one)"
    return HeatMap(
        tuple(map(plain, names)),
        tuple(
            tuple(_better(ranking, row, column) for column in names) for row in names
        ),
        "How probable it is, in per cent, that the system of the row is better than "
        f"the system of the column{least}. The stronger the colour, the surer.",
    )


def _better(ranking: "Ranking", row: str, column: str) -> float | None:
    if row == column:
        return None
    result = ranking.between(row, column)
    p = result.probability
    return p.worse if result.settings.systems[0] == row else p.better


def _pairs(ranking: "Ranking") -> Forest:
    """Put all pairs on one scale, those of the best first."""
    first = ranking.comparisons[0]
    return Forest(
        title="Pairs",
        head="pair",
        before=(),
        after=(
            "difference",
            f"{100 * first.mass:g} % interval",
            "P(worse)",
            "P(better)",
        ),
        rows=tuple(
            comparison_row(pair_label(result), result) for result in _by_place(ranking)
        ),
        note=(
            "Positive where the system named first is the better one.",
            forest_note(first),
        ),
        rope=first.rope,
        folded=True,
    )


def pair_label(result: "Comparison") -> str:
    """Name a pair, the candidate first."""
    first, second = result.settings.system_labels
    return f"{second} against {first}"


def _by_place(ranking: "Ranking") -> Sequence["Comparison"]:
    place = {ranking.systems[i]: k for k, i in enumerate(ranking.places)}
    return sorted(
        ranking.comparisons,
        key=lambda result: sorted(place[name] for name in result.settings.systems),
    )
