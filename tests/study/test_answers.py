"""The answers of a study are those of plain loops, asked directly."""

from collections import Counter
from itertools import combinations
from math import log

import numpy as np
import pytest
from scipy import stats
from seqeval.metrics import f1_score, precision_score, recall_score
from sklearn.metrics import accuracy_score
from sklearn.metrics import f1_score as label_f1
from tests.study.plainly import (
    CLASSIFIERS,
    TWO,
    Commonest,
    Fewest,
    Shifted,
    accuracy,
    assert_same,
    away,
    joined,
    loop,
    points,
    ran,
    sentences,
)

import likelier as lk
from likelier import designs
from likelier.data.tag_schemes import convert_tags
from likelier.errors import LikelierError
from likelier.study import ObjectSystem, Study, StudyData, read_study

FEW = {"draws": 2000}
SPAM = {"rope": 0.02, "positive": "spam", "seed": 5}


def study_of(data, systems, design, **settings):
    return Study(data=data, systems=systems, design=design, **({"seed": 5} | settings))


def report_of(tmp_path, *study, options=None, **settings):
    """Run a study, and read what its store says."""
    return read_study(
        ran(study_of(*study, **settings), tmp_path / "s.db"), **(options or {})
    )


def loops(data, systems, splits):
    return {name: loop(*data, system, splits) for name, system in systems.items()}


# --- m x 2 on one data set: the items of all folds ----------------------------


@pytest.fixture(scope="module")
def blocked(tmp_path_factory):
    """Two systems on one data set, m x 2."""
    design = designs.BlockedMx2(3, seed=1)
    study = study_of(points(), TWO, design, metrics=["f1", "recall"], **SPAM)
    return ran(study, tmp_path_factory.mktemp("blocked") / "s.db")


@pytest.mark.parametrize("method", ["paired", "independent"])
@pytest.mark.parametrize("metric", ["f1", "recall"])
def test_mx2(blocked, method, metric):
    data, design = points(), designs.BlockedMx2(3, seed=1)
    report = read_study(blocked, metrics=[metric], draws=2000, method=method)
    dealt = design.assign(60, data[1])
    folds = loops(data, TWO, list(dealt.splits()))
    gold, first = joined(folds["stump"])
    _, second = joined(folds["bayes"])
    direct = lk.compare_folds(
        gold,
        first,
        second,
        systems=["stump", "bayes"],
        metric=metric,
        positive="spam",
        repetitions=3,
        method=method,
        rope=0.02,
        draws=2000,
        seed=5,
    )
    assert_same(report.answer(metric).to_dict(), direct.to_dict())
    assert len(report.results) == 1


def effective(m):
    """Average 1 / (1 + r + 2 (m - 1) s) over r in [0, 1/2] and s in [1/4, 1/2]."""

    def back(x):
        # Its second derivative is 1 / x.
        return x * log(x) - x

    low, high = (m - 1) / 2, m - 1
    area = back(1.5 + high) - back(1 + high) - back(1.5 + low) + back(1 + low)
    return area / (2 * (m - 1)) / (0.5 * 0.25)


def test_mx2_by_hand(blocked):
    """Effective counts and F1 from counts of a plain loop; 0.3688 is the paper's."""
    data, design = points(), designs.BlockedMx2(3, seed=1)
    options = {"draws": 2000, "method": "independent"}
    report = read_study(blocked, **options).answer("f1")
    assert effective(3) == pytest.approx(0.3688, abs=5e-5)
    for index, name in enumerate(TWO):
        counts = Counter()
        for *_, gold, predicted in loop(
            *data, TWO[name], list(design.split(60, data[1]))
        ):
            for right, guess in zip(gold, predicted, strict=True):
                counts["tp"] += right == guess == "spam"
                counts["fp"] += guess == "spam" != right
                counts["fn"] += right == "spam" != guess
        tp, fp, fn = (counts[key] for key in ("tp", "fp", "fn"))
        value = 2 * tp / (2 * tp + fp + fn)
        assert report.settings.data.observed[index] == pytest.approx(value, rel=1e-12)
        law = stats.beta(1 + effective(3) * tp, 2 + effective(3) * (fp + fn))
        ends = np.array([*report.system_intervals[index]])
        # F1 is 2U / (1 + U) of this law's U; the HDI's ends have one density.
        back = ends / (2 - ends)
        assert np.diff(law.cdf(back)) == pytest.approx(0.95, abs=1e-8)
        density = law.pdf(back) * 2 / (2 - ends) ** 2
        assert density[0] == pytest.approx(density[1], rel=1e-5)


