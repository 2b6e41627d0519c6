"""Gates: exit codes of conditions on results.

A condition holds (0), does not hold (1), or the evidence is too little (3).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf, isnan
from typing import TYPE_CHECKING, Any

from likelier.decision import TESTED
from likelier.errors import SettingError
from likelier.findings import SEVERITIES
from likelier.formatting import listed, plain
from likelier.report.condition import (
    CHANCES,
    SHORT,
    Comparison,
    Condition,
    Name,
    parse,
    path_of,
)

if TYPE_CHECKING:
    from likelier.decision import Verdict
    from likelier.results.result import Result

HOLDS, FAILS, UNCLEAR = 0, 1, 3

_COUNTED = ((), *((severity,) for severity in SEVERITIES))

_LONGEST_NAME = 80
_MOST_KEYS = 500
# Keys whose values name an entry of a list.
_TITLES = ("system", "name", "group")
# Some results have no number here: one data set, two folds, no prior.
_MAY_LACK = ("needed", "outlook", "difference", "friedman", "bayes_factor")
_OTHERS = ("difference", "difference.mean", "value", "interval.low", "needed.items")
# Names to offer where one is unknown, with their keys.
_USUAL = {
    **{f"P({word})": path for word, path in CHANCES.items()},
    **SHORT,
    **dict(zip(_OTHERS, _OTHERS, strict=True)),
}


@dataclass(frozen=True)
class GateResult:
    """Outcome of a condition on a result, answer by answer.

    Attributes
    ----------
    condition
        The condition as it was written.
    codes
        Exit code of each answer: every group, prior or pair, or the whole.
    sentences
        Sentence of each answer.
    values
        Numbers of each answer that the condition names, as text.
    blocks
        Why a finding blocks each answer, where one does.
    """

    condition: str
    codes: tuple[int, ...]
    sentences: tuple[str, ...]
    values: tuple[str, ...]
    blocks: tuple[str | None, ...] = ()

    @property
    def code(self) -> int:
        """Exit code of the whole: all must hold, and a failure outweighs doubt."""
        return worst(self.codes)

    def unmet(self, *, named: bool = True) -> Iterator[str]:
        """Yield a line for each answer for which it does not hold, and name it."""
        blocks = self.blocks or (None,) * len(self.codes)
        columns = self.codes, self.values, self.sentences, blocks
        for code, values, sentence, block in zip(*columns, strict=True):
            if code != HOLDS:
                reason = "no" if code == FAILS else "the evidence decides neither way"
                reason = reason if block is None else f"blocked, {block}"
                yield plain(f"{reason}{values}{f' ({sentence})' if named else ''}")

    def found(self, verdict: "Verdict | None") -> str:
        """Say what was found instead: one answer in words, of several how many."""
        if len(self.codes) > 1:
            counts = Counter(code for code in self.codes if code != HOLDS)
            words = {FAILS: "does not hold", UNCLEAR: "open"}
            return ", ".join(
                f"{words[code]} in {counts[code]:,} of {len(self.codes):,}"
                for code in (FAILS, UNCLEAR)
                if counts[code]
            )
        if verdict is not None and not any(self.blocks):
            own = f"{verdict.name} ({verdict.symbol}){self.values[0]}"
            return "" if self.code == HOLDS else plain(own)
        return "".join(self.unmet(named=False))


def judge(condition: str, result: "Result") -> GateResult:
    """Judge every answer of a result by a condition.

    Parameters
    ----------
    condition
        Such as ``P(better) > 0.9``.
    result
        Any result.
    """
    tree, answers = parse(condition), result.answers()
    documents = [_document(tree, answer) for answer in answers]
    codes = [_judged(tree, document) for document in documents]
    return GateResult(
        condition,
        tuple(code for code, _ in codes),
        tuple(answer.sentence() for answer in answers),
        tuple(_values(tree, document) for document in documents),
        tuple(block for _, block in codes),
    )


def gate(condition: str | Condition, document: dict[str, Any]) -> int:
    """Return the exit code of a condition for the JSON of one result.

    Parameters
    ----------
    condition
        Such as ``P(better) > 0.9 and difference.mean > 0``.
    document
        The JSON of one result.

    Returns
    -------
    int
        0: it holds; 1: it does not; 3: it does not, but the evidence decides neither
        way, or a finding blocks the answer, or what the condition rests on.

    Notes
    -----
    Conditions that say the same in other words give the same code. A number that is
    not there meets no comparison, nor does it meet the opposite of one (Kleene's logic
    of three values).

    Examples
    --------
    >>> result = {"probability": {"better": 0.95}, "verdict": {"name": "better"}}
    >>> gate("P(better) > 0.9", result), gate("P(better) > 0.99", result)
    (0, 1)
    """
    tree = parse(condition) if isinstance(condition, str) else condition
    return _judged(tree, document)[0]


def _judged(tree: Condition, document: dict[str, Any]) -> tuple[int, str | None]:
    """Return the exit code, and why a finding blocks what the condition rests on."""
    _check_verdicts(tree, document)
    value = _Lookup(document).value
    holds = tree.holds(value)
    block = _block(document)
    if block is None and tree.holds(value, _Blocks(document).doubt) != holds:
        block = _Blocks(document).code
    if block is not None:
        return UNCLEAR, block
    if holds:
        return HOLDS, None
    return UNCLEAR if _entry(("verdict", "open"), document) else FAILS, None


def _check_verdicts(tree: Condition, document: dict[str, Any]) -> None:
    """Refuse a verdict that a Bayes test never has."""
    if _entry(("verdict", "rule"), document) != "bayes-test":
        return
    if not isinstance(tree, Comparison):
        for part in tree.parts:
            _check_verdicts(part, document)
        return
    texts = [term for term in (tree.left, tree.right) if isinstance(term, str)]
    if texts and texts[0] not in (*TESTED, "undecided"):
        message = f"A Bayes test must not be asked for {texts[0]!r}, which it never is."
        raise SettingError(message, hint="Use P(H1) > 0.95, or --rule hdi-rope.")


def _block(document: dict[str, Any]) -> str | None:
    """Return why a finding blocks the verdict, or the answer that has none."""
    if isinstance(document.get("verdict"), dict):
        return document["verdict"].get("reason")
    findings = document.get("findings", [])
    blocks = (one["code"] for one in findings if one.get("severity") == "block")
    return next(blocks, None)


@dataclass(frozen=True)
class _Blocks:
    """Sides that findings block: worse, equivalent or better."""

    document: dict[str, Any]

    @property
    def code(self) -> str | None:
        """Code of the first finding that blocks a side."""
        findings = self.document.get("findings", [])
        return next((one["code"] for one in findings if one.get("blocks")), None)

    def doubt(self, comparison: Comparison, holds: bool) -> bool:  # noqa: FBT001
        """Return whether a comparison rests on a side that is blocked."""
        findings = self.document.get("findings", [])
        blocked = {name for one in findings for name in one.get("blocks", ())}
        shares = self.document.get("probability")
        if not blocked or not isinstance(shares, dict):
            return False
        above = (comparison.sign[0] == ">") == holds
        left = self._side(comparison.left, shares, above=above)
        right = self._side(comparison.right, shares, above=not above)
        return not blocked.isdisjoint({left, right})

    @staticmethod
    def _side(term: object, shares: dict[str, float], *, above: bool) -> str | None:
        """Return the side that a term speaks for, where it is above or below."""
        if not isinstance(term, Name):
            return None
        if term.path[:2] == ("difference", "interval"):
            return max(shares, key=lambda side: shares[side])
        side = term.path[-1]
        if term.path[0] != "probability" or side not in shares:
            return None
        others = [other for other in shares if other != side]
        return str(side) if above else max(others, key=lambda other: shares[other])


def worst(codes: Iterable[int]) -> int:
    """Return the code of several answers: all must hold, a failure outweighs doubt.

    Examples
    --------
    >>> worst([0, 3]), worst([3, 1]), worst([])
    (3, 1, 0)
    """
    every = set(codes)
    return next((code for code in (FAILS, UNCLEAR) if code in every), HOLDS)


def _document(tree: Condition, answer: "Result") -> dict[str, Any]:
    """Return the numbers of an answer, or its whole JSON, which may cost more."""
    findings = [finding.to_dict() for finding in answer.findings]
    light = {**answer.numbers(), "findings": findings}
    incomplete = any(
        path[0] not in light or (len(path) > 2 and _entry(path, light) is None)
        for path in (name.path for name in tree.names())
    )
    return answer.to_dict() if incomplete else light


def _values(tree: Condition, document: dict[str, Any]) -> str:
    """Write the numbers that a condition names."""
    lookup = _Lookup(document)
    values = {name.text: lookup.number(name) for name in tree.names()}
    texts = [
        f"{name} is {'unknown' if value is None else f'{value:.4g}'}"
        for name, value in values.items()
    ]
    return f", {', '.join(texts)}" if texts else ""


@dataclass(frozen=True)
class _Lookup:
    """Values of names in the JSON of a result."""

    document: dict[str, Any]

    def value(self, name: Name) -> float | str | None:
        """Look up a number or the verdict; None for a number that is not there."""
        return self._verdict() if name.is_verdict else self.number(name)

    def number(self, name: Name) -> float | None:
        """Look up a number; None where this result has none."""
        self._check_rope(name)
        number = _number(_entry(name.path, self.document))
        if number is None and name.path == ("bayes_factor", "bf01"):
            number = self._beyond_all_numbers()
        if number is None and not self._lacks(name.path):
            message = (
                "A condition must name a number of the result; got "
                f"{name.text[:_LONGEST_NAME]!r} at column {name.column}."
            )
            raise SettingError(message, hint=self._hint(near=name.text))
        return None if isinstance(number, float) and isnan(number) else number

    def _verdict(self) -> str:
        verdict = _entry(("verdict", "name"), self.document)
        if not isinstance(verdict, str):
            message = (
                "A condition must ask for a verdict where there is one; here is none."
            )
            raise SettingError(message, hint=self._hint())
        return verdict

    def _check_rope(self, name: Name) -> None:
        needs = name.path == ("probability", "equivalent") or name.path[0] == "rope"
        if name.path[0] == "bayes_factor":
            self._check_factor(name)
        if needs and self.document.get("rope", ()) is None:
            message = f"{name.text} must have a rope; there is none."
            raise SettingError(message, hint="Give one: --rope 0.01")

    def _check_factor(self, name: Name) -> None:
        """Refuse a factor that nobody asked for; draws may not have resolved it."""
        codes = [one.get("code") for one in self.document.get("findings", [])]
        if self.document.get("bayes_factor", ()) is None and "LIK109" not in codes:
            message = f"{name.text} must have a Bayes factor; there is none."
            raise SettingError(message, hint="Ask for one: --rope 0.01 --factor rope")

    def _beyond_all_numbers(self) -> float | None:
        """Return a factor that is too large or too small for a number as such."""
        power = _number(_entry(("bayes_factor", "log10"), self.document))
        if power is None:
            return None
        return inf if power > 0 else 0.0

    def _lacks(self, path: tuple[str | int, ...]) -> bool:
        """Return whether results of this kind may have the number, but not this one."""
        if path[0] not in _MAY_LACK or path[0] not in self.document or len(path) != 2:
            return False
        whole = self.document[path[0]]
        return whole is None or (isinstance(whole, dict) and path[1] in whole)

    def _hint(self, *, near: str = "") -> str:
        usual = [
            name
            for name, path in _USUAL.items()
            if _number(_entry(path_of(path), self.document)) is not None
        ]
        every = {*usual, *_keys(self.document)}
        close = get_close_matches(near[:_LONGEST_NAME], every, n=1, cutoff=0.8)
        meant = f"Did you mean {close[0]}? " if close else ""
        names = f"Names are {listed(usual, most=12)}." if usual else "See the JSON."
        return f"{meant}{names}"


def _entry(path: tuple[str | int, ...], document: dict[str, Any]) -> Any:
    """Follow keys, positions and titles; None where they lead nowhere."""
    if path[0] == "findings":
        return _count_findings(path[1:], document)
    entry: Any = document
    for key in path:
        if isinstance(entry, dict):
            entry = entry.get(str(key))
        elif isinstance(entry, list):
            entry = _of_list(key, entry)
        else:
            return None
    return entry


def _of_list(key: str | int, entries: list[Any]) -> Any:
    if isinstance(key, int):
        return entries[key] if key < len(entries) else None
    titled = [
        entry
        for entry in entries
        if isinstance(entry, dict) and key in [entry.get(title) for title in _TITLES]
    ]
    return titled[0] if len(titled) == 1 else None


def _count_findings(
    path: tuple[str | int, ...], document: dict[str, Any]
) -> int | None:
    """Count the findings, or those of a severity."""
    findings = document.get("findings")
    if not isinstance(findings, list) or path not in _COUNTED:
        return None
    return sum(not path or one.get("severity") == path[0] for one in findings)


def _number(entry: Any) -> float | None:
    """Return a number, or the value of what has one; True and False are none."""
    value = entry.get("value") if isinstance(entry, dict) else entry
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    # Not as a float: whole numbers may be too large for one, and compare as well.
    return value if numeric else None


def _keys(document: dict[str, Any]) -> Iterator[str]:
    """Yield the dotted keys of some numbers."""
    left = [("", document)]
    for _ in range(_MOST_KEYS):
        if not left:
            return
        before, entry = left.pop()
        for key, value in entry.items():
            if isinstance(value, dict):
                left.append((f"{before}{key}.", value))
            elif _number(value) is not None:
                yield f"{before}{key}"
