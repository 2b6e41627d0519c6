"""Metrics of retrieval: the names people type, and values per query by ir_measures."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from subprocess import CalledProcessError
from typing import Any

from likelier.errors import NotDefinedError, SettingError

# Relevance of documents, and scores of retrieved ones, by query.
Judgments = Mapping[str, Mapping[str, int]]
Results = Mapping[str, Mapping[str, float]]

USUAL = ("nDCG@10", "AP", "RR", "P@10", "R@100")
INSTALL = "pip install 'likelier[retrieval]'"
# Names of trec_eval and of other tools that ir_measures does not know.
_ALIASES = {
    "ndcg_cut": "nDCG",
    "map_cut": "AP",
    "recip_rank": "RR",
    "mean_reciprocal_rank": "RR",
    "average_precision": "AP",
    "hit": "Success",
    "hits": "Success",
    "hit_rate": "Success",
}
_NAME = re.compile(r"(?P<name>[^\W\d][\w.]*)(?P<settings>\(.*\))?(?:@(?P<at>[0-9.]+))?")
# trec_eval's way of writing a cutoff: ndcg_cut_10, P.5.
_CUT = re.compile(r"(.*\D)[_.]([0-9]+)")
_KINDS = {
    int: "a whole number from 1",
    float: "a number",
    bool: "True or False",
    str: "a word that it knows",
}
# What trec_eval allocates memory for.
LARGEST = 1_000_000


@dataclass(frozen=True)
class RetrievalMetric:
    """A metric of ranked results, as ir_measures spells and computes it.

    Attributes
    ----------
    name
        Its name.
    measure
        The measure of ir_measures.
    """

    name: str
    measure: Any

    def values(self, judgments: Judgments, results: Results) -> dict[str, float]:
        """Return the value of each query of the judgments; 0 for one without results.

        Parameters
        ----------
        judgments, results
            Relevance and scores of documents, by query.
        """
        pairs = self._computed(_safe(judgments), results)
        return {one.query_id: float(one.value) for one in pairs}

    def _computed(self, judgments: Judgments, results: Results) -> list[Any]:
        try:
            return list(_package().iter_calc([self.measure], judgments, results))
        except CalledProcessError as error:
            message = f"{self.name} must be computed by a tool; it ended with an error."
            hint = "gdeval, which computes ERR, takes only numbers as ids of queries."
            raise NotDefinedError(message, hint=hint) from error
        except Exception as error:  # Packages behind ir_measures have their own.
            message = f"ir_measures must be able to compute {self.name}; {error}."
            raise NotDefinedError(message) from error


def is_installed() -> bool:
    """Return whether ir_measures can be imported."""
    return find_spec("ir_measures") is not None


def retrieval_metric(text: str) -> RetrievalMetric:
    """Return the metric of a name, in any spelling that people use.

    Parameters
    ----------
    text
        A name of ir_measures, or of trec_eval: ``ndcg@10``, ``mrr``, ``recall_100``.

    Examples
    --------
    >>> [retrieval_metric(text).name for text in ("ndcg@10", "mrr", "map", "recall_5")]
    ['nDCG@10', 'RR', 'AP', 'R@5']
    """
    match = _NAME.fullmatch(text.strip())
    if match is None:
        message = f"metric must be a name such as nDCG@10 or P(rel=2)@5; got {text!r}."
        raise SettingError(message)
    name, at = match["name"], match["at"]
    measure = _measure(name)
    cut = _CUT.fullmatch(name)
    if measure is None and cut is not None and at is None:
        measure, at = _measure(cut[1]), cut[2]
    if measure is None:
        raise _unknown(text, name)
    settings = dict(measure.params) | _settings(match["settings"], text)
    if at is not None:
        settings[measure.AT_PARAM] = _number(at, text)
    chosen = type(measure)(**_checked(measure, settings, text))
    _check_computable(chosen)
    return RetrievalMetric(repr(chosen), chosen)


def _package() -> Any:
    try:
        return import_module("ir_measures")
    except ImportError as error:
        message = (
            "Metrics of retrieval must have the package ir_measures; there is none."
        )
        raise SettingError(message, hint=INSTALL) from error


def _measure(name: str) -> Any:
    """Return the measure of a name in any case; None where there is none."""
    registry = _package().measures.registry
    wanted = _ALIASES.get(name.lower(), name).lower()
    exact = {known.lower(): known for known in registry}
    return registry[exact[wanted]] if wanted in exact else None


def _unknown(text: str, name: str) -> SettingError:
    registry = _package().measures.registry
    names = {known.lower(): repr(measure) for known, measure in registry.items()}
    names |= {alias: known for alias, known in _ALIASES.items() if alias not in names}
    close = get_close_matches(name.lower(), names, n=1)
    message = f"metric must be one that ir_measures knows; got {text!r}."
    hint = f"Such as {', '.join(USUAL)}."
    if close:
        hint = f"Did you mean {names[close[0]]}{text.strip()[len(name) :]}?"
    return SettingError(message, hint=hint)


def _number(text: str, metric: str) -> int | float:
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        message = f"The cutoff of a metric must be a number; got {metric!r}."
        raise SettingError(message) from None


def _settings(text: str | None, metric: str) -> dict[str, Any]:
    """Read settings, such as ``(rel=2,judged_only=True)``."""
    if text is None:
        return {}
    try:
        call = ast.parse(f"f{text}", mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError
        return {str(x.arg): ast.literal_eval(x.value) for x in call.keywords}
    except (SyntaxError, ValueError) as error:
        message = f"Settings of a metric must be like P(rel=2)@5; got {metric!r}."
        raise SettingError(message) from error


def _checked(measure: Any, settings: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return settings that the measure has, each of its type."""
    known = measure.SUPPORTED_PARAMS
    for name in settings:
        if name not in known:
            shown = name if f"{name}=" in text else f"@{settings[name]}"
            message = f"{measure.NAME} must have settings that it knows; got {shown}."
            raise SettingError(message, hint=f"It knows: {', '.join(known) or 'none'}.")
    checked = {name: _typed(value, known[name]) for name, value in settings.items()}
    for name, info in known.items():
        given = (checked[name],) if name in checked else ()
        if given and not (info.validate(*given) and _allowed(*given)):
            kind = _KINDS.get(info.dtype, "something that is not read here")
            message = f"{name} of {measure.NAME} must be {kind}; got {settings[name]}."
            raise SettingError(message)
        if not given and info.required:
            message = f"{measure.NAME} must have a {name}; got {text!r}."
            at = name == measure.AT_PARAM
            hint = f"{measure.NAME}@10" if at else f"{measure.NAME}({name}=…)"
            raise SettingError(message, hint=hint)
    return checked


