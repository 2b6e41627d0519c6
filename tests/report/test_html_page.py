"""Pages of reports: one whole file that needs nothing and leads nowhere else."""

import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from dataclasses import replace
from functools import cache
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from tests.data.score_tables import drawn
from tests.report.conftest import COMPARISONS, page, together
from tests.results import every_kind
from tests.results.every_kind import KINDS, result

import likelier as lk
from likelier import Outcomes, plots, report
from likelier.distribution import Draws, Posterior
from likelier.explanations import EXPLAINED
from likelier.findings import Finding
from likelier.formatting import plain
from likelier.origin import Origin, size_text
from likelier.plots.style import PAGE_COLOURS
from likelier.report.drawing import forest_scale, whole_per_cent
from likelier.report.gate import judge
from likelier.report.html_page import TEMPLATES, Report
from likelier.report.page_svg import page_svg
from likelier.results import parts
from likelier.results.comparison import Comparison
from likelier.results.result_list import ResultList
from likelier.results.stability import stays
from likelier.results.what_if import Stops, WhatIf

VOID = {"meta", "input", "br", "img", "link", "hr"}
# The SVG elements of a page close themselves.
SELF_CLOSED = {"rect", "line", "circle", "path", "use", "g", "defs"}
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
    assert all(re.fullmatch(r"[A-Za-z][\w.-]*", name) for name in ids)
    for node in root.walk():
        for name in ("for", "aria-labelledby", "aria-describedby", "aria-controls"):
            for target in (node.attrs.get(name) or "").split():
                assert target in ids
        if "href" in node.attrs:
            assert node.attrs["href"][0] == "#"
            assert node.attrs["href"][1:] in ids
        for value in node.attrs.values():
            for target in re.findall(r"url\(#(.+?)\)", value or ""):
                assert target in ids


INSIDE = {
    "tr": ("thead", "tbody", "tfoot"),
    "td": ("tr",),
    "th": ("tr",),
    "thead": ("table",),
    "tbody": ("table",),
    "tfoot": ("table",),
    "caption": ("table",),
    "li": ("ul",),
    "dt": ("dl",),
    "dd": ("dl",),
    "summary": ("details",),
    "figcaption": ("figure",),
    "section": ("main",),
    "main": ("body",),
}
PHRASES = {
    *{"span", "b", "i", "code", "a", "button", "label", "input", "output"},
    *{"strong", "small"},
}


def check_nesting(root):
    for node in root.walk():
        if node.tag in INSIDE:
            assert node.parent.tag in INSIDE[node.tag]
        if node.tag in ("p", "h1", "h2", "h3", "span", "b", "code", "pre", "button"):
            assert {child.tag for child in node.children} <= PHRASES
        if node.tag == "table":
            assert len(set(row_widths(node))) == 1, "rows of a table differ in length"
    for tag in ("html", "head", "title", "body", "main", "h1", "style"):
        assert len(root.find(tag)) == 1


def row_widths(table):
    """Yield how many columns each row fills, with cells that span some."""
    for group in table.children:
        reaching = []  # rows that cells from above still fill, one for each column
        for row in group.children:
            reaching = [rows - 1 for rows in reaching if rows > 1]
            width = len(reaching)
            for cell in row.children:
                span = int(cell.attrs.get("colspan", 1))
                width += span
                reaching += [int(cell.attrs.get("rowspan", 1))] * span
            yield width


def check_headings(root):
    levels = [int(n.tag[1]) for n in root.walk() if re.fullmatch(r"h[1-6]", n.tag)]
    assert levels[0] == 1
    assert all(second <= first + 1 for first, second in pairwise(levels))
    for section in root.find("section"):
        assert len(section.find("h2")) == 1
        assert section.find("h2")[0].all_text.strip()
        assert section.attrs["id"]


def check_nothing_outside(text, root):
    bare = text.replace("<meta http-equiv=", "")
    assert "http" not in bare.lower()
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)
    outside = ("link", "iframe", "object", "embed", "base", "img", "image", "style")
    for node in root.find("body")[0].walk():
        assert node.tag not in outside
        assert not any(name.startswith("on") for name in node.attrs)
        # The policy forbids them.
        assert not {"style", "src", "srcset", "action"} & set(node.attrs)


