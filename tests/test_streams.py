"""The same seed gives the same bytes, for any number of workers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK

from likelier import LikelierError
from likelier.streams import DRAWS, Streams, as_seed, made_together


def uniform(generator, n):
    return generator.random((n, 2))


@QUICK
@given(
    seed=st.integers(0, 2**70),
    draws=st.integers(1, 3000),
    width=st.integers(1, 2**17),
)
def test_workers_change_no_byte(seed, draws, width):
    one, two = (
        Streams.of(seed, draws=draws, workers=w).run(uniform, width=width, purpose=0)
        for w in (1, 3)
    )

    assert one.shape == (draws, 2)
    assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize("width", [1, 8, 1000, 10**6, 10**9])
def test_blocks_depend_on_the_width_alone(width):
    def sizes(draws):
        return Streams.of(0, draws=draws).run(
            lambda _, n: np.array([n]), width=width, purpose=0
        )

    blocks = sizes(20_000)
    assert blocks.sum() == 20_000
    assert (blocks[:-1] == blocks[0]).all()
    assert 16 <= blocks[0] <= 8192
    assert sizes(20_001)[0] == blocks[0]
    assert blocks[0] * width <= 2**20 or blocks[0] == 16


@pytest.mark.parametrize("width", [1, 4096])
def test_more_draws_begin_with_the_fewer(width):
    few, many = (
        Streams.of(5, draws=n).run(uniform, width=width, purpose=0)
        for n in (8192, 20_000)
    )

    assert many[:8192].tobytes() == few.tobytes()


def test_purposes_and_blocks_have_streams_of_their_own():
    streams = Streams.of(0, draws=20_000)
    first, second = (streams.run(uniform, width=1, purpose=p) for p in (0, 1))

    assert not np.isin(first, second).any()
    assert len(np.unique(first)) == first.size


@pytest.mark.parametrize(("width", "expected"), [(1, DRAWS), (8, DRAWS), (10**6, 2000)])
def test_wide_tables_get_fewer_draws_by_default(width, expected):
    assert Streams.of(0).draws_for(width) == expected
    assert Streams.of(0, draws=7).draws_for(width) == 7


@pytest.mark.parametrize(
    ("results", "expected"), [(1, DRAWS), (400, DRAWS), (1_000, 20_000), (10_000, 2000)]
)
def test_results_made_together_have_fewer_draws_by_default(results, expected):
    with made_together(results):
        assert Streams.of(0).draws_for(1) == expected
        assert Streams.of(0).draws_for(10**6) == 2000
        assert Streams.of(0, draws=7).draws_for(1) == 7
    assert Streams.of(0).draws_for(1) == DRAWS


def test_results_within_results_are_counted_together():
    with made_together(100), made_together(100):
        assert Streams.of(0).draws_for(1) == 2000
        more = made_together(2)
        with pytest.raises(LikelierError, match="at most 10,000 comparisons"):
            more.__enter__()
    with made_together(2):
        assert Streams.of(0).draws_for(1) == DRAWS


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**100, np.int64(3), np.uint8(0)])
def test_a_seed_is_kept(seed):
    assert as_seed(seed) == seed
    assert type(as_seed(seed)) is int


def test_seed_0_is_a_seed():
    one, two = (
        Streams.of(0, draws=9).run(uniform, width=1, purpose=0) for _ in range(2)
    )

    assert one.tobytes() == two.tobytes()


def test_no_seed_is_a_new_one_that_can_be_written_down():
    seeds = {as_seed(None) for _ in range(50)}

    assert len(seeds) == 50
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_a_generator_gives_one_seed_after_another():
    generator = np.random.default_rng(0)
    again = np.random.default_rng(0)
    first, second = as_seed(generator), as_seed(generator)

    assert first != second
    assert (as_seed(again), as_seed(again)) == (first, second)


@pytest.mark.parametrize("seed", [-1, 1.0, "0", True, np.random, [1]])
def test_other_values_are_no_seeds(seed):
    with pytest.raises(LikelierError, match="must be a whole number of at least 0"):
        as_seed(seed)


@pytest.mark.parametrize("number", [0, -1, 1.5, True, "9", float("nan")])
@pytest.mark.parametrize("name", ["draws", "workers"])
def test_draws_and_workers_are_whole_and_positive(number, name):
    with pytest.raises(LikelierError, match=f"{name} must be a whole number"):
        Streams.of(0, **{name: number})


def test_an_error_in_a_worker_is_raised():
    def broken(generator, n):
        message = "broken block"
        raise ZeroDivisionError(message)

    with pytest.raises(ZeroDivisionError, match="broken block"):
        Streams.of(0, draws=50_000, workers=2).run(broken, width=1, purpose=0)
