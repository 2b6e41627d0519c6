"""One database for each module of tests of logs."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def _shared(one_database):
    """Share it: damaged logs are read by the hundred."""
