"""The stored answers of the dense grid, computed again to the last digits."""

from tests.methods.folds.test_hierarchical_folds import assert_stored


def test_the_stored_answers_are_those_of_the_grid():
    assert_stored("2 x 5", rel=0, abs=1e-9)
