"""Metrics of retrieval: names that people type, and plain definitions."""

import math
import sys
from subprocess import CalledProcessError
from unittest.mock import Mock

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likelier.errors import LikelierError, NotDefinedError, SettingError
from likelier.metrics.retrieval import INSTALL, retrieval_metric

DOCUMENTS = [f"d{i:02}" for i in range(12)]
# Relevance as web tracks have it, spam below 0.
QRELS = st.dictionaries(
    st.sampled_from("qrs"),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-2, 3), min_size=1),
    min_size=1,
)
# Few scores, so that many tie.
SCORES = st.integers(-3, 12).map(lambda n: n / 4)
RUN = st.dictionaries(
    st.sampled_from("qrst"),
    st.dictionaries(st.sampled_from(DOCUMENTS), SCORES, min_size=1),
    max_size=4,
)


def ranked(run, *, last_first=True):
    """Order documents by score; of equal scores trec_eval has the last name first."""
    names = sorted(run, reverse=last_first)
    return sorted(names, key=lambda name: -run[name])


def gains(judged, run):
    return [max(judged.get(name, 0), 0) for name in ranked(run)]


def dcg(values, k):
    return sum(v / math.log2(i + 2) for i, v in enumerate(values[:k]))


def ndcg(judged, run, k=10):
    best = dcg(sorted((max(v, 0) for v in judged.values()), reverse=True), k)
    return dcg(gains(judged, run), k) / best if best else 0.0


def average_precision(judged, run):
    hits = [value > 0 for value in gains(judged, run)]
    precisions = [sum(hits[: i + 1]) / (i + 1) for i, hit in enumerate(hits) if hit]
    relevant = sum(value > 0 for value in judged.values())
    return sum(precisions) / relevant if relevant else 0.0


def reciprocal_rank(judged, run):
    return next((1 / i for i, v in enumerate(gains(judged, run), 1) if v > 0), 0.0)


def reciprocal_rank_at_2(judged, run):
    """Return what MS MARCO's script does, which has the first name first."""
    names = ranked(run, last_first=False)[:2]
    return next((1 / i for i, n in enumerate(names, 1) if judged.get(n, 0) > 0), 0.0)


def precision_at_5(judged, run):
    return sum(value > 0 for value in gains(judged, run)[:5]) / 5


def recall_at_3(judged, run):
    relevant = sum(value > 0 for value in judged.values())
    found = sum(value > 0 for value in gains(judged, run)[:3])
    return found / relevant if relevant else 0.0


PLAIN = {
    "nDCG@10": ndcg,
    "nDCG@3": lambda judged, run: ndcg(judged, run, 3),
    "AP": average_precision,
    "RR": reciprocal_rank,
    "RR@2": reciprocal_rank_at_2,
    "P@5": precision_at_5,
    "R@3": recall_at_3,
}


@settings(max_examples=60)
@given(qrels=QRELS, run=RUN, name=st.sampled_from(sorted(PLAIN)))
def test_values_are_those_of_a_plain_definition(qrels, run, name):
    values = retrieval_metric(name).values(qrels, run)
    assert values.keys() == qrels.keys()
    for query, judged in qrels.items():
        expected = PLAIN[name](judged, run.get(query, {}))
        assert values[query] == pytest.approx(expected, abs=1e-9)


def test_a_query_whose_documents_are_all_spam_is_0():
    """trec_eval ends the process on it, by a segmentation fault."""
    qrels = {"q": {"a": -2, "b": -3}, "r": {"a": 1}}
    run = {"q": {"a": 1.0}, "r": {"a": 1.0}}
    for name in (*PLAIN, "Bpref", "infAP", "Rprec"):
        assert retrieval_metric(name).values(qrels, run)["q"] == 0


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ndcg@10", "nDCG@10"),
        ("NDCG@10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("mrr", "RR"),
        ("MRR@10", "RR@10"),
        ("recip_rank", "RR"),
        ("map", "AP"),
        ("map@100", "AP@100"),
        ("map_cut_100", "AP@100"),
        ("p@5", "P@5"),
        ("P_5", "P@5"),
        ("precision@5", "P@5"),
        ("recall@100", "R@100"),
        ("recall_100", "R@100"),
        ("r@100", "R@100"),
        ("hit@1", "Success@1"),
        ("success_1", "Success@1"),
        ("rprec", "Rprec"),
        ("P(rel=2)@5", "P(rel=2)@5"),
        ("p( rel = 2 )@5", "P(rel=2)@5"),
        ("P(rel=1)@5", "P@5"),
        ("IPrec@1", "IPrec@1.0"),
        ("nDCG(judged_only=True,dcg='log2')@5", "nDCG(judged_only=True)@5"),
        (" AP ", "AP"),
    ],
)
def test_names_are_those_of_ir_measures(text, name):
    metric = retrieval_metric(text)
    assert metric.name == name
    assert retrieval_metric(name).name == name
    assert metric.measure == ir_measures.parse_measure(name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ncdg@10", r"Did you mean nDCG@10\?"),
        ("rekall@5", r"Did you mean R@5\?"),
        ("f1", "Such as nDCG@10"),
        ("", "must be a name"),
        ("P@", "must be a name"),
        ("P@10(rel=2)", "must be a name"),
        ("P@1.2.3", "must be a number"),
        ("P", "must have a cutoff"),
        ("P@0", "a whole number from 1"),
        ("P@1.5", "a whole number from 1"),
        ("P@99999999999", "a whole number from 1"),
        ("P(rel=0)@5", "a whole number from 1"),
        ("P(rel='x')@5", "a whole number from 1"),
        ("P(2)@5", "Settings of a metric"),
        ("P(rel=open)@5", "Settings of a metric"),
        ("P(rel=)@5", "Settings of a metric"),
        ("P(judged=True)@5", "cutoff, rel, judged_only"),
        ("Rprec@5", "settings that it knows; got @5"),
        ("nDCG(gains={0:1})@5", "not read here"),
        ("nDCG(dcg='x')@5", "a word that it knows"),
        ("INST", "must have a max_rel"),
        ("NumRet", "is a count"),
        ("num_rel_ret", "must be one"),
        ("alpha_nDCG@10", "not installed"),
    ],
)
def test_what_is_no_metric_is_refused(text, message):
    with pytest.raises(SettingError, match=message):
        retrieval_metric(text)


@given(st.text(max_size=12) | st.from_regex(r"\A(P|nDCG|RR)[(@_].{0,8}\Z"))
def test_any_text_is_a_metric_or_refused(text):
    try:
        name = retrieval_metric(text).name
    except LikelierError:
        return
    assert retrieval_metric(name).name == name


def test_a_failure_behind_ir_measures_is_no_traceback(monkeypatch):
    metric = retrieval_metric("AP")
    for error in (OSError("no perl"), CalledProcessError(25, "perl")):
        monkeypatch.setattr(ir_measures, "iter_calc", Mock(side_effect=error))
        with pytest.raises(NotDefinedError, match=r"compute AP; no perl|gdeval"):
            metric.values({"q": {"a": 1}}, {})


def test_without_ir_measures_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(SettingError) as error:
        retrieval_metric("nDCG@10")
    assert error.value.hint == INSTALL == "pip install 'likelier[retrieval]'"