def test_mx2_of_four_systems_compares_each_with_the_baseline(tmp_path):
    data, design = points(classes="abc"), designs.BlockedMx2(3, seed=1)
    metrics = ["accuracy", "macro_f1"]
    report = report_of(
        tmp_path, data, CLASSIFIERS, design, metrics=metrics, options=FEW
    )
    folds = loops(data, CLASSIFIERS, list(design.split(60, data[1])))
    names = list(CLASSIFIERS)
    questions = [(metric, name) for metric in metrics for name in names[1:]]
    assert len(report.results) == len(questions)
    for answer, (metric, name) in zip(report.results, questions, strict=True):
        assert report.answer(metric, name) is answer
        gold, first = joined(folds[names[0]])
        direct = lk.compare_folds(
            gold,
            first,
            joined(folds[name])[1],
            systems=[names[0], name],
            metric=metric,
            repetitions=3,
            method="paired",
            draws=2000,
            seed=5,
        )
        assert_same(answer.to_dict(), direct.to_dict())


def test_all_pairs_of_mx2_and_their_order(tmp_path):
    data, design = points(), designs.BlockedMx2(3, seed=1)
    every = FEW | {"pairs": True, "rope": 0.02}
    report = report_of(tmp_path, data, CLASSIFIERS, design, options=every)
    folds = loops(data, CLASSIFIERS, list(design.split(60, data[1])))
    (answer,) = report.results
    assert isinstance(answer, lk.Ranking)
    pairs = list(combinations(CLASSIFIERS, 2))
    for part, (first, second) in zip(answer.comparisons, pairs, strict=True):
        gold, predicted = joined(folds[first])
        direct = lk.compare_folds(
            gold,
            predicted,
            joined(folds[second])[1],
            systems=[first, second],
            metric="accuracy",
            repetitions=3,
            method="paired",
            rope=0.02,
            rule="hdi-rope",
            draws=2000,
            seed=5,
        )
        assert_same(part.to_dict(), direct.to_dict())
    assert sorted(answer.order.systems) == sorted(CLASSIFIERS)


def test_groups_stay_together_and_are_clusters(tmp_path):
    rows, labels = points()
    groups = [f"g{i // 3}" for i in range(60)]
    data = StudyData(rows, labels, groups=groups)
    design = designs.BlockedMx2(3, seed=1)
    report = report_of(tmp_path, data, TWO, design, options=FEW).answer("accuracy")
    splits = list(design.assign(60, labels, groups).splits())
    folds = loops((rows, labels), TWO, splits)
    gold, first = joined(folds["stump"])
    second = joined(folds["bayes"])[1]
    # A group that is tested in another repetition is another cluster.
    cluster = [f"{k} {groups[i]}" for k, (_, test) in enumerate(splits) for i in test]
    table = lk.Outcomes.from_labels(
        gold, first, second, systems=list(TWO), cluster=cluster
    )
    direct = lk.compare_folds(
        table, metric="accuracy", repetitions=3, method="paired", draws=2000, seed=5
    )
    values = (accuracy(gold, first), accuracy(gold, second))
    assert tuple(report.settings.data.observed) == pytest.approx(values, rel=1e-12)
    assert report.to_dict()["units"] == len(set(cluster)) == 60
    assert_same(report.to_dict(), direct.to_dict())


def test_uneven_blocks_leave_their_finding(tmp_path):
    rows, labels = points(120)
    groups = ["one"] * 60 + [f"g{i}" for i in range(60)]
    data = StudyData(rows, labels, groups=groups)
    report = report_of(tmp_path, data, TWO, designs.BlockedMx2(3, seed=1), options=FEW)
    assert "LIK120" in [finding.code for finding in report.findings]
    assert report.findings[0] == report.remarks[0]


