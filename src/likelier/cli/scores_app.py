"""Commands for scores of cross-validation; what is heavy is imported inside them."""

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.output_options import RankPlotKind, ScorePlotKind, with_outputs
from likelier.cli.outputs import Outputs


@with_outputs()
def scores(
    file: data.ScoresFile,
    *,
    rope: setting.RopeText = None,
    systems: data.SystemNames = None,
    method: setting.ScoreMethodName = None,
    dataset: data.DatasetColumn = "dataset",
    run: data.RunColumn = "run",
    fold: data.FoldColumn = "fold",
    system: data.SystemColumn = "system",
    score: data.ScoreColumn = "score",
    test_share: data.TestShare = None,
    metric: setting.ScoreName = "score",
    lower_is_better: data.LowerIsBetter = False,
    threshold: setting.Threshold = 0.0,
    rule: setting.ScoreRule = None,
    mass: setting.Mass = 0.95,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    plot_kind: ScorePlotKind = None,
    outputs: Outputs,
) -> None:
    """Compare systems from scores of cross-validation, on one or many data sets.

    likelier scores scores.csv --rope 0.01
    """
    from likelier.cli import calls, scored

    outputs.check([file])
    source = scored.ScoresSource(
        file, dataset, run, fold, system, score, test_share, metric, lower_is_better
    )
    way = scored.ScoreWay(
        method, calls.rope_of(rope), rule, mass, threshold, draws, seed
    )
    result = scored.compared(
        source, way, calls.listed_names(systems), plot_kind=plot_kind
    )
    outputs.deliver([result], draw=scored.figure(result, plot_kind))


@with_outputs(example="P(best) > 0.9", verdicts=False)
def rank(
    files: data.RankFiles,
    *,
    metric: setting.RankMetric = None,
    rope: setting.RopeText = None,
    gold: data.Gold = "gold",
    systems: data.SystemNames = None,
    positive: setting.Positive = None,
    id: data.Id = None,  # noqa: A002 - the option is called --id
    label: data.Label = None,
    cluster: data.Cluster = None,
    method: setting.ScoreMethodName = None,
    dataset: data.DatasetColumn = "dataset",
    run: data.RunColumn = "run",
    fold: data.FoldColumn = "fold",
    system: data.SystemColumn = "system",
    score: data.ScoreColumn = "score",
    test_share: data.TestShare = None,
    lower_is_better: data.LowerIsBetter = False,
    threshold: setting.Threshold = 0.0,
    level: setting.Level = 0.05,
    mass: setting.Mass = 0.95,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    plot_kind: RankPlotKind = None,
    outputs: Outputs,
) -> None:
    """Put many systems in order: from scores, or from predictions with --metric.

    likelier rank scores.csv --rope 0.01

    likelier rank predictions.csv --metric accuracy --rope 0.01
    """
    from likelier.cli import calls, scored

    outputs.check(files)
    scored.check_kind(plot_kind, scored.RANKING_KINDS)
    names = calls.listed_names(systems)
    way = scored.ScoreWay(
        method, calls.rope_of(rope), None, mass, threshold, draws, seed
    )
    of_items = {"positive": positive, "id": id, "label": label, "cluster": cluster}
    of_scores = {
        "method": method,
        "test-share": test_share,
        "lower-is-better": lower_is_better or None,
    }
    scored.check_unused(of_items if metric is None else of_scores, metric)
    if metric is None:
        source = scored.ScoresSource(
            scored.one_file(files),
            dataset,
            run,
            fold,
            system,
            score,
            test_share,
            "score",
            lower_is_better,
        )
        result = scored.ranked(source, way, names, level=level)
    else:
        items = calls.Source(files, gold, names, id, label, cluster, None, sets=False)
        asked = calls.Asked.of(metric, beta=None, alpha=None, positive=positive)
        result = scored.ranked_items(items, asked, way)
    outputs.deliver([result], draw=scored.figure(result, plot_kind))
