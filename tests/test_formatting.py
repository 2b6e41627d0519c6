"""Numbers and names as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import LABEL_METRICS, OF_NUMBERS, QUICK, RANKED, SCORES

from likelier import formatting, metrics


@QUICK
@given(text=st.text())
def test_text_from_the_data_stays_on_one_printable_line(text):
    written = formatting.plain(text)

    assert written.isprintable()
    assert text.isprintable() == (written == text)


@pytest.mark.parametrize(
    ("spread", "expected"),
    [
        (0.05, 2),
        (0.051, 2),
        (0.049, 3),
        (0.01, 3),
        (0.0004, 5),
        (25, 0),
        (1e-12, 8),
        (0, 4),
        (float("nan"), 4),
        (float("inf"), 4),
    ],
)
def test_no_more_decimals_than_the_spread_allows(spread, expected):
    assert formatting.decimals_for(spread) == expected


@pytest.mark.parametrize(
    ("value", "decimals", "signed", "expected"),
    [
        (0.8421, 3, False, "0.842"),
        (0.8421, 3, True, "+0.842"),
        (-0.0001, 3, True, "+0.000"),
        (-0.0001, 3, False, "0.000"),
        (-0.0, 1, False, "0.0"),
        (12345.6, 0, False, "12,346"),
        (-2.5, 1, True, "-2.5"),
    ],
)
def test_numbers_are_never_minus_zero(value, decimals, signed, expected):
    assert formatting.number(value, decimals, signed=signed) == expected


@pytest.mark.parametrize(
    ("probability", "mcse", "expected"),
    [
        (0.0, 0, "<0.1 %"),
        (1.0, 0, ">99.9 %"),
        (0.0004, 0, "<0.1 %"),
        (0.9996, 0, ">99.9 %"),
        (0.985, 0.0005, "98.5 %"),
        (0.985, 0.0, "98.5 %"),
        (0.5, 0.002, "50 %"),
    ],
)
def test_probabilities_are_percentages(probability, mcse, expected):
    assert formatting.percent(probability, mcse) == expected


@QUICK
@given(p=st.floats(0, 1))
def test_no_probability_is_written_as_certain(p):
    written = formatting.percent(p, 0.0)

    assert written not in ("0.0 %", "100.0 %", "0 %", "100 %")


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (1.0, "1.000"),
        (0.05, "0.050"),
        (0.001, "0.001"),
        (0.00099, "9.9e-04"),
        (2e-5, "2.0e-05"),
    ],
)
def test_p_values_are_never_0(p, expected):
    assert formatting.p_value(p) == expected


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (0.0, "1.0 : 1"),
        (0.5, "3.2 : 1"),
        (-1.5, "1 : 32"),
        (3.0, "1,000 : 1"),
        (-8.0, "1 : 1e8"),
        (400.0, "1e400 : 1"),
    ],
)
def test_odds_have_1_on_the_smaller_side(size, expected):
    assert formatting.odds(size) == expected


def test_a_bound_never_looks_stronger_than_it_is():
    assert formatting.odds(1.28, bound=True) == "10 : 1"
    assert formatting.odds(-1.28, bound=True) == "1 : 10"
    assert formatting.odds(1.28, 0.05) == "20 : 1"
    assert formatting.odds(1.28) == "19 : 1"


@pytest.mark.parametrize(
    ("kind", "mass", "expected"),
    [
        ("hdi", 0.95, "95 % HDI"),
        ("hdi", 0.999, "99.9 % HDI"),
        ("confidence", 0.9, "90 % confidence interval"),
        ("equal-tailed", 0.5, "50 % equal-tailed interval"),
    ],
)
def test_an_interval_is_called_what_it_is(kind, mass, expected):
    assert formatting.interval_name(kind, mass) == expected


@pytest.mark.parametrize(
    ("name", "positive", "expected"),
    [
        ("f1", "spam", "F1 (spam)"),
        ("f1", None, "F1"),
        ("f0.5", None, "F0.5"),
        ("macro_f2", None, "macro F2"),
        ("macro_f1", None, "macro F1"),
        ("balanced_accuracy", None, "balanced accuracy"),
        ("token_accuracy", None, "token accuracy"),
        ("oov_accuracy", None, "OOV accuracy"),
        ("micro_mcc", None, "micro MCC"),
        ("mean_loss", None, "mean loss"),
        ("f1_of_macro", None, "F1 of macro-averages"),
        ("recall", "a\nb", "recall (a\\nb)"),
    ],
)
def test_a_metric_is_written_as_in_a_sentence(name, positive, expected):
    assert formatting.metric_name(name, positive) == expected


@pytest.mark.parametrize(
    ("name", "positive", "expected"),
    [
        ("mean_loss", None, "mean loss (less is better)"),
        ("error_rate", None, "error rate (less is better)"),
        ("my_cost", "spam", "my cost (spam; less is better)"),
    ],
)
def test_a_loss_is_written_with_its_direction(name, positive, expected):
    assert formatting.metric_name(name, positive, higher_is_better=False) == expected


def test_no_two_metrics_are_written_alike():
    names = [*LABEL_METRICS, *SCORES, *OF_NUMBERS, *RANKED]

    assert set(names) >= set(metrics.METRICS)
    written = {formatting.metric_name(name) for name in names}
    assert len(written) == len(names)
    assert not any("_" in text for text in written)
