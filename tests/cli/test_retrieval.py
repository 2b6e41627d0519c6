"""Runs of retrieval on the command line: the same answers as in Python."""

import gzip
import json
import shlex
from pathlib import Path

import ir_measures
import pytest

import likelier as lk

RUNS = Path(__file__).parents[2] / "docs" / "runs" / "trec"
QRELS, BM25, DENSE = RUNS / "qrels.txt", RUNS / "bm25.run", RUNS / "dense.run"
PAIR = (QRELS, BM25, DENSE)
FEW = ("--draws", "1000", "--seed", "0")


def means(name):
    """Return what ir_measures says of both runs."""
    measure = ir_measures.parse_measure(name)
    qrels = list(ir_measures.read_trec_qrels(str(QRELS)))
    for path in (BM25, DENSE):
        run = ir_measures.read_trec_run(str(path))
        yield ir_measures.calc_aggregate([measure], qrels, run)[measure]


def test_several_metrics_are_those_of_ir_measures_and_of_python(call):
    words = ("--metric", "ndcg@10,RR,map", "--rope", "0.01", *FEW, "--json", "-")
    done = call("compare", *PAIR, *words)
    assert done.code == 0, done.err
    results = json.loads(done.out)["comparisons"]
    items = lk.read(*PAIR)
    for result, name in zip(results, ("nDCG@10", "RR", "AP"), strict=True):
        values = [one["value"] for one in result["estimates"]]
        assert values == pytest.approx(list(means(name)), abs=1e-12)
        again = lk.compare(items, metric=name, rope=0.01, draws=1000, seed=0)
        assert again.settings.metric == name
        assert result["verdict"]["name"] == again.verdict.name


def test_rank_and_estimate(call, tmp_path):
    done = call("rank", RUNS, *FEW)
    assert done.code == 0, done.err
    assert done.out.startswith("nDCG@10: ")
    packed = tmp_path / "dense.run.gz"
    packed.write_bytes(gzip.compress(DENSE.read_bytes()))
    done = call("estimate", QRELS, packed, "--metric", "P@5,R@100", *FEW)
    assert done.code == 0, done.err
    assert "R@100" in done.out
    done = call("rank", *PAIR, "--metric", "RR,AP", *FEW)
    assert done.code == 2
    assert "single one" in done.err


def test_doctor_gives_commands_that_work(call, tmp_path):
    more = tmp_path / "more.run"
    more.write_text(DENSE.read_text() + "999 Q0 FT1 1 0.5 dense\n")
    done = call("doctor", QRELS, BM25, more)
    assert done.code == 0, done.err
    assert "not judged: 1 (999)" in done.out
    lines = [line.strip() for line in done.out.splitlines()]
    commands = [shlex.split(x)[1:] for x in lines if x.startswith("likelier ")]
    assert [words[words.index("--metric") + 1] for words in commands] == [
        *("nDCG@10", "AP", "RR", "P@10", "R@100")
    ]
    done = call(*commands[0], *FEW)
    assert done.code == 0, done.err
    assert "LIK150" in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*PAIR, "--metric", "ncdg@10"), "Did you mean nDCG@10?"),
        ((*PAIR, "--metric", "f1"), "that ir_measures knows"),
        ((*PAIR, "--name", "x"), "--name"),
        ((*PAIR, "--cluster", "topic"), "topic"),
        ((BM25, DENSE), "qrels"),
        ((QRELS, BM25, BM25), "given once"),
    ],
)
def test_what_does_not_fit_is_refused(call, words, message):
    done = call("compare", *words, *FEW)
    assert done.code == 2
    assert message in done.err


def test_a_table_with_a_row_per_query(call, tmp_path):
    """Values per query, as ir_measures and trec_eval -q print them."""
    qrels = list(ir_measures.read_trec_qrels(str(QRELS)))
    rows = [
        f"{path.stem},{one.query_id},{one.value!r}\n"
        for path in (BM25, DENSE)
        for one in ir_measures.iter_calc(
            [ir_measures.nDCG @ 10], qrels, ir_measures.read_trec_run(str(path))
        )
    ]
    path = tmp_path / "scores.csv"
    path.write_text("run,query,nDCG@10\n" + "".join(rows))
    words = ("--system", "run", "--id", "query", "--score", "nDCG@10")
    table = call("compare", path, *words, *FEW, "--json", "-")
    direct = call("compare", *PAIR, "--metric", "nDCG@10", *FEW, "--json", "-")
    one, other = (json.loads(done.out) for done in (table, direct))
    assert one["estimates"] == other["estimates"]