# --- other designs on one data set: the scores of folds -----------------------

FOLDED = {
    "k-fold": (designs.k_fold(5, seed=2), 1, 0.2),
    "repeated": (designs.repeated_k_fold(4, 3, seed=2), 3, 0.25),
    "5x2": (designs.five_by_two(seed=2), 5, 0.5),
}


def fold_accuracies(folds):
    return [accuracy_score(gold, predicted) for _, _, gold, predicted in folds]


@pytest.mark.parametrize("name", FOLDED)
def test_folds_of_two_systems(tmp_path, name):
    design, runs, share = FOLDED[name]
    data = points(seed=3)
    report = report_of(tmp_path, data, TWO, design, rope=0.02)
    folds = loops(data, TWO, list(design.split(60, data[1])))
    table = lk.Scores.from_arrays(
        *(fold_accuracies(folds[system]) for system in TWO),
        systems=list(TWO),
        datasets=["data"],
        runs=runs,
        test_share=share,
        metric="accuracy",
    )
    direct = lk.compare_folds(table, rope=0.02, seed=5)
    document = report.answer("accuracy").to_dict()
    assert document["method"]["name"] == "correlated-t"
    names = [companion["name"] for companion in document["companions"]]
    assert ("5x2cv t" in names) == (name == "5x2")
    assert_same(document, direct.to_dict())


def test_folds_of_four_systems_are_compared_pair_by_pair(tmp_path):
    design, runs, share = FOLDED["repeated"]
    data = points(seed=3, classes="abc")
    report = report_of(
        tmp_path, data, CLASSIFIERS, design, metrics=["accuracy", "macro_f1"], rope=0.02
    )
    folds = loops(data, CLASSIFIERS, list(design.split(60, data[1])))

    def macro(gold, predicted):
        return label_f1(gold, predicted, average="macro", zero_division=0)

    for metric, score in (("accuracy", accuracy_score), ("macro_f1", macro)):
        table = lk.Scores.from_arrays(
            *(
                [score(gold, predicted) for _, _, gold, predicted in folds[system]]
                for system in CLASSIFIERS
            ),
            systems=list(CLASSIFIERS),
            datasets=["data"],
            runs=runs,
            test_share=share,
            metric=metric,
        )
        direct = lk.rank(table, rope=0.02, seed=5)
        assert_same(report.answer(metric).to_dict(), direct.to_dict())


def test_less_is_better_on_folds_too(tmp_path):
    design = designs.k_fold(5, seed=2)
    data = points(seed=3)
    metrics = ["accuracy", "error_rate"]
    report = report_of(tmp_path, data, TWO, design, metrics=metrics, rope=0.02)
    right, wrong = (report.answer(metric) for metric in metrics)
    assert wrong.settings.data.observed == pytest.approx(
        [1 - value for value in right.settings.data.observed], rel=1e-12
    )
    assert wrong.difference == pytest.approx(right.difference, rel=1e-12)
    document = wrong.to_dict()["probability"]
    assert_same(document, right.to_dict()["probability"], tolerance=1e-9)


def test_one_split(tmp_path):
    data, design = points(), designs.train_dev_test((0.5, 0.1, 0.4), seed=2)
    study = study_of(data, TWO, design, metrics="f1", **SPAM)
    store = ran(study, tmp_path / "s.db")
    folds = loops(data, TWO, list(design.split(60, data[1])))
    gold, first = joined(folds["stump"])
    assert len(gold) == 24
    for method in (None, "paired", "independent"):
        report = read_study(store, draws=2000, method=method)
        direct = lk.compare(
            gold,
            first,
            joined(folds["bayes"])[1],
            systems=["stump", "bayes"],
            metric="f1",
            positive="spam",
            rope=0.02,
            method=method or "paired",
            draws=2000,
            seed=5,
        )
        assert_same(report.answer("f1").to_dict(), direct.to_dict())


# --- several data sets --------------------------------------------------------

PLACES = {f"set {i}": points(40, seed=i, spread=0.8) for i in range(4)}


