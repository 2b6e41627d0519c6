"""Checks on the data that an answer rests on."""

import numpy as np

from likelier._typing import FloatArray
from likelier.checks.sample_checks import SMALL_CLASS, counts_positives
from likelier.data.grouped_outcomes import GroupedOutcomes
from likelier.data.number_constructors import LEAST_PROBABILITY
from likelier.data.outcomes import Outcomes
from likelier.data.ranked_outcomes import RankedOutcomes
from likelier.decision import EQUIVALENT, EVERY
from likelier.findings import Finding
from likelier.formatting import counted, join_words, listed, plain
from likelier.metrics.formulas import class_balanced_accuracy, undefined_as
from likelier.metrics.metric import Metric

_ENOUGH, _FEW = 30, 20
_FEW_CLUSTERS = 10
# Below so many clusters of one size false winners are twice as many as stated.
_CARRIED_BY_FEW = 10
_LARGEST_CLUSTER = 0.25
# Tables of so few cells are compared faster when they are not sparse.
_DENSE_CELLS = 4096


def few_units(outcomes: Outcomes) -> Finding | None:
    """Check for fewer than 30 items, or clusters of them."""
    if outcomes.n_units >= _ENOUGH or outcomes.unit == "folds":
        return None
    units = outcomes.n_units
    if not outcomes.clustered:
        unit = outcomes.unit.removesuffix("s")
        message = f"only {counted(units, unit)}: too few for a firm answer."
        return Finding("LIK101", message, "warning" if units < _FEW else "note")
    message = f"only {counted(units, 'cluster')}: too few to tell how clusters differ."
    return Finding("LIK101", message, "warning" if units < _FEW_CLUSTERS else "note")


def unequal_clusters(outcomes: Outcomes) -> Finding | None:
    """Check for a few clusters so large that the answer is theirs.

    Clusters of unequal size tell as much as fewer equal ones: as many as the squared
    number of items over the sum of the squared sizes (Kish).
    """
    if not outcomes.clustered or outcomes.unit == "folds":
        return None
    counts, sizes = outcomes.counts, outcomes.sizes
    items, clusters = float(counts @ sizes), float(counts.sum())
    effective = items**2 / float(counts @ sizes**2)
    largest = float(sizes[counts > 0].max()) / items
    few = effective < _FEW and effective < clusters / 2
    if not few and (largest <= _LARGEST_CLUSTER or clusters < _FEW_CLUSTERS):
        return None
    message = (
        f"clusters are of very unequal size, and the largest has {largest:.0%} of all "
        f"items: {counted(int(clusters), 'cluster')} tell as much as {effective:.0f} "
        "of one size would."
    )
    if effective >= _CARRIED_BY_FEW or not few:
        return Finding("LIK127", message, severity="warning")
    reason = f"{effective:.0f} clusters carry the answer"
    return Finding("LIK127", message, "block", reason, blocks=EVERY)


def undefined(outcomes: Outcomes, metric: Metric) -> Finding | None:
    """Check for systems whose metric is 0/0, which counts as 0.

    What a system that predicts nothing would get right, nothing tells.
    """
    with undefined_as(float("nan")):
        values = metric.observed(outcomes)
    names = [
        plain(name)
        for name, value in zip(outcomes.systems, values, strict=True)
        if np.isnan(value)
    ]
    if not names:
        return None
    message = f"{metric.name} rests on 0/0, counted as 0, for {', '.join(names)}."
    if not metric.of_one_class or len(outcomes.systems) == 1:
        return Finding("LIK102", message, severity="warning")
    reason = f"{metric.name} of {join_words(names)} is 0/0"
    return Finding("LIK102", message, "block", reason, blocks=EVERY)


def identical(outcomes: Outcomes) -> Finding | None:
    """Check for two systems with equal statistics on every item."""
    if len(outcomes.systems) != 2:
        return None
    observed = outcomes.counts > 0
    if outcomes.labels is not None:
        labels = outcomes.labels[observed]
        if (labels[:, 1] != labels[:, 2]).any():
            return None
    rows, half = outcomes.rows[observed], outcomes.rows.shape[1] // 2
    if rows.shape[0] * rows.shape[1] <= _DENSE_CELLS:
        rows = rows.toarray()
        same = bool((rows[:, :half] == rows[:, half:]).all())
    else:
        same = (rows[:, :half] != rows[:, half:]).nnz == 0
    if not same:
        return None
    baseline, candidate = outcomes.systems
    message = f"{candidate} and {baseline} never differ: is one file given twice?"
    return Finding("LIK106", message, severity="warning")


