"""Distinct rows, whatever way is the fastest for the numbers in them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likelier.data.pattern_rows import distinct, distinct_numbers

KINDS = (np.int64, np.int32, np.uint8, np.int8, np.float64, bool)


@pytest.mark.parametrize("kind", KINDS)
@given(
    span=st.sampled_from([1, 2, 5, 100, 70_000, 2**40]),
    width=st.integers(1, 6),
    n=st.integers(1, 60),
    seed=st.integers(0, 2**32),
)
def test_rows_are_those_of_numpy(kind, span, width, n, seed):
    rng = np.random.default_rng(seed)
    numbers = rng.integers(-span, span + 1, (n, width))
    with np.errstate(over="ignore"):
        table = numbers.astype(kind)
    rows, first, group = distinct(table)
    wanted, index, inverse = np.unique(
        table, axis=0, return_index=True, return_inverse=True
    )
    assert np.array_equal(rows, wanted)
    assert np.array_equal(first, index)
    assert np.array_equal(group, inverse.reshape(-1))


@pytest.mark.parametrize("table", [[[0, -1], [-1, 1]], [[0, 3], [1, 0]], [[-1], [-2]]])
def test_rows_that_a_careless_key_takes_for_one(table):
    rows, _, group = distinct(np.array(table * 3))
    assert len(rows) == 2
    assert group.tolist() == [group[0], group[1]] * 3
    assert group[0] != group[1]


@given(
    values=st.lists(st.integers(-128, 127), min_size=1),
    kind=st.sampled_from([np.int8, np.int64, bool]),
)
def test_numbers_are_those_of_numpy(values, kind):
    numbers = np.array(values).astype(kind)
    found, index = distinct_numbers(numbers)
    wanted, inverse = np.unique(numbers, return_inverse=True)
    assert np.array_equal(found, wanted)
    assert np.array_equal(index, inverse)