def several(systems, design, **settings):
    """Scores of all data sets, by loops."""
    rows = {
        name: [
            fold_accuracies(loop(*data, system, list(design.split(40, data[1]))))
            for data in PLACES.values()
        ]
        for name, system in systems.items()
    }
    return lk.Scores.from_arrays(
        *rows.values(),
        systems=list(systems),
        datasets=list(PLACES),
        metric="accuracy",
        **settings,
    )


def test_several_data_sets_with_folds(tmp_path):
    design = designs.k_fold(4, seed=2)
    report = report_of(tmp_path, PLACES, TWO, design, rope=0.02).answer("accuracy")
    direct = lk.compare_folds(several(TWO, design), rope=0.02, seed=5)
    document = report.to_dict()
    assert document["method"]["name"] == "hierarchical"
    assert_same(document, direct.to_dict())


def test_several_data_sets_with_blocked_folds(tmp_path):
    design = designs.BlockedMx2(3, seed=2)
    report = report_of(tmp_path, PLACES, TWO, design, rope=0.02).answer("accuracy")
    table = several(TWO, design, runs=3, test_share=0.5)
    direct = lk.compare_folds(table, rope=0.02, seed=5)
    assert_same(report.to_dict(), direct.to_dict())


@pytest.mark.parametrize("systems", [TWO, CLASSIFIERS], ids=["two", "four"])
def test_several_data_sets_with_one_split_each(tmp_path, systems):
    design = designs.train_dev_test((0.6, 0, 0.4), seed=2)
    report = report_of(tmp_path, PLACES, systems, design, rope=0.02, options=FEW)
    ask = lk.compare_folds if len(systems) == 2 else lk.rank
    table = several(systems, design, test_share=0.4)
    direct = ask(table, rope=0.02, draws=2000, seed=5).to_dict()
    document = report.answer("accuracy").to_dict()
    assert_same(document, direct)
    first = document if len(systems) == 2 else document["comparisons"][0]
    assert first["method"]["name"] == "signed-rank"


def test_one_of_several_data_sets_is_compared_by_its_items(tmp_path):
    design = designs.BlockedMx2(3, seed=2)
    options = {"datasets": ["set 2"], "draws": 2000}
    report = report_of(tmp_path, PLACES, TWO, design, options=options)
    alone = study_of({"set 2": PLACES["set 2"]}, TWO, design)
    direct = read_study(ran(alone, tmp_path / "alone.db"), **FEW)
    assert report.datasets == ("set 2",)
    assert report.total == 12
    assert_same(report.results[0].to_dict(), direct.results[0].to_dict())


# --- tasks --------------------------------------------------------------------


def label_sets(n=48):
    kinds = [{"a"}, {"a", "b"}, {"b", "c"}, set()]
    gold = [kinds[i % 4] for i in range(n)]
    return ["none" if i % 6 == 0 else "some" for i in range(n)], gold


def test_sets(tmp_path):
    data, design = label_sets(), designs.BlockedMx2(3, seed=1)
    systems = {"many": Fewest(0.1), "few": Fewest(0.5)}
    metrics = ["f1", "macro_f1"]
    report = report_of(
        tmp_path,
        StudyData(*data, "sets"),
        systems,
        design,
        metrics=metrics,
        options=FEW,
        rope=0.02,
    )
    dealt = design.assign(48, None, None, [Counter(labels) for labels in data[1]])
    folds = loops(data, systems, list(dealt.splits()))
    gold, first = joined(folds["many"])
    second = joined(folds["few"])[1]
    counts = Counter()
    for right, predicted in zip(gold, second, strict=True):
        counts["tp"] += len(right & predicted)
        counts["wrong"] += len(right ^ predicted)
    micro = 2 * counts["tp"] / (2 * counts["tp"] + counts["wrong"])
    assert report.results[0].settings.data.observed[1] == pytest.approx(
        micro, rel=1e-12
    )
    for answer, metric in zip(report.results, ("micro_f1", "macro_f1"), strict=True):
        direct = lk.compare_folds(
            gold,
            first,
            second,
            systems=["many", "few"],
            metric=metric,
            repetitions=3,
            method="paired",
            rope=0.02,
            draws=2000,
            seed=5,
        )
        expected = direct.to_dict()
        document = answer.to_dict()
        # How the metric is called is not asked here.
        for part in (document, expected):
            part.pop("metric")
            part["recipe"] = part["recipe"].split(" | ", 2)[2]
        assert_same(document, expected)


