"""Numbers computed by hand, and the properties that metrics state."""

import numpy as np
import pytest

import likelier as lk
from likelier import LikelierError, Outcomes, metrics
from likelier.errors import SettingError
from likelier.metrics import Metric, formulas


def counted(matrix, labels, *, gold_rows):
    """A table of one system from a confusion matrix."""
    rows = [(labels[i], labels[j]) for i in range(3) for j in range(3)]
    gold, predicted = zip(*rows, strict=True)
    if not gold_rows:
        gold, predicted = predicted, gold
    return Outcomes.from_patterns([gold, predicted], np.ravel(matrix), systems=["s"])


def value(name, table):
    return float(metrics.named(name).observed(table)[0])


# Course notes on evaluation: tp = 80, fp = 30, fn = 20, tn = 70.
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("precision", 0.7273),
        ("recall", 0.8),
        ("f1", 0.7619),
        ("accuracy", 0.75),
        ("specificity", 0.7),
        ("npv", 0.7778),
        ("jaccard", 0.6154),
        ("informedness", 0.5),
        ("balanced_accuracy", 0.75),
    ],
)
def test_the_notes_example_of_two_classes(name, expected):
    rows = [["y", "n", "y", "n"], ["y", "y", "n", "n"]]
    table = Outcomes.from_patterns(rows, [80, 30, 20, 70], systems=["s"]).binary("y")

    assert round(value(name, table), 4) == expected


# Course notes, system by row and gold by column.
def test_the_notes_example_of_mails():
    matrix = [[8, 10, 1], [5, 60, 50], [3, 30, 200]]
    table = counted(matrix, ["urgent", "normal", "spam"], gold_rows=False)

    assert round(value("micro_precision", table), 4) == 0.7302
    assert round(value("macro_precision", table), 4) == 0.6004
    assert value("precision", table.binary("urgent")) == pytest.approx(8 / 19)


# Lab example, gold by row; the notes print .75/.61/.67 for micro, against their own
# definition, and call f1_of_macro "macro F1".
def test_the_lab_example_of_sentiment():
    matrix = [[100, 20, 10], [330, 120, 20], [15, 25, 95]]
    table = counted(matrix, ["pos", "neut", "neg"], gold_rows=True)

    for name in ("micro_precision", "micro_recall", "micro_f1", "accuracy"):
        assert value(name, table) == pytest.approx(315 / 735, abs=1e-15)
    assert round(value("macro_f1", table), 5) == 0.48552
    assert round(value("f1_of_macro", table), 5) == 0.57336


@pytest.mark.parametrize("alpha", [0.1, 0.2, 0.5, 0.8, 1.0])
def test_the_alpha_form_is_van_rijsbergens(alpha):
    table = Outcomes.from_statistics({"tp": [[7]], "fp": [[2]], "fn": [[5]]})
    p, r = 7 / 9, 7 / 12
    metric = metrics.fbeta(alpha=alpha)

    assert metric.observed(table)[0] == pytest.approx(
        1 / (alpha / p + (1 - alpha) / r), abs=1e-14
    )
    assert metric.beta**2 == pytest.approx((1 - alpha) / alpha, abs=1e-14)


def test_fbeta_of_1_is_f1_and_of_0_is_precision():
    table = Outcomes.from_statistics({"tp": [[7]], "fp": [[2]], "fn": [[5]]})

    assert metrics.fbeta(1).observed(table) == metrics.f1.observed(table)
    assert metrics.fbeta(0).observed(table) == metrics.precision.observed(table)


@pytest.mark.parametrize("beta", [-1, float("nan"), float("inf")])
def test_beta_must_be_finite_and_not_negative(beta):
    with pytest.raises(LikelierError, match="beta must"):
        metrics.fbeta(beta)


@pytest.mark.parametrize("alpha", [0.0, -0.1, 1.1, float("nan")])
def test_alpha_must_be_a_weight(alpha):
    with pytest.raises(LikelierError, match="alpha must"):
        metrics.fbeta(alpha=alpha)


