"""Results as lines of text: the answer first, then how much and how sure."""

from likelier import wording
from likelier.errors import plain
from likelier.report.composite import composite_lines
from likelier.report.summary import Composite, Result
from likelier.results import Comparison, NullTest


def lines(result: Result) -> list[str]:
    """Give what a person reads of one result in a terminal."""
    symbol = f"    {result.verdict.symbol}" if isinstance(result, Comparison) else ""
    return [
        f"{result.sentence()}{symbol}",
        *(f"  {line}" for line in detail_lines(result)),
        f"  recipe: {result.recipe}",
        *(f"  {finding}" for finding in result.findings),
    ]


def detail_lines(result: Result) -> list[str]:
    """Give the lines between the answer and the recipe."""
    if isinstance(result, Composite):
        return composite_lines(result)
    if isinstance(result, Comparison):
        return _comparison(result)
    if isinstance(result, NullTest):
        return [result.details_line(), result.question.size]
    return [result.question.size]


def _comparison(result: Comparison) -> list[str]:
    show = result.decimals
    parts = []
    for name, value, interval in result.per_system:
        told = f"{plain(name)}  {wording.number(value, show)}"
        if interval is not None:
            low, high = (wording.number(end, show) for end in interval)
            told = f"{told}  [{low}, {high}]"
        parts.append(told)
    evidence = result.evidence_line()
    sure = result.probabilities_line()
    tested, ahead = result.hypotheses_line(), result.outlook_line()
    return [
        *([] if tested is None else [tested]),
        f"{sure}    {evidence}" if evidence else sure,
        f"{'    '.join(parts)}    {result.question.size}",
        *([] if ahead is None else [ahead]),
        *result.scores_lines(),
    ]