def check_policy(root):
    (meta,) = root.find("meta", **{"http-equiv": "Content-Security-Policy"})
    parts = dict(p.strip().split(" ", 1) for p in meta.attrs["content"].split(";"))
    assert parts["default-src"] == "'none'"
    others = {"base-uri", "form-action", "style-src", "script-src"}
    assert set(parts) <= {"default-src", *others}
    assert "unsafe" not in meta.attrs["content"]
    scripts = [n for n in root.find("script") if "type" not in n.attrs]
    for name, nodes in (("style-src", root.find("style")), ("script-src", scripts)):
        hashes = [b64encode(sha256(n.text.encode()).digest()).decode() for n in nodes]
        assert parts[name] == " ".join(f"'sha256-{one}'" for one in hashes)
    before = root.find("head")[0].children
    assert before.index(meta) < before.index(root.find("style")[0])


def check_names(root):
    """Check that controls and drawings have names."""
    labelled = {node.attrs.get("for") for node in root.find("label")}
    for node in root.find("input"):
        inside = node.parent.tag == "label" and node.parent.text.strip()
        named = node.attrs.get("id") in labelled or node.attrs.get("aria-label")
        assert named or inside
    for node in root.find("select"):
        assert node.attrs["aria-label"].strip()
    for node in root.walk():
        if node.attrs.get("role") in ("img", "region"):
            assert node.attrs["aria-label"].strip()
        if node.tag == "th":
            assert node.all_text.strip()


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


@every_page
def test_the_heading_is_the_headline(name):
    summary = result(name).summary()
    (heading,) = tree(name).find("h1")
    words = [piece for piece in summary.headline if isinstance(piece, parts.Strong)]
    assert [node.text for node in heading.find("strong")] == words
    text = "".join(re.findall(r"<h1>(.*?)</h1>", page(name), re.S))
    assert unescape(re.sub("<.*?>", "", text)).strip() == "".join(summary.headline)
    assert tree(name).find("title")[0].text == result(name).title()
    assert bool(tree(name).find("p", class_="lede")) == bool(summary.lede)


def hidden(node):
    return node is not None and ("hidden" in node.attrs or hidden(node.parent))


@pytest.mark.parametrize("name", SINGLE)
def test_a_page_is_live_and_shows_its_comparison(name):
    root, comparison = tree(name), result(name)
    data, figure = embedded(root), root.find("svg", class_="posterior")[0]
    rope, mass = data["asked"]
    assert data["symbols"][rope][mass] == comparison.verdict.symbol
    ends = [figure.find("text", class_=f"ink {end}")[0] for end in ("low", "high")]
    assert [end.text for end in ends] == data["ends"][mass]
    whole = comparison.posterior.regions is None and comparison.verdict.reason is None
    for index, kind in enumerate(("worse", "equivalent", "better")):
        labels = figure.find("svg", class_=f"region {kind}-label")
        assert len(labels) == whole
        for label in labels:
            roped = comparison.rope is not None or kind != "equivalent"
            text = data["shown"][rope][index] if roped else ""
            assert label.find("text")[1].text == text
    for name_, stops, here in (("rope", "ropes", rope), ("mass", "masses", mass)):
        (slider,) = root.find("input", id=name_)
        assert slider.attrs["max"] == str(len(data[stops]) - 1)
        assert slider.attrs["value"] == str(here)
        assert slider.attrs["min"] == "0"
        assert slider.attrs["step"] == "1"
    for node in (*root.find(class_="knob"), *root.find("button"), *root.find("form")):
        assert hidden(node), "no JavaScript, no controls"
    (line,) = root.find("span", **{"data-live": "line"})
    assert line.text == stays(WhatIf(comparison, Stops.of(comparison)))


@every_page
def test_embedded_json_is_safe_inside_a_script(name):
    script = r'<script type="application/json"[^>]*>(.*?)</script>'
    data = re.findall(script, page(name), re.S)
    assert len(data) == len(tree(name).find(id="density"))
    for one in data:
        assert not re.search(r"[<>&']", one)
        assert json.loads(one)["names"]


