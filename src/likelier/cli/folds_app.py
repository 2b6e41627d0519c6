"""Commands for folds: their counts and how to make them; heavy imports inside."""

import sys
from typing import TYPE_CHECKING

from likelier.cli import data_options as data
from likelier.cli import plan_options as plan
from likelier.cli import setting_options as setting
from likelier.cli.output_options import with_outputs
from likelier.cli.outputs import Outputs
from likelier.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@with_outputs()
def counts(
    file: data.CountsFile,
    *,
    metric: setting.MetricName = "precision,recall,f1",
    gold: data.Gold = "gold",
    systems: data.Systems = None,
    positive: setting.Positive = None,
    repetition: data.RepetitionColumn = "repetition",
    fold: data.FoldColumn = "fold",
    margin: setting.Margin = 0.0,
    rope: setting.RopeText = None,
    beta: setting.Beta = None,
    alpha: setting.Alpha = None,
    method: setting.CountsMethod = None,
    rho1: setting.Rho = "0,0.5",
    rho2: setting.Rho = "0.25,0.5",
    interval: setting.IntervalName = "hdi",
    mass: setting.Mass = 0.95,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    outputs: Outputs,
) -> None:
    """Test by Bayes' rule from the counts of blocked m x 2 cross-validation.

    likelier counts counts.csv --metric f1
    """
    from dataclasses import replace

    from likelier.cli import calls, folds

    outputs.check([file])
    asked = calls.Asked.of(metric, beta=beta, alpha=alpha, positive=positive)
    correlations = (
        folds.range_of(rho1, name="rho1"),
        folds.range_of(rho2, name="rho2"),
    )
    kind = calls.interval_kind(interval, "hdi", "equal-tailed")
    test = folds.Test(
        method, margin, *correlations, calls.rope_of(rope), kind, mass, draws, seed
    )
    names = calls.listed_names(systems)
    reading, counted = folds.read_folds(
        file, gold=gold, systems=names, repetition=repetition, fold=fold
    )
    results = folds.tested(reading, asked, test, counts=counted)

    def draw() -> "Figure":
        if reading.repetitions is None:
            return folds.figure_of(results, [])
        mean = replace(test, rho1=1.0, rho2=1.0)
        beside = folds.tested(reading, asked, mean, counts=counted)
        return folds.figure_of(results, beside)

    outputs.deliver(results, several=True, draw=draw)


def split(
    file: data.SplitFile,
    *,
    design: plan.DesignName = "mx2",
    m: plan.Repetitions = 3,
    k: plan.FoldCount = 10,
    repeats: plan.Repeats = 10,
    stratify: plan.Stratify = None,
    groups: plan.Groups = None,
    id: data.Id = None,  # noqa: A002 - the option is called --id
    seed: setting.Seed = None,
    out: plan.Out = None,
) -> None:
    """Write in which repetition and fold each item is tested.

    likelier split items.csv --design mx2 --m 3 --stratify label
    """
    from likelier.cli import folds
    from likelier.report.files import check_writable, write_whole

    if out is not None:
        check_writable(out)
        if out.resolve() == file.resolve():
            message = f"{out} must not be the input and the output."
            raise InputError(message)
    wanted = folds.Split(design, m, k, repeats, stratify, groups, id, seed)
    result = folds.assigned(file, wanted)
    jsonl = out is not None and out.suffix == ".jsonl"
    text = result.as_jsonl() if jsonl else result.as_csv()
    if out is None:
        sys.stdout.write(text)
    else:
        write_whole(out, text.encode())
    for line in folds.lines(result):
        sys.stderr.write(f"{line}\n")
