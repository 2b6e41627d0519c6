"""Text from data is escaped wherever it is shown, and stays where it belongs."""

import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser

import pytest
from tests.report.conftest import HOSTILE, compared, p_valued, results, scored

from likelier.errors import listed, unknown_name
from likelier.report.html import html
from likelier.report.latex import latex
from likelier.report.markdown import markdown
from likelier.report.text import lines


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


def test_there_are_enough_hostile_texts():
    assert len(set(HOSTILE)) >= 60


def test_terminal_lines_stay_lines_without_control_characters(text):
    for harmless, hostile in zip(results("plain"), results(text), strict=True):
        for first, second in zip(harmless, hostile, strict=True):
            assert len(lines(second)) == len(lines(first))
            for line in lines(second):
                assert line.isprintable(), ascii(line)


def test_sentence_and_repr_hold_the_text_as_it_may_be_printed(text):
    result = results(text)[0][0]
    assert shown(text) in result.sentence()
    assert repr(result).isprintable()
    assert str(result.recipe).isprintable()


@cache
def pages(text):
    return tuple(html(group) for group in results(text))


def test_page_has_the_same_tags_as_with_harmless_names(text):
    for page, harmless in zip(pages(text), pages("plain"), strict=True):
        assert parsed(page).tags == parsed(harmless).tags
        assert page.encode()


def test_page_shows_the_text_itself(text):
    for page in pages(text):
        assert shown(text) in "".join(parsed(page).text)


def test_page_needs_nothing_from_outside(text):
    for page in pages(text):
        assert "Content-Security-Policy" in page
        assert "default-src 'none'" in page
        assert not re.search(r"https?:", page)
        assert "<script" not in page
        assert not re.search(r"\s(on\w+|href|srcset)=", re.sub(r">[^<]*<", "><", page))


def cells(row):
    """Split a row of a Markdown table as GitHub does, at bars without a backslash."""
    return re.split(r"(?<!\\)(?:\\\\)*\|", row)


def test_markdown_rows_keep_their_columns(text):
    for hostile, harmless in zip(results(text), results("plain"), strict=True):
        expected = markdown(harmless).splitlines()
        got = markdown(hostile).split("\n")[:-1]
        assert len(got) == len(expected)
        for row in got[: 2 + len(hostile)]:
            assert len(cells(row)) == len(cells(expected[0]))
            assert row.isprintable()


@pytest.mark.parametrize("special", list("\\`*_{}[]<>#|~$&"))
def test_markdown_escapes_what_it_would_interpret(special):
    row = markdown([p_valued(f"a{special}b", "c")]).splitlines()[2]
    assert f"a\\{special}b" in row or (special == "&" and "a&amp;b" in row)


COMMANDS = r"\\(text\w+\{\}|[&%$#_{}]|\\)|\$\\(gg|ll|approx|leq|pm)\$"


def test_latex_has_nothing_that_is_not_escaped(text):
    for hostile, harmless in zip(results(text), results("plain"), strict=True):
        n, expected = len(hostile), latex(harmless).splitlines()
        got = latex(hostile).split("\n")[:-1]
        assert len(got) == len(expected)
        above = got[: got.index(next(x for x in got if x.startswith(r"\begin")))]
        assert sum(line.startswith("% likelier") for line in above) >= n
        assert all(line.startswith("% ") and line.isprintable() for line in above)
        for row in got[-2 - n : -2]:
            assert row.endswith(r" \\")
            inner = row.removesuffix(r" \\")
            assert len(re.findall(r"(?<!\\)&", inner)) == expected[-3].count(" & ")
            bare = re.sub(COMMANDS, "", inner.replace(" & ", "  "))
            assert not re.search(r"[\\{}%&#_$~^]", bare), row
            assert bare.isprintable()


PICTURED = ['"><img src=x onerror=alert(1)>', r"{{7*7}} $\frac{", "a\nb\x1b[31m|"]


@pytest.mark.parametrize("text", PICTURED)
def test_page_with_a_picture_has_the_same_tags_too(text):
    harmless = html([compared("a", "b")])
    page = html([compared(text, "b", positive=f"p{text}")])
    assert parsed(page).tags == parsed(harmless).tags
    assert not re.search(r"https?:", page)


def test_same_result_same_page():
    assert html([compared("a", "b")]) == html([compared("a", "b")])


@pytest.mark.parametrize("several", [1, 3])
def test_page_has_a_section_for_each_result(several):
    page = html([scored(f"s{i}") for i in range(several)])
    assert parsed(page).tags["section", ()] == several


def test_notebook_blocks_have_the_same_tags(text):
    for harmless, hostile in zip(results("plain"), results(text), strict=True):
        for first, second in zip(harmless, hostile, strict=True):
            tags = parsed(second._repr_html_()).tags
            assert tags == parsed(first._repr_html_()).tags


def test_errors_that_list_names_have_no_control_characters(text):
    assert str(unknown_name("x", [text, "b"], kind="positive")).isprintable()
    assert listed([text]).isprintable()
