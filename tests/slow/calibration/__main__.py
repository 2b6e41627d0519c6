"""Run cells of the study by name, and store their figures.

python -m tests.slow.calibration --only mean01 --replications 300 --output some.json
"""

import argparse
from pathlib import Path

from tests.slow.calibration.figures import simulate, store
from tests.slow.calibration.grid import CELLS
from tests.slow.calibration.measure import REPLICATIONS


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="part of the names of cells")
    parser.add_argument("--replications", type=int, default=REPLICATIONS)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    cells = [cell for cell in CELLS if options.only in cell.name]
    study = simulate(cells, replications=options.replications, workers=options.workers)
    store(study, options.output)


if __name__ == "__main__":
    main()
