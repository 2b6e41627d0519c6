"""Command `folds`: answers from the folds of cross-validation."""

from typing import TYPE_CHECKING, Any

import typer

from likelier.cli import data_options as data
from likelier.cli import setting_options as setting
from likelier.cli.option_values import metrics_of, names_of, range_of, refuse
from likelier.cli.outputs import Outputs, with_outputs
from likelier.cli.several_systems import as_one, pairs_of
from likelier.cli.working import sized, working
from likelier.formatting import counted

if TYPE_CHECKING:
    from likelier.results.comparison import Comparison

_OF_SCORES = ("dataset", "run", "system", "score", "test_share", "higher_is_better")
_OF_COUNTS = (
    *("gold", "positive", "repetition", "beta", "alpha"),
    *("margin", "rho1", "rho2", "interval"),
)


@with_outputs(plots=("posterior", "simplex", "data-sets", "intervals", "densities"))
def folds(
    context: typer.Context,
    file: data.FoldFile,
    *,
    metric: setting.FoldMetric = None,
    systems: data.SystemNames = None,
    positive: setting.Positive = None,
    rope: setting.RopeText = None,
    higher_is_better: setting.HigherIsBetter = True,
    gold: data.Gold = "gold",
    dataset: data.DatasetColumn = "dataset",
    run: data.RunColumn = "run",
    repetition: data.RepetitionColumn = "repetition",
    fold: data.FoldColumn = "fold",
    system: data.SystemColumn = "system",
    score: data.ScoreColumn = "score",
    test_share: data.TestShare = None,
    beta: setting.Beta = None,
    alpha: setting.Alpha = None,
    method: setting.FoldMethod = None,
    rule: setting.FoldRule = None,
    mass: setting.Mass = 0.95,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    margin: setting.Margin = 0.0,
    rho1: setting.Rho1 = "0,0.5",
    rho2: setting.Rho2 = "0.25,0.5",
    interval: setting.FoldInterval = "hdi",
    outputs: Outputs,
) -> None:
    """Compare systems by cross-validation: scores, counts or predictions of folds.

    likelier folds scores.csv --rope 0.01

    likelier folds counts.csv --metric f1
    """
    import likelier as lk
    from likelier.readers import fold_counts
    from likelier.readers.fold_scores import ScoreColumns, read_scores
    from likelier.results.result_list import ResultList
    from likelier.streams import as_seed

    outputs = outputs.check([file])
    names = names_of(systems)
    settings: dict[str, Any] = {
        "rope": range_of(rope, name="rope"),
        "method": method,
        "rule": rule,
        "mass": mass,
        "draws": draws,
        "seed": as_seed(seed),
    }
    kind = fold_counts.fold_table_kind(
        file, gold=gold, repetition=repetition, system=system, score=score
    )
    if kind == "scores":
        refuse(context, _OF_COUNTS, without="counts or predictions of folds")
        with working(f"reading scores of {sized([file])}"):
            scores = read_scores(
                file,
                columns=ScoreColumns(dataset, run, fold, system, score),
                test_share=test_share,
                metric="score" if metric is None else metric,
                higher_is_better=higher_is_better,
            )
        pairs = pairs_of(scores.systems if names is None else names)
        with working(f"comparing {counted(len(pairs) + 1, 'system')} on folds"):
            compared = [lk.compare_folds(scores, systems=p, **settings) for p in pairs]
        outputs.deliver(as_one(compared))
        return
    refuse(context, _OF_SCORES, without="scores of folds")
    if kind == "counts":
        refuse(context, ["gold"], without="predictions of folds")
    settings |= {
        "positive": positive,
        "margin": margin,
        "rho1": range_of(rho1, name="rho1"),
        "rho2": range_of(rho2, name="rho2"),
        "interval": interval,
    }
    text = "precision,recall,f1" if metric is None else metric
    metrics = metrics_of(text, beta=beta, alpha=alpha)
    columns = {"repetition": repetition, "fold": fold}
    with working(f"counting items of {sized([file])}"):
        reading = (
            fold_counts.read_counts(file, **columns)
            if kind == "counts"
            else fold_counts.read_fold_predictions(
                file, gold=gold, systems=names, **columns
            )
        )
    pairs = pairs_of(reading.outcomes.systems if names is None else names)
    settings["repetitions"] = reading.repetitions

    def tested(**changed: float) -> "list[Comparison]":
        return [
            lk.compare_folds(
                reading.outcomes, systems=pair, metric=m, **settings | changed
            )
            for m in metrics
            for pair in pairs
        ]

    # A plot also shows the mean over folds, where rho1 and rho2 are 1 (Wang 2015).
    by_mean = outputs.plot is not None and reading.repetitions is not None
    beside = tested(rho1=1.0, rho2=1.0) if by_mean else []
    outputs.deliver(ResultList(tested(), beside=beside), kind="densities")
