"""Items that a chance takes, and the difference that a number of items can show."""

import json

import numpy as np
import pytest
from scipy import optimize, stats
from tests.conftest import SHORT, random_labels

import likelier as lk
from likelier import Assumed
from likelier.decision import TESTED

NAN = float("nan")
# Fewer draws and experiments, where an assertion is not about the number itself.
FEW = {"replications": 100, "draws": 100}
ANSWERS = {}


def planned(assumed, **settings):
    return lk.plan(assumed, **SHORT | {"metric": "accuracy", "draws": 100} | settings)


def answer(question, assumed, *arguments, goal, **settings):
    """Ask a plan, once for all tests that ask the same."""
    key = question, repr((assumed, arguments, goal, sorted(settings.items())))
    if key not in ANSWERS:
        ask = getattr(planned(assumed, **settings), question)
        ANSWERS[key] = ask(*arguments, goal=goal)
    return ANSWERS[key]


def needed(assumed, *, chance=0.8, goal="better", **settings):
    return answer("items", assumed, chance, goal=goal, **settings)


def smallest(assumed, *, size=1000, chance=0.8, goal="better", **settings):
    return answer("smallest", assumed, size, chance, goal=goal, **settings)


# --- bad input ------------------------------------------------------------------


@pytest.mark.parametrize("chance", [0, 1, -0.1, 1.1, NAN, True, "0.8", None])
@pytest.mark.parametrize("call", [needed, smallest])
def test_a_chance_lies_between_0_and_1(apart, call, chance):
    with pytest.raises(lk.LikelierError, match="chance must"):
        call(apart, chance=chance)


@pytest.mark.parametrize("goal", ["beter", "", "undecided", "leans better", None, 1])
@pytest.mark.parametrize("call", [needed, smallest])
def test_a_goal_has_a_name(apart, call, goal):
    with pytest.raises(lk.LikelierError, match="goal must be one of"):
        call(apart, goal=goal)


@pytest.mark.parametrize("goal", ["equivalent", "decided"])
def test_a_smallest_difference_is_better_or_worse(apart, goal):
    with pytest.raises(lk.LikelierError, match="goal must be one of better, worse"):
        smallest(apart, goal=goal)


@pytest.mark.parametrize("size", [0, -1, 1.5, True, "9", None, [100]])
def test_a_size_is_a_whole_number(apart, size):
    with pytest.raises(lk.LikelierError, match="must be whole numbers"):
        smallest(apart, size=size)


@pytest.mark.parametrize("call", [needed, smallest])
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"rule": "no"}, "rule must"),
        ({"items": "other"}, "same items"),
        ({"method": "sign"}, "null_test"),
        ({"rope": 3}, "narrower"),
        ({"mass": 1}, "mass must"),
        ({"replications": 0}, "replications must"),
        ({"metric": "f1"}, "positive class"),
    ],
)
def test_settings_are_checked_for_every_question(apart, call, bad, message):
    with pytest.raises(lk.LikelierError, match=message):
        call(apart, **bad)


# --- goals out of reach -----------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"goal": "worse"}, r"accuracies 0.8 and 0.85, .*difference \+0.05"),
        ({"rope": 0.05}, r"\+0.05, rope ±0.05"),
        ({"rope": 0.2}, r"\+0.05, rope ±0.2"),
        ({"goal": "equivalent", "rope": 0.01}, r"\+0.05, rope ±0.01"),
    ],
)
def test_what_no_number_of_items_gives_is_refused(apart, settings, reason):
    with pytest.raises(lk.LikelierError, match=f"(?s)No number of items.*{reason}"):
        needed(apart, **settings)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"goal": "equivalent"}, "equivalent must have a rope"),
        ({"goal": "worse", "rule": "bayes-test"}, "bayes-test never says worse"),
    ],
)
def test_goals_that_no_experiment_reaches_name_the_reason(apart, settings, reason):
    with pytest.raises(lk.LikelierError, match=reason):
        needed(apart, **settings)


def test_what_the_pilot_leaves_open_is_refused():
    table = random_labels(3, n=60, right=(0.6, 0.6)).outcomes()
    assert lk.compare(table, metric="accuracy", seed=0).probability.better < 0.95

    with pytest.raises(lk.LikelierError, match="No number of items"):
        needed(Assumed.pilot(table), chance=0.97)


def test_a_bayes_test_decides_always():
    behind = Assumed.accuracies(0.9, 0.8, agreement=0.9)
    result = planned(behind, rule="bayes-test").chances([50])

    assert result.chance("decided", 50) == pytest.approx(1)


@pytest.mark.parametrize("size", [1, 10, 40])
def test_too_few_items_are_refused(apart, size):
    with pytest.raises(lk.LikelierError, match=f"{size} items are too few"):
        smallest(apart, size=size)


