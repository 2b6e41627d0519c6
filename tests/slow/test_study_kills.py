"""Fifty kills of one study: nothing is lost, nothing is repeated."""

from pathlib import Path

import pytest
from tests.cli.conftest import call, database  # noqa: F401 (fixtures)
from tests.study.conftest import CONTENT
from tests.study.killing import kill_again_and_again, many_folds

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks at processes in /proc"
)
KILLS, REPETITIONS, STEP = 50, 100, 8


def test_fifty_kills(tmp_path, call, show, capsys):  # noqa: F811
    toy = many_folds(tmp_path, repetitions=REPETITIONS)
    seen = kill_again_and_again(toy, kills=KILLS, seed=1, step=STEP)
    output = call("study", "show", toy.db, "--json", "-")
    content = toy.rows(CONTENT)
    with capsys.disabled():
        show(
            f"{KILLS} kills of a study of {len(content)} folds, two workers",
            [
                ("lost", "repeated", "run again", "early", "in commit", "orphans s"),
                (
                    seen.lost,
                    seen.repeated,
                    seen.again,
                    seen.early,
                    seen.in_commit,
                    max(seen.orphans),
                ),
            ],
        )
    assert (seen.kills, seen.lost, seen.repeated) == (KILLS, 0, 0)
    assert seen.in_commit > 0
    assert KILLS - seen.early >= KILLS // 2
    assert len(content) == 4 * REPETITIONS
    toy.db.unlink()
    toy.run()
    assert toy.rows(CONTENT) == content
    whole = call("study", "show", toy.db, "--json", "-")
    assert (output.code, output.out) == (0, whole.out)
