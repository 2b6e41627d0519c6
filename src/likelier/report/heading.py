"""The top of a page: the answer in words, and what it rests on."""

from collections.abc import Sequence

from likelier import wording
from likelier.errors import plain
from likelier.report.forest import label_of_estimate
from likelier.report.summary import Result
from likelier.report.text import detail_lines
from likelier.results import Comparison, Estimate, NullTest, Pairs, StudyReport

# Beyond, estimates are only counted.
_MOST_SAID = 4


def heading(results: Sequence[Result]) -> str:
    """Say the answer; of several, how many there are of each verdict."""
    first = results[0]
    if len(results) > 1:
        return _counted(results)
    if isinstance(first, StudyReport) and len(first.answers) > 1:
        return f"{plain(first.name)}: {_counted(first.answers)}"
    return first.sentence()


def _counted(results: Sequence[Result]) -> str:
    verdicts = [r.verdict.name for r in results if isinstance(r, Comparison)]
    if len(verdicts) == len(results):
        counts = {name: verdicts.count(name) for name in dict.fromkeys(verdicts)}
        told = ", ".join(f"{count} {name}" for name, count in counts.items())
        return f"{len(results)} comparisons: {told}"
    estimates = [r for r in results if isinstance(r, Estimate)]
    if len(estimates) == len(results):
        return _values(estimates)
    kind = {NullTest: "test", Pairs: "order"}
    return wording.counted(len(results), kind.get(type(results[0]), "result"))


def _values(estimates: Sequence[Estimate]) -> str:
    told = [
        f"{label_of_estimate(one)} {wording.number(one.value, one.decimals)}"
        for one in estimates[:_MOST_SAID]
    ]
    rest = len(estimates) - _MOST_SAID
    return "; ".join([*told, *([f"and {rest} more"] if rest > 0 else [])])


def lines(results: Sequence[Result]) -> list[str]:
    """Say what the answers are, and what they rest on, each thing once."""
    said = [r.sentence() for r in results] if len(results) > 1 else []
    if isinstance(results[0], StudyReport) and len(results[0].answers) > 1:
        said = [answer.sentence() for answer in results[0].answers]
    rest = [line for result in results for line in _rest(result)]
    return list(dict.fromkeys([*said, *rest]))


def _rest(result: Result) -> list[str]:
    """Give what the sections do not say."""
    if isinstance(result, Comparison | Estimate):
        return [result.question.size]
    # A page does not keep the wide blanks of a terminal.
    return [line.replace("    ", "; ") for line in detail_lines(result)]
