"""Whether logs show the same experiment: the same items, prompts and conditions."""

from collections.abc import Mapping, Sequence
from itertools import count
from operator import eq

import numpy as np

from likelier._typing import IntArray
from likelier.errors import InputError
from likelier.findings import Finding
from likelier.formatting import join_words
from likelier.readers.logs.log import Log
from likelier.readers.logs.pairing_rules import PairingRules

# Logs of each system, with the number of the item of each row.
Numbered = Mapping[str, Sequence[tuple[Log, IntArray]]]

_ALLOW = "--allow-different, in Python allow_different=True, goes on all the same."


def number_items(
    logs: Mapping[str, Sequence[Log]],
) -> tuple[list[str], Numbered]:
    """Give a number to each item of logs, in the order in which they come.

    Returns
    -------
    tuple
        The items; and for each system its logs with the number of each row's item.
    """
    codes: dict[str, int] = {}

    def numbers(log: Log) -> IntArray:
        if not codes:
            codes.update(zip(dict.fromkeys(log.items), count(), strict=False))
        # Most logs have the same items in the same order.
        if len(codes) == len(log.items) and all(map(eq, codes, log.items)):
            return np.arange(len(codes))
        each = (codes.setdefault(item, len(codes)) for item in log.items)
        return np.fromiter(each, dtype=np.int64, count=len(log.items))

    numbered = {s: [(log, numbers(log)) for log in of] for s, of in logs.items()}
    return list(codes), numbered


def check_same(numbered: Numbered, rules: PairingRules) -> list[Finding]:
    """Refuse logs of different experiments, or remark on what differs."""
    texts = list(differences(numbered).values())
    if not texts:
        return []
    if not rules.allow_different:
        message = f"Logs must show the same experiment; {'; '.join(texts)}."
        raise InputError(message, hint=_ALLOW)
    text = f"the logs show different experiments: {'; '.join(texts)}"
    return [Finding("LIK152", text, severity="warning")]


def differences(numbered: Numbered) -> dict[str, str]:
    """Say what is not the same in the logs of all systems, by its name."""
    return _other_conditions(numbered) | _other_hashes(numbered)


def _other_conditions(numbered: Numbered) -> dict[str, str]:
    values: dict[str, dict[tuple[str, str], None]] = {}
    for system, pairs in numbered.items():
        for log, _ in pairs:
            for name, value in log.conditions.items():
                values.setdefault(name, {})[system, value] = None
    return {
        name: f"{name}: {join_words(f'{_short(v)} in {s}' for s, v in of)}"
        for name, of in values.items()
        if len({value for _, value in of}) > 1
    }


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def _other_hashes(numbered: Numbered) -> dict[str, str]:
    """Say where the same id stands for another item, or had another prompt."""
    n = 1 + max(int(codes.max()) for pairs in numbered.values() for _, codes in pairs)
    every = [pair for pairs in numbered.values() for pair in pairs]
    names = dict.fromkeys(name for log, _ in every for name in log.hashes)
    texts = {name: _other_hash(name, every, n) for name in names}
    return {name: text for name, text in texts.items() if text}


def _other_hash(name: str, pairs: Sequence[tuple[Log, IntArray]], n: int) -> str:
    first = np.full(n, None, dtype=object)
    differ, example = np.zeros(n, dtype=bool), ""
    for log, codes in pairs:
        hashes = np.array(log.hashes.get(name, [None] * len(codes)), dtype=object)
        row_of = np.full(n, -1)
        row_of[codes] = np.arange(len(codes))
        own = np.full(n, None, dtype=object)
        own[codes] = hashes
        other = np.array((own != first) & (own != None) & (first != None))  # noqa: E711
        if name == "item":
            # Prompts may differ between repeats, as few-shot examples are drawn anew.
            other[codes[(own[codes] != hashes) & (hashes != None)]] = True  # noqa: E711
        if other.any() and not example:
            code = int(np.flatnonzero(other)[0])
            row = int(row_of[code])
            example = f"{_first_record(name, pairs, code)} and {log.locate(row)}"
        differ |= other.astype(bool)
        first = np.where(first == None, own, first)  # noqa: E711
    known = int((first != None).sum())  # noqa: E711
    if not example:
        return ""
    return (
        f"{name} differs for {int(differ.sum()):,} of {known:,} items, "
        f"such as {example}"
    )


def _first_record(name: str, pairs: Sequence[tuple[Log, IntArray]], code: int) -> str:
    """Name the first record of an item that has the hash."""
    for log, codes in pairs:
        for row in np.flatnonzero(codes == code).tolist():
            if name in log.hashes and log.hashes[name][row] is not None:
                return log.locate(row)
    raise AssertionError  # pragma: no cover (some log has it)
