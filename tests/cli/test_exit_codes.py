"""The gate of continuous integration: 0 holds, 1 does not, 3 unclear, 2 wrong."""

import json
import os
import subprocess
import sys

import pytest
from tests.cli.conftest import FEW, SPAM, items, table


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("P(better) > 0.9", 0),
        ("P(better) > 90 %", 0),
        ("P(better) > 90%", 0),
        ("P(better) > 0.9 and P(worse) < 1%", 0),
        ("P(better) < 0.5 or hdi.low > 0", 0),
        ("difference.mean > 0", 0),
        ("P(worse) > 0.9", 1),
        ("P(better) > 0.9 and hdi.low > 0.9", 1),
        ("P(better) < 0.1 or hdi.low > 0.9", 1),
        ("P(better) > 1", 1),
    ],
)
def test_clear_evidence(spam, condition, code):
    ended = spam("--fail-unless", condition)
    assert ended.code == code
    assert ended.out.startswith("b is better than a")
    assert (condition in ended.err) == (code == 1)


def test_too_little_evidence(folder, call):
    (folder / "few.csv").write_text(table(items(12)))
    words = ("compare", "few.csv", "--systems", "a,c", "--metric", "accuracy", *FEW)
    assert call(*words, "--fail-unless", "P(better) > 0.99").code == 3
    assert call(*words, "--fail-unless", "P(better) < 0.99").code == 0


def test_files_are_written_also_where_the_condition_does_not_hold(spam, folder):
    assert spam("--fail-unless", "P(worse) > 0.9", "--json", "o.json").code == 1
    assert json.loads((folder / "o.json").read_text())["kind"] == "comparison"


def test_p_values(spam):
    words = ("--method", "randomization", "--fail-unless")
    assert spam(*words, "p < 0.05").code == 0
    assert spam(*words, "p_value < 1e-9").code == 1


def test_every_result_must_hold(spam):
    words = ("--systems", "a,b,c", "--fail-unless")
    assert spam(*words, "P(better) > 0").code == 0
    assert spam(*words, "P(better) > 0.999").code == 3  # c leans, and fails alone
    assert spam("--systems", "b,a,c", "--fail-unless", "P(better) > 0.5").code == 1


HOSTILE = [
    "__import__('os').system('touch pwned')",
    "__import__('os').system('touch pwned') > 0",
    "open('pwned', 'w') > 0",
    'P(better) > 0.9 and exec(\'open("pwned", "w")\')',
    "difference.__class__ > 0",
    "(" * 500 + "P(better) > 0.9" + ")" * 500,
    "not " * 500 + "P(better) > 0.9",
    "x" * 20_000,
    "P(better) > 0.9 and " * 2_000,
    "P(better) > " + "[" * 5_000,
    "",
]


@pytest.mark.parametrize("condition", HOSTILE, ids=lambda text: text[:30] or "empty")
def test_hostile_conditions_are_refused(refused, folder, condition):
    assert "condition must" in refused(*SPAM, "--fail-unless", condition)
    assert not (folder / "pwned").exists()


def test_a_closed_pipe_is_no_verdict(folder):
    reading, writing = os.pipe()
    os.close(reading)
    code = "from likelier.cli import main; main()"
    words = (*SPAM, "--fail-unless", "P(better) > 0.9")
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_errors_within_are_no_verdict(spam, monkeypatch):
    # Exit 1 says that the condition does not hold: nothing else may say so.
    from likelier.cli import calls

    def broken(*_, **__):
        message = "a bug of ours"
        raise RuntimeError(message)

    monkeypatch.setattr(calls, "compared", broken)
    try:
        code = spam("--fail-unless", "P(better) > 0.9").code
    except RuntimeError:
        code = 1  # as the interpreter ends after a traceback
    assert code not in (0, 1, 3)
