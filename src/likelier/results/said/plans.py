"""What a plan assumes and how its experiments are simulated."""

import re
from typing import TYPE_CHECKING

from likelier import wording
from likelier.errors import plain
from likelier.results.paragraph import Said, listed
from likelier.results.question import Question
from likelier.results.said import shared
from likelier.results.said.items import model

if TYPE_CHECKING:
    from likelier.recipe import Recipe
    from likelier.results.needed import Needed, Smallest
    from likelier.results.plan import PlanReport
    from likelier.results.power import Power, Setting

_DRAWS = re.compile(r"replications (\d+) draws (\d+) seed (\d+)")


def power_said(result: "Power") -> list[Said]:
    """Say how the chances of verdicts were found."""
    sizes = listed(f"{size:,}" for size in result.sizes)
    told = Said(
        f"The chance of every verdict was simulated for {sizes} {result.setting.unit}"
    )
    return _setting_said(result.setting, result.recipe, told)


def needed_said(result: "Needed") -> list[Said]:
    """Say how the number of items was found."""
    goal = (
        "a clear verdict" if result.goal == "decided" else f"the verdict {result.goal}"
    )
    told = Said(
        f"We searched for the number of {result.setting.unit} that gives {goal} a "
        f"chance of {100 * result.chance:g} %"
    )
    return _setting_said(result.setting, result.recipe, told)


def smallest_said(result: "Smallest") -> list[Said]:
    """Say how the smallest difference was found."""
    told = Said(
        f"We searched for the difference that {result.size:,} {result.setting.unit} "
        f"show as {result.goal} with a chance of {100 * result.chance:g} %, the "
        "systems disagreeing as often as assumed"
    )
    return _setting_said(result.setting, result.recipe, told)


def plan_said(result: "PlanReport") -> list[Said]:
    """Say all that a plan did; what its parts share is said once."""
    parts = [
        power_said(result.power),
        *([] if result.needed is None else [needed_said(result.needed)]),
        *(smallest_said(one) for one in result.smallest),
    ]
    shared_by_all = parts[0][:-1]
    aims = [part[-1] for part in parts]
    return [*shared_by_all, *aims]


def _setting_said(setting: "Setting", recipe: "Recipe", told: Said) -> list[Said]:
    first, second = setting.shown_systems
    gap = wording.number(setting.difference, 4, signed=True)
    found = _DRAWS.fullmatch(recipe.draws)
    draws = f", each posterior with {int(found[2]):,} draws" if found else ""
    seed = f" (seed {found[3]})" if found else ""
    truth = (
        ""
        if setting.certain
        else ", each experiment with a truth of its own drawn from it"
    )
    same = (
        "both systems see the same"
        if setting.items == "same"
        else "each system sees its own"
    )
    return [
        Said(
            f"We planned a comparison of the candidate {second} with the baseline "
            f"{first} on {setting.metric_name}, assuming {plain(setting.assumed)} "
            f"(a difference of {gap}){truth}"
        ),
        Said(
            f"For every size {setting.replications:,} experiments were simulated{seed} "
            f"in which {same} {setting.unit}, and each was analysed as the real one "
            f"will be{draws}",
            ("zhang2016",),
        ),
        *model(setting.method.split()[0], setting.method, _question(setting)),
        shared.intervals(setting.mass),
        shared.region(setting.rope),
        shared.verdict(setting.rule, setting.rope, setting.mass),
        told,
    ]


def _question(setting: "Setting") -> Question:
    """Put a setting as the question that its experiments ask."""
    return Question(
        systems=setting.systems,
        metric=setting.metric,
        positive=setting.positive,
        items=0,
        units=0,
        patterns=0,
        observed=(),
        unit=setting.unit,
    )
