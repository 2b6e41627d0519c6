"""null_test(): p-value of a difference if the systems did not differ."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from likelier._inputs import (
    NULL_METHODS,
    POSTERIOR_METHODS,
    as_question,
    item_findings,
    item_settings,
    look_up_method,
    two_systems,
)
from likelier.checks import answer_checks, data_checks
from likelier.methods.protocols import NullMethod
from likelier.metrics.metric import Metric
from likelier.metrics.positive import select_positive
from likelier.results.null_test import NullTest
from likelier.streams import RandomState, Streams


def null_test(
    data: Any,
    *predictions: Any,
    metric: str | Metric | None = None,
    method: str | NullMethod = "randomization",
    positive: object = None,
    gold: str | None = None,
    systems: Sequence[str] | None = None,
    cluster: Any = None,
    id: str | None = None,  # noqa: A002 (the word people know)
    draws: int | None = None,
    seed: RandomState = None,
    workers: int = 1,
) -> NullTest:
    """Test how odd the observed difference were if the systems did not differ.

    Use this where a p-value must be reported.

    Parameters
    ----------
    data, *predictions, metric, positive, gold, systems, cluster
        As in `compare`.
    method
        randomization, bootstrap, mcnemar, mcnemar-midp, sign, delong (for roc_auc),
        s-test, p-test, or a method with its settings.
    draws, seed, workers
        As in `compare`.

    Examples
    --------
    >>> gold, first, second = "aaaaaaaa", "aabbbbbb", "aaaaaaaa"
    >>> null_test(gold, first, second, metric="accuracy", method="mcnemar").p_value
    0.03125
    """
    test = look_up_method(
        method,
        NULL_METHODS,
        others=POSTERIOR_METHODS,
        call="compare",
        offers="null",
    )
    columns = {"gold": gold, "systems": systems, "cluster": cluster, "id": id}
    chosen, counted = as_question(data, *predictions, metric=metric, **columns)
    two_systems(counted.systems)
    streams = Streams.of(seed, draws=draws, workers=workers)
    table, name = select_positive(counted, chosen, positive)
    shared = table.sharing_classes
    null = test.null(shared, chosen, streams)
    drawn = int(null.details.get("b", 0))
    settings = item_settings(shared, chosen, name, test, streams, draws=drawn)
    return NullTest(
        settings=settings,
        findings=item_findings(
            counted,
            shared,
            chosen,
            data_checks.other_classes(table, chosen),
            answer_checks.direction(null),
        ),
        null=null,
        difference=float(chosen.differences(np.array(settings.data.observed))),
    )
