"""The commands. What is heavy is imported inside them, so that help comes at once."""

import sys
import traceback
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likelier.cli import options, scores_app, study_app
from likelier.errors import InputError, LikelierError, unknown_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

app = typer.Typer(
    name="likelier",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Boxes and colours take as long to load as all the rest; a pipe needs neither.
    rich_markup_mode="rich" if sys.stdout.isatty() else None,
)


@app.command()
def compare(
    files: options.Files,
    metric: options.MetricName,
    gold: options.Gold = "gold",
    systems: options.Systems = None,
    positive: options.Positive = None,
    rope: options.RopeText = None,
    each_class: options.EachClass = False,
    sensitivity: options.Sensitive = False,
    id: options.Id = None,  # noqa: A002 - the option is called --id
    label: options.Label = None,
    cluster: options.Cluster = None,
    separator: options.Separator = None,
    sets: options.Sets = False,
    beta: options.Beta = None,
    alpha: options.Alpha = None,
    method: options.Method = "paired",
    prior: options.Prior = None,
    strength: options.Strength = 1.0,
    factor: options.Factor = "rope",
    rule: options.Rule = "hdi-rope",
    mass: options.Mass = 0.95,
    draws: options.DrawCount = None,
    seed: options.Seed = None,
    json: options.Json = None,
    html: options.Html = None,
    plot: options.Plot = None,
    plot_kind: options.PlotKind = "posterior",
    markdown: options.Markdown = False,
    latex: options.Latex = False,
    fail_unless: options.FailUnless = None,
) -> None:
    """Say whether the second system is better than the first, and how sure that is.

    likelier compare predictions.csv --systems a,b --metric f1 --positive spam
    --rope 0.01
    """
    from likelier.cli import calls
    from likelier.cli.delivery import factor_figure
    from likelier.cli.outputs import Outputs

    outputs = Outputs(json, html, plot, markdown, latex, fail_unless)
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


@app.command()
def score(
    files: options.Files,
    metric: options.MetricName,
    gold: options.Gold = "gold",
    systems: options.Systems = None,
    positive: options.Positive = None,
    id: options.Id = None,  # noqa: A002 - the option is called --id
    label: options.Label = None,
    cluster: options.Cluster = None,
    separator: options.Separator = None,
    sets: options.Sets = False,
    beta: options.Beta = None,
    alpha: options.Alpha = None,
    interval: options.IntervalName = "hdi",
    mass: options.Mass = 0.95,
    draws: options.DrawCount = None,
    seed: options.Seed = None,
    json: options.Json = None,
    html: options.Html = None,
    markdown: options.Markdown = False,
    latex: options.Latex = False,
) -> None:
    """Give each system's metric with its interval.

    likelier score predictions.csv --systems a,b --metric f1,precision,recall
    --positive spam
    """
    from likelier.cli import calls
    from likelier.cli.outputs import Outputs

    outputs = Outputs(json, html, None, markdown, latex, None)
    outputs.check(files)
    asked = calls.Asked.of(metric, beta=beta, alpha=alpha, positive=positive)
    source = calls.Source(
        files, gold, calls.listed_names(systems), id, label, cluster, separator, sets
    )
    scored = calls.scored(
        source, asked, interval=interval, mass=mass, draws=draws, seed=seed
    )
    outputs.deliver(scored, several=True)


@app.command()
def counts(
    file: options.CountsFile,
    metric: options.MetricName = "precision,recall,f1",
    gold: options.Gold = "gold",
    systems: options.Systems = None,
    positive: options.Positive = None,
    repetition: options.RepetitionColumn = "repetition",
    fold: options.FoldColumn = "fold",
    margin: options.Margin = 0.0,
    rope: options.RopeText = None,
    beta: options.Beta = None,
    alpha: options.Alpha = None,
    method: options.CountsMethod = None,
    rho1: options.Rho = "0,0.5",
    rho2: options.Rho = "0.25,0.5",
    interval: options.IntervalName = "hdi",
    mass: options.Mass = 0.95,
    draws: options.DrawCount = None,
    seed: options.Seed = None,
    json: options.Json = None,
    html: options.Html = None,
    plot: options.Plot = None,
    markdown: options.Markdown = False,
    latex: options.Latex = False,
    fail_unless: options.FailUnless = None,
) -> None:
    """Test by Bayes' rule from the counts of blocked m x 2 cross-validation.

    likelier counts counts.csv --metric f1
    """
    from dataclasses import replace

    from likelier.cli import calls, folds
    from likelier.cli.outputs import Outputs

    outputs = Outputs(json, html, plot, markdown, latex, fail_unless)
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


app.command()(scores_app.scores)
app.command()(scores_app.rank)
app.command()(study_app.run)
app.command()(study_app.show)


