"""null_test(): how odd were the data if the systems did not differ."""

from collections.abc import Sequence
from typing import Any

from likelier import checks
from likelier.asking import (
    NULL_METHODS,
    POSTERIOR_METHODS,
    as_metric,
    given,
    named_method,
    origin_of,
    question_of,
    remarks_on,
    settings_of,
    two_systems,
)
from likelier.data import as_outcomes, focused
from likelier.findings import Finding
from likelier.methods import NullMethod
from likelier.metrics import Metric
from likelier.results import NullTest
from likelier.streams import RandomState, Streams


def null_test(
    data: Any,
    *predictions: Any,
    metric: str | Metric,
    method: str | NullMethod = "randomization",
    positive: object = None,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    cluster: Any = None,
    id: str | None = None,  # noqa: A002 (the word people know)
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
    findings: Sequence[Finding] = (),
) -> NullTest:
    """Say how odd the observed difference were if the systems did not differ.

    Use this where a p-value is asked for.

    Parameters
    ----------
    data, *predictions, metric, positive, gold, systems, cluster
        As in `compare`.
    method
        randomization, bootstrap, mcnemar, mcnemar-midp, sign, s-test, p-test, or a
        method with its settings.
    draws, seed, workers, findings
        As in `compare`.

    Examples
    --------
    >>> gold, first, second = "aaaaaaaa", "aabbbbbb", "aaaaaaaa"
    >>> null_test(gold, first, second, metric="accuracy", method="mcnemar").p_value
    0.03125
    """
    chosen = as_metric(metric)
    way = named_method(
        method, NULL_METHODS, others=POSTERIOR_METHODS, call="compare", offers="null"
    )
    counted = two_systems(
        as_outcomes(
            data,
            *predictions,
            metric=chosen,
            gold=gold,
            systems=systems,
            cluster=cluster,
            id=id,
        )
    )
    streams = Streams.of(seed, draws=draws, workers=workers)
    table, name = focused(counted, chosen, positive)
    null = way.null(table, chosen, streams)
    question = question_of(table, chosen, name)
    remarks = (*findings, *remarks_on(counted, table, chosen))
    remarks = (*remarks, *given(checks.direction(null)))
    settings = settings_of(way, table, streams, drawn=int(null.details.get("b", 0)))
    return NullTest(
        question=question,
        null=null,
        difference=float(chosen.differences(chosen.observed(table))),
        origin=origin_of(question, settings, table, (), remarks),
    )