TAGGERS = {"word": Commonest(), "pair": Commonest(before=True, default="B-PER")}
TAG_METRICS = ("token_accuracy", "sentence_accuracy", "oov_accuracy")


def tag_counts(inputs, folds):
    """Count right tags by loops: of tokens, sentences and unseen tokens."""
    right, total = Counter(), Counter()
    for train, test, gold, predicted in folds:
        seen = {token for i in train for token in inputs[i]}
        for index, tags, guess in zip(test, gold, predicted, strict=True):
            right["sentence_accuracy"] += tags == guess
            total["sentence_accuracy"] += 1
            for token, tag, other in zip(inputs[index], tags, guess, strict=True):
                kinds = ["token_accuracy", *["oov_accuracy"] * (token not in seen)]
                for kind in kinds:
                    right[kind] += tag == other
                    total[kind] += 1
    return {kind: right[kind] / total[kind] for kind in TAG_METRICS}, total


@pytest.fixture(scope="module")
def tagged(tmp_path_factory):
    """What is told of two taggers, m x 2."""
    data, design = StudyData(*sentences(), "tags"), designs.BlockedMx2(3, seed=1)
    return report_of(
        tmp_path_factory.mktemp("tagged"), data, TAGGERS, design, options=FEW
    )


def test_tags_of_mx2(tagged):
    data, design, report = sentences(), designs.BlockedMx2(3, seed=1), tagged
    dealt = design.assign(40, None, None, [Counter(tags) for tags in data[1]])
    assert report.metrics == TAG_METRICS
    for index, name in enumerate(TAGGERS):
        folds = loop(*data, TAGGERS[name], list(dealt.splits()))
        values, total = tag_counts(data[0], folds)
        for metric in TAG_METRICS:
            question = report.answer(metric).settings.data
            assert question.observed[index] == pytest.approx(values[metric], rel=1e-12)
            assert question.items == total[metric]


def test_sentence_accuracy_is_that_of_labels(tagged):
    """A sentence is right or not: the same answer as for labels right and wrong."""
    data, design, report = sentences(), designs.BlockedMx2(3, seed=1), tagged
    dealt = design.assign(40, None, None, [Counter(tags) for tags in data[1]])
    folds = loops(data, TAGGERS, list(dealt.splits()))
    gold, first = joined(folds["word"])
    second = joined(folds["pair"])[1]
    document = [
        ["right" if a == b else "wrong" for a, b in zip(gold, predicted, strict=True)]
        for predicted in (first, second)
    ]
    scores = [[float(word == "right") for word in column] for column in document]
    direct = lk.compare_folds(
        *scores,
        metric="mean",
        repetitions=3,
        method="paired",
        draws=2000,
        seed=5,
    )
    answer = report.answer("sentence_accuracy")
    assert answer.difference == pytest.approx(direct.difference, rel=1e-12)
    assert answer.hypotheses.h1 == pytest.approx(direct.hypotheses.h1, abs=0.05)


def test_tags_of_folds(tmp_path):
    data, design = sentences(60), designs.k_fold(3, seed=1)
    study = StudyData(*data, "tags")
    report = report_of(tmp_path, study, TAGGERS, design, rope=0.02)
    values = {
        name: [
            tag_counts(data[0], [fold])[0]
            for fold in loop(*data, system, list(design.split(60)))
        ]
        for name, system in TAGGERS.items()
    }
    for metric in TAG_METRICS:
        table = lk.Scores.from_arrays(
            *([fold[metric] for fold in values[name]] for name in TAGGERS),
            systems=list(TAGGERS),
            datasets=["data"],
            metric=metric,
        )
        direct = lk.compare_folds(table, rope=0.02, seed=5)
        assert_same(report.answer(metric).to_dict(), direct.to_dict())


def iobes(sentences_):
    return [convert_tags(tags, "iob2", "iobes") for tags in sentences_]


CHUNKERS = {"iob2": Commonest(), "iobes": ObjectSystem(Commonest(), scheme="iobes")}


