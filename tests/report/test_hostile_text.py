"""Text from data is escaped wherever it is shown, and stays where it belongs."""

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

import likelier as lk
from likelier import Outcomes, Scores
from likelier.errors import unknown_name
from likelier.formatting import listed
from likelier.report.terminal import in_words


class Tags(HTMLParser):
    """Count the tags and their attributes; keep the text."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags = Counter()
        self.text = []

    def handle_starttag(self, tag, attrs):
        self.tags[tag, tuple(name for name, _ in attrs)] += 1

    def handle_endtag(self, tag):
        self.tags[f"/{tag}"] += 1

    def handle_comment(self, data):
        self.tags["comment"] += 1

    def handle_data(self, data):
        self.text.append(data)


def parsed(page):
    tags = Tags()
    tags.feed(page)
    tags.close()
    return tags


def shown(text):
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def single(text):
    """Give every result with the text by itself."""
    tests, estimate = results(text)
    return *tests.results, estimate


def test_there_are_enough_hostile_texts():
    assert len(set(HOSTILE)) >= 60


def test_terminal_lines_stay_lines_without_control_characters(text):
    for harmless, hostile in zip(single("plain"), single(text), strict=True):
        assert len(in_words(hostile)) == len(in_words(harmless))
        for line in in_words(hostile):
            assert line.isprintable(), ascii(line)


def test_sentence_and_repr_hold_the_text_as_it_may_be_printed(text):
    result = single(text)[0]
    assert shown(text) in result.sentence()
    assert repr(result).isprintable()
    assert result.recipe.isprintable()


@cache
def pages(text):
    return tuple(result.report().html for result in results(text))


def test_page_has_the_same_tags_as_with_harmless_names(text):
    for page, harmless in zip(pages(text), pages("plain"), strict=True):
        assert parsed(page).tags == parsed(harmless).tags
        assert page.encode()


def test_page_shows_the_text_itself(text):
    for page in pages(text):
        assert shown(text) in "".join(parsed(page).text)


def test_page_needs_nothing_from_outside(text):
    for page in pages(text):
        assert "default-src 'none'" in unescape(page)
        bare = re.sub(r">[^<]*<", "><", page)
        assert not re.search(r"\s(on\w+|srcset|action|style)=", bare)
        assert set(re.findall(r'\s(?:href|src)="(.)', bare)) <= {"#"}
        assert len(re.findall("<script", page)) == 1


PICTURED = ['"><img src=x onerror=alert(1)>', r"{{7*7}} $\frac{", "a\nb\x1b[31m|"]


# Pages of comparisons take longer; these texts go for HTML and JSON.
WORST = HOSTILE[:32]


@cache
def comparisons(text):
    """Give pages with items, sliders and pictures that name the text everywhere."""
    single = compared(text, f"{text}2", positive=f"p{text}")
    swap = {"y": f"y{text}", "n": "n"}  # in one order, whatever the text
    columns = [[swap[label] for label in part] for part in (GOLD, FIRST, SECOND)]
    settings = {"rope": 0.05, "draws": 50, "seed": 0, "systems": [text, "b"]}
    classes = lk.compare_groups(*columns, **settings)
    ids = [f"{text}{i}" for i in range(len(GOLD))]
    table = Outcomes.from_labels(*columns, systems=[text, "b"], ids=ids)
    named = lk.compare(table, metric="accuracy", draws=50, seed=0)
    return tuple(found.report().html for found in (single, classes, named))


@pytest.mark.parametrize("text", WORST, ids=lambda text: ascii(text)[1:25])
def test_pages_of_comparisons_have_the_same_tags_too(text):
    for page, harmless in zip(comparisons(text), comparisons("plain"), strict=True):
        assert parsed(page).tags == parsed(harmless).tags
        assert shown(text) in "".join(parsed(page).text)


@pytest.mark.parametrize("text", WORST, ids=lambda text: ascii(text)[1:25])
def test_data_of_comparisons_cannot_end_their_script(text):
    for page in comparisons(text):
        inside = re.search('<script type="application/json"[^>]*>(.*?)</script', page)[
            1
        ]
        assert not re.search("[<>&'\u2028\u2029]", inside)
        assert shown(text) in "".join(
            said
            for one in json.loads(inside)["comparisons"]
            for said in one["headlines"].values()
        )


@pytest.mark.parametrize("text", PICTURED)
def test_page_with_a_picture_has_the_same_tags_too(text):
    values = drawn(folds=5, systems="abc").datasets[0].values.T
    pages = [
        lk.rank(Scores.from_arrays(*values, systems=names), draws=50, seed=0)
        .report()
        .html
        for names in ([text, f"{text}2", "c"], "abc")
    ]
    assert parsed(pages[0]).tags == parsed(pages[1]).tags


def test_same_result_same_page():
    assert compared("a", "b").report() == compared("a", "b").report()


@pytest.mark.parametrize("several", [1, 3])
def test_page_has_a_row_for_each_estimate(several):
    page = together([scored(f"s{i}") for i in range(several)]).report().html
    for i in range(several):
        assert len(re.findall(f'<th scope="row">s{i}: F1', page)) == 1


def test_notebook_blocks_have_the_same_tags(text):
    every = ((*single(name), results(name)[0]) for name in ("plain", text))
    for harmless, hostile in zip(*every, strict=True):
        tags = parsed(hostile._repr_html_()).tags
        assert tags == parsed(harmless._repr_html_()).tags


def test_errors_that_list_names_have_no_control_characters(text):
    assert str(unknown_name("x", [text, "b"], kind="positive")).isprintable()
    assert listed([text]).isprintable()
