"""Runs of retrieval, compared: against ir_measures, query by query and over all."""

import sys
import tempfile
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from likelier.errors import InputError, SettingError

DOCUMENTS = [f"d{i}" for i in range(8)]
QUERIES = ["7", "q2", "x/3"]
FEW = {"draws": 500, "seed": 0}


def qrels_text(judgments):
    return "".join(
        f"{q} 0 {d} {r}\n" for q, of in judgments.items() for d, r in of.items()
    )


def run_text(results, tag):
    return "".join(
        f"{q} Q0 {d} {i} {score!r} {tag}\n"
        for q, of in results.items()
        for i, (d, score) in enumerate(of.items(), 1)
    )


def tables(values, queries=QUERIES):
    of_query = st.dictionaries(st.sampled_from(DOCUMENTS), values, min_size=1)
    return st.dictionaries(st.sampled_from(queries), of_query, min_size=1)


RUNS = tables(st.integers(-3, 12).map(lambda n: n / 4))


@settings(max_examples=25, deadline=None)
@given(tables(st.integers(0, 3)), RUNS, RUNS)
def test_values_are_those_of_ir_measures(judgments, first, second):
    texts = qrels_text(judgments), run_text(first, "a"), run_text(second, "b")
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("qrels", "a.run", "b.run")]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text)
        # A run without any judged query is a mistake, and refused.
        if not (judgments.keys() & first.keys() and judgments.keys() & second.keys()):
            with pytest.raises(InputError, match="it has none of them"):
                lk.read(*paths)
            return
        items = lk.read(*paths, on_missing="drop")
    for name in ("nDCG@10", "RR", "P@2", "Bpref"):
        measure = ir_measures.parse_measure(name)
        qrels = list(ir_measures.read_trec_qrels(texts[0]))
        runs = [list(ir_measures.read_trec_run(text)) for text in texts[1:]]
        each = [
            {m.query_id: m.value for m in ir_measures.iter_calc([measure], qrels, run)}
            for run in runs
        ]
        # Of queries for which neither has results nothing is known.
        kept = [q for q in judgments if q in first or q in second]
        metric, outcomes = items.table(name)
        assert (metric.name, metric.higher_is_better) == (name, True)
        columns = [[of[query] for query in kept] for of in each]
        plain = lk.Outcomes.from_scores(*columns, systems=("a", "b"))
        assert outcomes.digest == plain.digest
        if len(kept) == len(judgments):
            means = [ir_measures.calc_aggregate([measure], qrels, r) for r in runs]
            expected = [mean[measure] for mean in means]
            np.testing.assert_allclose(metric.observed(outcomes), expected, atol=1e-12)


JUDGED = {f"q{i}": {"a": 1, "b": 0, f"c{i}": 2} for i in range(6)}
FIRST = {q: {"a": 3.0, "b": 2.0, "c0": 1.0} for q in JUDGED}
SECOND = {q: {"a": 1.0, "b": 2.0, f"c{q[1:]}": 3.0} for q in JUDGED}


@pytest.fixture
def write(tmp_path):
    def files(judgments=JUDGED, **runs):
        paths = [tmp_path / "qrels.txt"]
        paths[0].write_text(qrels_text(judgments))
        for name, (tag, results) in runs.items():
            paths.append(tmp_path / f"{name}.run")
            paths[-1].write_text(run_text(results, tag))
        return paths

    return files


def without(results, *queries):
    return {query: of for query, of in results.items() if query not in queries}


def test_a_comparison(write):
    paths = write(a=("old", FIRST), b=("new", SECOND))
    result = lk.compare(lk.read(*paths), metric="ndcg@10", **FEW)
    assert result.settings.systems == ("old", "new")
    assert "nDCG@10" in result.sentence()
    assert result.settings.data.items == 6
    made_by = f"ir_measures {ir_measures.__version__}"
    assert result.settings.data.source == f"TREC run ({made_by}) qrels"


def test_the_order_of_files_is_free_but_for_that_of_runs(write):
    qrels, a, b = write(a=("old", FIRST), b=("new", SECOND))
    assert lk.read(b, qrels, a).systems == ("new", "old")
    assert lk.read(qrels.parent).systems == ("old", "new")


@pytest.mark.parametrize(
    ("tags", "names"),
    [
        (("x", "y", "z"), ("x", "y", "z")),
        (("x", "x", "z"), ("a", "b", "c")),
        # Where one had the tag of another's file, both would be called b.
        (("x", "x", "b"), ("a", "b", "c")),
    ],
)
def test_systems_have_different_names(write, tags, names):
    tagged = {n: (t, FIRST) for n, t in zip("abc", tags, strict=True)}
    assert lk.read(*write(**tagged)).systems == names


def test_files_of_one_name_are_told_apart_by_their_folders(write, tmp_path):
    qrels, a = write(a=("x", FIRST))
    other = tmp_path / "other" / "a.run"
    other.parent.mkdir()
    other.write_text(a.read_text())
    first, second = lk.read(qrels, a, other).systems
    assert (first, second) == (f"{tmp_path.name}/a", "other/a")


