"""LIK107 and LIK110: labels that the gold column never, or always, has."""

import numpy as np

from likelier.findings import Finding
from likelier.outcomes import Outcomes


def never_gold(outcomes: Outcomes) -> Finding | None:
    """Remark labels that a system predicts and no item has."""
    if outcomes.labels is None or outcomes.one_vs_rest:
        return None
    seen = outcomes.labels[outcomes.counts > 0]
    extra = sorted(set(np.unique(seen[:, 1:])) - set(np.unique(seen[:, 0])))
    if not extra:
        return None
    names = ", ".join(repr(outcomes.classes[code]) for code in extra[:5])
    more = f" and {len(extra) - 5} more" if len(extra) > 5 else ""
    message = f"predicted but never gold: {names}{more}. Are labels spelt alike?"
    gold = np.unique(seen[:, 0])
    none = any(not np.isin(column, gold).any() for column in seen[:, 1:].T)
    return Finding("LIK107", message, severity="problem" if none else "note")


def one_gold_class(outcomes: Outcomes) -> Finding | None:
    """Remark data in which every item has the same gold label."""
    if outcomes.labels is None or not outcomes.negatives:
        return None
    gold = np.unique(outcomes.labels[outcomes.counts > 0, 0])
    if len(gold) > 1:
        return None
    message = "every item has the same gold label: nothing tells the classes apart."
    return Finding("LIK110", message, severity="problem")
