"""Losses of one's own: less is better in every answer, number and word."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.conftest import random_labels

import likelier as lk
from likelier import Assumed, Outcomes, Scores, metrics
from likelier.metrics import Metric
from likelier.results import parts

FEW = {"draws": 1000, "seed": 0}
OF_ONE_DIRECTION = ("metric", "higher_is_better", "recipe", "estimates", "reason")


def false_alarms(fp, tn):
    return fp / np.maximum(fp + tn, 1e-300)


def silences(tn, fp):
    return tn / np.maximum(fp + tn, 1e-300)


def wrong(correct, items):
    return 1 - correct / items


# A loss and the gain that is its mirror image.
SCORE_LOSS = replace(metrics.mean, name="my_loss", higher_is_better=False)
SCORE_GAIN = replace(metrics.mean, name="my_gain")
ITEM_LOSS = Metric(
    "my_loss", ("correct", "items"), wrong, higher_is_better=False, linear=True
)
CLASS_LOSS = Metric("my_loss", ("fp", "tn"), false_alarms, higher_is_better=False)
CLASS_GAIN = Metric("my_gain", ("tn", "fp"), silences)

LABELS = random_labels(4, n=150, classes=2, right=(0.5, 0.75, 0.6))
PAIR = LABELS.columns[:3]
RNG = np.random.default_rng(6)
# Losses: the second system has the lower ones.
FIRST = RNG.gamma(2.0, 1.0, 80).round(2)
SECOND = (FIRST * RNG.uniform(0.5, 1.0, 80)).round(2)
FOLDS = RNG.normal(0.5, 0.02, (3, 10)) - np.array([[0.0], [0.1], [0.05]])


def planned(metric):
    pilot = Assumed.pilot(Outcomes.from_labels(*PAIR), certain=True)
    settings = {"metric": metric, "rope": 0.01, "replications": 60, "draws": 100}
    return lk.plan(pilot, positive=positive_of(metric), seed=0, **settings)


def positive_of(metric):
    return "a" if metric.of_one_class else None


def of_labels(question, metric, *columns, **settings):
    settings |= {"metric": metric, "positive": positive_of(metric), **FEW}
    return question(*columns, **settings)


def folds_of(*systems, **settings):
    return Scores.from_arrays(*systems, metric="my_loss", **settings)


LOSSES = {
    "compare": lambda m: of_labels(lk.compare, m, *PAIR, rope=0.01),
    "compare-unpaired": lambda m: of_labels(
        lk.compare, m, *PAIR, rope=0.01, method="unpaired"
    ),
    "compare-no-rope": lambda m: of_labels(lk.compare, m, *PAIR),
    "sensitivity": lambda m: of_labels(
        lk.sensitivity, m, *PAIR, rope=0.01, strengths=[0.5, 1]
    ),
    "estimate-difference": lambda m: of_labels(lk.estimate, m, *PAIR),
    "null-test": lambda m: of_labels(lk.null_test, m, *PAIR),
    "bootstrap": lambda m: of_labels(lk.null_test, m, *PAIR, method="bootstrap"),
    "rank": lambda m: of_labels(lk.rank, m, *LABELS.columns, rope=0.01),
    "chances": lambda m: planned(m).chances([100, 400]),
    "items-needed": lambda m: planned(m).items(),
    "plan": lambda m: planned(m).report([400]),
}
GROUPED = lambda m: lk.compare_groups(*PAIR, metric=m, rope=0.01, **FEW)  # noqa: E731
BY_LABELS = {**LOSSES, "groups": GROUPED}


@cache
def answer(name, metric):
    """The answer of a question about labels, made once."""
    return BY_LABELS[name](metric)


def direction_free(document):
    """The JSON without what differs between a loss and the gain beside it.

    A reason names the metric.
    """
    if isinstance(document, dict):
        return {
            key: direction_free(value)
            for key, value in document.items()
            if key not in OF_ONE_DIRECTION
        }
    if isinstance(document, list):
        return [direction_free(value) for value in document]
    return document


def rounded(value):
    """Numbers to ten digits: 1 - x is rounded otherwise than x.

    Numbers of items, such as their errors, have digits before the point, too.
    """
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [rounded(inner) for inner in value]
    return float(f"{round(value, 10):.9g}") if isinstance(value, float) else value


# --- a loss gives the answers of the gain beside it --------------------------------


@pytest.mark.parametrize("name", BY_LABELS)
def test_a_loss_of_one_class_answers_as_its_gain(name):
    loss, gain = (answer(name, m).to_dict() for m in (CLASS_LOSS, CLASS_GAIN))
    for one in (loss, gain):
        for row in one.get("ranks", ()):
            del row["value"]
    assert rounded(direction_free(loss)) == rounded(direction_free(gain))


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_of_items_answers_as_its_gain(name):
    loss, gain = (answer(name, m).to_dict() for m in (ITEM_LOSS, metrics.accuracy))
    for one in (loss, gain):
        for row in one.get("ranks", ()):
            del row["value"]
    assert rounded(direction_free(loss)) == rounded(direction_free(gain))


@pytest.mark.parametrize("method", ["randomization", "sign", "bootstrap"])
def test_p_values_of_losses_are_those_of_negated_scores(method):
    loss = lk.null_test(FIRST, SECOND, metric=SCORE_LOSS, method=method, **FEW)
    gain = lk.null_test(-FIRST, -SECOND, metric=SCORE_GAIN, method=method, **FEW)
    assert loss.difference == pytest.approx(gain.difference)
    assert loss.difference > 0
    assert loss.p_value == pytest.approx(gain.p_value, abs=0.03)


@pytest.mark.parametrize("cluster", [None, np.arange(80) // 2])
@pytest.mark.parametrize("rope", [None, 0.3, (-0.1, 0.5)])
def test_losses_and_negated_scores_have_the_same_probabilities(rope, cluster):
    settings = {"rope": rope, "cluster": cluster, "draws": 20_000, "seed": 0}
    loss = lk.compare(FIRST, SECOND, metric=SCORE_LOSS, **settings)
    gain = lk.compare(-FIRST, -SECOND, metric=SCORE_GAIN, **settings)
    assert loss.difference == pytest.approx(gain.difference)
    for side in ("worse", "equivalent", "better"):
        expected = getattr(gain.probability, side)
        assert getattr(loss.probability, side) == pytest.approx(expected, abs=0.02)
    assert tuple(loss.hdi) == pytest.approx(tuple(gain.hdi), abs=0.03)
    assert loss.verdict == gain.verdict
    turned = tuple(-value for value in gain.settings.data.observed)
    assert loss.settings.data.observed == pytest.approx(turned)


@pytest.mark.parametrize("method", ["correlated-t"])
def test_folds_of_losses_and_of_negated_scores(method):
    loss = lk.compare_folds(
        folds_of(*FOLDS[:2], higher_is_better=False), rope=0.01, method=method
    )
    gain = lk.compare_folds(folds_of(*-FOLDS[:2]), rope=0.01, method=method)
    assert loss.probability == gain.probability
    assert loss.hdi == gain.hdi
    assert loss.verdict == gain.verdict
    assert loss.verdict.name == "better"


def test_ranks_of_losses_and_of_negated_scores():
    loss = lk.rank(folds_of(*FOLDS, higher_is_better=False), rope=0.01, **FEW)
    gain = lk.rank(folds_of(*-FOLDS), rope=0.01, **FEW)
    assert loss.order.chain == gain.order.chain == "first < third < second"
    assert loss.places == gain.places == (1, 2, 0)
    assert (loss.ranks.probability == gain.ranks.probability).all()


# --- systems swapped --------------------------------------------------------------


@pytest.mark.parametrize("metric", [CLASS_LOSS, ITEM_LOSS], ids=["class", "items"])
@pytest.mark.parametrize("method", ["paired", "unpaired"])
@pytest.mark.parametrize("rope", [None, 0.02])
def test_swapped_systems_mirror_the_answer(metric, method, rope):
    gold, first, second = PAIR
    settings = {"metric": metric, "positive": positive_of(metric), "rope": rope}
    settings |= {"method": method, "draws": 8000, "seed": 0}
    one = lk.compare(gold, first, second, **settings)
    other = lk.compare(gold, second, first, **settings)
    assert one.difference == -other.difference
    assert one.settings.data.observed == other.settings.data.observed[::-1]
    turned = {"better": "worse", "worse": "better"}
    assert one.verdict.name == turned.get(other.verdict.name, other.verdict.name)
    for side in ("worse", "equivalent", "better"):
        there = getattr(other.probability, turned.get(side, side))
        assert getattr(one.probability, side) == pytest.approx(there, abs=0.03)


@pytest.mark.parametrize("rope", [None, 0.01])
def test_swapped_folds_mirror_exactly(rope):
    table = folds_of(*FOLDS[:2], higher_is_better=False)
    one = lk.compare_folds(table, rope=rope)
    other = lk.compare_folds(table, systems=["second", "first"], rope=rope)
    here, there = one.probability, other.probability
    assert (here.worse, here.better) == (there.better, there.worse)
    assert here.equivalent == pytest.approx(there.equivalent)
    assert one.difference == -other.difference
    assert tuple(one.hdi) == (-other.hdi.high, -other.hdi.low)
    assert (one.verdict.name, other.verdict.name) == ("better", "worse")


@pytest.mark.parametrize("name", ["error_rate", "my_loss"])
def test_swapped_counts_mirror_exactly(name):
    """Laws of counts are exact, so that the mirror is too."""
    metric = metrics.error_rate if name == "error_rate" else ITEM_LOSS
    table = Outcomes.from_labels(*PAIR)
    settings = {"metric": metric, "rope": 0.02, "method": "independent", **FEW}
    if metric is ITEM_LOSS:
        # A rate of one's own has no law.
        with pytest.raises(lk.LikelierError, match="my_loss"):
            lk.compare(table, **settings)
        return
    one, other = lk.compare(table, **settings), lk.compare(table.swapped(), **settings)
    assert one.probability.better == pytest.approx(other.probability.worse, rel=1e-12)
    assert one.difference == -other.difference


# --- words, tables, JSON --------------------------------------------------------------


@pytest.mark.parametrize("name", BY_LABELS)
def test_words_name_the_direction(name):
    result = answer(name, CLASS_LOSS)
    loss = "my loss (less is better)"
    if result.settings.positive is not None:
        loss = "my loss (a; less is better)"
    assert "lower is better" in result.recipe.split(" | ")
    assert loss in result.paragraph()
    document = result.to_dict()
    assert document["higher_is_better"] is False
    json.dumps(document, allow_nan=False)
    page = result.report().html
    assert "less is better" in page
    assert "lower is better" in page


@pytest.mark.parametrize("name", BY_LABELS)
def test_words_of_a_gain_name_no_direction(name):
    result = answer(name, CLASS_GAIN)
    for text in (result.recipe, result.sentence(), result.paragraph(), *result.lines()):
        assert "lower is better" not in text
        assert "less is better" not in text
    assert result.to_dict()["higher_is_better"] is True


@pytest.mark.parametrize(
    "name", ["compare", "compare-unpaired", "null-test", "estimate-difference", "rank"]
)
def test_sentences_and_tables_name_the_loss(name):
    result = answer(name, CLASS_LOSS)
    assert "my loss (a; less is better)" in result.sentence()
    cells = [
        text
        for table in result.tables()
        for text in (
            *(column.name for column in table.columns),
            *(cell for row in table.rows for cell in row),
        )
    ]
    assert "my loss (a; less is better)" in cells


def test_the_lower_loss_is_better():
    result = lk.compare(FIRST, SECOND, metric=SCORE_LOSS, rope=0.05, **FEW)
    first, second = result.settings.data.observed
    assert second < first
    assert result.difference == pytest.approx(first - second)
    assert result.verdict.name == "better"
    assert result.sentence().startswith(
        f"second is better than first on my loss (less is better): {second:.2f} "
        f"against {first:.2f}, +"
    )
    (row,) = result.tables()[0].rows
    assert any(cell.startswith("+") for cell in row)
    assert result.items.differing().second_right > result.items.differing().first_right
    swapped = lk.compare(SECOND, FIRST, metric=SCORE_LOSS, rope=0.05, **FEW)
    assert swapped.sentence().startswith("second is worse than first on my loss")


def test_the_leaderboard_begins_with_the_lowest_loss():
    result = lk.rank(folds_of(*FOLDS, higher_is_better=False), rope=0.01, **FEW)
    board = result.tables()[0]
    assert [row[0] for row in board.rows] == ["second", "third", "first"]
    values = [float(row[1]) for row in board.rows]
    assert values == sorted(values)
    assert board.columns[1].name == "my loss (less is better)"
    assert result.sentence().startswith(
        "my loss (less is better): first < third < second; the best is second ("
    )
    assert result.to_dict()["best"]["system"] == "second"


def test_the_leaderboard_of_items_begins_with_the_lowest_loss():
    result = answer("rank", ITEM_LOSS)
    values = [float(row[1]) for row in result.tables()[0].rows]
    assert values == sorted(values)


def test_a_forest_and_a_density_point_to_the_better_side():
    result = answer("compare", ITEM_LOSS)
    (density,) = [p for p in result.parts() if isinstance(p, parts.Density)]
    assert result.difference > 0
    assert sum(density.interval) > 0
    named = {share.name: share.share for share in density.shares}
    assert named["better"] > named["worse"]
    assert density.axis.startswith("gain in my loss")
    sure, much = result.summary().facts
    assert {share.name: share.share for share in sure.drawing.shares} == named
    assert much.value.startswith("+")
    assert much.drawing.value == result.difference
    assert much.drawing.sides == result.settings.system_labels
    first, second = result.settings.data.observed
    assert second < first
    assert " falls from " in "".join(result.summary().lede)


def test_groups_of_a_loss_are_turned_too():
    result = answer("groups", CLASS_LOSS)
    for row in result.rows:
        first, second = row.comparison.settings.data.observed
        assert row.comparison.difference == pytest.approx(first - second)
        assert not row.comparison.settings.higher_is_better
    for average in result.averages:
        assert "less is better" in average.settings.metric_name
        first, second = average.settings.data.observed
        assert average.difference == pytest.approx(first - second)


@pytest.mark.parametrize("method", ["mcnemar", "sign", "randomization"])
def test_items_won_are_those_of_the_gain(method):
    """A loss of a class is a sum over items too, if it says so."""
    loss = Metric(
        "my_loss", ("fp", "tn"), false_alarms, higher_is_better=False, linear=True
    )
    gain = Metric("my_gain", ("tn", "fp"), silences, linear=True)
    one, other = (
        of_labels(lk.null_test, metric, *PAIR, method=method) for metric in (loss, gain)
    )
    assert one.p_value == other.p_value
    assert one.null.details == other.null.details
    assert one.null.statistic == pytest.approx(other.null.statistic)
