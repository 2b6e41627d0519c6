"""Every 97th bit of a store flipped: a row is lost where it was hit, and no other."""

from tests.study.conftest import Toy
from tests.study.test_store_rescue import FOLDS, flip_bits

STEP = 97


def test_thousands_of_flips(tmp_path, show, capsys):
    toy = Toy(tmp_path)
    toy.run()
    refused, read, saved, plans = flip_bits(toy, tmp_path / "flipped.db", STEP)
    flips = len(saved)
    with capsys.disabled():
        show(
            f"{flips} stores of {FOLDS} folds, one bit flipped in each",
            [
                ("refused", "read whole", "saved whole", "one lost", "plan lost"),
                (
                    *(refused, read.count(FOLDS), saved.count(FOLDS)),
                    *(saved.count(FOLDS - 1), flips - plans),
                ),
            ],
        )
    assert min(saved) == FOLDS - 1
    assert min(read) >= FOLDS - 1
    assert saved.count(FOLDS) > 0.7 * flips
    assert plans > 0.8 * flips
