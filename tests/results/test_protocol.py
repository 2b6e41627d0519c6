"""The protocol of results: every kind offers all that views read."""

import json
from functools import cache
from typing import get_args

import pytest
from tests.results.every_kind import KINDS, have_few_stops, result, studied

import likelier as lk
from likelier.findings import Finding
from likelier.results import parts
from likelier.results.companions import ComparedItems
from likelier.results.comparison import Comparison
from likelier.results.result import Result
from likelier.results.result_list import ResultList
from likelier.results.study_report import StudyReport
from likelier.settings import Settings

# One of each type stands for the others where a page is made, which takes its time.
TYPES = {
    "comparison": Comparison,
    "hierarchical": Comparison,
    "bayes-test": Comparison,
    "mcnemar": "NullTest",
    "estimate": "Estimate",
    "classes": "GroupComparison",
    "sensitivity": "Sensitivity",
    "plan": "PlanReport",
    "power": "Chances",
    "needed": "ItemsNeeded",
    "smallest": "SmallestDifference",
    "ranking": "Ranking",
    "ranking-items": "Ranking",
    "ranking-without-draws": "Ranking",
    "study": StudyReport,
    "study-pairs": StudyReport,
    "study-unfinished": StudyReport,
}
LISTS = {f"list of {n} {name}": (name, n) for name in TYPES for n in (1, 2)}
EVERY = [*KINDS, *LISTS]


def made(name):
    """The result of a kind, or a list of results of one kind."""
    if name in KINDS:
        return result(name)
    kind, count = LISTS[name]
    return ResultList([result(kind)] * count)


every = pytest.mark.parametrize("name", EVERY)


def test_every_type_of_result_is_looked_at():
    def below(kind):
        return {kind, *(one for sub in kind.__subclasses__() for one in below(sub))}

    seen = {type(made(name)) for name in EVERY}
    assert {type(result(name)) for name in TYPES} == seen - {ResultList}
    abstract = {kind for kind in below(Result) if kind.__abstractmethods__}
    whole = {kind for kind in below(Result) if kind.__module__.startswith("likelier.")}
    assert seen == whole - abstract


@every
def test_words(name):
    answer = made(name)
    for text in (
        answer.sentence(),
        answer.title(),
        *answer.lines(),
        *answer.page_lines(),
    ):
        assert text
        assert text.isprintable()
    assert answer.brief()
    assert all(text.isprintable() for text in answer.brief())
    assert repr(answer).startswith("<")
    assert len(repr(answer).splitlines()) == 1


@every
def test_paragraph_and_bibliography(name):
    answer = made(name)
    assert answer.paragraph().isprintable()
    assert answer.paragraph().endswith(".")
    assert answer.bibtex().startswith("@")


@every
def test_settings_findings_and_recipe(name):
    answer = made(name)
    assert isinstance(answer.settings, Settings)
    assert isinstance(answer.findings, tuple)
    assert all(isinstance(finding, Finding) for finding in answer.findings)
    assert answer.recipe == answer.settings.recipe()
    assert answer.recipe in answer.recipes()
    assert all(line.startswith("likelier ") for line in answer.recipes())
    assert len(set(answer.recipes())) == len(answer.recipes())


@every
def test_the_json_is_json_and_details_only_add_to_it(name):
    answer = made(name)
    whole, short = answer.to_dict(), answer.to_dict(details=False)
    for document in (whole, short):
        text = json.dumps(document, allow_nan=False)
        assert json.loads(text) == document
        assert document["schema"] == 2
        assert document["kind"] == answer.kind
    assert set(short) <= set(whole)
    for key, value in short.items():
        if not isinstance(value, list | dict):
            assert whole[key] == value


@every
def test_frame(name):
    frame = made(name).frame("pyarrow")
    assert frame.num_rows > 0
    assert {"metric"} <= set(frame.column_names)


@every
def test_tables_are_rectangular(name):
    answer = made(name)
    assert answer.tables()
    for table in [*answer.tables(), *answer.own_tables()]:
        assert isinstance(table, parts.Table)
        assert all(isinstance(column, parts.Column) for column in table.columns)
        assert {len(row) for row in table.rows} <= {len(table.columns)}
        assert all(isinstance(cell, str) for row in table.rows for cell in row)


@cache
def parts_of(name):
    return tuple(made(name).parts())


@every
def test_parts_begin_with_the_answer_and_end_with_source_and_method(name):
    kinds = [type(part) for part in parts_of(name)]
    assert set(kinds) <= set(get_args(parts.Part))
    assert (kinds[0], *kinds[-2:]) == (parts.Summary, parts.Source, parts.Method)
    once = (parts.Summary, parts.Source, parts.Method, parts.Density, parts.Leaderboard)
    assert all(kinds.count(kind) <= 1 for kind in once)
    assert set(parts_of(name)[0].findings) == set(made(name).findings)
    assert parts_of(name)[-1].recipes == tuple(made(name).recipes())