def equals_gold(outcomes: Outcomes) -> Finding | None:
    """Check for a system that is right on every item, as the gold labels are."""
    if outcomes.n_items < _FEW or outcomes.unit == "folds":
        return None
    sums = outcomes.sums()
    if "fp" in outcomes.statistics:
        perfect = (sums["fp"] + sums["fn"]).sum(axis=-1) == 0
    elif "absolute_error" in outcomes.statistics:
        perfect = sums["absolute_error"].sum(axis=-1) == 0
    elif "correct" in outcomes.statistics:
        perfect = sums["correct"].sum(axis=-1) == outcomes.n_items
    else:
        return None
    names = [
        plain(name)
        for name, right in zip(outcomes.systems, perfect, strict=True)
        if right
    ]
    if not names:
        return None
    verb = "is" if len(names) == 1 else "are"
    message = (
        f"{join_words(names)} {verb} right on every item: is the gold given as a "
        "system? Gold labels come first."
    )
    return Finding("LIK126", message, severity="warning")


def certain_and_wrong(outcomes: Outcomes, metric: Metric) -> Finding | None:
    """Check for probabilities of 0 that came true, whose logarithm is infinite."""
    if metric.statistics[0] != "log_loss" or "log_loss" not in outcomes.statistics:
        return None
    most = -np.log(LEAST_PROBABILITY)
    # Of a cluster only the sum is seen.
    certain = outcomes.per_pattern("log_loss") >= most * (1 - 1e-9)
    units = outcomes.counts @ certain
    if not units.any():
        return None
    unit = _unit(outcomes)
    texts = [
        f"{plain(name)} on {counted(int(count), unit)}"
        for name, count in zip(outcomes.systems, units.tolist(), strict=True)
        if count
    ]
    message = (
        f"a probability of 0 came true, for {join_words(texts)}: it counts as "
        f"{LEAST_PROBABILITY:.1e}, as in scikit-learn, and outweighs many others."
    )
    return Finding("LIK129", message, severity="warning")


def never_gold(outcomes: Outcomes) -> Finding | None:
    """Check for labels that a system predicts and no item has."""
    occurs = outcomes.label_occurs
    if occurs is None or outcomes.one_vs_rest:
        return None
    gold, predicted = occurs[0], occurs[1:]
    extra = np.flatnonzero(predicted.any(axis=0) & ~gold).tolist()
    if not extra:
        return None
    names = ", ".join(repr(outcomes.classes[code]) for code in extra[:5])
    more = f" and {len(extra) - 5} more" if len(extra) > 5 else ""
    message = f"predicted but never gold: {names}{more}. Are labels spelt alike?"
    never = not (predicted & gold).any(axis=1).all()
    return Finding("LIK107", message, severity="warning" if never else "note")


def one_gold_class(outcomes: Outcomes) -> Finding | None:
    """Check for data in which every item has the same gold label."""
    occurs = outcomes.label_occurs
    if occurs is None or not outcomes.negatives or occurs[0].sum() > 1:
        return None
    message = "every item has the same gold label: nothing tells the classes apart."
    return Finding("LIK110", message, severity="warning")


def near_chance(outcomes: Outcomes) -> Finding | None:
    """Check for systems that hardly beat always saying the most frequent class.

    Parameters
    ----------
    outcomes
        Those of all folds, with their effective counts.
    """
    if outcomes.labels is None or "correct" not in outcomes.statistics:
        return None
    counts, labels = outcomes.counts, outcomes.labels
    n = max(float(counts.sum()), 1.0)
    frequent = float(np.bincount(labels[:, 0], weights=counts).max()) / n
    error = np.sqrt(frequent * (1 - frequent) / n)
    names = [
        plain(name)
        for name, column in zip(outcomes.systems, labels.T[1:], strict=True)
        if counts @ (column == labels[:, 0]) / n <= frequent + 2 * error
    ]
    if not names:
        return None
    verb = "is" if len(names) == 1 else "are"
    message = (
        f"{join_words(names)} {verb} hardly better than always saying the most "
        f"frequent class ({frequent:.0%} of the items): near chance the paired test of "
        "folds is too sure."
    )
    return Finding("LIK124", message, severity="warning")


def other_classes(outcomes: Outcomes, metric: Metric) -> Finding | None:
    """Check for systems that predict a class which no item has.

    Parameters
    ----------
    outcomes
        Table whose averages run over each system's own classes.
    metric
        The metric.
    """
    by_gold = metric.over_classes is class_balanced_accuracy
    if not metric.averages_classes or by_gold or len(outcomes.classes) < 2:
        return None
    if outcomes.all_classes or "tp" not in outcomes.statistics:
        return None
    only = outcomes.occurring & ~outcomes.supported.any(axis=0)
    if not only.any():
        return None
    every = int(outcomes.supported.any(axis=0).sum())
    alone = ", ".join(
        f"{plain(name)} {value:.3f}"
        for name, value in zip(outcomes.systems, metric.observed(outcomes), strict=True)
    )
    names = [plain(outcomes.classes[index]) for index in np.flatnonzero(only)]
    message = (
        f"averages run over the {every} classes of the items, without "
        f"{listed(names, most=5)}, which is predicted and no item is. Over the classes "
        f"that each system predicts, too, as in scikit-learn, {metric.name} is {alone}."
    )
    return Finding("LIK119", message)


