"""Runs of retrieval systems as logs: a query is an item, its metric the score."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version

import numpy as np

from likelier._typing import FloatArray
from likelier.errors import InputError, SettingError
from likelier.findings import Finding
from likelier.formatting import listed
from likelier.metrics.retrieval import (
    INSTALL,
    USUAL,
    Judgments,
    is_installed,
    retrieval_metric,
)
from likelier.readers.file import File, shortest_endings
from likelier.readers.logs.log import Log
from likelier.readers.logs.log_choice import ChosenLogs
from likelier.readers.logs.pairing_rules import (
    PairingRules,
    count_items,
    first_items,
)
from likelier.readers.logs.trec_files import RunFile, is_qrels, read_qrels, read_run

NAME = "TREC run"


@dataclass(frozen=True)
class QueryScores(Mapping[str, FloatArray]):
    """Scores of a run by metric, one per judged query, computed when asked for.

    Attributes
    ----------
    judgments
        Relevance of documents by query.
    run
        What was retrieved.
    names
        The metrics: usual ones, and any that was asked for.
    """

    judgments: Judgments
    run: RunFile
    names: tuple[str, ...] = ()
    _computed: dict[str, FloatArray] = field(default_factory=dict, repr=False)

    def __getitem__(self, name: str) -> FloatArray:
        if name not in self.names:
            raise KeyError(name)
        if name not in self._computed:
            metric = retrieval_metric(name)
            values = metric.values(self.judgments, self.run.results)
            column = [values.get(query, np.nan) for query in self.judgments]
            self._computed[name] = np.array(column, dtype=float)
        return self._computed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def unjudged(self) -> list[str]:
        """Queries of the run that are not judged."""
        return [query for query in self.run.results if query not in self.judgments]

    @property
    def without_results(self) -> list[str]:
        """Judged queries for which nothing was retrieved."""
        return [query for query in self.judgments if query not in self.run.results]

    def including(self, name: str) -> "QueryScores":
        """Return the scores with one more metric."""
        return replace(self, names=tuple(dict.fromkeys((*self.names, name))))


# --- reading ---------------------------------------------------------------------


def read_runs(files: Sequence[File]) -> list[Log]:
    """Read the runs among files, and score them by the one file of judgments."""
    of_judgments = [file for file in files if is_qrels(file)]
    if len(of_judgments) != 1:
        names = listed([file.name for file in of_judgments]) or "none"
        message = f"Runs must come with one file of judgments (qrels); got {names}."
        raise InputError(message, hint="likelier compare qrels.txt a.run b.run")
    [qrels] = of_judgments
    runs = [read_run(file) for file in files if file is not qrels]
    if not runs:
        message = f"Judgments must come with at least one run; {qrels.name} is alone."
        raise InputError(message, hint="likelier compare qrels.txt a.run b.run")
    judgments = read_qrels(qrels)
    systems = _systems(runs)
    return [
        _log(qrels, judgments, run, system)
        for run, system in zip(runs, systems, strict=True)
    ]


def _systems(runs: Sequence[RunFile]) -> list[str]:
    """Name systems by the tags of their runs; by their files where tags are equal."""
    tags = [run.tag for run in runs]
    if None not in tags and len({*tags}) == len(tags):
        return [str(tag) for tag in tags]
    names = [run.file.name for run in runs]
    stems = [run.file.bare.with_suffix("") for run in runs]
    for paths in (stems, [run.file.path for run in runs]):
        if len({*paths}) == len(paths):
            return list(shortest_endings(paths).values())
    message = f"Each run must be given once; got {listed(names)}."
    raise InputError(message)


def _log(qrels: File, judgments: Judgments, run: RunFile, system: str) -> Log:
    queries = list(judgments)
    scores = QueryScores(judgments, run, USUAL if is_installed() else ())
    if len(scores.without_results) == len(queries):
        message = (
            f"{run.file.name} must have queries of {qrels.name}; it has none of them: "
            f"it has {listed(list(run.results), most=3)}, not "
            f"{listed(queries, most=3)}."
        )
        raise InputError(message, hint="Are both of the same collection?")
    lacking = dict.fromkeys(USUAL, f"pip install ({INSTALL})")
    return Log(
        file=run.file,
        format=NAME,
        system=system,
        task=qrels.bare.stem,
        items=queries,
        locate=lambda row: f"{run.file.name}: query {queries[row]}",
        scores=scores,
        unusable={} if is_installed() else lacking,
        higher_is_better=dict.fromkeys(USUAL, True),
        notes=tuple(_notes(scores)),
    )


def _notes(scores: QueryScores) -> Iterator[str]:
    judgments, results = scores.judgments, scores.run.results
    retrieved = sum(map(len, results.values()))
    yield f"{retrieved:,} results for {len(results):,} queries"
    if scores.unjudged:
        yield f"queries that are not judged: {_counted(scores.unjudged)}"
    if scores.without_results:
        yield f"judged queries without results: {_counted(scores.without_results)}"
    nothing = [q for q, of in judgments.items() if max(of.values()) < 1]
    if nothing:
        yield f"judged queries with no relevant document: {_counted(nothing)}"
    tied = sum(len(of) - len({*of.values()}) for of in results.values())
    if tied:
        yield f"results with the score of another of their query: {tied:,}"


def _counted(queries: Sequence[str]) -> str:
    return f"{len(queries):,} ({first_items(queries)})"


# --- choosing --------------------------------------------------------------------


def are_runs(logs: Sequence[Log]) -> bool:
    """Return whether logs are runs of retrieval."""
    return all(isinstance(log.scores, QueryScores) for log in logs)


def with_metric(logs: Sequence[Log], name: str) -> tuple[list[Log], str]:
    """Return runs that have a metric, and its name as ir_measures spells it."""
    metric = retrieval_metric(name).name
    return [
        replace(
            log,
            scores=_scores(log).including(metric),
            unusable={},
            higher_is_better={metric: True},
        )
        for log in logs
    ], metric


def settle_queries(chosen: ChosenLogs, rules: PairingRules) -> ChosenLogs:
    """Keep the queries that are compared: judged ones, with 0 where nothing was found.

    Queries that are not judged are refused; or left out, with those for which no run
    has results.
    """
    logs = [log for row in chosen.tasks.values() for of in row.values() for log in of]
    each = {log.system: _scores(log) for log in logs}
    drop = rules.on_missing == "drop"
    unjudged = {name: scores.unjudged for name, scores in each.items()}
    if any(unjudged.values()) and not drop:
        text = count_items(unjudged)
        message = f"All queries of runs must be judged; these are not: {text}."
        hint = "--on-missing drop leaves them out, as trec_eval does."
        raise InputError(message, hint=hint)
    without = {name: scores.without_results for name, scores in each.items()}
    nowhere = set.intersection(*(set(queries) for queries in without.values()))
    rows = [i for i, q in enumerate(logs[0].items) if not (drop and q in nowhere)]

    made_by = f"{NAME} (ir_measures {version('ir_measures')})"

    def of_rows(log: Log) -> Log:
        items = [log.items[i] for i in rows]
        scores = {chosen.metric: log.scores[chosen.metric][rows]}
        return replace(log, items=items, scores=scores, format=made_by)

    settled = chosen.converted(of_rows, chosen.metric)
    some = {
        name: [query for query in queries if query not in nowhere]
        for name, queries in without.items()
    }
    none = [query for query in logs[0].items if query in nowhere]
    fate = "are left out" if drop else "count as 0; --on-missing drop leaves them out"
    texts = {
        "that are not judged are left out": count_items(unjudged),
        "without results count as 0, as in trec_eval -c": count_items(some),
        f"for which no run has results {fate}": _counted(none) if none else "",
    }
    findings = [
        Finding("LIK150", f"queries {what}: {text}", severity="warning")
        for what, text in texts.items()
        if text
    ]
    return settled._replace(findings=(*chosen.findings, *findings))


def _scores(log: Log) -> QueryScores:
    if not isinstance(log.scores, QueryScores):
        message = "Runs of TREC must come alone."
        raise SettingError(message)
    return log.scores
