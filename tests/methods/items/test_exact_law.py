"""Exact laws of one system's metric, from its counts."""

import pytest
from scipy import stats

import likelier as lk
from likelier import LikelierError, Outcomes, metrics
from likelier.methods.items.exact_laws import ExactLaw, counts_events, has_law
from likelier.streams import Streams

NO_DRAWS = Streams.of(0)


def one_system(tp=8, fp=3, fn=2, tn=7):
    rows = [["y", "n", "y", "n"], ["y", "y", "n", "n"]]
    return Outcomes.from_patterns(rows, [tp, fp, fn, tn], systems=["s"]).binary("y")


@pytest.mark.parametrize("prior", [0.5, 1.0, 2.0])
@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("precision", (8, 3)),
        ("recall", (8, 2)),
        ("specificity", (7, 3)),
        ("npv", (7, 2)),
        ("accuracy", (15, 5)),
        ("error_rate", (5, 15)),
    ],
)
def test_shares_are_beta(name, ends, prior):
    law = ExactLaw(prior).estimate(one_system(), metrics.named(name), NO_DRAWS)
    expected = stats.beta(ends[0] + prior, ends[1] + prior)

    assert law.mean() == pytest.approx(expected.mean(), rel=1e-12)
    assert law.std() == pytest.approx(expected.std(), rel=1e-12)
    assert tuple(law.interval(0.9)) == pytest.approx(expected.interval(0.9), rel=1e-9)


def test_f1_is_a_map_of_a_beta():
    law = ExactLaw().estimate(one_system(), metrics.f1, NO_DRAWS)
    u = stats.beta(9, 7).ppf([0.05, 0.95])

    assert tuple(law.interval(0.9)) == pytest.approx(2 * u / (1 + u), rel=1e-9)
    assert ExactLaw().estimate(
        one_system(), metrics.jaccard, NO_DRAWS
    ).mean() == pytest.approx(9 / 16)


@pytest.mark.parametrize("name", ["f0.5", "f2"])
def test_fbeta_is_that_of_draws(name):
    metric = metrics.named(name)
    law = ExactLaw().estimate(one_system(80, 30, 20, 70), metric, NO_DRAWS)
    drawn = lk.estimate(
        one_system(80, 30, 20, 70), metric=name, method=lk.methods.Paired(), seed=0
    )

    assert law.mean() == pytest.approx(drawn.distribution.mean(), abs=0.005)
    assert law.std() == pytest.approx(drawn.distribution.std(), rel=0.06)


@pytest.mark.parametrize("name", ["macro_f1", "micro_f1", "mcc", "informedness"])
def test_what_has_no_law_is_refused_with_the_cure(name):
    table = Outcomes.from_labels("abc", "abb")
    table = table.binary("a") if metrics.named(name).of_one_class else table

    assert not has_law(table, metrics.named(name))
    with pytest.raises(LikelierError, match=r"(?s)no exact law.*Paired"):
        ExactLaw().estimate(table, metrics.named(name), NO_DRAWS)


def test_two_systems_and_clusters_have_no_law():
    two = Outcomes.from_labels("ab", "ab", "ab")
    clustered = Outcomes.from_labels("aabb", "abab", cluster=[0, 0, 1, 1])

    assert not has_law(two, metrics.accuracy)
    assert not has_law(clustered, metrics.accuracy)
    assert has_law(two.keep(0), metrics.accuracy)


def test_micro_f1_of_chunks_has_a_law():
    table = Outcomes.from_statistics(
        {"tp": [[[5, 3]]], "fp": [[[1, 1]]], "fn": [[[2, 0]]]}, classes=["per", "loc"]
    )
    law = ExactLaw().estimate(table, metrics.micro_f1, NO_DRAWS)
    single = Outcomes.from_statistics({"tp": [[8]], "fp": [[2]], "fn": [[2]]})

    assert law.mean() == pytest.approx(
        ExactLaw().estimate(single, metrics.f1, NO_DRAWS).mean()
    )


@pytest.mark.parametrize("prior", [0.0, -1.0, float("nan")])
def test_a_prior_must_be_positive(prior):
    with pytest.raises(LikelierError, match="prior"):
        ExactLaw(prior).estimate(one_system(), metrics.recall, NO_DRAWS)


@pytest.mark.parametrize(("chunks", "single"), [(1, True), (2, False), (3, False)])
def test_only_sentences_of_one_chunk_are_single_events(chunks, single):
    gold = [["B-P"] * chunks, ["O"] * chunks] * 20
    table = Outcomes.from_chunks(gold, gold, scheme="iob2")

    assert counts_events(table) == single
    result = lk.estimate(table, metric="micro_f1", draws=100, seed=0)
    assert result.settings.method == ("exact-law" if single else "paired")
