"""Table 3 of Zhang et al. (2016) with 8,000 replications in each of its 28 cells."""

import numpy as np
from tests.reference.test_zhang_table3 import (
    ROWS,
    SIZES,
    assert_as_in_paper,
    error_beside_paper,
    powers,
)

REPLICATIONS = 8000


def test_all_cells(show):
    lines, shares, distances = [("scenario", "model", "goal", *SIZES)], [], []
    for row in ROWS:
        chances, cells = powers(row, replications=REPLICATIONS)
        head = (row["scenario"], row["model"], row["goal"])
        lines += [(*head, *cells.tolist()), (*head[:2], "paper", *row["paper"])]
        shares.append(cells)
        ours = np.array(row["ours"])
        error = np.sqrt(np.clip(ours * (1 - ours), 0.001, 1) / REPLICATIONS)
        distances.append(np.abs(cells - ours) / (np.sqrt(2) * error))
    show(f"Table 3, {chances.recipe}", lines)
    gaps = np.abs(np.subtract(shares, [row["paper"] for row in ROWS]))
    errors = error_beside_paper(shares, replications=REPLICATIONS)
    rows = [("largest", np.max(gaps)), ("in errors", np.max(gaps / errors))]
    show("distance from the paper", rows)

    assert np.max(distances) < 4.5
    assert_as_in_paper(shares, replications=REPLICATIONS)