def few_positives(outcomes: Outcomes, metric: Metric) -> Finding | None:
    """Check for a positive class of so few items that hardly any enter the metric."""
    if not counts_positives(metric, outcomes):
        return None
    gold, side = float(_gold_units(outcomes)[0]), ""
    if isinstance(outcomes, RankedOutcomes):
        # Of what is ranked, the other side counts as much.
        others = float((outcomes.counts @ outcomes.has_negatives())[0])
        if max(gold, others) <= 1:
            reason = "one positive and one negative"
            message = f"{reason} make one pair: nothing tells how pairs vary."
            return Finding("LIK117", message, "block", reason, blocks=EVERY)
        gold, side = min((gold, side), (others, "not "))
    if gold >= SMALL_CLASS or outcomes.n_units < SMALL_CLASS:
        return None
    unit = _unit(outcomes)
    one, several = ("is", "are") if _labelled(outcomes) else ("has", "have")
    count = f"no {unit} {one}"
    if gold:
        count = f"only {counted(int(gold), f'{unit} {one}', f'{unit}s {several}')}"
    subject = f"{count} {side}{plain(outcomes.classes[0])}"
    message = (
        f"{subject}: too few for a firm answer on {metric.name}, and nothing "
        "can show that the systems are equivalent."
    )
    return Finding(
        "LIK117",
        message,
        severity="block",
        reason=subject,
        blocks=EQUIVALENT,
        subject=subject,
    )


def few_scores(outcomes: Outcomes) -> Finding | None:
    """Check for systems that are ranked by one score, or by two: labels, perhaps."""
    several = isinstance(outcomes, RankedOutcomes) and _gold_units(outcomes).min() > 1
    if not isinstance(outcomes, RankedOutcomes) or not several:
        return None
    values = outcomes.values_of_scores() // len(outcomes.classes)
    constant, two = (
        [
            plain(name)
            for name, n in zip(outcomes.systems, values, strict=True)
            if n == k
        ]
        for k in (1, 2)
    )
    if constant:
        message = (
            f"all scores of {join_words(constant)} are the same: they rank nothing, "
            "and ROC AUC is 0.5 whatever the items."
        )
    elif two:
        message = (
            f"scores of {join_words(two)} have two values only: are they labels? A "
            "ranked metric needs scores before any threshold."
        )
    else:
        return None
    return Finding("LIK135", message, severity="warning")


def small_classes(outcomes: Outcomes, metric: Metric) -> Finding | None:
    """Check for classes of so few units that an average over classes is off."""
    if not metric.averages_classes or len(outcomes.classes) < 2:
        return None
    gold = _gold_units(outcomes)
    present = gold[gold > 0]
    few = int((present < SMALL_CLASS).sum())
    if few == 0:
        return None
    unit = _unit(outcomes)
    one, many, instead = "class", "classes", "take accuracy"
    if isinstance(outcomes, GroupedOutcomes):
        one, many, instead = "task", "tasks", "look at all items together"
        if len(outcomes.classes) > len(outcomes.groups):
            one, many = "class of a task", "classes of tasks"
    if (present <= 1).all():
        reason = f"every {one} has one {unit}"
        message = (
            f"{reason}, so nothing tells how {metric.name} varies within a {one}: test "
            f"more {unit}s of each {one}, or {instead}."
        )
        return Finding("LIK115", message, "block", reason, blocks=EVERY)
    units = f"gold {unit}s" if _labelled(outcomes) else f"{unit}s with gold items"
    if isinstance(outcomes, GroupedOutcomes) and "tp" not in outcomes.statistics:
        units = f"{unit}s"
    message = (
        f"{few} of {counted(len(present), one, many)} "
        f"{'has' if few == 1 else 'have'} fewer than "
        f"{SMALL_CLASS} {units}: the systems' own intervals are too narrow."
    )
    return Finding("LIK117", message, severity="warning")


def _gold_units(outcomes: Outcomes) -> FloatArray:
    """Count the units with gold items of each class; of folds, the gold items."""
    if outcomes.unit == "folds":
        sums = outcomes.sums()
        return np.asarray((sums["tp"] + sums["fn"])[0])
    return np.asarray(outcomes.counts @ outcomes.has_gold())


def _labelled(outcomes: Outcomes) -> bool:
    """Return whether what is counted has one label each."""
    of_tasks = isinstance(outcomes, GroupedOutcomes) and outcomes.one_label
    single = of_tasks or isinstance(outcomes, RankedOutcomes)
    known = outcomes.labels is not None or outcomes.unit == "folds"
    return known or (single and not outcomes.clustered)


def _unit(outcomes: Outcomes) -> str:
    """Name what is independent; of folds, the items in them."""
    if outcomes.clustered:
        return "cluster"
    return "item" if outcomes.unit == "folds" else outcomes.unit.removesuffix("s")
