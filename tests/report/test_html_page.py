"""Pages of reports: one whole file that needs nothing and leads nowhere else."""

import json
import os
import re
import subprocess
import sys
from base64 import b64decode, b64encode
from dataclasses import replace
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from tests.data.score_tables import drawn
from tests.report.conftest import COMPARISONS, page, together
from tests.results import every_kind
from tests.results.every_kind import KINDS, result

import likelier as lk
from likelier import Outcomes, report
from likelier.explanations import EXPLAINED
from likelier.findings import Finding
from likelier.report.html_page import TEMPLATES, Report
from likelier.results import parts
from likelier.results.comparison import Comparison
from likelier.results.result_list import ResultList

VOID = {"meta", "input", "br", "img", "link", "hr"}
# The SVG elements of a page close themselves.
SELF_CLOSED = {"rect", "line", "circle", "path"}
# Exact laws of F1, and models of many data sets: pages that take seconds.
SLOW = (
    "comparison-independent",
    "bayes-test-margin",
    "bayes-test-hold-out",
    "hierarchical",
    "pairs",
    "ranking",
    "study",
    "study-pairs",
)
QUICK = [name for name in KINDS if name not in SLOW]
SINGLE = [name for name in COMPARISONS if name not in SLOW]
every_page = pytest.mark.parametrize("name", QUICK)


class Node:
    def __init__(self, tag, attrs, parent):
        self.tag, self.attrs, self.parent = tag, attrs, parent
        self.children, self.text = [], ""

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def find(self, tag=None, **attrs):
        return [
            node
            for node in self.walk()
            if tag in (None, node.tag)
            and all(node.attrs.get(k.rstrip("_")) == v for k, v in attrs.items())
        ]

    @property
    def all_text(self):
        return self.text + "".join(child.all_text for child in self.children)