def answer_of(root):
    """Return the top of the page."""
    every = root.find("main")[0].children
    (one,) = [n for n in every if n.attrs.get("class", "").split()[:1] == ["answer"]]
    return one


@every_page
def test_findings_stand_in_the_answer_each_with_its_cure(name):
    answer, own = answer_of(tree(name)), result(name).findings
    lists = [n for n in answer.find("ul") if "findings" in n.attrs["class"].split()]
    rows = [row for one in lists for row in one.find("li")]
    assert len(rows) == len(own)
    for finding in own:
        (row,) = [row for row in rows if plain(finding.message) in row.all_text]
        assert finding.code in row.all_text
        # Code is an element of its own, and not among the text around it.
        advice = EXPLAINED[finding.code].advice
        (cure,) = row.find("p", class_="do")
        assert cure.text == re.sub("`.*?`", "", advice)
        code = [node.all_text for node in cure.find("code")]
        assert code == re.findall("`(.*?)`", advice)
    assert bool(answer.find(class_="findings none")) == (not own)


def test_kinds_of_results_have_findings():
    assert len({f.code for name in QUICK for f in result(name).findings}) >= 2


def test_a_blocked_comparison_is_undecided_wherever_the_sliders_stand():
    blocked = every_kind.compared(draws=999)
    root = check_whole(blocked.report().html)
    assert root.find("h1")[0].find("strong")[0].text == "Undecided:"
    data = embedded(root)
    assert set("".join(data["symbols"])) == {"?"}
    for headline in data["headlines"].values():
        assert headline.startswith("undecided, too few draws: ")
    assert not any(map(any, data["outlooks"] or ()))
    answer = answer_of(root)
    (block,), (facts,) = (
        [n for n in answer.children if kind in n.attrs.get("class", "").split()]
        for kind in ("blocks", "facts")
    )
    assert answer.children.index(block) < answer.children.index(facts)
    assert "muted" in answer.attrs["class"].split()
    # Nothing is coloured as if it were an answer.
    (figure,) = root.find("svg", class_="posterior")
    assert {node.attrs["class"] for node in figure.find("use")} == {"equivalent"}


def test_several_results_stand_on_one_page():
    both = [every_kind.compared(), every_kind.compared(metric="recall")]
    root = check_whole(ResultList(both).report().html)
    (forest,) = root.find("table", class_="forest stack sortable")
    cards = forest.find("tr", class_="card")
    assert len(cards) == len(forest.find("details")) == 2
    for one, card in zip(both, cards, strict=True):
        assert one.sentence() in card.all_text
        assert len(card.find("svg", class_="posterior")) == 1
    assert not root.find("script", id="likelier-data")
    for names in (("estimate", "estimate-equal-tailed"), ("mcnemar", "sign")):
        check_whole(ResultList([result(name) for name in names]).report().html)


def forests(name):
    """Return the forests of a result, each with its table."""
    every = [part for part in result(name).parts() if isinstance(part, parts.Forest)]
    tables = [
        node
        for node in tree(name).find("table")
        if "forest" in node.attrs["class"].split()
    ]
    return list(zip(every, tables, strict=True))


def per_cent(node, name):
    return float(node.attrs[name].removesuffix("%"))


FORESTS = ["classes", "classes-hierarchical", "ranking-items", "estimate", "comparison"]


@pytest.mark.parametrize("name", FORESTS)
def test_rows_of_a_forest_are_drawn_to_scale(name):
    for forest, table in forests(name):
        scale = forest_scale(forest)
        rows = (*forest.rows, *forest.foot)
        for row, cell in zip(rows, table.find("td", class_="plot"), strict=True):
            (svg,) = cell.children
            check_row(row, svg, scale)
            assert len(svg.find("line", class_="zero")) == forest.differences
            assert len(svg.find("rect", class_="rope")) == (forest.rope is not None)
            assert svg.attrs["aria-label"].startswith(f"{row.label}: ")
        head = table.find("th", class_="plot")[0].find("text")
        ticks = [(per_cent(node, "x"), node.text) for node in head]
        assert ticks == scale.ticks(signed=forest.differences, most=3)


