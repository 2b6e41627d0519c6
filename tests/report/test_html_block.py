"""Block of HTML for notebooks: small, static, escaped."""

import re
from html.parser import HTMLParser

import pytest
from tests.data.score_tables import drawn
from tests.report.conftest import HOSTILE, compared, results
from tests.results.every_kind import KINDS, result

import likelier as lk
from likelier.results.parts import Strong

by_kind = pytest.mark.parametrize("name", KINDS)
TAGS = {"div", "p", "strong", "span", "table", "tr", "th", "td"}
ATTRIBUTES = {"style", "role", "aria-label"}


class Page(HTMLParser):
    """Elements of a block, which must be closed, and the text of each."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.open, self.text, self.styles = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self.styles += [value for name, value in attrs if name == "style"]
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append((self.open[-1], data))

    def of(self, tag):
        return [data for name, data in self.text if name == tag]


@by_kind
def test_blocks_are_small_and_static(name):
    text = result(name)._repr_html_()
    page = Page(text)
    assert len(text.encode()) < 8_000
    assert {tag for tag, _ in page.tags} <= TAGS
    assert {name for _, names in page.tags for name in names} <= ATTRIBUTES
    assert "http" not in text
    assert not re.search(r"url\(|expression|@import", " ".join(page.styles))
    assert page.tags[0][0] == "div"


@by_kind
def test_a_block_is_the_top_of_the_page(name):
    one = result(name)
    block, summary = Page(one._repr_html_()), one.summary()
    texts = " ".join("".join(data for _, data in block.text).split())
    wanted = [
        summary.context,
        "".join(summary.headline),
        "".join(summary.lede),
        *map(str, summary.findings),
        *(fact.value for fact in summary.facts),
        "".join(summary.next_step),
        *summary.lines,
    ]
    place = 0
    for text in filter(None, (" ".join(text.split()) for text in wanted)):
        assert text in texts[place:], text
        place = texts.index(text, place)
    strong = [str(p) for p in summary.headline if isinstance(p, Strong)]
    assert block.of("strong")[: len(strong)] == strong
    if summary.verdict is not None:
        assert summary.verdict.symbol in texts


@by_kind
def test_there_is_no_jargon(name):
    text = result(name)._repr_html_()
    assert "recipe" not in text
    assert "quadrature" not in text
    assert "sha " not in text


@by_kind
def test_text_keeps_the_colour_of_the_notebook(name):
    page = Page(result(name)._repr_html_())
    coloured = [style for style in page.styles if re.match(r"(?:.*;)?color:", style)]
    marks = [style for style in coloured if style.startswith("color:#")]
    assert coloured == marks  # only the small squares of the bar have one
    assert len(marks) <= 3
    assert {data for data in page.of("span") if data.strip()} <= {"■"}


@pytest.mark.parametrize(
    ("settings", "count"), [({"rope": 0.05}, 3), ({"rope": None}, 2)]
)
def test_the_bar_has_the_probabilities(settings, count):
    comparison = compared("a", "b", **settings)
    page = Page(comparison._repr_html_())
    widths = [re.match(r"flex:0 0 ([\d.]+)%", style) for style in page.styles]
    shares = [float(width[1]) / 100 for width in widths if width]
    p = comparison.probability
    expected = [p.worse, p.equivalent, p.better] if count == 3 else [p.worse, p.better]
    assert shares == pytest.approx(expected, abs=1e-4)
    words = " ".join(page.of("p"))
    for share in expected:
        assert p.text(share) in words
    assert ("equivalent" in words) == (count == 3)


def test_a_bayes_test_has_its_hypotheses():
    assert "accept H1" in " ".join(Page(result("bayes-test")._repr_html_()).of("p"))


def test_hostile_names_leave_the_elements_as_they_are():
    def tags(name):
        tests, estimate = results(name)
        comparison = compared(name, "b", positive=f"p{name}")
        every = (*tests.members(), estimate, comparison)
        return [Page(one._repr_html_()).tags for one in every]

    harmless = tags("plain")
    for text in HOSTILE:
        assert tags(text) == harmless, ascii(text)


def test_long_names_are_cut():
    names = [f"{'x' * 300}{index}" for index in range(12)]
    table = drawn(folds=3, systems=names, gain=0.01)
    text = lk.rank(table)._repr_html_()
    assert len(text.encode()) < 8_000
    wide = compared("<" * 2000, "&" * 2000)._repr_html_()
    assert "…" in wide
    assert len(wide.encode()) < 50_000  # each of these is five letters in HTML
    assert not re.search(r"&(?!amp;|lt;|gt;|nbsp;|quot;|#)", wide)
    Page(wide)
