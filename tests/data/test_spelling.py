"""Systems none of whose labels is ever gold are refused, with the cure."""

import pytest

import likelier as lk
from likelier.errors import InputError, SettingError

GOLD = ["spam", "ham"] * 10
RIGHT = ["spam", "ham"] * 9 + ["ham", "ham"]
NUMBERS = ["1", "0"] * 10


@pytest.mark.parametrize(
    ("gold", "wrong", "cure"),
    [
        (GOLD, ["Spam", "HAM"] * 10, "differ only in case: 'HAM', 'ham'"),
        (GOLD, ["spam ", " ham"] * 10, "differ only in blanks: ' ham', 'ham'"),
        (NUMBERS, ["1.0", "none"] * 10, "numbers are written differently"),
        (GOLD, ["0.25", "0.75"] * 10, "Probabilities are no labels"),
        (GOLD, ["item 1", "item 2"] * 10, "Gold labels come first"),
    ],
)
def test_labels_that_never_meet_are_refused(gold, wrong, cure):
    right = RIGHT if gold is GOLD else gold
    calls = {
        "compare": lambda: lk.compare(gold, wrong, right, metric="accuracy"),
        "macro": lambda: lk.compare(gold, right, wrong, metric="macro_f1"),
        "estimate": lambda: lk.estimate(gold, wrong, metric="accuracy"),
        "null test": lambda: lk.null_test(gold, right, wrong, metric="accuracy"),
        "groups": lambda: lk.compare_groups(gold, right, wrong, metric="f1"),
        "rank": lambda: lk.rank(gold, right, right, wrong, metric="accuracy"),
    }
    for name, call in calls.items():
        with pytest.raises(InputError, match="must predict gold labels") as caught:
            call()
        assert cure in str(caught.value), name


@pytest.mark.parametrize(
    ("gold", "predicted"),
    [
        (GOLD[:8], ["none"] * 8),  # so few may all be missed
        (["spam"] * 20, ["ham"] * 20),  # one gold label: what is wrong has no name
        (GOLD, ["none"] * 19 + ["ham"]),
    ],
)
def test_what_may_happen_is_answered(gold, predicted):
    result = lk.compare(gold, predicted, gold, metric="accuracy", draws=200, seed=0)
    assert result.settings.data.observed[1] == 1


def test_scores_take_no_gold():
    import pandas as pd

    frame = pd.DataFrame({"y": [1, 0] * 10, "a": [0.5] * 20, "b": [0.6] * 20})
    with pytest.raises(SettingError, match="gold must be left out for mean"):
        lk.compare(frame, gold="y", systems=["a", "b"], metric="mean")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"strength": 1e308}, "strength must be a number from 0.01 to 1,000,000"),
        ({"draws": 10**12}, "draws must be at most 100,000,000"),
    ],
)
def test_settings_beyond_reason_are_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        lk.compare(GOLD, RIGHT, GOLD, metric="accuracy", **settings)


@pytest.mark.parametrize("beta", [1e308, -1.0, float("nan")])
def test_a_weight_beyond_reason_is_refused(beta):
    with pytest.raises(SettingError, match="beta must be a number from 0 to 1e"):
        lk.metrics.fbeta(beta)
