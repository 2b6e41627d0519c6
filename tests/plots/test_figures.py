"""Figures of a study: every answer, one below the other, or all on one scale."""

from dataclasses import replace

import pytest
from matplotlib.figure import Figure
from tests.plots.conftest import axes, rendered
from tests.plots.scored import compared, ranked

from likelier import plots
from likelier.errors import SettingError
from likelier.results.study_report import StudyReport


def study_of(*results):
    first = compared(sets=5)
    return StudyReport(
        settings=first.settings,
        findings=(),
        name="toy",
        systems=first.settings.systems,
        datasets=("a", "b"),
        metrics=("score",),
        planned=2,
        folds=(),
        failures=(),
        results=results,
    )


def answer(metric):
    result = compared(method="signed-rank")
    return replace(result, settings=replace(result.settings, metric=metric))


def order_of(ranking):
    return replace(ranking, ranks=None)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_answers_stand_one_below_the_other(count):
    answers = [answer(f"metric {index}") for index in range(count)]
    figure = study_of(*answers).plot()
    assert isinstance(figure, Figure)
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == [result.headline() for result in answers]
    assert figure.get_figheight() == pytest.approx(3.5 * count)
    assert all(rendered(ax) for ax in figure.axes)


def test_many_comparisons_are_lines_on_one_scale():
    answers = [answer(f"metric {index}") for index in range(4)]
    figure = plots.figure(study_of(*answers))
    (ax,) = figure.axes
    names = [tick.get_text() for tick in ax.get_yticklabels()]
    assert names == [f"metric {index}" for index in range(4)]


def test_orders_are_graphs_as_high_as_they_need():
    answers = [order_of(ranked(count=3)), order_of(ranked(count=4, gap=0.03))]
    figure = study_of(*answers).plot()
    assert len(figure.axes) == 2
    heights = [plots.height(result, "order") for result in answers]
    assert figure.get_figheight() == pytest.approx(sum(heights))


@pytest.mark.parametrize("count", [0, 13])
def test_none_and_too_many_answers_are_refused(count):
    answers = [order_of(ranked(count=3))] * count
    with pytest.raises(SettingError, match=f"1 to 12 answers; got {count}"):
        study_of(*answers).plot()


def test_one_answer_has_its_own_plots_too():
    report, ax = study_of(compared(sets=5)), axes()
    assert report.plot("data-sets", ax=ax) is ax
    assert report.plot("posterior", ax=axes()).get_title() == (
        compared(sets=5).headline()
    )
    grid = study_of(ranked(count=3)).plot("simplex")
    assert isinstance(grid, Figure)
    with pytest.raises(SettingError, match="plot-kind"):
        study_of(compared(sets=5), compared(sets=2)).plot("posterior")


def test_same_study_same_bytes():
    report = study_of(answer("a"), answer("b"))
    first, second = (plots.picture(report, form="svg") for _ in "ab")
    assert first == second