def chunk_loops(data, splits):
    """Gold in each scheme, and what the systems say in it."""
    first = loop(*data, Commonest(), splits)
    second = loop(*data, Commonest(), splits, translate=iobes)
    return first, second


def test_chunks_of_systems_with_schemes_of_their_own(tmp_path):
    data, design = sentences(), designs.BlockedMx2(3, seed=1)
    study = StudyData(*data, "chunks", scheme="iob2")
    report = report_of(tmp_path, study, CHUNKERS, design, options=FEW, rope=0.02)
    types = [Counter(tag[2:] for tag in tags if tag[0] == "B") for tags in data[1]]
    dealt = design.assign(40, None, None, types)
    folds = chunk_loops(data, list(dealt.splits()))
    gold, first = joined(folds[0])
    second = joined(folds[1])[1]
    assert any(tag[0] in "SE" for tags in second for tag in tags)
    scores = {"f1": f1_score, "precision": precision_score, "recall": recall_score}
    table = lk.Outcomes.from_chunks(
        gold, first, second, scheme=["iob2", "iob2", "iobes"], systems=list(CHUNKERS)
    )
    for answer, (name, score) in zip(report.results, scores.items(), strict=True):
        expected = [score(gold, first), score(iobes(gold), second)]
        assert list(answer.settings.data.observed) == pytest.approx(expected, rel=1e-12)
        direct = lk.compare_folds(
            table,
            metric=f"micro_{name}",
            repetitions=3,
            method="paired",
            rope=0.02,
            draws=2000,
            seed=5,
        )
        document, other = answer.to_dict(), direct.to_dict()
        for part in (document, other):
            part.pop("metric")
            part["recipe"] = part["recipe"].split(" | ", 2)[2]
        assert_same(document, other)


def test_chunks_of_folds(tmp_path):
    data, design = sentences(60), designs.k_fold(3, seed=1)
    study = StudyData(*data, "chunks", scheme="iob2")
    report = report_of(tmp_path, study, CHUNKERS, design, rope=0.02, metrics="f1")
    first, second = chunk_loops(data, list(design.split(60)))
    table = lk.Scores.from_arrays(
        [f1_score(gold, predicted) for *_, gold, predicted in first],
        [f1_score(iobes(gold), predicted) for *_, gold, predicted in second],
        systems=list(CHUNKERS),
        datasets=["data"],
        metric="micro_f1",
    )
    direct = lk.compare_folds(table, rope=0.02, seed=5)
    assert_same(report.answer("f1").to_dict(), direct.to_dict())


def test_one_type_of_chunks(tmp_path):
    data, design = sentences(), designs.BlockedMx2(3, seed=1)
    study = StudyData(*data, "chunks", scheme="iob2")
    report = report_of(tmp_path, study, CHUNKERS, design, positive="LOC", options=FEW)
    types = [Counter(tag[2:] for tag in tags if tag[0] == "B") for tags in data[1]]
    splits = list(design.assign(40, None, None, types).splits())
    gold, predicted = joined(chunk_loops(data, splits)[0])
    only = [
        [[tag if tag.endswith("-LOC") else "O" for tag in tags] for tags in column]
        for column in (gold, predicted)
    ]
    answer = report.answer("f1")
    assert answer.settings.data.observed[0] == pytest.approx(f1_score(*only), rel=1e-12)
    assert answer.to_dict()["positive"] == "LOC"


NUMBERS = np.random.default_rng(4).normal(size=40).round(2).tolist()
TARGETS = [round(2 * value + 1, 2) for value in NUMBERS]
SHIFTED = {"flat": Shifted(0.0), "sloped": Shifted(0.1, slope=1.5)}


