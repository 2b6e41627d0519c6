"""Files of TREC: recognised by content, read as ir_measures reads them, or refused."""

import gzip
import random

import ir_measures
import pytest

from likelier.errors import InputError, LikelierError
from likelier.readers.file import find_file
from likelier.readers.logs.trec_files import is_qrels, is_run, read_qrels, read_run

QRELS = "301 0 FT1 1\n301 0 FT2 0\n302 0 FT1 -2\n303\t0\tFT9\t3\n"
RUN = (
    "301 Q0 FT1 1 12.5 bm25\n301 Q0 FT3 2 1e1 bm25\n\n"
    "302 Q0 FT1 1 -0.25 bm25\n303\tQ0\tFT9\t1\t7\tbm25\n"
)
BEIR = "query-id\tcorpus-id\tscore\n301\tFT1\t1\n302\tFT2\t0\n"


def opened(tmp_path, text, name="a.txt"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return find_file(path)


@pytest.mark.parametrize(
    ("text", "qrels", "run"),
    [
        (QRELS, True, False),
        (RUN, False, True),
        (BEIR, True, False),
        (QRELS.replace("\n", "\r\n"), True, False),
        (RUN.rstrip("\n"), False, True),
        ("301 0 FT1 1", True, False),
        # One bad line does not hide what the file is.
        (QRELS + "304 0 FT1\n", True, False),
        (RUN + "304 Q0 FT1 1 2\n", False, True),
        ("id\tgold\ta\tb\n1\t0\t1\t1\n2\t0\t0\t1\n", False, False),
        ("id,gold\n1,2\n", False, False),
        ("EU NNP B-NP B-ORG\nrejects VBZ B-VP O\n", False, False),
        ("1 The the DET DT _ 2 det _ _\n", False, False),
        ("a line of six words here\n", False, False),
        ('{"a": 1}\n', False, False),
    ],
)
def test_files_are_recognised_by_their_content(tmp_path, text, qrels, run):
    file = opened(tmp_path, text)
    assert (is_qrels(file), is_run(file)) == (qrels, run)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_files_are_read_as_ir_measures_reads_them(tmp_path, pack):
    qrels = opened(tmp_path, pack(QRELS.encode()), "qrels")
    judged = list(ir_measures.read_trec_qrels(QRELS))
    table = read_qrels(qrels)
    assert [(q, d, r) for q, of in table.items() for d, r in of.items()] == [
        (one.query_id, one.doc_id, one.relevance) for one in judged
    ]
    run = read_run(opened(tmp_path, pack(RUN.encode()), "run"))
    assert [(q, d, s) for q, of in run.results.items() for d, s in of.items()] == [
        (one.query_id, one.doc_id, one.score) for one in ir_measures.read_trec_run(RUN)
    ]
    assert run.tag == "bm25"


def test_judgments_of_beir(tmp_path):
    table = read_qrels(opened(tmp_path, BEIR))
    assert table == {"301": {"FT1": 1}, "302": {"FT2": 0}}


def test_lines_of_several_systems_have_no_tag(tmp_path):
    assert read_run(opened(tmp_path, RUN.replace("7\tbm25", "7\tx"))).tag is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (QRELS + "304 0 FT1\n", r"a.txt:5: .* 4 columns .* got 3"),
        (QRELS + "304 0 FT1 0.5\n", r"a.txt:5: relevance .* whole number.*'0.5'"),
        (QRELS + "304 0 FT1 yes\n", "relevance must be a whole number"),
        (QRELS + "304 0 FT1 ٨\n", "relevance must be a whole number"),
        (QRELS + f"304 0 FT1 {10**9}\n", "at most 1,000,000"),
        (QRELS + "304 0 FT1 -9999999\n", "at most 1,000,000"),
        (QRELS + "301 1 FT1 1\n", r"a.txt:5: .* once .*'FT1' of query '301'"),
        (BEIR + "303\tx\n", r"3 columns \(query-id corpus-id score\); got 2"),
    ],
)
def test_bad_judgments_are_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read_qrels(opened(tmp_path, text))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("304 Q0 FT1 1 2\n", r"a.txt:6: .* 6 columns .* got 5"),
        ("304 Q0 FT1 1 2 two words\n", "got 7"),
        ("304 Q0 FT1 1 nan x\n", r"a.txt:6: score .* finite number; got 'nan'"),
        ("304 Q0 FT1 1 -inf x\n", "finite"),
        ("304 Q0 FT1 1 high x\n", "finite number; got 'high'"),
        ("304 Q0 FT1 1 8_0 x\n", "finite number; got '8_0'"),
        ("304 Q0 FT1 1 ٨ x\n", "finite number; got '٨'"),
        ("301 Q0 FT3 3 1 x\n", r"a.txt:6: .* once .*'FT3' of query '301'"),
    ],
)
def test_bad_runs_are_refused(tmp_path, line, message):
    with pytest.raises(InputError, match=message):
        read_run(opened(tmp_path, RUN + line))


@pytest.mark.parametrize(
    ("read", "text"), [(read_qrels, QRELS), (read_run, RUN)], ids=["qrels", "run"]
)
def test_damaged_files_are_read_or_refused(tmp_path, read, text):
    done = {"read": 0, "refused": 0}
    rng = random.Random(1)
    for _ in range(200):
        raw = bytearray(text.encode())
        for _ in range(rng.choice([1, 3])):
            raw[rng.randrange(len(raw))] = rng.choice(b" \n\t\r0x.-\x00\xff")
        try:
            read(opened(tmp_path, bytes(raw)))
        except LikelierError as error:
            done["refused"] += "a.txt" in str(error)
        else:
            done["read"] += 1
    assert sum(done.values()) == 200
    assert min(done.values()) > 10
