"""Commands for studies; what is heavy is imported inside them."""

from likelier.cli import options
from likelier.cli import study_options as study


def run(
    file: study.StudyFile,
    store: study.StorePath = None,
    workers: study.Workers = None,
    engine: study.EngineName = None,
    let: study.Let = None,
    json: options.Json = None,
    html: options.Html = None,
    plot: options.Plot = None,
    markdown: options.Markdown = False,
    latex: options.Latex = False,
    fail_unless: options.FailUnless = None,
) -> None:
    """Run what is left of a study, store every fold, and compare.

    likelier run study.toml --workers 2
    """
    from likelier.cli import studied
    from likelier.cli.outputs import Outputs

    outputs = Outputs(json, html, plot, markdown, latex, fail_unless)
    values = studied.values_of(let)
    kept = studied.store_of(file, let=values) if store is None else store
    outputs.check([file, kept])
    studied.run(file, kept, workers=workers, engine=engine, let=values)
    studied.deliver(kept, studied.Shown(), outputs, ran=True)


def show(
    store: study.StoreFile,
    metric: study.StudyMetric = None,
    systems: study.StudySystems = None,
    datasets: study.StudyDatasets = None,
    positive: study.StudyPositive = None,
    rope: options.RopeText = None,
    method: study.StudyMethod = None,
    rule: study.StudyRule = None,
    mass: study.StudyMass = None,
    draws: options.DrawCount = None,
    seed: options.Seed = None,
    pairs: study.AllPairs = False,
    errors: study.Errors = False,
    timings: study.Timings = False,
    json: options.Json = None,
    html: options.Html = None,
    plot: options.Plot = None,
    plot_kind: study.StudyPlotKind = None,
    markdown: options.Markdown = False,
    latex: options.Latex = False,
    fail_unless: options.FailUnless = None,
) -> None:
    """Show a study as far as it was run: its folds and what they say.

    likelier show study.db
    """
    from likelier.cli import calls, studied
    from likelier.cli.outputs import Outputs
    from likelier.study import Wanted

    outputs = Outputs(json, html, plot, markdown, latex, fail_unless)
    outputs.check([store])
    wanted = Wanted(
        calls.listed_names(metric),
        positive,
        calls.rope_of(rope),
        mass,
        calls.listed_names(systems),
        calls.listed_names(datasets),
        method,
        rule,
        draws,
        seed,
        pairs,
    )
    shown = studied.Shown(wanted, plot_kind, errors=errors, timings=timings)
    studied.deliver(store, shown, outputs)
