"""Text from data is text on the page, whatever it says.

Every builder puts texts wherever one kind of result shows text from data. The page is
compared with that of harmless texts: it must have the same elements with the same
attributes, do nothing, and show every text as it is.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tests.browser.hostile import HOSTILE, harmless
from tests.browser.kinds import null_tests, study, together
from tests.results.every_kind import have_few_stops

import likelier as lk
from likelier.findings import Finding
from likelier.formatting import metric_name, plain
from likelier.origin import InputFile, Origin
from likelier.report.gate import GateResult
from likelier.results.plan_report import PlanReport
from likelier.results.study_folds import FailedFold

GOLD = np.array([0, 1] * 60)
FIRST = np.array([0, 0] * 20 + [0, 1] * 40)
SECOND = np.array([0, 1] * 50 + [1, 0] * 10)
# Longer texts may be cut.
LONG = 60
FEW = {"draws": 1000, "seed": 0}


def batched(texts, size):
    """Cut the texts into parts of one size; the first ones fill up the last part."""
    whole = (*texts, *texts[: -len(texts) % size])
    return [whole[i : i + size] for i in range(0, len(whole), size)]


def named(texts, count):
    """Put all texts into so many names, several in each."""
    return [" ¦ ".join(texts[i::count]) for i in range(count)]


def columns(positive, other="n"):
    """Return gold and predictions of two classes."""
    labels = np.array([positive, other], dtype=object)
    return [labels[part].tolist() for part in (GOLD, FIRST, SECOND)]


def comparison(first, second, positive, metric="f1", **settings):
    settings = {"positive": positive, "rope": 0.05, **FEW} | settings
    names = {"systems": [first, second], "metric": metric}
    return lk.compare(*columns(positive), **names, **settings)


def comparisons(texts):
    """Compare six times, with texts as systems, positive classes and metrics."""
    f1 = lk.metrics.named("f1")
    return [
        comparison(*part[:3], metric=replace(f1, name=part[3]))
        for part in batched(named(texts, 24), 4)
    ]


def live(texts):
    """Compare as often as there are cards that move."""
    recall = lk.metrics.named("recall")
    names = [*texts[:156], *named(texts[156:], 4)]
    return [
        comparison(*part[:3], metric=replace(recall, name=part[3]))
        for part in batched(names, 4)
    ]


def single(texts):
    """Compare once, with names in the heading and the title."""
    first, second, positive = named(texts, 3)
    return [comparison(first, second, positive)]


def without_a_rope(texts):
    first, second, positive = named(texts, 3)
    return [comparison(first, second, positive, rope=None)]


def labels(texts):
    """Compare with every text as a class, which the items that differ name."""
    others = texts[1:] + texts[:1]
    gold, first, second = [*texts, *texts], [*others, *texts], [*texts, *texts]
    return [lk.compare(gold, first, second, metric="accuracy", rope=0.05, **FEW)]


def classes(texts):
    names = named(texts, 50)
    gold = [text for text in names for _ in range(4)]
    first = [names[0] if i % 8 == 0 else g for i, g in enumerate(gold)]
    second = [names[0] if i % 8 == 1 else g for i, g in enumerate(gold)]
    return [lk.compare_groups(gold, first, second, rope=0.05, averages=(), **FEW)]


def storable(texts):
    """Return the texts that a data frame can store."""
    return tuple(
        text for text in texts if not any("\ud800" <= c <= "\udfff" for c in text)
    )


def frame_of(texts, column):
    """Return a frame whose ids, or clusters, are the texts; few share a pattern."""
    names = storable(texts)
    gold = [f"label {i // 10}" for i in range(len(names))]
    other = ["label 1" if label == "label 0" else "label 0" for label in gold]
    data = {"gold": gold, "a": gold, "b": other, column: names}
    return pd.DataFrame(data, dtype=object)


def ids(texts):
    names = {"gold": "gold", "systems": ["a", "b"], "id": "id", "metric": "accuracy"}
    return [lk.compare(frame_of(texts, "id"), rope=0.05, **names, **FEW)]


def clusters(texts):
    names = {"gold": "gold", "systems": ["a", "b"], "metric": "accuracy"}
    frame = frame_of(texts, "where")
    return [lk.compare(frame, cluster="where", rope=0.05, **names, **FEW)]


def item_texts(texts):
    """Compare on items that have the texts as text, and as their cluster."""
    names = named(storable(texts), 40)
    gold = ["a", "b"] * 20
    data = {"gold": gold, "one": gold, "two": gold[::-1], "what": names, "where": names}
    columns = {"gold": "gold", "systems": ["one", "two"], "text": "what"}
    settings = {"metric": "accuracy", "cluster": "where", "rope": 0.05, **FEW}
    return [lk.compare(pd.DataFrame(data, dtype=object), **columns, **settings)]


def p_values(texts):
    (one, *_) = null_tests()
    return [renamed(one, pair, pair[0]) for pair in batched(texts, 2)]


def renamed(one, systems, positive):
    data = replace(one.settings.data, systems=systems)
    return replace(one, settings=replace(one.settings, data=data, positive=positive))


def estimated(texts):
    one = lk.estimate(
        *columns("y")[:2], metric="f1", positive="y", method="paired", **FEW
    )
    return [renamed(one, (text,), text) for text in texts]


def findings(texts):
    """Compare with findings whose messages name labels, systems and files."""
    (one,) = single(harmless(3))
    codes = [finding.code for finding in one.findings] or ["LIK101"]
    every = tuple(Finding(codes[0], f"{text} in {text}.csv") for text in texts)
    return [replace(one, findings=every)]


def sensitivity(texts):
    first, second, positive = named(texts, 3)
    settings = {"metric": "f1", "positive": positive, "rope": 0.05, **FEW}
    table = lk.Outcomes.from_labels(*columns(positive), systems=[first, second])
    return [lk.sensitivity(table, strengths=[0.5, 1, 2], **settings)]


def plan(texts):
    first, second, positive = named(texts, 3)
    pilot = lk.Outcomes.from_labels(*columns(positive), systems=[first, second])
    settings = {"metric": "f1", "positive": positive, "rope": 0.05, "replications": 20}
    planned = lk.plan(lk.Assumed.pilot(pilot), seed=0, draws=200, **settings)
    chances, missing = planned.chances([100, 200]), tuple(map(plain, texts))
    return [
        PlanReport(chances.settings, chances.findings, chances, None, missing=missing)
    ]


def some_scores(systems, datasets, folds, metric):
    rng = np.random.default_rng(0)
    values = rng.normal(0.8, 0.01, (len(systems), len(datasets), folds)).round(4)
    rows = [
        (dataset, system, fold, values[i, j, fold])
        for i, system in enumerate(systems)
        for j, dataset in enumerate(datasets)
        for fold in range(folds)
    ]
    dataset, system, fold, score = zip(*rows, strict=True)
    return lk.Scores.from_rows(dataset, system, score, fold=fold, metric=metric)


def data_sets(texts):
    *systems, metric, one, two, three = named(texts, 6)
    scores = some_scores(systems, [one, two, three], 4, metric)
    return [lk.compare_folds(scores, rope=0.01)]


def ranking(texts):
    *systems, metric, one, two, three = named(texts, 7)
    scores = some_scores(systems, [one, two, three], 1, metric)
    return [lk.rank(scores, rope=0.01, **FEW)]


def a_study(texts):
    first, second, third, name, *errors = named(texts, 14)
    one = study(failed=0)
    failures = [
        FailedFold(third, second, 1, i, f"ValueError: {error}", f"Traceback {error}")
        for i, error in enumerate(errors)
    ]
    folds = [
        replace(row, dataset=text, system=system)
        for text in texts
        for row, system in zip(one.folds, (first, second), strict=False)
    ]
    return [
        replace(
            one,
            name=name,
            systems=(first, second),
            datasets=(*texts, third),
            folds=tuple(folds),
            failures=tuple(failures),
            settings=replace(one.settings, method=f"2-fold {name}"),
            versions={name: (first,)},
            results=tuple(single(texts)),
        )
    ]


BUILDERS = {
    build.__name__.replace("_", " "): build
    for build in (
        comparisons,
        live,
        single,
        without_a_rope,
        labels,
        classes,
        ids,
        clusters,
        item_texts,
        p_values,
        estimated,
        findings,
        sensitivity,
        plan,
        data_sets,
        ranking,
        a_study,
    )
}
# Data sets are named in pictures only: so many parts of the texts, and how many of
# these are texts of the page.
PARTS = {"data sets": (6, 3), "ranking": (7, 4)}


def visible(name):
    """Return the texts that a page must show."""
    if name == "clusters":  # they are counted, not named
        return ()
    if name in ("ids", "item texts"):
        return storable(HOSTILE)
    parts, count = PARTS.get(name, (1, 1))
    return [text for i, text in enumerate(HOSTILE) if i % parts < count]


_ELEMENTS = """() => [...document.querySelectorAll("*:not(figure.plot *)")].map((e) => [
  e.localName, ...[...e.attributes].map((a) => a.name).filter((n) => n !== "id").sort()
].join(" "))"""
_COMMENTS = """() => {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT);
  let count = 0;
  while (walker.nextNode()) count++;
  return count;
}"""


# Letters of a picture are shapes: there are as many as the text has.
_PICTURED = """() => [...document.querySelectorAll("figure.plot *")].map((e) => [
  e.localName, [...e.attributes].map((a) => a.name)])"""
SHAPES = {"svg", "g", "path", "use", "defs", "rect", "clipPath"}


def elements(page):
    for name, attributes in page.evaluate(_PICTURED):
        assert name in SHAPES
        assert not any(a.startswith("on") or a in ("src", "style") for a in attributes)
    return Counter(page.evaluate(_ELEMENTS))


def test_there_are_enough_texts():
    assert len(set(HOSTILE)) >= 150
    assert len(set(map(plain, HOSTILE))) == len(HOSTILE)


@pytest.fixture
def few_stops(monkeypatch):
    have_few_stops(monkeypatch)


@pytest.mark.usefixtures("few_stops")
@pytest.mark.parametrize("name", BUILDERS)
def test_a_page_stays_as_it_is(open_page, name):
    build = BUILDERS[name]
    framed = name in ("ids", "clusters", "item texts")
    count = len(storable(HOSTILE) if framed else HOSTILE)
    usual = together(build(harmless(count))).report().html
    hostile = together(build(HOSTILE)).report().html
    check(open_page, usual, hostile, visible(name))


def check(open_page, usual, hostile, texts):
    """Check that a page has the elements of a harmless one, and all texts."""
    expected = elements(open_page(usual))
    page = open_page(hostile)
    actual = elements(page)
    assert (actual - expected, expected - actual) == (Counter(), Counter())
    assert page.evaluate(_COMMENTS) == 0
    text = page.evaluate("() => document.body.textContent")
    missing = [
        name
        for name in texts
        if plain(name)[:LONG] not in text and metric_name(name) not in text
    ]
    assert missing == []


def from_outside(texts):
    """Write a page with texts as names of files, command, date and condition."""
    command, date, condition, found, *names = named(texts, 40)
    files = tuple(InputFile(name, 812, 64 * "0") for name in names)
    gate = GateResult(condition, (1,), (found,), (found,))
    origin = Origin(files, command=command, date=date)
    return null_tests()[0].report(gate=gate, origin=origin).html


def test_files_command_date_and_condition_are_texts(open_page):
    usual, hostile = from_outside(harmless(len(HOSTILE))), from_outside(HOSTILE)
    check(open_page, usual, hostile, HOSTILE)
