"""Numbers written differently are the same labels, by their exact values."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likelier.data.constructors import from_labels
from likelier.data.number_writing import plain_number
from likelier.errors import InputError

WRITTEN = st.from_regex(
    r"[-+]?(0|[1-9][0-9]{0,25})?(\.[0-9]{0,25})?([eE][-+]?[0-9]{1,2})?", fullmatch=True
)


@given(text=WRITTEN)
def test_the_plain_number_is_the_exact_value(text):
    plain = plain_number(text)
    if not text.lower().partition("e")[0].strip("-+."):
        assert plain is None
        return
    assert plain is not None
    assert Decimal(plain) == Decimal(text)
    assert plain_number(plain) == plain
    assert "E" not in plain


@given(
    value=st.decimals(allow_nan=False, allow_infinity=False), zeros=st.integers(0, 5)
)
def test_all_writings_of_a_number_are_one(value, zeros):
    fixed = f"{value:f}" if abs(value.adjusted()) < 50 else str(value)
    longer = fixed + ("." if "." not in fixed else "") + "0" * zeros
    expected = plain_number(str(value))
    assert expected is not None
    assert plain_number(fixed) == expected
    if "E" not in longer:
        assert plain_number(longer) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "-",
        "1 ",
        " 1",
        "1_000",
        "nan",
        "inf",
        "01",
        "1,5",
        "١",
        "1e",
        "1e9999999",
    ],
)
def test_what_is_no_number(text):
    assert plain_number(text) is None


def test_large_exponents_are_not_written_out():
    assert plain_number("1e999999") == plain_number("10e999998") == "1e999999"
    assert plain_number("-0.0") == plain_number("0e5") == "0"


def codes(outcomes):
    return [finding.code for finding in outcomes.findings]


def test_columns_of_numbers_are_compared_as_numbers():
    expected = from_labels([1, 0, 1], [1, 1, 1], [0, 0, 1])
    got = from_labels(["1", "0", "1"], ["1.0"] * 3, ["0e1", "0e1", "1.00"])
    assert got.digest == expected.digest
    assert codes(got) == ["LIK158"]
    assert "'1' and '1.0'" in got.findings[0].message
    assert codes(expected) == []
    same = from_labels(["1.0", "0.0"], ["1.0", "0.0"])
    assert (same.classes, codes(same)) == (("0.0", "1.0"), [])


def test_exact_values_stay_apart():
    gold = ["9007199254740993", "9007199254740992"]
    got = from_labels(gold, [f"{text}.0" for text in reversed(gold)])
    assert got.classes == tuple(sorted(gold))
    assert got.sums()["correct"].sum() == 0


@pytest.mark.parametrize(
    ("gold", "predicted"),
    [
        (["1", "0"], ["1.0", "none"]),  # not all are numbers
        (["1", "2"], ["01", "02"]),  # codes
        (["1", "1.0"], ["1.0", "2"]),  # gold means something by its zeros
        (["1", "0"], ["1.0", "0.73"]),  # probabilities are no labels
        (["1", "0"], ["1 ", "0"]),
    ],
)
def test_other_labels_stay_text(gold, predicted):
    got = from_labels(gold, predicted)
    assert set(got.classes) == {*gold, *predicted}
    assert codes(got) == []


def test_fractions_are_labels_where_gold_has_some():
    got = from_labels(["4.5", "3"], ["4.50", "3.0"])
    assert (got.classes, codes(got)) == (("3", "4.5"), ["LIK158"])


def test_classes_are_one_more_column():
    got = from_labels(["1", "0"], ["1.0", "0.0"], classes=["2.0", "1.0", "0.0"])
    assert got.classes == ("2", "1", "0")
    with pytest.raises(InputError, match="missing '1'"):
        from_labels(["1", "0"], ["1", "0"], classes=["a", "0"])