def check_row(row, svg, scale):
    spread = 100 / (scale.high - scale.low)
    (line,) = [n for n in svg.find("line") if n.attrs["class"].startswith("line ")]
    places = [(line, "x1", row.interval.low), (line, "x2", row.interval.high)]
    (point,) = [n for n in svg.walk() if n.attrs.get("class", "").startswith("pt ")]
    dot = point.tag == "circle"
    places += [(point, "cx", row.value) if dot else (point.parent, "x", row.value)]
    raw = svg.find("path", class_="raw")
    assert len(raw) == (row.counted is not None)
    places += [(node.parent, "x", row.counted) for node in raw]
    for node, end, value in places:
        at = spread * (value - scale.low)
        assert per_cent(node, end) == pytest.approx(at, abs=0.01)


@pytest.mark.parametrize("name", ["classes", "ranking-items"])
def test_sorted_tables_hold_the_numbers_of_their_columns(name):
    for forest, table in forests(name):
        heads = [n for n in table.find("th") if "data-key" in n.attrs]
        assert bool(heads) == (forest.sorted_by is not None)
        if not heads:
            continue
        for row, node in zip(forest.rows, table.find("tbody"), strict=True):
            keys = json.loads(node.attrs["data-keys"])
            numbers = [cell.key for cell in (*row.before, *row.after)]
            assert keys == [row.label, *numbers, row.verdict.name]
            # A column without a number cannot be sorted by.
            assert all(keys[int(n.attrs["data-key"])] is not None for n in heads)
        sorted_by = [n.text for n in heads if "aria-sort" in n.attrs]
        assert sorted_by == [forest.sorted_by]


@pytest.mark.parametrize("name", SINGLE)
def test_the_posterior_stands_with_its_interval_and_rope(name):
    one, region = result(name), result(name).rope
    (svg,) = tree(name).find(id="density")[0].find("svg", class_="posterior")
    low, high = (float(svg.attrs[f"data-{end}"]) for end in ("low", "high"))
    (line,) = svg.find("line", class_="span")
    for end, value in zip(("x1", "x2"), one.hdi, strict=True):
        at = 100 * (value - low) / (high - low)
        assert per_cent(line, end) == pytest.approx(at, abs=0.01)
    (rope,) = svg.find("rect", class_="rope")
    ends = (0, 0) if region is None else (region.low, region.high)
    left, right = (min(max(100 * (e - low) / (high - low), 0), 100) for e in ends)
    assert per_cent(rope, "x") == pytest.approx(left, abs=0.01)
    assert per_cent(rope, "width") == pytest.approx(right - left, abs=0.02)
    clips = [node.find("rect")[0].attrs for node in svg.find("clippath")]
    starts = [float(clip["x"]) for clip in clips]
    assert starts == pytest.approx([0, 10 * left, 10 * right], abs=0.2)
    assert sum(float(c["width"]) for c in clips) == pytest.approx(1000, abs=0.2)


@pytest.mark.parametrize("name", SINGLE)
def test_the_bar_has_the_probabilities(name):
    p, root = result(name).probability, tree(name).find(class_="fact")[0]
    shares = [p.worse, p.equivalent, p.better]
    if result(name).rope is None:
        del shares[1]
    bar = root.find("svg", class_="bar")[0]
    strips = [n for n in bar.find("rect") if "class" in n.attrs]
    widths = [per_cent(strip, "width") for strip in strips]
    assert widths == pytest.approx([100 * share for share in shares], abs=1e-3)
    assert [node.text for node in root.find("b")] == [p.text(x) for x in shares]


def test_comparisons_with_different_ropes_are_not_moved_together():
    both = ResultList([every_kind.compared(), every_kind.compared(rope=0.05)])
    root = check_whole(both.report().html)
    assert not root.find(class_="knob")


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
    assert len(root.find("figure", class_="plot")) == 1
    assert root.find(id="forest-table")


