"""Results as data frames, by choice of library."""

import narwhals as nw
import pytest
from tests.results.every_kind import KINDS, result

from likelier.results.study_report import StudyReport

by_kind = pytest.mark.parametrize("name", KINDS)


@by_kind
def test_every_kind_comes_as_a_frame_of_every_library(name):
    answer = result(name)
    frames = {
        backend: nw.from_native(answer.frame(backend), eager_only=True)
        for backend in ("pandas", "polars", "pyarrow")
    }
    first, *others = [frame.to_dict(as_series=False) for frame in frames.values()]
    for backend, frame in frames.items():
        assert nw.get_native_namespace(frame).__name__ == backend
    assert all(list(other) == list(first) for other in others)
    assert all(other == first for other in others)
    assert len(frames["polars"]) > 0


@by_kind
def test_frames_hold_the_numbers_of_the_json(name):
    answer = result(name)
    if isinstance(answer, StudyReport):
        return
    document = answer.to_dict()
    rows = answer.frame("pyarrow").to_pydict()
    values = dict(zip(rows["name"], rows["value"], strict=True))
    assert len(values) == len(rows["name"])
    for key, value in document.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and key != "schema":
            assert values[key] == value
    assert set(rows["metric"]) == {document["metric"]}


def test_the_default_frame_is_one_of_the_three():
    frame = nw.from_native(result("comparison").frame(), eager_only=True)
    assert nw.get_native_namespace(frame).__name__ in ("pandas", "polars", "pyarrow")
