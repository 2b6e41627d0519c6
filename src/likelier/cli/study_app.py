"""Commands for studies; what is heavy is imported inside them."""

from likelier.cli import setting_options as setting
from likelier.cli import study_options as study
from likelier.cli.output_options import with_outputs
from likelier.cli.outputs import Outputs


@with_outputs()
def run(
    file: study.StudyFile,
    *,
    store: study.StorePath = None,
    workers: study.Workers = None,
    engine: study.EngineName = None,
    let: study.Let = None,
    outputs: Outputs,
) -> None:
    """Run what is left of a study, store every fold, and compare.

    likelier run study.toml --workers 2
    """
    from likelier.cli import studied

    values = studied.values_of(let)
    kept = studied.store_of(file, let=values) if store is None else store
    outputs.check([file, kept])
    studied.run(file, kept, workers=workers, engine=engine, let=values)
    studied.deliver(kept, studied.Shown(), outputs, ran=True)


@with_outputs()
def show(
    store: study.StoreFile,
    *,
    metric: study.StudyMetric = None,
    systems: study.StudySystems = None,
    datasets: study.StudyDatasets = None,
    positive: study.StudyPositive = None,
    rope: setting.RopeText = None,
    method: study.StudyMethod = None,
    rule: study.StudyRule = None,
    mass: study.StudyMass = None,
    draws: setting.DrawCount = None,
    seed: setting.Seed = None,
    pairs: study.AllPairs = False,
    errors: study.Errors = False,
    timings: study.Timings = False,
    plot_kind: study.StudyPlotKind = None,
    outputs: Outputs,
) -> None:
    """Show a study as far as it was run: its folds and what they say.

    likelier show study.db
    """
    from likelier.cli import calls, studied
    from likelier.study import Wanted

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
