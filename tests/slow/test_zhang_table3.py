"""Table 3 of Zhang et al. (2016) with 8,000 replications in each of its 28 cells."""

import numpy as np
from tests.reference.test_zhang_table3 import NEAR, ROWS, SIZES, powers

REPLICATIONS = 8000


def test_all_cells(show):
    lines, gaps, away = [("scenario", "model", "goal", *SIZES)], [], []
    for row in ROWS:
        result, actual = powers(row, replications=REPLICATIONS)
        head = (row["scenario"], row["model"], row["goal"])
        lines += [(*head, *actual.tolist()), (*head[:2], "paper", *row["paper"])]
        gaps.append(np.abs(actual - row["paper"]))
        ours = np.array(row["ours"])
        error = np.sqrt(np.clip(ours * (1 - ours), 0.001, 1) / REPLICATIONS)
        away.append(np.abs(actual - ours) / (np.sqrt(2) * error))
    show(f"Table 3, {result.recipe}", lines)
    near = int((np.ravel(gaps) <= NEAR).sum())
    show("agreement with the paper", [("within .06", near), ("most", np.max(gaps))])

    assert near >= 25
    assert np.max(gaps) < 0.08
    assert np.max(away) < 4.5
