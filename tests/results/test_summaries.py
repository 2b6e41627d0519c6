"""Summaries: what a page begins with says what the result says, and no more."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.report.conftest import COMPARISONS
from tests.results import every_kind
from tests.results.every_kind import KINDS, result

import likelier as lk
from likelier import metrics
from likelier.decision import EVERY, NAMES, RULES, TESTED
from likelier.distribution import Draws, Posterior
from likelier.findings import Finding
from likelier.interval import Rope
from likelier.results import parts
from likelier.results.comparison_summary import HEADLINES, in_words, tally
from likelier.results.result_list import ResultList

BASE = every_kind.compared()
ROPES = (0.02, None, (-0.01, 0.03), (0.0, 0.02), (-0.02, 0.0))
# Where the middle of the difference is, and how uncertain it is.
PLACES = [(c, s) for c in (-0.1, -0.03, 0.0, 0.012, 0.03, 0.1) for s in (0.002, 0.02)]
BLOCK = Finding("LIK114", "a tail", "block", "too few draws", blocks=EVERY)
SIDES = ("worse", "equivalent", "better")


def placed(centre, spread, *, rope=0.02, rule="hdi-rope", **fields):
    """Return a comparison with this difference and this uncertainty."""
    steps = np.linspace(-3, 3, 401)
    values = centre + spread * np.sign(steps) * np.abs(steps) ** 1.5
    region = None if rope is None else Rope.of(rope)
    data = replace(BASE.settings.data, observed=(0.5, 0.5 + centre))
    settings = replace(BASE.settings, rope=region, rule=rule, data=data)
    fields = {"difference": centre, **fields}
    return replace(
        BASE, posterior=Posterior((), Draws(values)), settings=settings, **fields
    )


@cache
def every_verdict():
    """Return comparisons of every verdict, and blocked ones."""
    free = [
        placed(*place, rope=rope, rule=rule)
        for place in PLACES
        for rope in ROPES
        for rule in RULES
    ]
    blocked = [replace(one, findings=(BLOCK,)) for one in free[::5]]
    return *free, *blocked


def written(words):
    """Return a sentence and its strong words."""
    strong = [str(piece) for piece in words if isinstance(piece, parts.Strong)]
    return "".join(words), strong


def check_comparison(one, summary):
    """Check a summary against the verdict and the probabilities of a comparison."""
    check_headline(one, *written(summary.headline))
    sure, much = summary.facts
    check_sure(one, sure)
    check_much(one, much)
    check_lede(one, *written(summary.lede))
    assert summary.verdict == one.verdict
    assert bool(summary.next_step) == (one.outlook_line() is not None)


def check_headline(one, text, strong):
    name = one.verdict.name
    (word,) = strong
    assert word.removesuffix(":").lower() == name.removeprefix("leans ")
    assert not re.search(r"\d", text)
    assert "  " not in text
    for system in one.settings.system_labels:
        assert (system in text) == (one.verdict.reason is None)
    if one.verdict.reason is not None:
        assert text == f"Undecided: {one.verdict.reason}"
    assert ("probably" in text) == ("leans" in name or name in TESTED)


def check_sure(one, fact):
    p = one.probability
    shares = {share.name: share.share for share in fact.drawing.shares}
    expected = {"worse": p.worse, "equivalent": p.equivalent, "better": p.better}
    if one.rope is None:
        del expected["equivalent"]
    assert shares == expected
    assert {s.name: s.text for s in fact.drawing.shares} == {
        name: p.text(share) for name, share in expected.items()
    }
    assert len(fact.drawing.tones) == len(shares)
    if one.tested:
        test = one.hypotheses
        assert fact.value == one.probability.text(max(test.h0, test.h1))
        assert f"accept {test.decision}" in fact.remark
    elif one.verdict.name in TESTED:
        side, _, margin = fact.remark.partition(" by more than ")
        share = {"better": p.better, "not better": 1 - p.better}[side]
        assert one.verdict.name == f"more probably {side}"
        assert margin == (f"{one.margin:g}" if one.margin else "")
        assert fact.value == p.text(share)
        assert share >= 0.5
    elif one.verdict.reason is None and one.verdict.name == "undecided":
        assert not re.search(r"\d", fact.value + fact.remark)
    else:
        side = fact.remark.partition(",")[0]
        assert fact.value == p.text(expected[side])
        if one.verdict.reason is None:
            assert side == one.verdict.name.split()[-1]
    relied = "not to be relied on" not in fact.remark
    assert relied == (one.verdict.reason is None)
    if fact.remark in expected and one.verdict.name == fact.remark:
        assert expected[fact.remark] == max(expected.values())


def check_much(one, fact):
    ruler = fact.drawing
    assert (ruler.value, ruler.interval, ruler.rope) == (
        one.difference,
        one.hdi,
        one.rope,
    )
    assert float(fact.value) == pytest.approx(one.difference, abs=10**-one.decimals)
    assert ruler.sides == one.settings.system_labels
    assert fact.remark.endswith(one.hdi_text)


def check_lede(one, text, strong):
    first, second = one.settings.data.observed
    if " rises " in text or " falls " in text:
        assert (" rises " in text) == (second > first)
    if one.verdict.reason is not None:
        assert "not to be relied on" in text
        assert not any("%" in word for word in strong)
    elif one.tested:
        assert one.probability.text(one.hypotheses.h1) in strong
    elif one.verdict.name in TESTED:
        assert one.probability.text(one.probability.better) in strong
    elif one.verdict.name == "undecided":
        assert not any("%" in word for word in strong)
    else:
        side = one.verdict.name.split()[-1]
        share = one.probability.text(one.probability.to_dict()[side])
        assert strong[-1] == in_words(share)
    assert "-0," not in text
    assert not re.search(r"(?<![\d.])-\d", text.replace(one.hdi_text, "")) or (
        one.rope is not None and one.rope.low != -one.rope.high
    )


def test_summaries_say_the_verdict_and_its_probability():
    seen = set()
    for one in every_verdict():
        check_comparison(one, one.summary())
        seen.add((one.verdict.name, one.verdict.reason))
    assert {name for name, reason in seen if reason is None} == set(NAMES.values())
    assert ("undecided", BLOCK.reason) in seen
    assert set(HEADLINES) == set(NAMES.values())


@pytest.mark.parametrize("name", [*COMPARISONS, "hierarchical"])
def test_summaries_of_every_method_say_the_verdict(name):
    check_comparison(result(name), result(name).summary())


def test_claims_name_the_ends_of_the_rope():
    for rope, side, end in (
        (0.02, "better", "0.02"),
        (0.02, "worse", "0.02"),
        ((-0.01, 0.03), "better", "0.03"),
        ((-0.01, 0.03), "worse", "0.01"),
        ((0.0, 0.02), "worse", "0"),
        ((-0.02, 0.0), "better", "0"),
    ):
        one = placed(0.3 if side == "better" else -0.3, 0.002, rope=rope)
        assert one.verdict.name == side
        text, _ = written(one.summary().lede)
        assert f" more than {end}, " in text, text


def test_a_margin_is_named_below_the_headline():
    one = result("bayes-test-margin")
    text, _ = written(one.summary().headline)
    assert "margin" in text
    assert f"by more than {one.hypotheses.margin:g}" in written(one.summary().lede)[0]


# --- every kind --------------------------------------------------------------------

PLANS = ("plan", "power", "needed", "smallest")
MEASURED = re.compile(r"\d[.,]\d|\d ?%|[+-]\d")


@pytest.mark.parametrize("name", KINDS)
def test_headlines_are_printable_and_have_no_measured_number(name):
    summary = result(name).summary()
    text, strong = written(summary.headline)
    assert text.strip() == text
    assert text.isprintable()
    assert bool(MEASURED.search(text)) <= (name in PLANS)
    if not name.startswith(("study-unfinished", "ranking-without")):
        assert strong or name in PLANS
    pieces = (*summary.lede, *summary.next_step, *summary.lines, summary.context)
    for piece in (*pieces, *(p for f in summary.facts for p in (f.title, f.remark))):
        assert piece.isprintable()


@pytest.mark.parametrize(
    "name", [name for name in KINDS if type(result(name)).__name__ == "NullTest"]
)
def test_a_p_value_says_how_rare_and_nothing_about_the_systems(name):
    one, summary = result(name), result(name).summary()
    text, (word,) = written(summary.headline)
    assert ("rarely" in word) == (one.p_value < 0.05)
    assert "better" not in text
    assert summary.verdict is None
    assert summary.facts[0].value in written(summary.lede)[1]


def test_the_difference_of_a_p_value_says_what_was_subtracted():
    wrong = replace(metrics.error_rate, name="wrong")
    for one in (every_kind.nulled("sign"), every_kind.nulled("sign", metric=wrong)):
        much = one.summary().facts[1]
        named = dict(
            zip(one.settings.system_labels, one.settings.data.observed, strict=True)
        )
        minuend, subtrahend = much.remark.split(" minus ")
        difference = named[minuend] - named[subtrahend]
        assert float(much.value) == pytest.approx(difference, abs=1e-4)


def test_estimates_have_their_values():
    for names in (["estimate"], ["estimate", "estimate-paired"]):
        every = [result(name) for name in names]
        summary = ResultList(every).summary()
        assert summary.verdict is None
        for one, fact in zip(every, summary.facts, strict=True):
            assert fact.value == one.value_text
            assert one.interval_text in fact.remark
    many = ResultList([result("estimate")] * 5).summary()
    assert many.facts == ()


@pytest.mark.parametrize("name", ["classes", "classes-hierarchical"])
def test_groups_begin_with_their_average_and_name_where_it_is_worse(name):
    groups = result(name)
    by_place = sorted(groups.rows, key=lambda row: row.comparison.difference)
    tally, average = groups.summary().facts
    expected = [(str(row.name), row.comparison.verdict) for row in by_place]
    assert list(tally.drawing.verdicts) == expected
    check_much(groups.averages[0], average)
    check_lede(groups.averages[0], *written(groups.summary().lede))
    assert groups.summary().verdict == groups.averages[0].verdict


@pytest.mark.parametrize("worse", [0, 1, 2, 3])
def test_groups_that_are_worse_are_in_the_headline(worse):
    groups = result("classes")
    bad, good = placed(-0.3, 0.002), placed(0.3, 0.002)
    rows = tuple(
        replace(row, comparison=bad if i < worse else good)
        for i, row in enumerate(groups.rows)
    )
    one = replace(groups, rows=rows, averages=(good,))
    text, strong = written(one.summary().headline)
    assert strong[0] == "better"
    names = [str(row.name) for row in rows[:worse]]
    if worse > 2:
        assert text.endswith(f"worse in {worse} classes")
    else:
        assert (" is worse on " in text) == bool(worse)
        assert text.endswith(" and ".join(names) if worse else "than first")
    assert text.startswith(f"On {good.settings.metric_name}: ")
    without = replace(one, averages=())
    text, strong = written(without.summary().headline)
    assert set(strong) == {row.comparison.verdict.name for row in rows}
    assert without.summary().verdict is None


def test_several_comparisons_have_their_verdicts_in_the_headline():
    recall = replace(BASE.settings, metric="recall")
    good, bad = placed(0.3, 0.002), placed(-0.3, 0.002)
    other = replace(bad, settings=replace(bad.settings, metric="recall"))
    assert recall.metric_name == other.settings.metric_name
    third = replace(BASE.settings.data, systems=("first", "third"))
    renamed = replace(good, settings=replace(good.settings, data=third))
    for every in ([good, other], [bad, renamed], [good, bad] * 4, [good, good]):
        summary = ResultList(every).summary()
        text, strong = written(summary.headline)
        assert set(strong) == {one.verdict.name for one in every}
        (tally,) = summary.facts
        verdicts = [verdict for _, verdict in tally.drawing.verdicts]
        assert verdicts == [one.verdict for one in every]
        for name in strong:
            count = [one.verdict.name for one in every].count(name)
            assert f"{name} {count}" in tally.remark
        if len(every) == 2 and every[1] is not every[0]:
            for one in every:
                # What the two differ by stands beside its verdict.
                own = one.settings.metric_name, one.settings.system_labels[1]
                pieces = re.split(", |: ", text)
                assert any(
                    one.verdict.name in piece and any(word in piece for word in own)
                    for piece in pieces
                )


def test_sensitivity_begins_with_the_usual_prior_and_says_whether_it_matters():
    one = result("sensitivity")
    assert one.summary().headline == one.usual.summary().headline
    for other in (one.usual, placed(0.0, 0.02)):
        comparisons = (*one.comparisons[:-1], other)
        line = replace(one, comparisons=comparisons).summary().lines[0]
        verdicts = {c.verdict.name for c in comparisons}
        assert all(name in line for name in verdicts)
        assert ("every prior" in line) == (len(verdicts) == 1)


@pytest.mark.parametrize("answers", [(BASE,), (placed(0.3, 0.002), BASE), ()])
def test_studies_begin_with_their_answers_or_how_far_they_are(answers):
    study = every_kind.studied(*answers)
    text, _ = written(study.summary().headline)
    if answers:
        expected = ResultList(answers).summary()
        assert study.summary().headline == expected.headline
        assert study.summary().facts == expected.facts
        assert any(study.progress() in line for line in study.summary().lines)
    else:
        assert study.progress() in text


def test_beyond_forty_verdicts_are_counted_from_worse_to_better():
    results = [placed(c, 0.002) for c in (0.1, -0.1, 0.0) for _ in range(14)]
    labelled = [(str(index), one) for index, one in enumerate(results)]
    assert isinstance(tally(labelled[:40], "each").drawing, parts.Tally)
    counted = tally(labelled, "each").drawing
    assert counted.tones == ("worse", "equivalent", "better")
    assert [share.text for share in counted.shares] == ["14", "14", "14"]


def test_an_end_that_is_not_0_is_not_written_as_0():
    one = placed(0.02, 0.01, rope=0.005)
    low = one.hdi.low
    near = placed(0.02 - low + 3e-6, 0.01, rope=0.005)
    assert near.verdict.name == "leans better"
    assert near.hdi.low == pytest.approx(3e-6)
    assert "interval +0.000003 to" in near.summary().facts[1].remark
    assert "HDI +0.000003 to" in near.sentence()


# --- rankings ----------------------------------------------------------------------


def ranked(probability, names="abcd"):
    """Return a ranking whose systems have these probabilities of each rank."""
    one = lk.rank(
        every_kind.drawn(folds=5, systems=names[: len(probability)]), **every_kind.FEW
    )
    probability = np.array(probability, dtype=float)
    return replace(one, ranks=replace(one.ranks, probability=probability))


def with_best(*best):
    """Return a ranking by the probabilities of being the best."""
    table = np.full((len(best), len(best)), 0.0)
    table[:, 0] = best
    table[:, -1] = 1 - table[:, 0]
    return ranked(table)


BEST = {
    (0.96, 0.03, 0.01): "a",
    (0.5, 0.46, 0.04): "ab",
    (0.04, 0.46, 0.5): "cb",
    (0.4, 0.3, 0.3): "abc",
    (0.3, 0.3, 0.2, 0.2): None,
}


@pytest.mark.parametrize("best", BEST)
def test_the_best_is_among_the_fewest_systems_that_hold_the_mass(best):
    summary = with_best(*best).summary()
    strong = written(summary.headline)[1]
    named, sure = BEST[best], "".join(written(summary.lede)[1])
    if named is None:
        assert strong == ["Undecided:"]
    elif len(named) == len(best):
        assert (strong, sure) == (list(named), "")
    else:
        assert strong == list(named)
        total = sum(best["abcd".index(name)] for name in named)
        assert float(re.search(r"[\d.]+", sure)[0]) == pytest.approx(100 * total, abs=1)
    which, _ = summary.facts
    shares = [share.share for share in which.drawing.shares]
    assert sum(shares) == pytest.approx(1)
    assert shares[0] == max(best)
    assert which.remark == "abcd"[best.index(max(best))]
    assert len(which.drawing.tones) == len(shares)


def test_a_blocked_ranking_is_undecided():
    one = with_best(0.96, 0.03, 0.01)
    first, *others = (replace(c, findings=(BLOCK,)) for c in one.comparisons)
    for comparisons in ((first, *others), (first, *one.comparisons[1:])):
        blocked = replace(one, comparisons=comparisons, findings=(BLOCK,))
        text, strong = written(blocked.summary().headline)
        assert strong == ["Undecided"]
        assert BLOCK.reason in text
        assert "%" not in written(blocked.summary().lede)[0]
        assert "not to be relied on" in written(blocked.summary().lede)[0]


RANKINGS = [name for name in KINDS if type(result(name)).__name__ == "Ranking"]


@cache
def noisy(seed):
    """Rank six systems, of which some differ clearly and others do not."""
    table = every_kind.drawn(
        folds=8, systems="abcdef", gain=0.006, noise=0.012, seed=seed
    )
    return lk.rank(table, rope=0.002 if seed % 2 else None, mass=0.8, **every_kind.FEW)


def body(ranking, kind):
    (only,) = [part for part in ranking.parts() if isinstance(part, kind)]
    return only


def all_rankings():
    return [*map(result, RANKINGS), *map(noisy, range(6))]


def surely(ranking):
    """List the pairs (better, worse) that are decided, from the comparisons alone."""
    pairs = set()
    for one in ranking.comparisons:
        first, second = one.settings.systems
        if one.verdict.name == "better":
            pairs.add((second, first))
        elif one.verdict.name == "worse":
            pairs.add((first, second))
    return pairs


def test_tiers_begin_where_a_system_of_the_tier_above_is_surely_better():
    sizes = set()
    for ranking in all_rankings():
        rows, wins = body(ranking, parts.Leaderboard).rows, surely(ranking)
        tiers = {}
        for row in rows:
            tiers.setdefault(row.tier, []).append(row.system)
        assert list(tiers) == list(range(1, len(tiers) + 1))
        assert [row.system for row in rows] == [
            ranking.systems[i] for i in ranking.places
        ]
        for tier, members in tiers.items():
            sizes.add(len(members))
            assert not [(a, b) for a in members for b in members if (a, b) in wins]
            if tier > 1:
                above = tiers[tier - 1]
                assert any((system, members[0]) in wins for system in above)
    assert len(sizes) >= 3, "all tiers are alike"


def test_the_leaderboard_has_values_intervals_and_probabilities_of_the_ranking():
    for ranking in all_rankings():
        board = body(ranking, parts.Leaderboard)
        intervals = {
            name: interval
            for one in ranking.comparisons
            for name, _, interval in one.per_system
        }
        for row, place in zip(board.rows, ranking.places, strict=True):
            assert row.value == ranking.observed[place]
            assert row.interval == intervals.get(ranking.systems[place])
            if ranking.ranks is None:
                assert (row.ranks, row.best_text) == ("–", "–")
            else:
                assert row.best == ranking.ranks.best[place]
                check_range(row.ranks, ranking.ranks.probability[place])


def check_range(text, probability):
    """Check that no more than 2.5 % lie beyond either end, and no end can be moved."""
    low, _, high = text.partition(" to ")
    low, high = int(low), int(high or low)
    tail = 0.025 + 1e-12
    assert 1 <= low <= high <= len(probability)
    assert sum(probability[: low - 1]) <= tail
    assert sum(probability[high:]) <= tail
    assert sum(probability[:low]) > tail - 2e-12
    assert sum(probability[high - 1 :]) > tail - 2e-12


def test_the_heat_map_has_every_pair_on_both_sides():
    for ranking in all_rankings():
        heat = body(ranking, parts.HeatMap)
        assert heat.systems == tuple(ranking.systems[i] for i in ranking.places)
        at = {name: i for i, name in enumerate(heat.systems)}
        for one in ranking.comparisons:
            first, second = (at[name] for name in one.settings.systems)
            assert heat.shares[second][first] == one.probability.better
            assert heat.shares[first][second] == one.probability.worse
            assert ranking.between(*one.settings.systems) is one
        for i, row in enumerate(heat.shares):
            assert [share is None for share in row] == [k == i for k in range(len(row))]


def test_the_lead_is_that_of_the_first_over_the_second():
    for ranking in all_rankings():
        lead = ranking.summary().facts[-1]
        one, other = (ranking.systems[i] for i in ranking.places[:2])
        comparison = ranking.between(one, other)
        turned = comparison.settings.systems[0] == one
        sign = -1 if turned else 1
        assert lead.drawing.value == sign * comparison.difference
        assert lead.drawing.sides == (other, one)
        ends = sorted(sign * end for end in comparison.hdi)
        assert list(lead.drawing.interval) == ends
        if comparison.rope is not None:
            rope = [sign * comparison.rope.low, sign * comparison.rope.high]
            assert [lead.drawing.rope.low, lead.drawing.rope.high] == sorted(rope)


def test_the_order_is_drawn_only_where_it_is_no_chain():
    for ranking in all_rankings():
        kinds = [p.kind for p in ranking.parts() if isinstance(p, parts.Picture)]
        assert ("order" in kinds) == (ranking.order.chain is None)
        assert "critical" not in kinds


def test_many_systems_have_no_heat_map():
    names = [f"s{i:02}" for i in range(31)]
    ranking = lk.rank(every_kind.drawn(folds=3, systems=names), **every_kind.FEW)
    kinds = [type(part) for part in ranking.parts()]
    assert parts.HeatMap not in kinds
    assert parts.Leaderboard in kinds