def _typed(value: Any, info: Any) -> Any:
    """Take a whole number for a real one."""
    return float(value) if info.dtype is float and type(value) is int else value


def _allowed(value: Any) -> bool:
    if isinstance(value, dict):
        return False
    return type(value) is not int or 1 <= value <= LARGEST


def _check_computable(measure: Any) -> None:
    """Refuse counts, and what needs a further package or other judgments."""
    package = _package()
    if not isinstance(measure.aggregator(), package.measures.MeanAgg):
        message = f"{measure!r} is a count; a metric must be a mean over queries."
        raise SettingError(message, hint=f"Such as {', '.join(USUAL)}.")
    try:
        computable = package.DefaultPipeline.supports(measure)
        needs = package.qrel_inputs([measure]) if computable else []
    except AssertionError as error:
        message = f"{measure!r} must have further settings: {error}."
        raise SettingError(message) from error
    if "iteration" in needs:
        message = f"{measure!r} must have judgments of subtopics, which are not read."
        raise SettingError(message)
    if not computable:
        ways = [p.install_instructions() for p in _providers(measure)]
        message = f"{measure!r} must be computed by a tool that is not installed."
        raise SettingError(message, hint=next(filter(None, ways), None))


def _providers(measure: Any) -> list[Any]:
    every = _package().DefaultPipeline.providers
    return [provider for provider in every if provider.supports(measure)]


def _safe(judgments: Judgments) -> Judgments:
    """Return judgments on which trec_eval does not end the process.

    It does where all of a query are below -1: none is relevant then, nor with -1.
    """
    return {
        query: dict.fromkeys(of_query, -1) if max(of_query.values()) < -1 else of_query
        for query, of_query in judgments.items()
    }