class Tree(HTMLParser):
    """Build a tree; what is not nested properly fails."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = self.here = Node("", {}, None)
        self.feed(text)
        self.close()
        assert self.here is self.root, f"<{self.here.tag}> is never closed"

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        node = Node(tag, dict(attrs), self.here)
        self.here.children.append(node)
        if tag not in VOID:
            self.here = node

    def handle_startendtag(self, tag, attrs):
        assert tag in SELF_CLOSED, f"<{tag}/> is no element that closes itself"
        self.here.children.append(Node(tag, dict(attrs), self.here))

    def handle_endtag(self, tag):
        assert tag == self.here.tag, f"</{tag}> closes <{self.here.tag}>"
        self.here = self.here.parent

    def handle_data(self, data):
        self.here.text += data


@cache
def tree(name):
    return Tree(page(name)).root


def embedded(root):
    (script,) = root.find("script", id="likelier-data")
    return json.loads(script.text)


def check_whole(text):
    """Check all that holds for every page, and return its tree."""
    assert text.startswith("<!doctype html>")
    root = Tree(text).root
    check_ids(root)
    check_nesting(root)
    check_headings(root)
    check_nothing_outside(text, root)
    check_policy(root)
    check_names(root)
    return root


def check_ids(root):
    ids = [node.attrs["id"] for node in root.walk() if "id" in node.attrs]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[A-Za-z][\w-]*", name) for name in ids)
    for node in root.walk():
        for name in ("for", "aria-labelledby", "aria-describedby", "aria-controls"):
            for target in (node.attrs.get(name) or "").split():
                assert target in ids
        if node.tag == "a":
            assert node.attrs["href"][0] == "#"
            assert node.attrs["href"][1:] in ids
        clip = node.attrs.get("clip-path")
        assert clip is None or re.fullmatch(r"url\(#(.+)\)", clip)[1] in ids


INSIDE = {
    "tr": ("thead", "tbody"),
    "td": ("tr",),
    "th": ("tr",),
    "thead": ("table",),
    "tbody": ("table",),
    "caption": ("table",),
    "li": ("ul",),
    "dt": ("dl",),
    "dd": ("dl",),
    "summary": ("details",),
    "figcaption": ("figure",),
    "section": ("main",),
    "main": ("body",),
}
PHRASES = {"span", "b", "i", "code", "a", "button", "label", "input", "output"}


def check_nesting(root):
    for node in root.walk():
        if node.tag in INSIDE:
            assert node.parent.tag in INSIDE[node.tag]
        if node.tag in ("p", "h1", "h2", "h3", "span", "b", "code", "pre", "button"):
            assert {child.tag for child in node.children} <= PHRASES
        if node.tag == "table":
            rows = [
                sum(c.tag in ("td", "th") for c in r.children) for r in node.find("tr")
            ]
            assert len(set(rows)) == 1, "rows of a table differ in length"
    for tag in ("html", "head", "title", "body", "main", "h1", "style"):
        assert len(root.find(tag)) == 1


def check_headings(root):
    levels = [int(n.tag[1]) for n in root.walk() if re.fullmatch(r"h[1-6]", n.tag)]
    assert levels[0] == 1
    assert all(second <= first + 1 for first, second in pairwise(levels))
    for section in root.find("section"):
        assert section.children[0].tag == "h2"
        assert section.attrs["id"]


def check_nothing_outside(text, root):
    bare = text.replace("<meta http-equiv=", "")
    assert "http" not in bare.lower()
    assert "@import" not in text
    assert set(re.findall(r"url\((.{6})", text)) <= {"#shape"}
    assert set(re.findall(r"src=(.{6})", text)) <= {'"data:'}
    for node in root.walk():
        assert node.tag not in ("link", "iframe", "object", "embed", "base", "form")
        assert not any(name.startswith("on") for name in node.attrs)
        assert "style" not in node.attrs, "the policy forbids it"
    for picture in root.find("img"):
        kind, _, data = picture.attrs["src"].partition(",")
        assert kind == "data:image/svg+xml;base64"
        check_picture(b64decode(data, validate=True).decode())


def check_picture(svg):
    names = r'xmlns(:\w+)?="[^"]*"|<!DOCTYPE[^>]*>|(rdf:resource|rdf:about)="[^"]*"'
    assert svg.lstrip().startswith("<?xml")
    bare = re.sub(names, "", svg)
    assert "<script" not in bare
    assert not re.search(r'(href|src)="(?!#|data:)', bare)
    assert not re.search(r"url\((?!#)", bare)


def check_policy(root):
    (meta,) = root.find("meta", **{"http-equiv": "Content-Security-Policy"})
    parts = dict(p.strip().split(" ", 1) for p in meta.attrs["content"].split(";"))
    assert parts["default-src"] == "'none'"
    assert parts["img-src"] == "data:"
    scripts = [n for n in root.find("script") if "type" not in n.attrs]
    for name, nodes in (("style-src", root.find("style")), ("script-src", scripts)):
        hashes = [b64encode(sha256(n.text.encode()).digest()).decode() for n in nodes]
        assert parts[name] == " ".join(f"'sha256-{one}'" for one in hashes)
    before = root.find("head")[0].children
    assert before.index(meta) < before.index(root.find("style")[0])


def check_names(root):
    """Check that controls and drawings have names."""
    labelled = {node.attrs["for"] for node in root.find("label")}
    for node in root.find("input"):
        assert node.attrs["id"] in labelled
    for node in root.walk():
        if node.attrs.get("role") in ("img", "region"):
            assert node.attrs["aria-label"].strip()
        if node.attrs.get("tabindex") == "0" and node.tag == "div":
            assert node.attrs["role"] == "region"
    for node in root.find("img"):
        assert node.attrs["alt"].strip()


@every_page
def test_pages_are_whole(name):
    root = check_whole(page(name))
    assert root.find("h1")[0].all_text.strip()
    assert root.find("title")[0].all_text.strip()


@every_page
def test_no_page_has_a_value_that_was_not_filled_in(name):
    nodes = tree(name).find("body")[0].walk()
    text = " ".join(n.text for n in nodes if n.tag not in ("script", "pre"))
    for word in ("None", "nan", "{{", "{%", "Markup(", "inf"):
        assert not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)


@pytest.mark.parametrize("name", [n for n in QUICK if n.startswith("comparison")])
def test_the_heading_is_the_answer(name):
    heading = tree(name).find("h1")[0].all_text
    assert heading.startswith(result(name).sentence())
    assert result(name).verdict.symbol in heading


@pytest.mark.parametrize("name", SINGLE)
def test_a_page_is_live_and_shows_its_comparison(name):
    root, comparison = tree(name), result(name)
    data = embedded(root)
    (card,) = root.find("article")
    assert card.attrs["id"] == "c1"
    live = {
        n.attrs["data-live"]: n.all_text for n in card.walk() if "data-live" in n.attrs
    }
    rope, mass = data["asked"]
    one = data["comparisons"][0]
    symbol = one["symbols"][rope][mass]
    assert live["symbol"] == symbol == comparison.verdict.symbol
    assert live["verdict"] == data["names"][symbol] == comparison.verdict.name
    assert live["headline"] == one["headlines"][one["unblocked"][rope][mass]]
    assert [live["low"], live["high"]] == one["ends"][mass]
    assert live["worse"] == one["shown"][rope][0]
    assert live["better"] == one["shown"][rope][2]
    outlook = comparison.outlook_line() or ""
    assert live["outlook"] == (one["outlook"] or "") == outlook
    for name_, stops, here in (("rope", "ropes", rope), ("mass", "masses", mass)):
        (slider,) = root.find("input", id=name_)
        assert slider.attrs["max"] == str(len(data[stops]) - 1)
        assert slider.attrs["value"] == str(here)
        assert slider.attrs["min"] == "0"
        assert slider.attrs["step"] == "1"
    assert "hidden" in root.find(id="controls")[0].attrs, "no JavaScript, no sliders"
    (inside,) = card.find("li", class_="equivalent")
    assert ("hidden" in inside.attrs) == (comparison.rope is None)


@pytest.mark.parametrize("name", SINGLE)
def test_without_scripts_a_table_shows_verdicts(name):
    root, verdict = tree(name), result(name).verdict
    if result(name).tested:
        assert not root.find(id="verdicts")
        return
    (cell,) = root.find("td", class_="asked")
    assert cell.all_text == f"{verdict.symbol} {verdict.name}"
    assert cell.parent.parent.parent.attrs["id"] == "verdicts"


@every_page
def test_embedded_json_is_safe_inside_a_script(name):
    text = page(name)
    script = r'<script type="application/json"[^>]*>(.*?)</script>'
    data = re.search(script, text, re.S)
    if data is None:
        assert not tree(name).find("article")
        return
    assert not re.search(r"[<>&']", data[1])
    entries = json.loads(data[1])["comparisons"]
    assert len(entries) == len(tree(name).find("article"))


def test_several_kinds_have_findings_that_lead_to_their_explanation():
    codes_seen = set()
    for name in QUICK:
        root = tree(name)
        codes = [n for n in root.find("a") if n.attrs["href"] != "#main"]
        own = {finding.code for finding in result(name).findings}
        assert {n.all_text for n in codes} >= own
        for node in codes:
            (term,) = root.find("dt", id=node.attrs["href"][1:])
            index = term.parent.children.index(term)
            explained = term.parent.children[index + 1]
            # Code is an element of its own, and not among the text around it.
            meaning = EXPLAINED[term.all_text].meaning
            assert explained.text.startswith(re.sub("`.*?`", "", meaning))
            code = [node.all_text for node in explained.find("code")]
            assert set(re.findall("`(.*?)`", meaning)) <= set(code)
            codes_seen.add(term.all_text)
    assert len(codes_seen) >= 2


@every_page
def test_findings_stand_directly_below_the_headline_and_recipes_last(name):
    kinds = [type(part) for part in result(name).parts()]
    assert kinds[0] is parts.Headline
    assert kinds[-1] is parts.Recipe
    if result(name).findings:
        assert kinds.index(parts.Findings) == 1
        assert tree(name).find("section")[0].attrs["id"] == "findings"


def test_a_blocked_comparison_is_undecided_wherever_the_sliders_stand():
    blocked = every_kind.compared(draws=999)
    root = check_whole(blocked.report().html)
    assert root.find("h1")[0].all_text.startswith("undecided, too few draws: ")
    (entry,) = embedded(root)["comparisons"]
    assert set("".join(entry["symbols"])) == {"?"}
    for headline in entry["headlines"].values():
        assert headline.startswith("undecided, too few draws: ")
    assert entry["outlook"] is entry["outlooks"] is None


def test_several_results_stand_on_one_page():
    both = [every_kind.compared(), every_kind.compared(metric="recall")]
    root = check_whole(ResultList(both).report().html)
    assert root.find("h1")[0].all_text.startswith("2 comparisons: ")
    assert [n.attrs["id"] for n in root.find("article")] == ["c1", "c2"]
    assert len(embedded(root)["comparisons"]) == 2
    for one in both:
        assert one.sentence() in root.find("main")[0].all_text
    for names in (("estimate", "estimate-equal-tailed"), ("mcnemar", "sign")):
        check_whole(ResultList([result(name) for name in names]).report().html)


def part(name, kind):
    (only,) = [one for one in result(name).parts() if isinstance(one, kind)]
    return only


def per_cent(node, name):
    return float(node.attrs[name].removesuffix("%"))


@pytest.mark.parametrize("name", ["classes", "ranking-items", "estimate"])
def test_rows_of_a_forest_are_drawn_to_scale(name):
    forest, root = part(name, parts.Forest), tree(name).find(class_="forest")[-1]
    low, high = (float(span.text) for span in root.find("span")[:2])
    spread = 100 / (high - low)
    for row, svg in zip(forest.rows, root.find("svg"), strict=True):
        (circle,), line = svg.find("circle"), svg.find("line")[-1]
        ends = [(per_cent(line, "x1"), row.interval.low)]
        ends += [(per_cent(line, "x2"), row.interval.high)]
        for at, value in [*ends, (per_cent(circle, "cx"), row.value)]:
            # The ends of the scale are rounded.
            position = spread * (value - low)
            assert at == pytest.approx(
                position, abs=0.5 * spread * 10**-forest.decimals
            )
        zero = svg.find("line", class_="zero")
        assert len(zero) == forest.differences
        assert len(svg.find("rect", class_="rope")) == (forest.rope is not None)
        assert row.interval_text == svg.attrs["aria-label"]


@pytest.mark.parametrize("name", SINGLE)
def test_the_posterior_stands_with_its_interval_and_rope(name):
    density, region = part(name, parts.Density), result(name).rope
    svg = tree(name).find(id="density")[0].find("svg", class_="posterior")[0]
    low, high = (float(svg.attrs[f"data-{end}"]) for end in ("low", "high"))
    (line,) = svg.find("line", class_="hdi")
    for end, value in zip(("x1", "x2"), density.interval, strict=True):
        at = 100 * (value - low) / (high - low)
        assert per_cent(line, end) == pytest.approx(at, abs=0.01)
    ropes = svg.find("rect", class_="rope")
    assert len(ropes) == (region is not None)
    for rope in ropes:
        at = min(max(100 * (region.low - low) / (high - low), 0), 100)
        assert per_cent(rope, "x") == pytest.approx(at, abs=0.01)


@pytest.mark.parametrize("name", SINGLE)
def test_the_bar_has_the_probabilities(name):
    p, root = result(name).probability, tree(name).find(id="probabilities")[0]
    shares = [p.worse, p.equivalent, p.better]
    if result(name).rope is None:
        del shares[1]
    bar = root.find("svg", class_="bar")[0]
    widths = [per_cent(strip, "width") for strip in bar.find("rect")]
    assert widths == pytest.approx([100 * share for share in shares], abs=1e-3)
    assert [node.text for node in root.find("b")] == [p.text(x) for x in shares]


def test_comparisons_with_different_ropes_are_not_moved_together():
    both = ResultList([every_kind.compared(), every_kind.compared(rope=0.05)])
    root = check_whole(both.report().html)
    assert not root.find(id="controls")
    assert not root.find("article")


def test_many_data_sets_are_whole_pages_too():
    means = drawn(sets=5, folds=1, systems="abc")
    few = {"draws": 1000, "seed": 0}
    for one in (
        lk.rank(means, rope=0.01, **few),
        every_kind.studied(lk.rank(means, rope=0.01, **few)),
        every_kind.studied(result("bayes-test-paired")),
    ):
        check_whole(one.report().html)


def test_the_hierarchical_model_is_a_whole_page_too():
    root = check_whole(page("hierarchical"))
    assert len(root.find("img")) == 2


def test_results_report_themselves():
    assert isinstance(result("comparison").report(), Report)
    assert page("comparison") == report.page(result("comparison")).html


def test_reports_are_saved_and_framed(tmp_path):
    made = result("comparison").report()
    path = made.save(tmp_path / "page.html")
    assert path == tmp_path / "page.html"
    assert path.read_bytes() == made.html.encode()
    assert made.save(str(path)) == path
    assert list(tmp_path.iterdir()) == [path]
    assert (
        repr(made) == f"<Report of {len(made.html):,} characters; save(path) writes it>"
    )
    root = Tree(made._repr_html_()).root
    (frame,) = root.children
    assert frame.tag == "iframe"
    assert frame.attrs["srcdoc"] == made.html
    assert frame.attrs["sandbox"] == "allow-scripts"
    assert not frame.all_text


def test_a_text_that_is_no_unicode_is_saved(tmp_path):
    comparison = every_kind.compared(systems=["\udcff", "b"])
    path = comparison.report().save(tmp_path / "page.html")
    check_whole(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["comparison", "classes"])
def test_the_same_result_gives_the_same_bytes(name):
    assert result(name).report().html == page(name)
    assert KINDS[name]().report().html == page(name)


# One page of each kind of result, and of lists.
AGAIN = (
    ("comparison-clusters",),
    ("classes",),
    ("mcnemar", "bootstrap"),
    ("estimate", "estimate-paired"),
    ("plan",),
    ("signed-rank",),
    ("ranking",),
    ("study-unfinished",),
)


def digests():
    """Return digests of the pages of some kinds."""
    pages = (
        page(names[0])
        if len(names) == 1
        else together(list(map(result, names))).report().html
        for names in AGAIN
    )
    return [sha256(text.encode()).hexdigest() for text in pages]


def test_a_fresh_process_gives_the_same_bytes(request):
    code = "from tests.report.test_html_page import digests; print(*digests())"
    paths = (".", os.environ.get("PYTHONPATH", ""))
    other = {"PYTHONHASHSEED": "4242", "TZ": "Asia/Kathmandu", "LC_ALL": "C"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=request.config.rootpath,
        env={**os.environ, **other, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == digests()


def counted(scale):
    columns = [["y"] * 4 + ["n"], ["y", "y", "n", "n", "n"], ["y", "n", "y", "n", "n"]]
    counts = [scale * n for n in (60, 8, 10, 12, 10)]
    return Outcomes.from_patterns(columns, counts, systems="ab")


def test_a_page_of_a_million_items_is_as_small_as_one_of_hundreds():
    few, many = (
        lk.compare(counted(s), metric="accuracy", rope=0.01, seed=0)
        for s in (5, 10_000)
    )
    assert many.settings.data.items == 1_000_000
    large, small = (len(one.report().html.encode()) for one in (many, few))
    assert large < 1_000_000
    assert large < small + 20_000


def test_many_classes_stay_a_small_page():
    rng = np.random.default_rng(3)
    names = np.array([f"class {i:02}" for i in range(45)])
    gold = rng.integers(45, size=900)
    predictions = [
        np.where(rng.random(900) < 0.7, gold, rng.integers(45, size=900)) for _ in "ab"
    ]
    columns = [names[column].tolist() for column in (gold, *predictions)]
    groups = lk.compare_groups(*columns, rope=0.02, draws=1000, seed=0)
    text = groups.report().html
    root = check_whole(text)
    assert len(root.find("tbody")[0].children) >= 45
    assert len(text.encode()) < 1_000_000


def test_hundreds_of_pairs_stay_a_page_of_bounded_size():
    systems = [f"s{i:02}" for i in range(30)]
    table = drawn(folds=5, systems=systems)
    ranking = lk.rank(table, rope=0.01, draws=1000, seed=0)
    assert len(ranking.comparisons) == 435
    text = ranking.report().html
    root = check_whole(text)
    assert not root.find("article")
    assert len(root.find("table", class_="forest")[0].find("tr")) == 436
    assert len(text.encode()) < 2_000_000


def test_every_kind_of_part_has_a_template(request):
    assert set(TEMPLATES) == set(get_args(parts.Part))
    folder = request.config.rootpath / "src/likelier/report/templates"
    files = {path.stem for path in folder.glob("*.html")}
    assert files == {*TEMPLATES.values(), "report", "elements"}


def test_every_kind_is_looked_at():
    assert {*SLOW, *QUICK} == set(KINDS)
    assert all(isinstance(result(name), Comparison) for name in COMPARISONS)


def test_findings_that_a_caller_passed_on_have_no_explanation():
    mine = (Finding("MINE", "read <b>twice</b>"),)
    comparison = replace(every_kind.compared(), findings=mine)
    root = check_whole(comparison.report().html)
    assert "MINE note: read <b>twice</b>" in root.all_text
    assert not root.find(id="MINE")
