"""The command that plans; what is heavy is imported inside it."""

from likelier.cli import data_options as data
from likelier.cli import plan_options as planning
from likelier.cli import setting_options as setting
from likelier.cli.output_options import with_outputs
from likelier.cli.outputs import Outputs


@with_outputs(example="needed.items < 5000", verdicts=False)
def plan(
    files: data.PilotFiles = None,
    *,
    assume: planning.Assume = None,
    accuracies: planning.Accuracies = None,
    agreement: planning.Agreement = None,
    metric: planning.PlanMetric = None,
    gold: data.Gold = "gold",
    systems: data.Systems = None,
    positive: setting.Positive = None,
    rope: setting.RopeText = None,
    goal: planning.Goal = "better",
    chance: planning.Chance = 0.8,
    sizes: planning.Sizes = None,
    as_truth: planning.AsTruth = False,
    id: data.Id = None,  # noqa: A002 - the option is called --id
    label: data.Label = None,
    cluster: data.Cluster = None,
    separator: data.Separator = None,
    sets: data.Sets = False,
    method: planning.PlanMethod = "paired",
    items: planning.ItemsKind = "same",
    rule: setting.Rule = "hdi-rope",
    mass: setting.Mass = 0.95,
    replications: planning.Replications = 1000,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    outputs: Outputs,
) -> None:
    """Say what n items would show, and how many are needed.

    likelier plan --accuracies 0.85,0.87 --agreement 0.9 --rope 0.01 --goal better
    """
    from likelier.cli import calls, planned

    outputs.check([*(files or []), *([] if assume is None else [assume])])
    source = calls.Source(
        files or [],
        gold,
        calls.listed_names(systems),
        id,
        label,
        cluster,
        separator,
        sets,
    )
    basis = planned.Basis(assume, accuracies, agreement, source, as_truth)
    aim = planned.Aim(metric, positive, goal, chance, planned.sizes_of(sizes))
    judged = planned.Judged(
        calls.rope_of(rope), method, items, rule, mass, replications, draws, seed
    )
    outputs.deliver([planned.report(basis, aim, judged)])