def check_table(table):
    assert {len(row) for row in table.rows} <= {len(table.columns)}
    assert table.rows or table.lines


def check_forest(forest):
    assert forest.rows
    for row in (*forest.rows, *forest.foot):
        assert len(row.before) == len(forest.before)
        assert len(row.after) == len(forest.after)
        low, high = row.interval or (row.value, row.value)
        assert low <= high
    if forest.sorted_by:
        index = forest.after.index(forest.sorted_by)
        keys = [row.after[index].key for row in forest.rows]
        assert keys == sorted(keys)


def check_picture(picture):
    assert picture.kind in picture.result.plot_kinds


def check_source(source):
    assert all(name and text for name, text in source.rows)


CHECKS = {
    parts.Table: check_table,
    parts.Forest: check_forest,
    parts.Picture: check_picture,
    parts.Source: check_source,
}


@every
def test_parts_hold_together(name):
    for part in parts_of(name):
        CHECKS.get(type(part), id)(part)


def test_every_kind_of_part_is_used():
    used = {type(part) for name in EVERY for part in parts_of(name)}
    assert used >= {*get_args(parts.Part)} - {parts.Matrices}


@every
def test_answers_and_members_are_results(name):
    answer = made(name)
    assert all(isinstance(one, Result) for one in answer.answers())
    assert all(isinstance(one, Result) for one in answer.members() or ())
    if not isinstance(answer, StudyReport | ResultList):
        assert len(answer.answers()) > 0


@every
def test_a_notebook_shows_it(name):
    text = made(name)._repr_html_()
    assert text.startswith("<div>")
    assert text.endswith("</div>")


@pytest.fixture
def few_stops(monkeypatch):
    have_few_stops(monkeypatch)


# Other tests look at the pages of single results.
@pytest.mark.usefixtures("few_stops")
@pytest.mark.parametrize(
    "name", ["list of 1 comparison", *(name for name in LISTS if "of 2" in name)]
)
def test_a_page_shows_a_list(name):
    page = made(name).report().html
    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")


# --- what is dear is computed when it is read ------------------------------------


class ReadError(Exception):
    """Other tests of the items were computed."""


@pytest.fixture
def unread(monkeypatch):
    def refuse(_):
        raise ReadError

    monkeypatch.setattr(ComparedItems, "companions", property(refuse))


@pytest.mark.usefixtures("unread")
@every
def test_companions_are_not_computed_for_nothing(name):
    answer = made(name)
    assert answer.sentence()
    assert answer.lines() is not None
    assert answer.tables()
    assert answer.to_dict(details=False)
    assert answer.summary()
    assert answer._repr_html_()
    assert answer.paragraph()


@pytest.mark.usefixtures("unread")
def test_companions_are_not_computed_for_a_study_of_items():
    answer = studied(result("comparison"))
    assert answer.sentence()
    assert answer.tables()
    assert answer.to_dict(details=False)
    with pytest.raises(ReadError):
        answer.to_dict()


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("name", ["comparison", "list of 2 comparison", "sensitivity"])
def test_companions_are_computed_for_the_json(name):
    with pytest.raises(ReadError):
        made(name).to_dict()


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("name", ["comparison", "comparison-no-rope", "classes"])
def test_companions_are_computed_where_a_page_names_them(name):
    with pytest.raises(ReadError):
        made(name).report()


def test_a_list_holds_results_of_one_kind_and_no_lists():
    one, two = result("comparison"), result("estimate")
    with pytest.raises(lk.errors.SettingError, match="must be of one kind"):
        lk.ResultList([one, two])
    nested = lk.ResultList([lk.ResultList([one]), one])
    assert nested.results == (one, one)
    assert lk.ResultList([one]).verdict == one.verdict
    assert lk.ResultList([one]).plot_kinds[0] == one.plot_kinds[0]
    assert lk.ResultList([one], beside=[one]).plot_kinds[0] == "densities"
    assert nested.verdict is None


def test_a_frame_computes_no_companions(monkeypatch):
    def refuse(_):
        raise AssertionError

    monkeypatch.setattr(ComparedItems, "companions", property(refuse))
    answer = lk.compare(list("aabb" * 9), list("abab" * 9), list("aabb" * 9),
                       metric="accuracy", draws=100, seed=0)  # fmt: skip
    assert len(answer.frame()) > 0
    assert len(lk.ResultList([answer] * 13).frame()) == 13 * len(answer.frame())
