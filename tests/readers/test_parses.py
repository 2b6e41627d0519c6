"""Parses are scored as by a plain scorer and by the official one; errors name lines."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK
from tests.readers.parses import NAMES, conllu, own_forms, parses, score
from udtools import udeval

from likelier import metrics
from likelier.readers.parse_reader import ParseReader
from likelier.readers.reader import ReadRequest, read_outcomes

SENTENCES = ReadRequest(cluster="sentence")

PARSED = st.tuples(*[parses("abcabdab")] * 3)
APART = st.tuples(*[parses("abcdefgh", own_forms)] * 2)


def tables(paths, **request):
    """Outcomes of every metric, and what each adds up (statistic, system)."""
    every = read_outcomes(ParseReader(), paths, SENTENCES, NAMES)
    for name, table in zip(NAMES, every, strict=True):
        sums = table.sums()
        parts = [sums[s][:, 0] for s in metrics.named(name).statistics]
        yield name, table, np.array(parts)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("parses")


def written(folder, *sides):
    paths = []
    for index, sentences in enumerate(sides):
        paths.append(folder / f"{'gab'[index]}.conllu")
        paths[-1].write_text(conllu(sentences))
    return paths


def official(*sides):
    flags = ("no_gapping", "no_shared_parents_in_coordination", "no_control",
             "no_shared_dependents_in_coordination", "no_case_info",
             "no_external_arguments_of_relative_clauses", "no_empty_nodes",
             "multiple_roots_okay")  # fmt: skip
    loaded = [
        udeval.load_conllu(io.StringIO(conllu(side)), "side", dict.fromkeys(flags, 0))
        for side in sides
    ]
    return {name.lower(): one for name, one in udeval.evaluate(*loaded).items()}


@QUICK
@given(sides=PARSED)
def test_sums_are_those_of_a_plain_scorer(folder, sides):
    paths = written(folder, *sides)
    plain = [score(sides[0], side) for side in sides[1:]]
    for name, table, sums in tables(paths):
        got = np.vstack([sums, metrics.named(name).observed(table)])
        np.testing.assert_allclose(got.T, [scores[name] for scores in plain])


@QUICK
@given(sides=APART)
def test_sums_are_those_of_the_official_scorer(folder, sides):
    wanted = official(*sides)
    for name, _, sums in tables(written(folder, *sides)):
        one = wanted[name]
        assert [*sums[:, 0]] == [one.correct, one.gold_total, one.system_total], name
