"""Random streams: the same seed gives the same bytes for any number of workers.

Draws come in blocks of a size that depends on the table alone, and each block has a
stream of its own, so neither threads nor chunks change a number. (Another kind of
processor may, in the last digit: its sums are rounded otherwise.)
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import numpy as np

from likelier._typing import FloatArray
from likelier.errors import SettingError

RandomState = int | np.random.Generator | None

BlockFunction = Callable[[np.random.Generator, int], FloatArray]

DRAWS, MOST_DRAWS = 50_000, 10**8
_LEAST_DRAWS = 2_000
_MOST_NUMBERS = 50_000_000
# Draws that results made together keep: of two systems and their difference, sorted
# too, some 700 MB.
_MOST_KEPT = 20_000_000
_MOST_RESULTS = _MOST_KEPT // _LEAST_DRAWS
_BLOCK_NUMBERS = 2**20
_LEAST_BLOCK, _MOST_BLOCK = 16, 8192


def as_seed(seed: RandomState) -> int:
    """Turn a seed, a generator or nothing into a seed that can be written down.

    Examples
    --------
    >>> as_seed(0)
    0
    """
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 1)
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**63))
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        message = f"The seed must be a whole number of at least 0; got {seed!r}."
        raise SettingError(message)
    return int(seed)


_results: ContextVar[int] = ContextVar("results made together", default=1)


@contextmanager
def made_together(results: int) -> Iterator[None]:
    """Draw less by default where so many results keep their draws.

    Raises
    ------
    SettingError
        If they are too many.
    """
    results *= _results.get()
    if results > _MOST_RESULTS:
        message = (
            f"There must be at most {_MOST_RESULTS:,} comparisons at once; "
            f"got {results:,}."
        )
        raise SettingError(message, hint="Name some systems: --systems a,b")
    token = _results.set(results)
    try:
        yield
    finally:
        _results.reset(token)


@dataclass(frozen=True)
class Streams:
    """Source of random numbers, and the number of draws.

    Attributes
    ----------
    seed
        The seed of all streams.
    draws
        Number of draws; by default fewer than usual where a table is very wide, or
        very many results are made together.
    workers
        Number of threads that share the blocks; no result depends on it.
    """

    seed: int
    draws: int | None = None
    workers: int = 1

    @classmethod
    def of(
        cls, seed: RandomState = None, *, draws: int | None = None, workers: int = 1
    ) -> "Streams":
        """Check the settings and write the seed down.

        Examples
        --------
        >>> Streams.of(0, draws=100)
        Streams(seed=0, draws=100, workers=1)
        """
        if draws is not None:
            draws = _at_least_one(draws, name="draws")
            if draws > MOST_DRAWS:
                message = f"draws must be at most {MOST_DRAWS:,}; got {draws:,}."
                raise SettingError(message)
        return cls(as_seed(seed), draws, _at_least_one(workers, name="workers"))

    def draws_for(self, width: int) -> int:
        """Return the number of draws of so many random numbers each."""
        if self.draws is not None:
            return self.draws
        most = min(_MOST_NUMBERS // max(width, 1), _MOST_KEPT // _results.get())
        return int(min(DRAWS, max(_LEAST_DRAWS, most)))

    def run(self, function: BlockFunction, *, width: int, purpose: int) -> FloatArray:
        """Call a function for block after block of draws and join the results.

        Parameters
        ----------
        function
            Function of the block's generator and its number of draws.
        width
            Number of random numbers in one draw; wide draws come in smaller blocks.
        purpose
            Number that separates draws for different purposes under one seed.
        """
        draws, size = self.draws_for(width), _block_size(width)
        sizes = [min(size, draws - start) for start in range(0, draws, size)]

        def block(index: int) -> FloatArray:
            key = np.random.SeedSequence(self.seed, spawn_key=(purpose, index))
            generator = np.random.Generator(np.random.PCG64DXSM(key))
            return function(generator, sizes[index])

        if self.workers == 1 or len(sizes) == 1:
            return np.concatenate([block(index) for index in range(len(sizes))])
        with ThreadPoolExecutor(self.workers) as pool:
            return np.concatenate(list(pool.map(block, range(len(sizes)))))


def _at_least_one(number: int, *, name: str) -> int:
    whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    if not whole or number < 1:
        message = f"{name} must be a whole number of at least 1; got {number!r}."
        raise SettingError(message)
    return int(number)


def _block_size(width: int) -> int:
    fitting = 2 ** int(np.log2(max(_BLOCK_NUMBERS // max(width, 1), 1)))
    return int(np.clip(fitting, _LEAST_BLOCK, _MOST_BLOCK))
