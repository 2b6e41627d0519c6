"""Commands for predictions on items; what is heavy is imported inside them."""

from functools import partial

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.output_options import PlotKind, with_outputs
from likelier.cli.outputs import Outputs
from likelier.errors import InputError, unknown_name


@with_outputs()
def compare(
    files: data.Files,
    *,
    metric: setting.MetricName,
    gold: data.Gold = "gold",
    systems: data.Systems = None,
    positive: setting.Positive = None,
    rope: setting.RopeText = None,
    each_class: setting.EachClass = False,
    sensitivity: setting.Sensitive = False,
    id: data.Id = None,  # noqa: A002 - the option is called --id
    label: data.Label = None,
    cluster: data.Cluster = None,
    separator: data.Separator = None,
    sets: data.Sets = False,
    beta: setting.Beta = None,
    alpha: setting.Alpha = None,
    method: setting.Method = "paired",
    prior: setting.Prior = None,
    strength: setting.Strength = 1.0,
    factor: setting.Factor = "rope",
    rule: setting.Rule = "hdi-rope",
    mass: setting.Mass = 0.95,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    plot_kind: PlotKind = "posterior",
    outputs: Outputs,
) -> None:
    """Say whether the second system is better than the first, and how sure that is.

    likelier compare predictions.csv --systems a,b --metric f1 --positive spam
    --rope 0.01
    """
    from likelier.cli import calls
    from likelier.cli.delivery import factor_figure

    outputs.check(files)
    asked = calls.Asked.of(metric, beta=beta, alpha=alpha, positive=positive)
    source = calls.Source(
        files, gold, calls.listed_names(systems), id, label, cluster, separator, sets
    )
    way = calls.Way(
        method, prior, rule, calls.rope_of(rope), mass, draws, seed, strength, factor
    )
    if plot_kind not in ("posterior", "factor"):
        raise unknown_name(plot_kind, ("posterior", "factor"), kind="plot-kind")
    if each_class and sensitivity:
        message = "Only one of --each-class and --sensitivity can be asked for."
        raise InputError(message)
    if each_class:
        outputs.deliver(calls.each_class(source, asked, way))
    elif sensitivity:
        outputs.deliver(calls.sensitive(source, asked, way))
    else:
        results = calls.compared(source, asked, way)
        draw = partial(factor_figure, results) if plot_kind == "factor" else None
        outputs.deliver(results, draw=draw)


@with_outputs(example="interval.low > 0.8", verdicts=False, plot=False)
def score(
    files: data.Files,
    *,
    metric: setting.MetricName,
    gold: data.Gold = "gold",
    systems: data.Systems = None,
    positive: setting.Positive = None,
    id: data.Id = None,  # noqa: A002 - the option is called --id
    label: data.Label = None,
    cluster: data.Cluster = None,
    separator: data.Separator = None,
    sets: data.Sets = False,
    beta: setting.Beta = None,
    alpha: setting.Alpha = None,
    interval: setting.IntervalName = "hdi",
    mass: setting.Mass = 0.95,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    outputs: Outputs,
) -> None:
    """Give each system's metric with its interval.

    likelier score predictions.csv --systems a,b --metric f1,precision,recall
    --positive spam
    """
    from likelier.cli import calls

    outputs.check(files)
    asked = calls.Asked.of(metric, beta=beta, alpha=alpha, positive=positive)
    source = calls.Source(
        files, gold, calls.listed_names(systems), id, label, cluster, separator, sets
    )
    scored = calls.scored(
        source, asked, interval=interval, mass=mass, draws=draws, seed=seed
    )
    outputs.deliver(scored, several=True)
