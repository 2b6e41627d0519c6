"""Commands for scores of cross-validation; what is heavy is imported inside them."""

from likelier.cli import options


def scores(
    file: options.ScoresFile,
    rope: options.RopeText = None,
    systems: options.SystemNames = None,
    method: options.ScoreMethodName = None,
    dataset: options.DatasetColumn = "dataset",
    run: options.RunColumn = "run",
    fold: options.FoldColumn = "fold",
    system: options.SystemColumn = "system",
    score: options.ScoreColumn = "score",
    test_share: options.TestShare = None,
    metric: options.ScoreName = "score",
    lower_is_better: options.LowerIsBetter = False,
    threshold: options.Threshold = 0.0,
    rule: options.ScoreRule = None,
    mass: options.Mass = 0.95,
    draws: options.DrawCount = None,
    seed: options.Seed = None,
    json: options.Json = None,
    html: options.Html = None,
    plot: options.Plot = None,
    plot_kind: options.ScorePlotKind = None,
    markdown: options.Markdown = False,
    latex: options.Latex = False,
    fail_unless: options.FailUnless = None,
) -> None:
    """Compare systems from scores of cross-validation, on one or many data sets.

    likelier scores scores.csv --rope 0.01
    """
    from likelier.cli import calls, scored
    from likelier.cli.outputs import Outputs

    outputs = Outputs(json, html, plot, markdown, latex, fail_unless)
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


def rank(
    files: options.RankFiles,
    metric: options.RankMetric = None,
    rope: options.RopeText = None,
    gold: options.Gold = "gold",
    systems: options.SystemNames = None,
    positive: options.Positive = None,
    id: options.Id = None,  # noqa: A002 - the option is called --id
    label: options.Label = None,
    cluster: options.Cluster = None,
    method: options.ScoreMethodName = None,
    dataset: options.DatasetColumn = "dataset",
    run: options.RunColumn = "run",
    fold: options.FoldColumn = "fold",
    system: options.SystemColumn = "system",
    score: options.ScoreColumn = "score",
    test_share: options.TestShare = None,
    lower_is_better: options.LowerIsBetter = False,
    threshold: options.Threshold = 0.0,
    level: options.Level = 0.05,
    mass: options.Mass = 0.95,
    draws: options.DrawCount = None,
    seed: options.Seed = None,
    json: options.Json = None,
    html: options.Html = None,
    plot: options.Plot = None,
    plot_kind: options.RankPlotKind = None,
    markdown: options.Markdown = False,
    latex: options.Latex = False,
    fail_unless: options.RankFailUnless = None,
) -> None:
    """Put many systems in order: from scores, or from predictions with --metric.

    likelier rank scores.csv --rope 0.01

    likelier rank predictions.csv --metric accuracy --rope 0.01
    """
    from likelier.cli import calls, scored
    from likelier.cli.outputs import Outputs

    outputs = Outputs(json, html, plot, markdown, latex, fail_unless)
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
