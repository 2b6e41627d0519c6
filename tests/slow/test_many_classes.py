"""Class by class, with more classes than `make test` has time for."""

import pytest
from tests.test_groups import assert_many_classes


@pytest.mark.parametrize("method", ["paired", "hierarchical"])
def test_200_classes(method):
    assert_many_classes(200, method)