@pytest.mark.parametrize("size", [72, 74, 76, 78, 80, 82])
def test_items_that_just_suffice(apart, size):
    """All that can be shown is about all that can differ: no share may pass 1."""
    try:
        result = smallest(apart, size=size)
    except lk.LikelierError:
        return
    assert 0.08 < result.difference <= 0.1 + 1e-12


def test_systems_that_never_disagree_can_show_nothing():
    with pytest.raises(lk.LikelierError, match="agree"):
        smallest(Assumed.accuracies(0.8, 0.8, agreement=1))


# --- the number is right ----------------------------------------------------------

CASES = {
    "accuracy": {},
    "other items": {"method": "unpaired", "items": "other"},
    "chance .95": {"chance": 0.95},
    "rope": {"rope": 0.02},
    "equivalent": {"goal": "equivalent", "rope": 0.12},
    "decided": {"goal": "decided", "rope": 0.1, "rule": "zhang"},
    "f1": {"metric": "f1", "positive": "yes", "mass": 0.9},
}


@pytest.mark.parametrize("name", CASES)
def test_the_items_needed_give_the_chance(apart, name):
    result = needed(apart, **CASES[name])
    settings = {"replications": 900, "seed": 77}
    settings |= {k: v for k, v in CASES[name].items() if k not in ("goal", "chance")}
    n, step = result.items, max(round(result.error), 1)
    sizes = sorted({max(n - step, 1), n, n + step})
    again = planned(apart, **settings).chances(sizes)
    chances = [again.chance(result.goal, size) for size in sizes]
    own = abs(chances[-1] - chances[0]) / 2
    error = np.sqrt(result.chance * (1 - result.chance) / 900)

    assert chances[sizes.index(n)] == pytest.approx(
        result.chance, abs=3 * error + 3 * min(own, 0.03) + 0.01
    )
    assert 0 < result.error < 0.15 * n + 1


def test_more_chance_takes_more_items(apart):
    items = [needed(apart, chance=c, **FEW).items for c in (0.4, 0.7, 0.9, 0.97)]

    assert items == sorted(set(items))


@pytest.mark.parametrize(
    ("first", "second", "agreement", "chance"),
    [(0.8, 0.85, 0.9, 0.5), (0.7, 0.73, 0.8, 0.8)],
)
def test_normal_theory(first, second, agreement, chance):
    gap, apart = second - first, 1 - agreement
    z = stats.norm.ppf([0.975, chance])

    def short(n):
        # The prior swap adds two items on which just one is right.
        spread = z[0] * np.sqrt(apart * n + 2) + z[1] * np.sqrt(n * (apart - gap**2))
        return gap * n - spread

    expected = optimize.brentq(short, 10, 1e6)
    assumed = Assumed.accuracies(first, second, agreement=agreement)
    result = needed(assumed, chance=chance, draws=200)

    assert result.items == pytest.approx(expected, rel=0.06, abs=3 * result.error)


def test_fewer_than_five_items_can_be_enough():
    assumed = Assumed.accuracies(0.6, 0.9, agreement=0.6)
    settings = {"replications": 900, "rule": "bayes-test"}
    once = planned(assumed, **settings).chances(range(1, 6))
    for chance, items in ((0.3, 1), (0.5, 3), (0.6, 4)):
        least = next(n for n in once.sizes if once.chance(TESTED[0], n) >= chance)
        result = needed(assumed, rule="bayes-test", chance=chance)
        assert abs(result.items - least) <= 1
        assert abs(least - items) <= 1


def test_sure_of_all_at_once():
    """A hundred per cent apart: six items, not a staircase's average."""
    assert 5 <= needed(Assumed.accuracies(0.0, 1.0, agreement=0.0)).items <= 7


def test_one_in_a_thousand_items_differs():
    result = needed(Assumed.accuracies(0.9, 0.9005, agreement=0.999), draws=200)
    theory = (1.96 + 0.8416) ** 2 * 0.001 / 0.0005**2

    assert result.items == pytest.approx(theory, rel=0.15)


@pytest.mark.parametrize("name", ["accuracy", "macro_f1"])
def test_the_smallest_difference_has_the_chance(name):
    result = smallest(Assumed.accuracies(0.7, 0.75, agreement=0.8), metric=name)
    half = result.difference / 2
    there = Assumed.accuracies(0.725 - half, 0.725 + half, agreement=0.8)
    again = planned(there, replications=1500, seed=31).chances([1000])

    assert again.chance("better", 1000) == pytest.approx(0.8, abs=0.06)


def test_worse_mirrors_better(apart):
    up, down = smallest(apart), smallest(apart, goal="worse")

    assert up.difference > 0 > down.difference
    assert up.difference == pytest.approx(
        -down.difference, abs=4 * (up.error + down.error)
    )