@pytest.mark.parametrize("settings", [{}, {"beta": 1, "alpha": 0.5}])
def test_fbeta_takes_beta_or_alpha(settings):
    with pytest.raises(LikelierError, match="either beta or alpha"):
        metrics.fbeta(**settings)


def test_gains_of_a_loss_are_those_of_what_it_lacks():
    table = Outcomes.from_labels("aaab", "aabb", "abab")
    gains = [m.gains(m.view(table)) for m in (metrics.accuracy, metrics.error_rate)]

    assert sorted(gains[0].tolist()) == [-1, 0, 0, 1]
    np.testing.assert_array_equal(*gains)
    scores = Outcomes.from_scores([1.0, 3.0], [2.0, 3.0])
    gains = [m.gains(m.view(scores)) for m in (metrics.mean, metrics.mean_loss)]
    np.testing.assert_array_equal(gains[0], -gains[1])


@pytest.mark.parametrize("name", ["", "f", "f-1", "macro", "macro_", "f1.", "max"])
def test_an_unknown_name_is_refused_with_the_names_there_are(name):
    with pytest.raises(LikelierError, match=r"metric must be one of .*accuracy"):
        metrics.named(name)


def test_losses_are_turned_round_only_in_the_difference():
    table = Outcomes.from_labels("aaaa", "aabb", "aaab")

    assert metrics.error_rate.observed(table).tolist() == [0.5, 0.25]
    assert metrics.error_rate.differences(metrics.error_rate.observed(table)) == 0.25
    scores = Outcomes.from_scores([3.0, 5.0], [1.0, 1.0])
    assert metrics.mean_loss.differences(metrics.mean_loss.observed(scores)) == 3
    assert metrics.mean.differences(metrics.mean.observed(scores)) == -3


def test_gains_speak_for_the_second_system():
    labels = Outcomes.from_labels("ab", "bb", "ab")
    scores = Outcomes.from_scores([1.0], [3.0])

    for metric in (metrics.accuracy, metrics.error_rate):
        assert metric.gains(metric.view(labels)).tolist() == [1, 0]
    assert metrics.mean.gains(scores) == 2
    assert metrics.mean_loss.gains(scores) == -2


def test_a_metric_that_is_no_sum_has_no_gains():
    table = Outcomes.from_labels("ab", "ab", "bb").binary("a")

    with pytest.raises(LikelierError, match="f1 must be a sum"):
        metrics.f1.gains(table)


def test_a_metric_of_one_class_names_the_cure():
    table = Outcomes.from_labels("abc", "abc")

    with pytest.raises(LikelierError, match=r"(?s)there are 3: a, b, c.*macro_f1"):
        metrics.f1.observed(table)


@pytest.mark.parametrize(
    ("name", "table", "hint"),
    [
        ("accuracy", Outcomes.from_scores([1.0]), "metric='mean'"),
        ("mean", Outcomes.from_labels("a", "a"), "from_scores"),
    ],
)
def test_a_metric_of_other_data_names_the_cure(name, table, hint):
    with pytest.raises(LikelierError, match=hint):
        metrics.named(name).observed(table)


def test_true_negatives_are_not_made_up():
    table = Outcomes.from_statistics({"tp": [[7]], "fp": [[2]], "fn": [[5]]})

    with pytest.raises(LikelierError, match="specificity needs the statistics tn"):
        metrics.specificity.observed(table)


def test_zero_by_zero_is_zero():
    assert formulas.ratio(np.zeros(3), np.array([0.0, 1.0, 2.0])).tolist() == [0, 0, 0]


