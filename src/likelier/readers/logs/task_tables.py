"""TaskTables: outcomes of every task of logs, of their mean and of all items."""

from dataclasses import dataclass, replace

from likelier.data.grouped_outcomes import all_items
from likelier.data.outcomes import Outcomes
from likelier.errors import LikelierError, SettingError
from likelier.findings import Finding
from likelier.formatting import listed
from likelier.metrics.group_mean import mean_over_groups
from likelier.metrics.metric import Metric
from likelier.metrics.positive import select_positive


@dataclass(frozen=True)
class TaskTables:
    """A metric, and the outcomes of each task that it is computed on.

    Attributes
    ----------
    metric
        The metric.
    tables
        Outcomes by task.
    findings
        Remarks on the logs as a whole.
    source
        How the items of all tasks were read, for the recipe.
    """

    metric: Metric
    tables: dict[str, Outcomes]
    findings: tuple[Finding, ...] = ()
    source: str = ""

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks."""
        return tuple(self.tables)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return next(iter(self.tables.values())).systems

    def task_tables(self, _metric: object = None) -> "TaskTables":
        """Return itself: the metric is chosen already."""
        return self

    def only(self) -> tuple[Metric, Outcomes] | None:
        """Return the metric with the outcomes of the only task; None for several."""
        if len(self.tables) > 1:
            return None
        (outcomes,) = self.tables.values()
        findings = (*self.findings, *outcomes.findings)
        return self.metric, replace(outcomes, findings=findings)

    def table(self, _metric: object = None) -> tuple[Metric, Outcomes]:
        """Return the metric with the outcomes of the only task; refuse several."""
        one = self.only()
        if one is not None:
            return one
        message = f"task must be chosen; there are {listed(self.tables)}."
        hint = 'read(…, task="…"), or compare_groups(…, by="task") for all of them.'
        raise SettingError(message, hint=hint)

    def average(self, positive: object = None) -> tuple[Metric, Outcomes]:
        """Return the only task, or the mean over tasks, each alike."""
        one = self.only()
        if one is not None:
            return one
        metric, outcomes = self._mean(positive)
        text = (
            f"the answer is about the mean over {len(self.tables)} tasks, each alike: "
            f"{listed(self.tables)}"
        )
        note = Finding("LIK156", text, severity="note")
        each = (f for table in self.tables.values() for f in table.findings)
        findings = tuple(dict.fromkeys((*self.findings, note, *each)))
        return metric, replace(outcomes, findings=findings)

    def averages(self, positive: object = None) -> tuple[tuple[Metric, Outcomes], ...]:
        """Return the mean over tasks, each alike, and the metric of all items together.

        Parameters
        ----------
        positive
            The positive class, where the metric is of one class.

        Returns
        -------
        tuple
            Each with the outcomes that it is computed on; none for a single task.
        """
        if len(self.tables) == 1:
            return ()
        whole = replace(all_items(self.tables), source=self.source)
        pooled = replace(self.metric, name=f"{self.metric.name}_over_all_items")
        return self._mean(positive), (pooled, whole)

    def _mean(self, positive: object) -> tuple[Metric, Outcomes]:
        """Return the mean over tasks with the outcomes that it is computed on."""
        tables = {}
        for task, table in self.tables.items():
            try:
                tables[task] = select_positive(table, self.metric, positive)[0]
            except LikelierError as error:
                message = f"In {task}, {error.message}"
                hint = error.hint or "Name the tasks that have it: --task, task=."
                raise SettingError(message, hint=hint) from error
        name = f"{self.metric.name}_mean_over_tasks"
        mean, outcomes = mean_over_groups(self.metric, tables, name=name)
        return mean, replace(outcomes, source=self.source)