def test_more_items_show_less(apart):
    gaps = [smallest(apart, size=n).difference for n in (200, 600, 3000)]

    assert gaps == sorted(gaps, reverse=True)
    # sqrt(n): three thousand show about half of what six hundred do.
    assert gaps[1] / gaps[2] == pytest.approx(np.sqrt(5), rel=0.15)


def test_a_wider_rope_takes_a_larger_difference(apart):
    bare, roped = smallest(apart), smallest(apart, rope=0.02)

    assert roped.difference == pytest.approx(bare.difference + 0.02, abs=0.006)


def test_scores_have_no_smallest_difference():
    table = lk.Outcomes.from_scores([0.1, 0.5, 0.7] * 9, [0.2, 0.5, 0.9] * 9)
    with pytest.raises(lk.LikelierError, match="labels"):
        smallest(Assumed.pilot(table), metric="mean")


# --- all at once --------------------------------------------------------------------


def test_a_report_answers_all_at_once(apart):
    plan = planned(apart, rope=0.01, **FEW)
    result = plan.report([100, 400])

    assert result.chances.to_dict() == plan.chances([100, 400]).to_dict()
    assert result.needed.to_dict() == plan.items().to_dict()
    (gap,) = result.smallest
    assert gap.to_dict() == plan.smallest(400).to_dict()
    assert result.missing == ()
    assert result.settings == result.chances.settings
    assert result.needed.sentence() in result.sentence()
    assert gap.sentence() in result.lines()


@pytest.mark.parametrize("goal", ["worse", "equivalent"])
def test_a_report_says_what_it_misses(apart, goal):
    result = planned(apart, rope=0.01, **FEW).report([60], goal=goal)

    assert result.needed is None
    (reason,) = result.missing
    assert reason.startswith(f"No number of items gives {goal} a chance of 0.8")
    assert reason in result.lines()
    assert result.sentence() == result.chances.sentence()
    assert result.to_dict()["needed"] is None


@pytest.mark.parametrize(("size", "goal"), [(10, "better"), (400, "decided")])
def test_a_report_leaves_out_what_cannot_be_shown(apart, size, goal):
    plan = planned(apart, rope=0.01, **FEW)

    assert plan.report([size], goal=goal).smallest == ()


@pytest.mark.parametrize("bad", [{"goal": "beter"}, {"chance": 2}, {"sizes": []}])
def test_a_report_refuses_what_its_parts_refuse(apart, bad):
    with pytest.raises(lk.LikelierError, match=f"{next(iter(bad))} must"):
        planned(apart, **FEW).report(**bad)


@pytest.mark.parametrize("assumed", [None, 3, {("y", "y", "y"): 1.0}])
def test_only_what_is_assumed_can_be_planned(assumed):
    with pytest.raises(lk.LikelierError, match="assumed must be made by Assumed"):
        lk.plan(assumed, metric="accuracy")


# --- words and JSON ---------------------------------------------------------------

SETTING = [
    *["schema", "kind", "systems", "metric", "positive", "higher_is_better"],
    *["assumed", "rope", "mass", "rule", "replications", "unit"],
]


def test_the_json_has_its_keys(apart):
    item, gap = needed(apart, **FEW).to_dict(), smallest(apart, **FEW).to_dict()

    last = ["chance", "items", "mcse", "method", "recipe", "findings"]
    assert list(item) == [*SETTING, "goal", *last]
    last[1] = "difference"
    assert list(gap) == [*SETTING, "size", "goal", *last]
    assert (item["kind"], gap["kind"]) == ("items_needed", "smallest_difference")
    for document in (item, gap):
        json.dumps(document, allow_nan=False)
    assert isinstance(item["items"], int)


@pytest.mark.parametrize("call", [needed, smallest])
def test_the_same_seed_gives_the_same_bytes(apart, call):
    one, two = call(apart, **FEW), call(apart, workers=3, **FEW)

    assert json.dumps(one.to_dict()) == json.dumps(two.to_dict())
    assert one.to_dict() != call(apart, seed=1, **FEW).to_dict()
    assert one.sentence().isprintable()
    assert len(one.frame()) > 0
    assert "schema" not in set(one.frame("pandas")["name"])


def test_a_smallest_difference_takes_a_pilot_as_the_truth():
    table = random_labels(1, n=300).outcomes()
    result = smallest(Assumed.pilot(table), **FEW)

    assert result.assumed.certain
    assert "as evidence" not in result.assumed.source
    assert "as evidence" not in result.recipe


def test_clusters_are_not_called_items():
    labels = random_labels(5, n=300, right=(0.5, 0.8))
    table = lk.Outcomes.from_labels(*labels.columns, cluster=np.arange(300) // 5)
    result = needed(Assumed.pilot(table, certain=True), **FEW)

    assert "clusters" in result.sentence()