# A constant system has no correlation with anything, whatever the weights are.
@pytest.mark.parametrize("name", ["mcc", "kappa"])
@pytest.mark.parametrize("gold", ["abcabcabc", "aaaaaaaaa"])
def test_a_constant_system_has_no_correlation_with_the_gold_labels(name, gold):
    metric = metrics.named(name)
    table = Outcomes.from_labels(gold, "aaaaaaaaa", "abcabcabc")
    weights = np.random.default_rng(0).standard_gamma(
        table.counts, size=(3000, len(table.counts))
    )
    drawn = metric.values(metric.view(table), weights)[:, 0]

    assert np.isfinite(drawn).all()
    assert np.abs(drawn).max() < 1e-7


@pytest.mark.parametrize("scale", [1, 10**6, 10**11])
@pytest.mark.parametrize(
    "name", ["mcc", "kappa", "macro_f1", "accuracy", "weighted_f1"]
)
def test_counts_may_be_very_large(name, scale):
    rows = [["a", "b", "a", "b"], ["a", "a", "b", "b"]]
    table = Outcomes.from_patterns(rows, [3, 1, 2, 4], systems=["s"])
    large = Outcomes.from_patterns(rows, np.array([3, 1, 2, 4]) * scale, systems=["s"])

    assert value(name, large) == pytest.approx(value(name, table), rel=1e-12)


def test_a_metric_of_ones_own_speaks_of_the_positive_class_also_with_items():
    def wrong(fp, fn, items):
        return (fp + fn) / items

    gold, first, second = "aabbcc", "abbbcc", "aabbca"
    loss = Metric("wrong", ("fp", "fn", "items"), wrong, higher_is_better=False)
    result = lk.compare(gold, first, second, metric=loss, positive="b", seed=0)
    assert result.settings.positive == "b"
    assert result.settings.data.observed == (1 / 6, 0.0)


@pytest.mark.parametrize("name", ["f1_macro", "recall_micro", "F1_weighted"])
def test_names_of_scikit_learn_lead_to_ours(name):
    base, average = name.lower().split("_")
    with pytest.raises(LikelierError, match=f"is called {average}_{base} here"):
        metrics.named(name)


@pytest.mark.parametrize(
    ("alias", "name"), [("acc", "accuracy"), ("em", "exact_match"), ("WER", "wer")]
)
def test_short_names_are_those_of_one_metric(alias, name):
    assert metrics.named(alias) is metrics.named(name)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ("blue", "bleu? It takes references"),
        ("rsme", "rmse? It takes gold numbers"),
        ("acuracy", "accuracy? It takes gold labels"),
        ("log_los", "log_loss? It takes gold labels, and probabilities"),
    ],
)
def test_a_wrong_name_has_the_nearest_and_what_it_needs(wrong, hint):
    with pytest.raises(SettingError) as caught:
        metrics.named(wrong)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("name", "metric", "takes"),
    [
        ("rocauc", "roc_auc", "a score per item"),
        ("auprc", "average_precision", "a score per item"),
        ("word_error_rate", "wer", "references"),
        ("mean_squared_error", "mse", "gold numbers"),
        ("f1_score", "f1", "gold labels"),
        ("bleu4", "bleu", "references"),
        ("dice", "f1", "gold labels"),
        ("IoU", "jaccard", "gold labels"),
        ("cross_entropy", "log_loss", "probabilities"),
    ],
)
def test_other_names_of_metrics_are_known(name, metric, takes):
    with pytest.raises(SettingError) as error:
        metrics.named(name)
    assert f"Did you mean {metric}?" in error.value.hint
    assert takes in error.value.hint


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("COMET", "--name COMET"),
        ("comet", "likelier compare scores.csv --metric mean --name COMET"),
        ("pass@5", "several answers"),
        ("pass@k", "pass@1, pass@5"),
        ("precision@5", "--metric P@5"),
        ("MRR", "qrels.txt a.run b.run --metric MRR"),
        ("ndcg@10", "qrels.txt a.run b.run --metric ndcg@10"),
    ],
)
def test_what_needs_other_data_says_so(name, words):
    with pytest.raises(SettingError) as error:
        metrics.named(name)
    assert words in error.value.hint