@pytest.mark.parametrize(("metric", "better"), [("mean", False), ("mean_loss", True)])
def test_scores(tmp_path, metric, better):
    """The sloped system is nearer: a win where distances are losses."""
    design = designs.BlockedMx2(3, seed=1)
    data = StudyData(NUMBERS, TARGETS, "scores", score=away)
    report = report_of(
        tmp_path, data, SHIFTED, design, metrics=metric, rope=0.02, options=FEW
    )
    dealt = design.assign(40)
    folds = loops((NUMBERS, TARGETS), SHIFTED, list(dealt.splits()))
    columns = [
        [away(*pair) for pair in zip(*joined(folds[name]), strict=True)]
        for name in SHIFTED
    ]
    direct = lk.compare_folds(
        *columns,
        systems=list(SHIFTED),
        metric=metric,
        repetitions=3,
        method="paired",
        rope=0.02,
        draws=2000,
        seed=5,
    )
    answer = report.answer(metric)
    assert_same(answer.to_dict(), direct.to_dict())
    assert (answer.difference > 0) is better
    assert (answer.hypotheses.decision == "H1") is better


@pytest.mark.parametrize("metric", ["mean", "mean_loss"])
def test_scores_of_folds(tmp_path, metric):
    design = designs.k_fold(4, seed=1)
    data = StudyData(NUMBERS, TARGETS, "scores", score=away)
    report = report_of(tmp_path, data, SHIFTED, design, metrics=metric, rope=0.02)
    folds = loops((NUMBERS, TARGETS), SHIFTED, list(design.split(40)))
    table = lk.Scores.from_arrays(
        *(
            [
                np.mean([away(*pair) for pair in zip(gold, predicted, strict=True)])
                for *_, gold, predicted in folds[name]
            ]
            for name in SHIFTED
        ),
        systems=list(SHIFTED),
        datasets=["data"],
        metric=metric,
        higher_is_better=metric == "mean",
    )
    direct = lk.compare_folds(table, rope=0.02, seed=5)
    assert_same(report.answer(metric).to_dict(), direct.to_dict())
    assert (report.answer(metric).difference > 0) is (metric == "mean_loss")


# --- identical systems --------------------------------------------------------


@pytest.mark.parametrize(
    "design",
    [
        designs.BlockedMx2(3, seed=1),
        designs.k_fold(4, seed=1),
        designs.train_dev_test((0.6, 0, 0.4), seed=1),
    ],
    ids=["mx2", "k-fold", "split"],
)
def test_identical_systems(tmp_path, design):
    twice = {"one": TWO["bayes"], "two": TWO["bayes"]}
    answer = report_of(tmp_path, points(), twice, design, options=FEW).results[0]
    p = answer.probability
    assert (p.worse, p.better) == pytest.approx((0.5, 0.5), abs=1e-12)
    assert answer.difference == 0
    codes = [finding.code for finding in answer.findings]
    assert "LIK106" in codes or "LIK130" in codes
    if answer.hypotheses is not None:
        assert answer.hypotheses.decision == "H0"
        assert answer.hypotheses.h0 == pytest.approx(0.5, abs=1e-12)
    else:
        assert answer.verdict.name == "undecided"


