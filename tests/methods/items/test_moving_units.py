"""Units that move the metric: what the swap prior imagines of precision and its kin."""

import numpy as np
import pytest

import likelier as lk
from likelier import Outcomes, metrics
from likelier.methods.items import dirichlet
from likelier.methods.items.dirichlet import Paired
from likelier.methods.items.moving_units import MovingUnits
from likelier.methods.items.swap_prior import differing, imagined_units, moving_units
from likelier.streams import Streams


def table(**patterns):
    """Return outcomes of patterns such as ppn, gold first, by their counts."""
    rows = [pattern for pattern, count in patterns.items() for _ in range(count)]
    return Outcomes.from_labels(*map(list, zip(*rows, strict=True)))


def compared(outcomes, metric="precision", positive="p", **settings):
    settings = {"rope": 0.02, "seed": 0, "draws": 5000} | settings
    return lk.compare(outcomes, metric=metric, positive=positive, **settings)


MISSED = table(ppp=6, ppn=4, nnn=30)  # neither has a false positive
BOTH, ONE = ["B-x", "O", "B-x"], ["B-x", "O", "O"]
CHUNKS = Outcomes.from_chunks(
    [BOTH] * 20, [BOTH] * 20, [ONE] * 8 + [BOTH] * 12, scheme="iob2"
)


@pytest.mark.parametrize(
    ("outcomes", "metric", "positive"),
    [
        (MISSED, "precision", "p"),
        (table(nnn=6, nnp=4, ppp=30), "npv", "p"),
        (CHUNKS, "micro_precision", None),
        (CHUNKS, "macro_precision", None),
    ],
)
def test_differences_that_cannot_move_the_metric_show_no_equivalence(
    outcomes, metric, positive
):
    result = compared(outcomes, metric, positive)
    assert result.probability.equivalent < 0.5
    assert result.hdi.low < -0.02
    assert result.hdi.high > 0.02
    assert result.verdict.name != "equivalent"


def test_systems_that_are_never_right_are_not_equivalent_on_f1():
    result = compared(table(pnn=10, npn=5, nnn=30), "f1")
    assert result.settings.data.observed == (0, 0)
    assert result.probability.equivalent < 0.5


def test_many_predictions_without_an_error_are_equivalent():
    """Three in 500, the rule of three: of predictions, not of items."""
    result = compared(table(ppp=480, ppn=20, nnn=20), draws=40_000)
    assert result.verdict.name == "equivalent"
    assert result.hdi.high == pytest.approx(3 / 490, rel=0.1)
    assert result.hdi.low == pytest.approx(-3 / 490, rel=0.1)


def test_one_false_positive_among_many_misses_names_no_winner():
    """One to none is no more than it is for accuracy: about three to one."""
    result = compared(table(ppp=50, ppn=20, pnp=20, npn=1, nnn=100), rope=None)
    assert 0.7 < result.probability.better < 0.8


@pytest.mark.parametrize("metric", ["f1", "jaccard", "mcc", "kappa"])
def test_what_all_differing_units_move_is_as_it_was(metric):
    outcomes = table(ppp=20, ppn=5, pnp=4, pnn=2, npn=3, nnp=2, nnn=60).binary("p")
    chosen = metrics.named(metric)
    view = chosen.view(outcomes)
    assert (imagined_units(view, chosen)[0] == differing(view, chosen)).all()


@pytest.mark.parametrize("most", [0, 1000])
@pytest.mark.parametrize("outcomes", [MISSED, table(ppp=9, ppn=5, npp=1, nnn=30)])
def test_exchanged_systems_have_the_same_draws(monkeypatch, outcomes, most):
    monkeypatch.setattr(dirichlet, "_MOST_LISTED", most)
    outcomes = outcomes.binary("p")
    one, other = (
        Paired().posterior(each, metrics.precision, Streams.of(0, draws=500))
        for each in (outcomes, outcomes.swapped().merged())
    )
    assert (one.difference.values == -other.difference.values).all()
    assert one.difference.values.std() > 0


def test_drawn_units_are_the_same_posterior_as_listed_ones(monkeypatch):
    probabilities = [compared(MISSED, draws=40_000).probability]
    monkeypatch.setattr(dirichlet, "_MOST_LISTED", 0)
    probabilities.append(compared(MISSED, draws=40_000).probability)
    listed, drawn = (one.to_dict().values() for one in probabilities)
    assert list(listed) == pytest.approx(list(drawn), abs=0.015)


def test_ranks_of_many_systems_know_it_too():
    columns = zip(*["pppp"] * 6, *["ppnp"] * 4, *["nnnn"] * 30, strict=True)
    result = lk.rank(*map(list, columns), metric="precision", positive="p", seed=0)
    assert max(result.ranks.best) < 0.6


def test_many_tables_at_once_are_as_one_by_one():
    outcomes = MISSED.binary("p")
    cells = dirichlet.listed_cells(
        outcomes, metrics.precision, Paired()._prior, generic=True
    ).merged_for(metrics.precision)
    counts = cells.tables(np.array([[6.0, 4, 30], [6.0, 0, 30], [0.0, 4, 30]]))
    together = cells.shapes(counts)
    assert together == pytest.approx(np.array([cells.shapes(one) for one in counts]))


def test_a_system_that_predicts_nothing_has_no_verdict():
    result = compared(table(ppn=10, nnn=30))
    assert result.verdict.name == "undecided"
    assert result.verdict.reason == "precision of second is 0/0"


def test_where_slopes_say_nothing_all_that_differs_counts():
    view = metrics.precision.view(table(ppn=10, nnn=30).binary("p"))
    units = moving_units(view, metrics.precision)
    assert isinstance(units, MovingUnits)
    assert (units.of(view.counts)[0] == differing(view, metrics.precision)).all()
