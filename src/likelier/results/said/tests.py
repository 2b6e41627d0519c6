"""What a p-value or an estimate is."""

from typing import TYPE_CHECKING

from likelier import wording
from likelier.errors import plain
from likelier.references import cites
from likelier.results.paragraph import Said
from likelier.results.said import shared
from likelier.results.said.items import model

if TYPE_CHECKING:
    from likelier.results.estimate import Estimate
    from likelier.results.null_test import NullTest

_SIDES = {
    "two-sided": "in either direction",
    "as-observed": "in the direction that the data showed",
    "greater": "in favour of the candidate",
    "less": "in favour of the baseline",
}


def null_said(result: "NullTest") -> list[Said]:
    """Say which test gave the p-value."""
    question = result.question
    first, second = question.shown_systems
    return [
        Said(
            f"We tested the hypothesis that the candidate {second} and the baseline "
            f"{first} do not differ on {question.metric_name} {shared.size(question)}"
        ),
        _test(result),
        *_counted(result),
    ]


def _test(result: "NullTest") -> Said:
    name, description = (
        result.origin.method["name"],
        result.origin.method["description"],
    )
    unit = "cluster" if "clusters" in description else "item"
    told = {
        "randomization": f"The test is {_swaps(result)}: what the two systems did is "
        f"swapped by a fair coin, {unit} by {unit}, and a difference counts that is at "
        f"least as large as the observed one, {_side(result)}",
        "bootstrap": f"The test is the paired bootstrap of {unit}s: "
        f"{_bootstrap(result, ties='>=' in description)}",
        "mcnemar": "The test is McNemar's exact conditional test, two-sided",
        "mcnemar-midp": "The test is McNemar's test with the mid-p value, two-sided",
        "sign": f"The test is the exact sign test over {unit}s, two-sided",
        "s-test": "The test is the s-test, a sign test on single decisions, two-sided: "
        "exact up to 12 decisions that differ, and by the normal approximation above",
        "p-test": "The test is the p-test of two proportions, two-sided, which takes "
        "the proportions as if from separate items",
    }
    text = told.get(name, f"The test is {plain(description)}")
    return Said(text, cites("null", name))


def _swaps(result: "NullTest") -> str:
    drawn = "b" in result.null.details
    return "approximate randomization" if drawn else "the exact randomization test"


def _side(result: "NullTest") -> str:
    return _SIDES[result.null.alternative]


def _bootstrap(result: "NullTest", *, ties: bool) -> str:
    least = "at least" if ties else "more than"
    if result.null.alternative == "two-sided":
        beyond = (
            f"that differs from the observed one by {least} the size of the observed "
            "one"
        )
    else:
        beyond = f"that is {least} twice the observed one"
    return (
        "test sets of the same size are drawn with replacement, and a drawn difference "
        f"counts {beyond}, {_side(result)}"
    )


def _counted(result: "NullTest") -> list[Said]:
    details = result.null.details
    if "b" not in details:
        kept = {k: v for k, v in details.items() if k != "pooled share"}
        counts = "; ".join(f"{name}: {value:,g}" for name, value in kept.items())
        told = f" ({counts})" if counts else ""
        return [Said(f"The p-value is computed without random draws{told}")]
    s, b = int(details["s"]), int(details["b"])
    seed = result.origin.method["seed"]
    if result.p_value == (s + 1) / (b + 1):
        text = (
            f"With b = {b:,} draws (seed {seed}), s = {s:,} of which count, the "
            "p-value is (s + 1) / (b + 1)"
        )
    else:
        text = f"The observed difference is 0, so the p-value is 1 (b = {b:,} draws)"
    return [Said(text)]


def estimate_said(result: "Estimate") -> list[Said]:
    """Say what is known of a metric, and how."""
    question, method = result.question, result.origin.method
    names, metric = question.shown_systems, question.metric_name
    over = shared.size(question)
    if len(names) == 1:
        told = [Said(f"We estimated {metric} of {names[0]} {over}")]
    else:
        told = [
            Said(
                f"We estimated the difference in {metric} between the candidate "
                f"{names[1]} and the baseline {names[0]} {over}"
            ),
            Said("A positive difference is one in favour of the candidate"),
        ]
    return [
        *told,
        *_known(result),
        _interval(result),
        *_random(method),
    ]


def _known(result: "Estimate") -> list[Said]:
    method = result.origin.method
    name, description = method["name"], method["description"]
    cited = cites("estimate", name)
    if name == "exact-law":
        prior = description.rpartition("prior=")[2]
        text = (
            "Its posterior is the exact law that follows from the counts as cells of a "
            f"Dirichlet distribution, with a prior of {prior} on each"
        )
        return [Said(text, cited)]
    if name == "bootstrap":
        unit = "clusters" if "clusters" in description else "items"
        text = (
            f"How it would vary on other test sets is known from the bootstrap: {unit} "
            "were drawn with replacement"
        )
        return [Said(text, cited)]
    return model(name, description, result.question)


def _interval(result: "Estimate") -> Said:
    kind, mass = result.interval.kind, result.interval.mass
    name = wording.interval_name(kind, mass)
    told = {
        "hdi": "the shortest credible interval",
        "equal-tailed": "a credible interval with equal tails",
        "confidence": "by the percentiles of the draws",
    }[kind]
    return Said(f"The interval is the {name}, {told}")


def _random(method: dict[str, object]) -> list[Said]:
    if "draws" not in method:
        return [Said("It is computed without random draws")]
    return [Said(f"It rests on {method['draws']:,} draws, seed {method['seed']}")]