@app.command()
def chunks(
    files: options.TaggedFiles,
    scheme: options.Scheme = None,
    metric: options.MetricName = "f1",
    systems: options.Systems = None,
    strict: options.Strict = False,
    boundaries: options.Boundaries = False,
    only: options.Only = None,
    documents: options.Documents = False,
    segmented: options.Segmented = False,
    positive: options.Positive = None,
    rope: options.RopeText = None,
    each_class: options.EachClass = False,
    beta: options.Beta = None,
    alpha: options.Alpha = None,
    method: options.Method = "paired",
    prior: options.Prior = None,
    strength: options.Strength = 1.0,
    factor: options.Factor = "rope",
    rule: options.Rule = "hdi-rope",
    mass: options.Mass = 0.95,
    draws: options.DrawCount = None,
    seed: options.Seed = None,
    json: options.Json = None,
    html: options.Html = None,
    plot: options.Plot = None,
    markdown: options.Markdown = False,
    latex: options.Latex = False,
    fail_unless: options.FailUnless = None,
) -> None:
    """Compare systems that find chunks: named entities, phrases, words.

    likelier chunks gold.conll a.conll b.conll --scheme iob2
    """
    from likelier.cli import calls, tagged
    from likelier.cli.outputs import Outputs

    outputs = Outputs(json, html, plot, markdown, latex, fail_unless)
    outputs.check(files)
    asked = calls.Asked.of(metric, beta=beta, alpha=alpha, positive=positive)
    source = tagged.Tagged(
        files,
        calls.listed_names(scheme),
        calls.listed_names(systems),
        strict,
        boundaries,
        only,
        documents,
        segmented,
    )
    way = calls.Way(
        method, prior, rule, calls.rope_of(rope), mass, draws, seed, strength, factor
    )
    if each_class:
        outputs.deliver(calls.each_class(source, asked, way))
    else:
        outputs.deliver(calls.compared(source, asked.pooled(), way))


@app.command()
def tags(
    files: options.TagFiles,
    metric: options.TagMetric = "token_accuracy",
    column: options.TagColumn = None,
    gold: options.GoldColumn = None,
    systems: options.Systems = None,
    train: options.Train = None,
    vocabulary: options.VocabularyFile = None,
    lowercase: options.Lowercase = False,
    cluster: options.TagCluster = "sentence",
    rope: options.RopeText = None,
    method: options.Method = "paired",
    prior: options.Prior = None,
    strength: options.Strength = 1.0,
    factor: options.Factor = "rope",
    rule: options.Rule = "hdi-rope",
    mass: options.Mass = 0.95,
    draws: options.DrawCount = None,
    seed: options.Seed = None,
    json: options.Json = None,
    html: options.Html = None,
    plot: options.Plot = None,
    markdown: options.Markdown = False,
    latex: options.Latex = False,
    fail_unless: options.FailUnless = None,
) -> None:
    """Compare taggers: token, sentence and OOV accuracy.

    likelier tags gold.conllu a.conllu b.conllu --train train.conllu
    --metric token,sentence,oov
    """
    from likelier.cli import calls
    from likelier.cli import tags as tagging
    from likelier.cli.outputs import Outputs

    outputs = Outputs(json, html, plot, markdown, latex, fail_unless)
    source = tagging.Tags(
        files,
        column,
        gold,
        calls.listed_names(systems),
        train,
        vocabulary,
        lowercase,
        cluster,
    )
    outputs.check(source.inputs)
    way = calls.Way(
        method, prior, rule, calls.rope_of(rope), mass, draws, seed, strength, factor
    )
    outputs.deliver(tagging.tested(source, tagging.metric_names(metric), way))


@app.command()
def plan(
    files: options.PilotFiles = None,
    assume: options.Assume = None,
    accuracies: options.Accuracies = None,
    agreement: options.Agreement = None,
    metric: options.PlanMetric = None,
    gold: options.Gold = "gold",
    systems: options.Systems = None,
    positive: options.Positive = None,
    rope: options.RopeText = None,
    goal: options.Goal = "better",
    chance: options.Chance = 0.8,
    sizes: options.Sizes = None,
    as_truth: options.AsTruth = False,
    id: options.Id = None,  # noqa: A002 - the option is called --id
    label: options.Label = None,
    cluster: options.Cluster = None,
    separator: options.Separator = None,
    sets: options.Sets = False,
    method: options.PlanMethod = "paired",
    items: options.ItemsKind = "same",
    rule: options.Rule = "hdi-rope",
    mass: options.Mass = 0.95,
    replications: options.Replications = 1000,
    draws: options.DrawCount = None,
    seed: options.Seed = None,
    json: options.Json = None,
    html: options.Html = None,
    plot: options.Plot = None,
    markdown: options.Markdown = False,
    latex: options.Latex = False,
    fail_unless: options.FailUnless = None,
) -> None:
    """Say what n items would show, and how many are needed.

    likelier plan --accuracies 0.85,0.87 --agreement 0.9 --rope 0.01 --goal better
    """
    from likelier.cli import calls, planned
    from likelier.cli.outputs import Outputs

    outputs = Outputs(json, html, plot, markdown, latex, fail_unless)
    inputs = [*(files or []), *([] if assume is None else [assume])]
    outputs.check(inputs)
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


@app.command()
def split(
    file: options.SplitFile,
    design: options.DesignName = "mx2",
    m: options.Repetitions = 3,
    k: options.FoldCount = 10,
    repeats: options.Repeats = 10,
    stratify: options.Stratify = None,
    groups: options.Groups = None,
    id: options.Id = None,  # noqa: A002 - the option is called --id
    seed: options.Seed = None,
    out: options.Out = None,
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


@app.command()
def demo(
    folder: Annotated[
        Path, typer.Argument(help="Where to put the data and the results.")
    ] = Path("demo"),
) -> None:
    """Make the predictions of two spam filters and compare them."""
    from likelier.cli.demo import show

    show(folder)


@app.callback(invoke_without_command=True)
def version(
    shown: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.")
    ] = False,
) -> None:
    """Answer whether system B is really better than system A.

    By how much, and how sure that is, comes with the answer.
    """
    if shown:
        from likelier.recipe import package_version

        typer.echo(f"likelier {package_version()}")
        raise typer.Exit


def main() -> None:
    """Run the command line; errors of the user's are told without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except LikelierError as error:
        sys.stderr.write(f"likelier: {error}\n")
        sys.exit(2)
    except Exception:
        # Not 1: for a gate that would mean that the condition does not hold.
        traceback.print_exc()
        sys.exit(70)