def test_a_run_with_several_tags_has_the_name_of_its_file(write):
    qrels, a, b = write(a=("x", FIRST), b=("y", SECOND))
    a.write_text(a.read_text().replace(" x\n", " z\n", 1))
    assert lk.read(qrels, a, b).systems == ("a", "b")


def test_queries_without_results_count_as_0(write):
    paths = write(a=("a", without(FIRST, "q1")), b=("b", SECOND))
    metric, outcomes = lk.read(*paths).table("AP")
    whole = lk.read(*write(a=("a", FIRST), b=("b", SECOND))).table("AP")[1]
    lost = metric.observed(whole) - metric.observed(outcomes)
    assert lost[0] == pytest.approx(0.5 / 6)  # one of two relevant ones, at rank 1
    assert lost[1] == pytest.approx(0)
    [finding] = outcomes.findings
    assert (finding.code, finding.severity) == ("LIK150", "warning")
    assert "trec_eval -c: 1 of a (q1)" in finding.message


def test_queries_that_are_not_judged_are_refused_or_left_out(write):
    paths = write(without(JUDGED, "q4"), a=("a", FIRST), b=("b", SECOND))
    for policy in ("fail", "wrong"):
        items = lk.read(*paths, on_missing=policy)
        with pytest.raises(InputError, match=r"1 of a \(q4\); 1 of b \(q4\)") as error:
            items.table("AP")
        assert "--on-missing drop" in error.value.hint
    metric, outcomes = lk.read(*paths, on_missing="drop").table("AP")
    assert outcomes.n_items == 5
    assert "not judged are left out" in outcomes.findings[0].message
    assert metric.observed(outcomes)[1] == pytest.approx((1 + 2 / 3) / 2)


def test_queries_for_which_no_run_has_results(write):
    runs = {"a": ("a", without(FIRST, "q1", "q2")), "b": ("b", without(SECOND, "q2"))}
    paths = write(**runs)
    _, outcomes = lk.read(*paths).table("RR")
    texts = [finding.message for finding in outcomes.findings]
    assert [text.rpartition(": ")[2] for text in texts] == ["1 of a (q1)", "1 (q2)"]
    assert outcomes.n_items == 6
    _, outcomes = lk.read(*paths, on_missing="drop").table("RR")
    assert outcomes.n_items == 5


def test_queries_without_a_value_are_missing(write):
    """Accuracy of ir_measures has none where nothing relevant was found."""
    runs = {"a": ("a", FIRST | {"q1": {"b": 1.0}}), "b": ("b", SECOND)}
    _, outcomes = lk.read(*write(**runs)).table("Accuracy")
    assert outcomes.n_items == 5
    assert [f.code for f in outcomes.findings] == ["LIK151"]


def test_without_a_metric_the_usual_one_is_taken(write):
    items = lk.read(*write(a=("a", FIRST), b=("b", SECOND)))
    metric, outcomes = items.table()
    assert metric.name == "nDCG@10"
    assert [f.code for f in outcomes.findings] == ["LIK155"]


def test_more_is_better(write):
    worse = lk.read(*write(a=("a", FIRST)), higher_is_better=False)
    with pytest.raises(InputError, match="one direction"):
        worse.table("AP")


def test_files_that_do_not_go_together(write):
    qrels, a = write(a=("a", FIRST))
    for paths, message in [
        ((a,), "one file of judgments .* got none"),
        ((qrels,), "at least one run"),
        ((qrels, qrels, a), "one file of judgments"),
        ((qrels, a, a), "given once"),
    ]:
        with pytest.raises(InputError, match=message):
            lk.read(*paths)
    a.write_text(a.read_text().replace("q", "z"))
    with pytest.raises(InputError, match="it has none of them"):
        lk.read(qrels, a)
    a.write_text("some text\n")
    with pytest.raises(InputError, match="its first line has 2 columns"):
        lk.read(qrels, a)
    report = a.with_suffix(".json")
    report.write_text('{"resolved_ids": ["x-1"], "submitted_ids": ["x-1"]}')
    a.write_text(run_text(FIRST, "a"))
    with pytest.raises(InputError, match="must come alone"):
        lk.read(qrels, a, report)


def test_many_systems_and_frames(write):
    runs = {"a": ("a", FIRST), "b": ("b", SECOND), "c": ("c", FIRST)}
    items = lk.read(*write(**runs))
    ranking = lk.rank(items, metric="RR", **FEW)
    assert {*ranking.systems} == {"a", "b", "c"}
    frame = items.frame("pandas")
    rows = frame[(frame["metric"] == "AP") & (frame["system"] == "b")]
    assert rows["value"].tolist() == pytest.approx([(1 + 2 / 3) / 2] * 6)


def test_what_is_there_is_said_without_ir_measures(write, monkeypatch):
    paths = write(a=("a", FIRST), b=("b", without(SECOND, "q1")))
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    about = lk.doctor(*paths)
    assert about.systems == ("a", "b")
    assert about.commands == ()
    assert "pip install 'likelier[retrieval]'" in about.refused[0]
    with pytest.raises(SettingError, match="ir_measures") as error:
        lk.read(*paths).table("nDCG@10")
    assert error.value.hint == "pip install 'likelier[retrieval]'"
