"""What comparisons of many classes, priors, systems and folds are."""

from dataclasses import replace
from typing import TYPE_CHECKING

from likelier import wording
from likelier.errors import plain
from likelier.results.paragraph import Said, listed
from likelier.results.said import shared
from likelier.results.said.items import items_method, items_said, model
from likelier.results.said.scores import quadrature, scores_method, scores_said

if TYPE_CHECKING:
    from likelier.results.classes import ClassComparison
    from likelier.results.comparison import Comparison
    from likelier.results.pairs import Pairs
    from likelier.results.ranking import Ranking
    from likelier.results.sensitivity import Sensitivity
    from likelier.results.study import StudyReport


def comparison_said(result: "Comparison") -> list[Said]:
    """Say how two systems were compared: on items, or by scores of folds."""
    if result.question.datasets is None:
        return items_said(result)
    return scores_said(result)


def classes_said(result: "ClassComparison") -> list[Said]:
    """Say how the classes were compared, and their averages."""
    count = len(result.rows)
    each = f" of each of {count} classes against the rest"
    first = result.rows[0].comparison
    any_class = replace(first.question, positive="of that class")
    return [
        shared.asked(result.question, of=each),
        *items_method(replace(first, question=any_class)),
        *_averages(result, first),
        *_class_tests(result),
    ]


def _averages(result: "ClassComparison", first: "Comparison") -> list[Said]:
    if not result.averages:
        return []
    names = listed(found.question.metric_name for found in result.averages)
    told = [Said(f"The averages over all classes were compared too: {names}")]
    one = result.averages[0]
    method, usual = one.origin.method, first.origin.method
    same = method["description"] == usual["description"]
    said = [] if same else model(method["name"], method["description"], one.question)
    if method.get("draws") != usual.get("draws"):
        said = [*said, shared.drawn(one)]
    return [
        *told,
        *(Said(f"For the averages: {_lower(s.text)}", s.cited) for s in said),
    ]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _class_tests(result: "ClassComparison") -> list[Said]:
    each = [
        name
        for name, known in (
            ("sign test", [row.sign for row in result.rows]),
            ("p-test", [row.p_test for row in result.rows]),
        )
        if any(p is not None for p in known)
    ]
    across = [n.capitalize() for n, p in result.across.items() if p is not None]
    told = []
    if each:
        told.append(f"the {listed(each)} of the accuracy in each class")
    if across:
        told.append(f"the {listed(across)} over the classes' metrics")
    if not told:
        return []
    return [Said(f"Beside them stand p-values: {listed(told)}", ("yang1999",))]


def sensitivity_said(result: "Sensitivity") -> list[Said]:
    """Say under which priors the comparison was made."""
    strengths = listed(f"{strength:g}" for strength in result.strengths)
    told = Said(
        "The comparison was repeated under priors that weigh "
        f"{strengths} times as much as usual"
    )
    return [*comparison_said(result.usual), told]


def pairs_said(result: "Pairs") -> list[Said]:
    """Say how every system was compared with every other."""
    first = result.comparisons[0]
    names = listed(plain(name) for name in result.systems)
    told = Said(
        f"We compared {len(result.systems)} systems with each other on "
        f"{result.metric_name} {shared.size(first.question)}: {names}; each of them "
        "is the baseline of those that follow it"
    )
    scored = first.question.datasets is not None
    method = scores_method(first) if scored else items_method(first)
    errors = [c.across.population.error for c in result.comparisons if c.across]
    exact = [quadrature(max(errors))] if errors else []
    least = (
        f", if its probability is at least {result.threshold:g}"
        if result.threshold
        else ""
    )
    order = Said(
        f"The order takes the most probable relation of each pair of systems{least}",
        ("szymanski2020",),
    )
    return [told, *method, *exact, order]


def ranking_said(result: "Ranking") -> list[Said]:
    """Say what ranks and their tests rest on."""
    ranks = result.ranks
    drawn = Said(
        f"The probabilities of the ranks rest on {ranks.draws:,} draws "
        f"(seed {ranks.seed}): {plain(ranks.source)}"
    )
    return [*pairs_said(result.pairs), drawn, *_rank_tests(result)]


def _rank_tests(result: "Ranking") -> list[Said]:
    after = result.nemenyi
    told = []
    if result.friedman is not None and after is not None:
        text = (
            "Average ranks were tested by Friedman's test, with the F of Iman and "
            "Davenport, and by Nemenyi's critical difference at a level of "
            f"{after.alpha:g}"
        )
        told.append(Said(text, ("demsar2006", "iman1980")))
    if result.tests:
        text = (
            "Every pair was tested by Wilcoxon's signed-rank test over data sets, "
            "two-sided, with p-values adjusted for the number of pairs by Holm and by "
            "Benjamini and Hochberg"
        )
        told.append(Said(text, ("demsar2006", "holm1979", "benjamini1995")))
    if any(test.shown_on is not None for test in result.tests):
        text = (
            "On how many data sets a system is shown to be better was counted from "
            "one-sided corrected resampled t-tests by partial conjunctions"
        )
        told.append(Said(text, ("dror2017", "nadeau2003")))
    return told


def study_said(result: "StudyReport") -> list[Said]:
    """Say how a study was run, and then how its folds were compared."""
    sets = wording.counted(len(result.datasets), "data set")
    names = listed(plain(name) for name in result.datasets)
    systems = listed(plain(name) for name in result.systems)
    metrics = listed(wording.metric_name(name) for name in result.metrics)
    each = wording.counted(result.planned, "fold")
    told = [
        Said(
            f"In the study {plain(result.name)} the systems {systems} were trained and "
            f"tested on {sets} ({names}) by the design {plain(result.design)}: {each} "
            f"for each system and data set, seed {result.seed}; {result.progress()}"
        ),
        Said(f"The systems were measured by {metrics}"),
        *_versions(result),
    ]
    if not result.answers:
        return [*told, Said("No comparison was made")]
    return [*told, *(said for found in result.answers for said in _answer(found))]


def _answer(found: "Comparison | Pairs") -> list[Said]:
    from likelier.results.pairs import Pairs

    return pairs_said(found) if isinstance(found, Pairs) else comparison_said(found)


def _versions(result: "StudyReport") -> list[Said]:
    known = [
        f"{plain(name)} {' and '.join(map(plain, found))}"
        for name, found in result.versions.items()
    ]
    return [Said(f"Folds were run with {listed(known)}")] if known else []
