"""Results of EvalPlus: ``eval_results.json``, each solution of a problem a repeat.

As the tool counts, a solution passes *plus* only where it passes *base* as well. What
fails or runs out of time is wrong, not missing.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from likelier.readers.file import File
from likelier.readers.logs.json_keys import key_paths
from likelier.readers.logs.json_records import pick, read_document
from likelier.readers.logs.log import Log, LogFormat
from likelier.readers.logs.repeated_rows import RepeatedRows, sort_scores

# Versions before 0.2 wrote success.
_PASS = ("pass", "success")
_ENDINGS = ("_eval_results", ".eval_results", "-eval_results", "-sanitized")


class _Solution(msgspec.Struct):
    base_status: str
    plus_status: str | None = None


class _OldProblem(msgspec.Struct):
    """Solutions of a problem before 0.2: a status, and the outcome of each input."""

    base: list[tuple[str, Any]]
    plus: list[tuple[str, Any]] = []

    def solutions(self) -> list[_Solution]:
        """Return the solutions as they are written today."""
        plus: list[str | None] = [status for status, _ in self.plus]
        plus += [None] * (len(self.base) - len(plus))
        return [
            _Solution(status, extra)
            for (status, _), extra in zip(self.base, plus, strict=False)
        ]


class _Results(msgspec.Struct):
    problems: dict[str, list[_Solution] | _OldProblem] = msgspec.field(name="eval")
    date: str | None = None
    hash: str | None = None


def is_evalplus(file: File) -> bool:
    """Return whether the document has the status of solutions by problem."""
    paths = key_paths(file.start)
    return "eval" in paths and any(
        path.startswith("eval.") and path.endswith((".base_status", ".nfiles"))
        for path in paths
    )


def read_evalplus(file: File) -> Iterator[Log]:
    """Read the results of one system, a log for each collection of problems."""
    results = read_document(file, _Results)
    tasks: dict[str, RepeatedRows] = {}
    for problem, content in results.problems.items():
        task = problem.rpartition("/")[0] or file.bare.stem
        rows = tasks.setdefault(task, RepeatedRows())
        solutions = content if isinstance(content, list) else content.solutions()
        _add(rows, problem, solutions)
    for task, rows in tasks.items():
        yield _log(file, results, task, rows)


def _add(rows: RepeatedRows, problem: str, solutions: list[_Solution]) -> None:
    if not solutions:
        rows.reasons[rows.row(problem, 1, 1)] = "it has no solution"
    for number, solution in enumerate(solutions, 1):
        base, plus = solution.base_status in _PASS, solution.plus_status
        rows.put(problem, "base", base, number)
        if plus is not None:
            rows.put(problem, "plus", base and plus in _PASS, number)


def _log(file: File, results: _Results, task: str, rows: RepeatedRows) -> Log:
    def locate(row: int) -> str:
        return f"{file.name}: {rows.items[row]}, solution {rows.repeats[row]}"

    def look_up(name: str, wanted: Sequence[int] | None) -> list[Any]:
        problems, every = (
            read_document(file, dict[str, Any])["eval"],
            range(len(rows.items)),
        )
        return pick((_record(problems, rows, row) for row in every), name, wanted)

    scores, _ = sort_scores(rows.whole_columns(), locate)
    return Log(
        file=file,
        format=FORMAT.name,
        system=_system(file),
        task=task,
        run=results.date,
        items=rows.items,
        repeats=rows.known_repeats,
        locate=locate,
        scores=scores,
        higher_is_better=dict.fromkeys(scores, True),
        headline="plus" if "plus" in scores else next(iter(scores), None),
        errors=rows.errors(),
        conditions={} if results.hash is None else {"dataset": results.hash},
        fields=("solution", "base_status", "plus_status"),
        look_up=look_up,
    )


def _record(problems: dict[str, Any], rows: RepeatedRows, row: int) -> Any:
    solutions = problems[rows.items[row]]
    number = rows.repeats[row] - 1
    known = isinstance(solutions, list) and number < len(solutions)
    return solutions[number] if known else None


def _system(file: File) -> str:
    """Name the system by the file; by its folder where the file has the usual name."""
    name = file.bare.stem
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return file.path.parent.name if name == "eval_results" else name


FORMAT = LogFormat("EvalPlus", is_evalplus, read_evalplus)