def test_a_leaderboard_and_a_heat_map_show_the_ranking():
    ranking, root = result("ranking-items"), tree("ranking-items")
    board, heat = (
        next(part for part in ranking.parts() if isinstance(part, kind))
        for kind in (parts.Leaderboard, parts.HeatMap)
    )
    (table,) = root.find("table", class_="board stack")
    bodies = table.find("tbody")
    assert len(bodies) == len({row.tier for row in board.rows})
    rows = [row for body in bodies for row in body.find("tr")]
    for row, node in zip(board.rows, rows, strict=True):
        for text in (row.system, row.value_text, row.interval_text, row.best_text):
            assert text in node.all_text
    (table,) = root.find("table", class_="heat")
    for shares, node in zip(heat.shares, table.find("tr")[1:], strict=True):
        texts = [cell.all_text for cell in node.find("td")]
        assert texts == ["·" if x is None else whole_per_cent(x) for x in shares]


# --- gate, files, command, date -----------------------------------------------------

GATES = {"P(better) > 0.5": 0, "P(better) < 0.5": 1, "P(better) > 0.999": 3}


@pytest.mark.parametrize("condition", GATES)
def test_the_gate_says_what_was_asked_and_how_the_command_ends(condition):
    steps = Posterior((), Draws(np.linspace(-0.1, 0.3, 500)))
    settings = replace(every_kind.compared().settings, rope=None)
    one = replace(every_kind.compared(), posterior=steps, settings=settings)
    gate = judge(condition, one)
    assert gate.code == GATES[condition] or gate.code == 3
    root = check_whole(one.report(gate=gate).html)
    state = {0: "passed", 1: "failed", 3: "open"}[gate.code]
    (fact,) = root.find("div", class_=f"fact gate {state}")
    texts = [node.all_text for node in fact.find("dd")]
    assert texts[0] == condition
    assert texts[-1] == str(gate.code)
    (found,) = texts[1:-1] or [""]
    assert found == gate.found(one.verdict)
    assert found.startswith("" if gate.code == 0 else str(one.verdict.name))
    assert gate.values[0] in found or gate.code == 0


def test_without_a_gate_there_is_no_word_of_it():
    assert "Gate" not in [node.text for node in tree("comparison").find("h2")]


def test_a_gate_of_many_answers_counts_those_that_fail():
    gate = judge("P(better) > 0.9999999", result("classes"))
    count = len(gate.codes)
    assert len(list(gate.unmet())) == count > 3
    root = check_whole(result("classes").report(gate=gate).html)
    (fact,) = [
        n for n in root.find("div") if "gate" in n.attrs.get("class", "").split()
    ]
    _, found, _ = fact.find("dd")
    assert found.text == f"open in {count} of {count}"


def test_tasks_have_items_of_their_own_and_scores_are_better_or_worse():
    logs = Path(__file__).parents[1] / "readers/logs/data/lm_eval/groups"
    tables = lk.read(logs / "toy-a", logs / "toy-b")
    settings = {"metric": "acc", "rope": 0.01, "draws": 1000, "seed": 0}
    whole = lk.compare_groups(tables, by="task", **settings)
    (items,) = check_whole(whole.report().html).find("section", id="items")
    headings = [node.text for node in items.find("h3")]
    assert headings == ["toy_mc", "toy_mc_b", "toy_mc_c"]
    kinds = {
        n.text
        for name in ("fixed", "broken")
        for n in items.find("span", class_=f"tag {name}")
    }
    assert kinds == {"↗ better", "↘ worse"}


