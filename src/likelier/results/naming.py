"""What tells comparisons from each other: the metric, the systems, or both."""

from collections.abc import Sequence

from likelier.results.comparison import Comparison


def labels_of(results: Sequence[Comparison]) -> list[str]:
    """Name each comparison by what tells it from the others."""
    metrics = {result.question.metric_name for result in results}
    pairs = {result.question.systems for result in results}
    labels = []
    for result in results:
        first, second = result.question.shown_systems
        pair = f"{second} against {first}"
        metric = result.question.metric_name
        if len(pairs) == 1 and len(metrics) > 1:
            labels.append(metric)
        else:
            labels.append(pair if len(metrics) == 1 else f"{metric}: {pair}")
    return labels
