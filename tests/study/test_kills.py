"""A study that is killed loses nothing, repeats nothing, and ends alike."""

from pathlib import Path

import pytest
from tests.study.conftest import CONTENT
from tests.study.killing import kill_again_and_again, many_folds

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks at processes in /proc"
)
KILLS, REPETITIONS, STEP = 2, 6, 6


def test_kills(tmp_path, call):
    toy = many_folds(tmp_path, repetitions=REPETITIONS)
    # A worker in the midst of a long fold must not outlive its run either.
    toy.spoil("fit waits")
    seen = kill_again_and_again(toy, kills=KILLS, seed=0, step=STEP)
    assert (seen.kills, seen.lost, seen.repeated) == (KILLS, 0, 0)
    # Most runs had begun to train when they were killed.
    assert KILLS - seen.early >= KILLS // 2
    output = call("study", "show", toy.db, "--json", "-")
    content = toy.rows(CONTENT)
    assert len(content) == 4 * REPETITIONS
    toy.db.unlink()
    toy.run()
    assert toy.rows(CONTENT) == content
    whole = call("study", "show", toy.db, "--json", "-")
    assert (output.code, output.out) == (0, whole.out)
    assert f'"finished": {4 * REPETITIONS}' in whole.out