def test_files_command_and_date_are_shown_where_they_are_known(tmp_path):
    names = ("a.csv", "b <b>.csv")
    for name in names:
        (tmp_path / name).write_text(f"{name}, 1\n" * 50)
    paths = [tmp_path / name for name in names]
    missing = (tmp_path / "none.csv", tmp_path)
    command = "likelier x '<b>'"
    origin = Origin.of([*paths, *missing], command=command, date="2026-11-18")
    root = check_whole(result("comparison").report(origin=origin).html)
    (source,) = root.find("section", id="source")
    for path, node in zip(paths, source.find("dd"), strict=False):
        content = path.read_bytes()
        digest = sha256(content).hexdigest()
        size = f"{len(content)} bytes"
        assert node.text == f"{path.name}, {size}, sha256 {digest[:12]}"
    *_, folder = origin.files
    assert len(origin.files) == 3
    total = sum(path.stat().st_size for path in paths)
    assert str(folder) == f"{tmp_path.name}, {size_text(total)}, 2 files"
    assert str(tmp_path) not in source.all_text
    assert source.find("pre")[0].text == command
    assert "2026-11-18" in root.find("p", class_="context")[0].text
    rows = {node.text for node in source.find("dt")}
    assert {"made with", "data", "seed"} <= rows


def test_a_page_has_no_date_and_no_command_unless_they_are_given():
    root = tree("comparison")
    assert not re.search(r"\b20\d\d-\d\d", root.find("main")[0].all_text)
    assert not root.find("section", id="source")[0].find("pre")


# --- pictures of matplotlib -----------------------------------------------------------

PICTURES = [
    *(("pairs", kind) for kind in ("order", "simplex", "ranks", "critical")),
    *(("hierarchical", kind) for kind in ("simplex", "data-sets", "posterior")),
    ("sensitivity", "sensitivity"),
    ("plan", "chances"),
]


@pytest.mark.parametrize(("name", "kind"), PICTURES)
def test_pictures_take_the_colours_of_the_page(name, kind):
    text = page_svg(plots.picture(result(name), kind, form="svg"), "key")
    root = Tree(text).root
    for node in root.walk():
        assert node.tag not in ("style", "script", "metadata", "title", "image")
        assert not any(attr == "style" or ":" in attr for attr in node.attrs)
        assert node.attrs.get("id", "key-").startswith("key-")
        if "href" in node.attrs:
            assert root.find(id=node.attrs["href"].removeprefix("#"))
        for value in node.attrs.values():
            assert value.lower() not in PAGE_COLOURS
            for target in re.findall(r"url\(#(.+?)\)", value):
                assert root.find(id=target)
    assert "http" not in text
    variables = set(re.findall(r"var\(--([\w-]+)\)", text))
    style = tree("comparison").find("style")[0].text
    assert variables
    assert all(f"--{variable}:" in style for variable in variables)


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
    (forest,) = root.find("table", class_="forest stack sortable")
    assert len(forest.find("tbody")) == 45
    assert len(text.encode()) < 1_000_000


def test_hundreds_of_pairs_stay_a_page_of_bounded_size():
    systems = [f"s{i:02}" for i in range(30)]
    table = drawn(folds=5, systems=systems)
    ranking = lk.rank(table, rope=0.01, draws=1000, seed=0)
    assert len(ranking.comparisons) == 435
    text = ranking.report().html
    root = check_whole(text)
    assert not root.find("svg", class_="posterior")
    (pairs,) = root.find("table", class_="forest stack")
    assert len(pairs.find("tbody")) == 435
    assert len(text.encode()) < 2_000_000


def test_every_kind_of_part_has_a_template(request):
    assert set(TEMPLATES) == set(get_args(parts.Part))
    folder = request.config.rootpath / "src/likelier/report/templates"
    files = {path.stem for path in folder.glob("*.html")}
    whole = {*TEMPLATES.values(), "report", "elements"}
    assert whole - {"matrices"} <= files <= whole


def test_every_kind_is_looked_at():
    assert {*SLOW, *QUICK} == set(KINDS)
    assert all(isinstance(result(name), Comparison) for name in COMPARISONS)


def test_findings_that_a_caller_passed_on_have_no_explanation():
    mine = (Finding("MINE", "read <b>twice</b>"),)
    comparison = replace(every_kind.compared(), findings=mine)
    root = check_whole(comparison.report().html)
    (row,) = root.find("ul", class_="findings")[0].find("li")
    assert "read <b>twice</b>" in row.all_text
    assert "MINE" in row.all_text
    assert not row.find("p", class_="do")
