"""Engines that hold more than memory count where the data are, with the same digits."""

import duckdb
import ibis
import numpy as np
import pandas as pd
import polars as pl
import pytest
from dask import dataframe as dask_frames

import likelier as lk
from likelier.errors import InputError
from likelier.readers import read_frame

pytestmark = pytest.mark.filterwarnings(
    # Of Ibis with this DuckDB.
    "ignore:fetch_arrow_table:DeprecationWarning",
)
N = 300
RNG = np.random.default_rng(0)
GOLD = RNG.choice(["x", "y", "z"], N)
DATA = {
    "id": [f"q{i}" for i in range(N)],
    "gold": GOLD,
    "a": np.where(RNG.random(N) < 0.7, GOLD, "y"),
    "b": np.where(RNG.random(N) < 0.8, GOLD, "z"),
    "score": RNG.integers(0, 5, N) / 4,
    "doc": RNG.integers(0, 9, N),
}
FRAME = pd.DataFrame(DATA)
ENGINES = {
    "dask": lambda data: dask_frames.from_pandas(data, npartitions=3),
    "duckdb": lambda data: duckdb.connect().from_arrow(pl.from_pandas(data).to_arrow()),
    "ibis": lambda data: ibis.memtable(pl.from_pandas(data).to_arrow()),
    "polars-lazy": lambda data: pl.from_pandas(data).lazy(),
}
LABELS = {"gold": "gold", "systems": ["a", "b"]}


@pytest.fixture(params=ENGINES)
def engine(request):
    return ENGINES[request.param]


@pytest.mark.parametrize(
    "columns",
    [
        LABELS,
        LABELS | {"id": "id"},
        LABELS | {"cluster": "doc"},
        {"gold": None, "systems": ["score", "doc"], "kind": "scores"},
    ],
    ids=["labels", "ids", "clusters", "scores"],
)
def test_outcomes_are_those_of_the_frame_in_memory(engine, columns):
    got = read_frame(engine(FRAME), **columns)
    assert got.digest == read_frame(FRAME, **columns).digest


def test_the_same_seed_gives_the_same_digits_in_any_order_of_rows(engine):
    shuffled = FRAME.sample(frac=1, random_state=1).reset_index(drop=True)
    question = {"metric": "macro_f1", "seed": 0, "draws": 2_000}
    expected = lk.compare(FRAME, **LABELS, **question)
    got = lk.compare(engine(shuffled), **LABELS, **question)
    assert got.sentence() == expected.sentence()
    assert got.hdi == expected.hdi


@pytest.mark.parametrize("name", sorted({*ENGINES} - {"dask"}))  # it cannot rank rows
def test_items_that_differ_are_named_by_their_ids(name):
    got = read_frame(ENGINES[name](FRAME), **LABELS, id="id").items
    assert got.ids == read_frame(FRAME, **LABELS, id="id").items.ids
    assert any(got.ids)


@pytest.mark.parametrize("cell", ["q1", None], ids=["twice", "missing"])
def test_ids_are_checked_in_the_engine(engine, cell):
    wrong = FRAME.assign(id=[cell, *DATA["id"][1:]])
    with pytest.raises(InputError, match="id"):
        read_frame(engine(wrong), **LABELS, id="id")


def test_a_missing_label_is_refused(engine):
    wrong = FRAME.assign(a=[None, *DATA["a"][1:]])
    with pytest.raises(InputError, match="'a' must have a label for every item"):
        read_frame(engine(wrong), **LABELS)
