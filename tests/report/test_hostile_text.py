"""Text from data is escaped wherever it is written, and stays where it belongs."""

import json
import re
from collections import Counter
from functools import cache
from html import unescape
from html.parser import HTMLParser

import pytest
from tests.data.score_tables import drawn
from tests.report.conftest import (
    FIRST,
    GOLD,
    HOSTILE,
    SECOND,
    compared,
    results,
    scored,
    together,
)
from tests.results.every_kind import have_few_stops

import likelier as lk
from likelier import Outcomes, Scores
from likelier.errors import unknown_name
from likelier.formatting import listed
from likelier.report.terminal import show


class Tags(HTMLParser):
    """Counts of tags with their attributes, and the text between them."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags = Counter()
        self.pieces = []

    def handle_starttag(self, tag, attrs):
        self.tags[tag, tuple(name for name, _ in attrs)] += 1

    def handle_endtag(self, tag):
        self.tags[f"/{tag}", ()] += 1

    def handle_comment(self, data):
        self.tags["comment", ()] += 1

    def handle_data(self, data):
        self.pieces.append(data)

    @property
    def text(self):
        return "".join(self.pieces)


def parsed(page):
    tags = Tags()
    tags.feed(page)
    tags.close()
    return tags


def printable(text):
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def single(text):
    """Return every result with the text by itself."""
    tests, estimate = results(text)
    return *tests.results, estimate


def test_there_are_enough_hostile_texts():
    assert len(set(HOSTILE)) >= 60


def test_terminal_lines_stay_lines_without_control_characters(capsys):
    def printed(result):
        show(result)
        return capsys.readouterr().out.removesuffix("\n").split("\n")

    counts = [len(printed(harmless)) for harmless in single("plain")]
    for text in HOSTILE:
        lines = [printed(hostile) for hostile in single(text)]
        assert [len(one) for one in lines] == counts, ascii(text)
        for line in (line for one in lines for line in one):
            assert line.isprintable(), ascii(line)


def test_sentence_and_repr_hold_the_text_as_it_may_be_printed():
    for text in HOSTILE:
        result = single(text)[0]
        assert printable(text) in result.sentence(), ascii(text)
        assert repr(result).isprintable(), ascii(text)
        assert result.recipe.isprintable(), ascii(text)


def test_notebook_blocks_have_the_same_tags():
    def tags(name):
        every = (*single(name), results(name)[0])
        return [parsed(result._repr_html_()).tags for result in every]

    harmless = tags("plain")
    for text in HOSTILE:
        assert tags(text) == harmless, ascii(text)


def test_errors_that_list_names_have_no_control_characters():
    for text in HOSTILE:
        assert str(unknown_name("x", [text, "b"], kind="positive")).isprintable()
        assert listed([text]).isprintable()


# --- pages -------------------------------------------------------------------------


def batches(texts, size):
    return [tuple(texts[i : i + size]) for i in range(0, len(texts), size)]


def plain_batch(count):
    return tuple(f"plain{index}" for index in range(count))


@cache
def pages(texts):
    """Write a page of tests that name each text, and one of an estimate of all."""
    tests = [test for text in texts for test in results(text)[0].results]
    every = (together(tests), scored(" ¦ ".join(texts), positive="p" + "".join(texts)))
    return [result.report().html for result in every]


by_batch = pytest.mark.parametrize("texts", batches(HOSTILE, 13))


@by_batch
def test_pages_show_each_text_and_have_the_tags_of_harmless_names(texts):
    for page, harmless in zip(
        pages(texts), pages(plain_batch(len(texts))), strict=True
    ):
        hostile = parsed(page)
        assert hostile.tags == parsed(harmless).tags
        assert [text for text in texts if printable(text) not in hostile.text] == []
        assert page.encode()


@by_batch
def test_pages_need_nothing_from_outside(texts):
    for page in pages(texts):
        assert "default-src 'none'" in unescape(page)
        names = {name for _, own in parsed(page).tags for name in own}
        assert not names & {"src", "srcset", "action", "style"}
        assert not any(name.startswith("on") for name in names)
        assert not {tag for tag, _ in parsed(page).tags} & {"img", "link", "iframe"}
        assert len(re.findall("<script", page)) == 1


# Pages of comparisons take longer; these texts go for HTML and JSON.
WORST = HOSTILE[:32]
by_few = pytest.mark.parametrize("texts", batches(WORST, 16))


@pytest.fixture
def few_stops(monkeypatch):
    have_few_stops(monkeypatch)


@cache
def comparisons(texts):
    """Write pages with items, sliders and pictures that name the texts everywhere."""
    text = " ¦ ".join(texts)
    single = compared(text, f"{text}2", positive=f"p{text}")
    swap = {"y": f"y{text}", "n": "n"}  # in one order, whatever the text
    columns = [[swap[label] for label in part] for part in (GOLD, FIRST, SECOND)]
    settings = {"rope": 0.05, "draws": 50, "seed": 0, "systems": [text, "b"]}
    classes = lk.compare_groups(*columns, **settings)
    ids = [f"{text}{i}" for i in range(len(GOLD))]
    table = Outcomes.from_labels(*columns, systems=[text, "b"], ids=ids)
    named = lk.compare(table, metric="accuracy", draws=50, seed=0)
    return [result.report().html for result in (single, classes, named)]


@pytest.mark.usefixtures("few_stops")
@by_few
def test_pages_of_comparisons_have_the_same_tags_too(texts):
    every = zip(comparisons(texts), comparisons(plain_batch(len(texts))), strict=True)
    for page, harmless in every:
        hostile = parsed(page)
        assert hostile.tags == parsed(harmless).tags
        assert [text for text in texts if printable(text) not in hostile.text] == []


@pytest.mark.usefixtures("few_stops")
@by_few
def test_data_of_comparisons_cannot_end_their_script(texts):
    for page, named in zip(comparisons(texts), (True, False, True), strict=True):
        script = '<script type="application/json"[^>]*>(.*?)</script'
        data = re.findall(script, page)
        assert len(data) == named  # that of the single comparison
        for one in data:
            assert not re.search("[<>&'\u2028\u2029]", one)
            headlines = "".join(json.loads(one)["headlines"].values())
            assert [text for text in texts if printable(text) not in headlines] == []
        # Keys of sorted rows are JSON in an attribute.
        for keys in re.findall("data-keys='(.*?)'", page):
            assert "<" not in keys
            assert json.loads(unescape(keys))


def test_page_with_pictures_has_the_same_tags_too():
    hostile = ['"><img src=x onerror=alert(1)>', r"{{7*7}} $\frac{", "a\nb\x1b[31m|"]
    values = drawn(folds=5, systems="abc").datasets[0].values.T
    tags = [
        parsed(
            lk.rank(Scores.from_arrays(*values, systems=names), draws=50, seed=0)
            .report()
            .html
        ).tags
        for names in (hostile, "abc")
    ]
    assert tags[0] == tags[1]


def test_same_result_same_page():
    assert compared("a", "b").report() == compared("a", "b").report()


@pytest.mark.parametrize("several", [1, 3])
def test_page_has_a_row_for_each_estimate(several):
    page = together([scored(f"s{i}") for i in range(several)]).report().html
    for i in range(several):
        assert len(re.findall(f'<th scope="row">s{i}: F1', page)) == 1
