"""Two systems as assumed, and settings that keep simulations short."""

import pytest

import likelier as lk

SHORT = {"replications": 300, "draws": 400, "seed": 0}

# Binary, not balanced; the second is ahead.
EIGHT = {
    ("y", "y", "y"): 0.20,
    ("y", "y", "n"): 0.04,
    ("y", "n", "y"): 0.10,
    ("y", "n", "n"): 0.06,
    ("n", "y", "y"): 0.06,
    ("n", "y", "n"): 0.07,
    ("n", "n", "y"): 0.05,
    ("n", "n", "n"): 0.42,
}
THREE = {
    ("a", "a", "a"): 0.25,
    ("a", "b", "a"): 0.08,
    ("a", "c", "c"): 0.05,
    ("b", "b", "b"): 0.22,
    ("b", "b", "c"): 0.04,
    ("b", "a", "b"): 0.08,
    ("c", "c", "c"): 0.18,
    ("c", "a", "b"): 0.04,
    ("c", "c", "a"): 0.06,
}


@pytest.fixture(scope="session")
def apart():
    """Two systems, the second five points ahead."""
    return lk.Assumed.accuracies(0.80, 0.85, agreement=0.9)


@pytest.fixture(scope="session")
def eight():
    return lk.Assumed.cells(EIGHT)


@pytest.fixture(scope="session")
def three():
    return lk.Assumed.cells(THREE)
