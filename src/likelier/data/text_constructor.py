"""Constructor of outcomes from output texts and their references."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from likelier.data.constructors import system_names
from likelier.data.encoding import check_lengths
from likelier.data.named_statistics import from_statistics
from likelier.data.outcomes import Outcomes
from likelier.data.text_statistics import References, text_counter
from likelier.errors import InputError, SettingError
from likelier.formatting import listed, plain

if TYPE_CHECKING:
    from likelier._typing import FloatArray


def from_texts(
    references: Sequence[Any],
    *outputs: Sequence[str],
    metrics: Sequence[str],
    systems: Sequence[str] | None = None,
    cluster: ArrayLike | None = None,
    ids: Sequence[str] | None = None,
    tokenize: str | None = None,
    lowercase: bool = False,
) -> Outcomes:
    """Count segments of text: what each adds to BLEU, chrF, TER, WER and others.

    Parameters
    ----------
    references
        The reference of each segment; or several of each, as a list or tuple.
    *outputs
        One sequence of texts per system, the baseline first.
    metrics
        Names of the metrics to count for: bleu, chrf, chrf++, ter, wer, cer,
        exact_match, token_f1.
    systems, cluster, ids
        As in `Outcomes.from_labels`.
    tokenize
        The tokenizer of BLEU, by its name in sacreBLEU; by default its own default.
    lowercase
        Whether case is ignored. TER and the metrics of SQuAD always ignore it.

    Examples
    --------
    >>> table = from_texts(["the cat sat"], ["the cat sat"], ["the dog sat"],
    ...                    metrics=["wer"])
    >>> table.sums()["wer_substitutions"].ravel()
    array([0., 1.])
    """
    names = system_names(systems, len(outputs))
    if isinstance(metrics, str) or not metrics:
        message = f"metrics must be a list of names; got {metrics!r}."
        raise SettingError(message, hint='metrics=["bleu"]')
    each = [_texts(one, name) for one, name in zip(outputs, names, strict=True)]
    several = _references(references)
    check_lengths([len(several[0]), *map(len, each)], ["references", *names])
    statistics: list[dict[str, FloatArray]] = [{} for _ in names]
    sources = []
    for metric in dict.fromkeys(metrics):
        counter = text_counter(metric)
        settings: dict[str, Any] = {"tokenize": tokenize, "lowercase": lowercase}
        counts = [counter.count(one, several, **settings) for one in each]
        for own, one in zip(statistics, counts, strict=True):
            own |= dict(zip(counter.statistics, one.table.T, strict=True))
        sources.append(
            f"{metric} {counts[0].signature}{_edit_text(names, metric, counts)}"
        )
    outcomes = from_statistics(
        *statistics,
        systems=names,
        cluster=cluster,
        ids=ids,
        texts=several[0],
        answers=each,
    )
    return replace(outcomes, unit="segments", source="; ".join(sources))


def _edit_text(names: Sequence[str], metric: str, counts: Sequence[Any]) -> str:
    """Say which edits there are, by system."""
    if metric not in ("wer", "cer"):
        return ""
    parts = []
    for name, one in zip(names, counts, strict=True):
        replaced, missing, added, words = one.table.sum(axis=0).astype(np.int64)
        parts.append(
            f"{plain(name)} {replaced:,} substitutions, {missing:,} deletions, "
            f"{added:,} insertions of {words:,}"
        )
    return f" ({'; '.join(parts)})"


def _texts(column: Sequence[Any], name: str) -> list[str]:
    if isinstance(column, str):
        message = f"{name} must be a sequence of texts; got one text."
        raise InputError(message)
    texts = list(column)
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            message = f"{name} must hold texts; segment {row} is {text!r}."
            raise InputError(message)
    return texts


def _references(references: Sequence[Any]) -> References:
    """Return one list of texts for each reference; refuse segments without any."""
    if isinstance(references, str):
        message = "references must be a sequence of texts; got one text."
        raise InputError(message)
    rows = [
        list(row) if isinstance(row, list | tuple | np.ndarray) else [row]
        for row in references
    ]
    if len({len(row) for row in rows}) > 1:
        message = "Every segment must have the same number of references."
        raise InputError(message)
    several = [_texts(one, "references") for one in zip(*rows, strict=True)]
    if not several:
        message = "There must be at least one segment with a reference; got none."
        raise InputError(message)
    for one in several:
        empty = [row for row, text in enumerate(one) if not text.strip()]
        if empty:
            message = (
                f"Every segment must have a reference; {len(empty):,} are empty: "
                f"segment {listed(empty)}, counted from 0."
            )
            raise InputError(message, hint="Leave those segments out of all files.")
    return several
