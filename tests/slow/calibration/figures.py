"""Figures of the study: run them, store them, read them as rates."""

import json
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from joblib import Parallel, delayed
from tests.slow.calibration.grid import CELLS, Cell
from tests.slow.calibration.measure import REPLICATIONS, Figures, run

DOCS = Path(__file__).resolve().parents[3] / "docs"
STORED = DOCS / "calibration.json"
OURS = "likelier"
Study = dict[str, dict[str, Figures]]


@dataclass(frozen=True)
class Rates:
    """Rates of one cell: of wrong and right answers, method by method."""

    cell: Cell
    truths: dict[str, Figures]

    def alarms(self, method: str = OURS, truth: str = "equal") -> float | None:
        """Share of samples with a winner though the systems are equal."""
        return self._share(truth, method, "better", "worse")

    def coverage(self, method: str = OURS) -> float | None:
        """Share of intervals that hold the true difference; none without intervals."""
        truth = "apart" if "apart" in self.truths else "equal"
        return self._share(truth, method, "covers", of="answered") or None

    def own(self, method: str = OURS) -> float | None:
        """Share of the systems' own intervals that hold their metric."""
        share = self._share(
            "apart", method, "covers first", "covers second", of="answered"
        )
        return None if share is None else share / 2

    def equivalent(self, method: str = OURS) -> float | None:
        """Share of 'equivalent' though the difference is as large as the rope."""
        return self._share("apart", method, "equivalent")

    def blocked(self) -> float | None:
        """Share of samples of equal systems whose verdict a finding blocks."""
        return self._share("equal", OURS, "blocked") or None

    def power(self, method: str = OURS) -> float | None:
        """Share of 'better' where the second system is better."""
        return self._share("apart", method, "better")

    def error(self, rate: float, truth: str = "equal") -> float:
        """Standard error of a rate."""
        n = self.truths[truth]["replications"]
        return float((rate * (1 - rate) / n) ** 0.5)

    def _share(
        self, truth: str, method: str, *kinds: str, of: str = "replications"
    ) -> float | None:
        figures = self.truths.get(truth, {})
        if method not in figures:
            return None
        return sum(figures[method].get(kind, 0) for kind in kinds) / figures[of]


def rates(study: Study) -> list[Rates]:
    """Rates of all cells that were run, in the order of the grid."""
    return [Rates(cell, study[cell.name]) for cell in CELLS if cell.name in study]


def simulate(
    cells: Iterable[Cell] = CELLS,
    *,
    replications: int = REPLICATIONS,
    workers: int = 2,
) -> Study:
    """Run cells side by side; no figure depends on how many at once."""
    jobs = [(cell, truth) for cell in cells for truth in cell.truths]
    done = Parallel(workers)(delayed(_timed)(*job, replications) for job in jobs)
    study: Study = {}
    for (cell, truth), (figures, _) in zip(jobs, done, strict=True):
        study.setdefault(cell.name, {})[truth] = figures
    sys.stderr.write(f"{sum(spent for _, spent in done):.0f} s of processor time\n")
    return study


def _timed(cell: Cell, truth: str, replications: int) -> tuple[Figures, float]:
    start = time.process_time()
    figures = run(cell, truth, replications)
    spent = time.process_time() - start
    sys.stderr.write(f"{cell.name:24} {truth:8} {spent:7.1f} s\n")
    return figures, spent


def store(study: Study, path: Path = STORED) -> None:
    """Write the figures, one line for each cell and truth."""
    lines = [
        f'"{name}": {{\n'
        + ",\n".join(f' "{truth}": {json.dumps(one)}' for truth, one in truths.items())
        + "\n}"
        for name, truths in study.items()
    ]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def stored(path: Path = STORED) -> Study:
    """Read the figures."""
    return json.loads(path.read_text(encoding="utf-8"))
