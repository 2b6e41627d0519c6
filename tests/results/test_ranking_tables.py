"""Rankings as tables: the paper's columns, and what stands beside."""

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.data.score_tables import drawn
from tests.report.conftest import HOSTILE

import likelier as lk
from likelier import Scores
from likelier.report.latex import latex
from likelier.report.markdown import markdown

FEW = {"draws": 1000, "seed": 0}
ONE = drawn(folds=5, systems="abc")
SCORED = drawn(sets=6, folds=1, systems="abc")


def names(table):
    return [column.name for column in table.columns]


def cells(result, index=0):
    table = result.tables()[index]
    return [dict(zip(names(table), row, strict=True)) for row in table.rows]


def pairs(*arguments, **settings):
    return cells(lk.rank(*arguments, **(FEW | settings)), 1)


def test_columns_are_those_of_the_paper():
    table = lk.rank(ONE, rope=0.01, **FEW).tables()[1]
    assert names(table)[:5] == ["first", "second", ">", "≈", "<"]
    assert names(table)[6] == "95 % HDI"
    wide = lk.rank(ONE, rope=0.01, mass=0.5, **FEW).tables()[1]
    assert names(wide)[6] == "50 % HDI"


def test_the_first_is_better_where_the_second_is_worse():
    result = lk.rank(ONE, systems=["c", "a", "b"], rope=0.01, **FEW)
    for row, comparison in zip(cells(result, 1), result.comparisons, strict=True):
        p = comparison.probability
        assert (row["first"], row["second"]) == comparison.settings.systems
        text = [float(row[sign]) for sign in (">", "≈", "<")]
        assert text == pytest.approx([p.worse, p.equivalent, p.better], abs=6e-4)
        assert row["the second is"] == comparison.verdict.name
    assert float(cells(result, 1)[0][">"]) > 0.9
    assert cells(result, 1)[0]["difference"].startswith("-")


def test_two_systems_that_are_equally_probably_the_best_are_a_tie():
    result = lk.rank(ONE, rope=0.01, **FEW)
    probability = np.array([[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1.0]])
    tied = replace(result, ranks=replace(result.ranks, probability=probability))
    assert "; none is ahead" in tied.sentence()
    probability = np.array([[0.6, 0.4, 0], [0.4, 0.6, 0], [0, 0, 1.0]])
    ahead = replace(result, ranks=replace(result.ranks, probability=probability))
    assert "is a (60 %)" in ahead.sentence()


def test_findings_about_folds_that_differ_by_the_same_amount_name_their_pair():
    table = Scores.from_arrays([0.8] * 5, [0.85] * 5, [0.9] * 5, systems="abc")
    result = lk.rank(table, **FEW)
    messages = [f.message for f in result.findings if f.code == "LIK130"]
    starts = [message.partition(": ")[0] for message in messages]
    assert starts == ["b against a", "c against a", "c against b"]


def test_a_block_names_its_pairs_in_the_finding_and_in_the_sentence():
    zeros, tail = [0.0] * 51, [0.4] * 34 + [0.6] * 15 + [-3.0] * 2
    scores = {"metric": "mean", "systems": ["a", "b", "c"], **FEW}
    result = lk.rank(zeros, [0.5, -0.5, 0.0] * 17, tail, **scores)
    blocks = [f for f in result.findings if f.severity == "block"]
    names = {
        f"{c.settings.systems[1]} against {c.settings.systems[0]}"
        for c in result.comparisons
        if c.verdict.reason is not None
    }
    assert names == {f.message.partition(": ")[0] for f in blocks}
    assert 0 < len(names) < 3
    start = result.sentence().partition(", ")[0]
    assert all(name in start for name in names)


def test_a_block_of_all_pairs_names_none():
    result = lk.rank([0.1] * 40, [0.2] * 40, [0.3] * 40, metric="mean", draws=500)
    (block,) = [f for f in result.findings if f.code == "LIK112"]
    assert block.message.startswith("only 500 draws")
    assert result.sentence().startswith("undecided, too few draws: ")


def test_without_a_rope_the_middle_column_is_empty():
    assert {row["≈"] for row in pairs(ONE)} == {"-"}


def test_a_ranking_has_ranks_and_pairs():
    result = lk.rank(SCORED, rope=0.01, **FEW)
    ranks, rows = cells(result), cells(result, 1)
    assert [row["system"] for row in ranks] == ["c", "b", "a"]
    assert [row["average rank"] for row in ranks] == ["1.00", "2.00", "3.00"]
    assert [row["score"] for row in ranks] == [
        f"{value:.4f}" for value in SCORED.observed[::-1]
    ]
    for row, test in zip(rows, result.tests, strict=True):
        assert float(row["Wilcoxon p"]) == pytest.approx(test.p_value, abs=6e-4)
        assert float(row["Holm"]) == pytest.approx(test.holm, abs=6e-4)
        assert "shown to be better" not in row


def test_counts_of_data_sets_stand_on_their_side():
    clear = drawn(sets=3, folds=6, gain=0.1)
    result = lk.rank(clear, method="signed-rank", **FEW)
    assert cells(result, 1)[0]["shown to be better"] == "first on 0, second on 3"


def test_one_data_set_has_no_p_values():
    result = lk.rank(ONE, rope=0.01, **FEW)
    assert "average rank" not in cells(result)[0]
    assert "Wilcoxon p" not in cells(result, 1)[0]
    assert "ranks: joint draws of the mean scores" in " ".join(result.lines())


def test_few_draws_show_fewer_decimals():
    close = drawn(sets=6, folds=1, gain=0.004, noise=0.02, seed=4)
    few, many = (pairs(close, rope=0.01, draws=draws)[0] for draws in (500, 100_000))
    assert 0.1 < float(many["<"]) < 0.9
    assert len(few["<"]) == len("0.12")
    assert len(many["<"]) == len("0.123")


def table_rows(text):
    """Count the lines of tables."""
    return len(re.findall(r"^\|.*\|$|.*\\\\$", text, flags=re.MULTILINE))


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[1:20])
def test_hostile_names_keep_their_cells(name):
    values = ONE.datasets[0].values.T
    table = Scores.from_arrays(*values, systems=[name, "b", "c"])
    plain = Scores.from_arrays(*values, systems=["a", "b", "c"])
    results = [lk.rank(t, rope=0.01, draws=1000, seed=0) for t in (table, plain)]
    for form in (latex, markdown):
        text, expected = (form(result) for result in results)
        assert table_rows(text) == table_rows(expected)
        assert all(line.isprintable() for line in text.splitlines())
    assert results[0].sentence().isprintable()
    assert repr(results[0]).isprintable()
    block = results[0]._repr_html_()
    assert block.count("<") == results[1]._repr_html_().count("<")


def test_pages_are_escaped():
    table = Scores.from_arrays(
        *ONE.datasets[0].values.T, systems=["<script>", "b & c", "d"]
    )
    page = lk.rank(table, rope=0.01, **FEW).report().html
    assert page.count("<script>") == 1  # its own
    assert "&lt;script&gt;" in page
    assert "b &amp; c" in page