# --- what is asked for --------------------------------------------------------


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Four systems on four data sets, m x 2; what is asked of it differs by test."""
    study = study_of(
        PLACES, CLASSIFIERS, designs.BlockedMx2(2, seed=2), rope=0.02, name="all"
    )
    return ran(study, tmp_path_factory.mktemp("store") / "all.db")


@pytest.fixture(scope="module")
def single(tmp_path_factory):
    """Three systems on one data set, m x 2."""
    systems = {name: CLASSIFIERS[name] for name in ("stump", "bayes", "near")}
    study = study_of(points(), systems, designs.BlockedMx2(3, seed=2), **SPAM)
    return ran(study, tmp_path_factory.mktemp("single") / "one.db")


def test_other_metrics(single):
    report = read_study(single, metrics=["f1", "mcc"], draws=1000)
    assert report.metrics == ("f1", "mcc")
    assert [answer.settings.metric for answer in report.results] == [
        *["f1"] * 2,
        *["mcc"] * 2,
    ]
    assert set(report.folds[0].values) == {"f1", "mcc"}


def test_systems_in_another_order(single):
    options = {"systems": ["near", "stump"], "draws": 1000}
    report = read_study(single, **options)
    assert report.systems == ("near", "stump")
    assert len(report.results) == 1
    turned = read_study(single, systems=["stump", "near"], draws=1000)
    one, other = report.results[0], turned.results[0]
    assert one.settings.systems == ("near", "stump")
    assert one.difference == pytest.approx(-other.difference, rel=1e-12)
    assert one.settings.data.observed == other.settings.data.observed[::-1]
    assert report.total == len(report.folds) == 12


def test_another_baseline_of_folds(store):
    one, other = (
        read_study(store, systems=pair, method="sign", draws=1000)
        for pair in (["near", "stump"], ["stump", "near"])
    )
    assert one.results[0].settings.systems == ("near", "stump")
    gaps = [report.results[0].difference for report in (one, other)]
    assert gaps[0] == pytest.approx(-gaps[1], rel=1e-12)


def test_some_data_sets(store):
    options = {"datasets": ["set 3", "set 1"], "method": "sign", "draws": 1000}
    report = read_study(store, **options)
    assert report.datasets == ("set 3", "set 1")
    assert {row.dataset for row in report.folds} == {"set 1", "set 3"}
    assert report.results[0].comparisons[0].to_dict()["datasets"] == 2


def test_rope_mass_rule_draws_seed(single):
    usual = read_study(single, draws=1000).results[0].to_dict()
    options = {
        "rope": (-0.1, 0.2),
        "mass": 0.8,
        "rule": "regions",
        "draws": 700,
        "seed": 0,
    }
    document = read_study(single, **options).results[0].to_dict()
    assert usual["rope"] == [-0.02, 0.02]
    assert document["rope"] == [-0.1, 0.2]
    assert document["difference"]["interval"]["mass"] == 0.8
    assert document["verdict"]["rule"] == "regions"
    assert document["method"]["draws"] == 700
    assert document["method"]["seed"] == 0
    assert usual["method"]["seed"] == 5


def test_positive(single):
    report = read_study(single, metrics=["f1"], positive="ham", draws=1000)
    assert report.results[0].to_dict()["positive"] == "ham"
    usual = read_study(single, metrics=["f1"], draws=1000)
    assert usual.results[0].to_dict()["positive"] == "spam"
    assert usual.folds[0].values != report.folds[0].values


def test_scores_of_folds_in_place_of_items(single):
    options = {"systems": ["stump", "bayes"], "method": "correlated-t"}
    answer = read_study(single, **options).answer("accuracy")
    document = answer.to_dict()
    assert document["method"]["name"] == "correlated-t"
    assert document["items"] == 6


@pytest.mark.parametrize("method", ["signed-rank", "sign"])
def test_method_of_several_data_sets(store, method):
    options = {"systems": ["stump", "bayes"], "method": method, "draws": 1000}
    document = read_study(store, **options).results[0].to_dict()
    assert document["method"]["name"] == method


WRONG = {
    "system": ({"systems": ["stump", "bays"]}, "Did you mean bayes"),
    "twice": ({"systems": ["stump", "stump"]}, "must be named once"),
    "none": ({"systems": []}, "must be named once"),
    "data set": ({"datasets": ["set 9"]}, "one of set 0, set 1"),
    "metric": ({"metrics": ["accurac"]}, "Did you mean accuracy"),
    "no metric": ({"metrics": []}, "metric"),
    "metric twice": ({"metrics": ["accuracy", "accuracy"]}, "different"),
    "tags": ({"metrics": ["token_accuracy"]}, "tags"),
    "positive": ({"metrics": ["f1"], "positive": "spa"}, "one of ham, spam"),
    "no positive": ({"metrics": ["f1"]}, "must know which label is the positive"),
    "paired": ({"method": "paired"}, "must have one data set"),
    "method": ({"method": "pared"}, "method"),
    "rule": ({"rule": "hdi"}, "rule must be one of"),
    "rope": ({"rope": -1}, "rope must be"),
    "mass": ({"mass": 1.5}, "mass must lie"),
    "draws": ({"method": "sign", "draws": 0}, "draws must be"),
    "seed": ({"seed": -1}, "seed must be"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_names_are_told(store, name):
    options, message = WRONG[name]
    with pytest.raises(LikelierError, match=message):
        read_study(store, **options)


def test_the_same_every_time(store, single):
    ranks = {"method": "signed-rank", "draws": 1000}
    for path, options in ((store, ranks), (single, FEW)):
        one, other = (read_study(path, **options).to_dict() for _ in range(2))
        assert one == other
