"""The conjugate posterior against closed forms and independent simulation."""

import numpy as np
import pytest
from hypothesis import given
from scipy import stats
from tests.conftest import FEW, pattern_counts, random_labels

import likelier as lk
from likelier import LikelierError, Outcomes, metrics
from likelier.methods.items.dirichlet import Paired, Unpaired
from likelier.methods.items.dirichlet_cells import DirichletCells
from likelier.streams import Streams

# Cells in the order gold, first, second.
CELLS = [(g, a, b) for g in "ny" for a in "ny" for b in "ny"]
COUNTS = (50, 7, 3, 6, 4, 9, 2, 30)
DRAWS = 20_000


def table_of(counts):
    return Outcomes.from_patterns(
        list(zip(*CELLS, strict=True)), counts, systems=["x", "y"], classes=["n", "y"]
    )


def difference(method, table, metric, *, draws=DRAWS, seed=0):
    return method.posterior(table, metric, Streams.of(seed, draws=draws)).difference


def nested(counts, cell, gold):
    """Shapes of theta by gold class (two rows of 4) and of the gold classes."""
    table = np.asarray(counts, float).reshape(2, 4)
    return table + cell, table.sum(1) + gold


def moments(shapes, signs):
    """Mean and second moment of a signed sum of Dirichlet shares."""
    total = shapes.sum()
    mean = shapes / total
    second = (np.outer(shapes, shapes) + np.diag(shapes)) / (total * (total + 1))
    return mean @ signs, signs @ second @ signs


# Where second is right and first is not, for gold n or y.
SIGNS = np.array([[0, -1, 1, 0], [0, 1, -1, 0]], float)
PRIORS = {"uniform": (1.0, 1.0), "objective": (0.25, 1.0), "bootstrap": (0.0, 0.0)}


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("seed", [0, 1])
def test_moments_of_the_accuracy_difference(prior, seed):
    theta, mu = nested(COUNTS, *PRIORS[prior])
    within = [moments(theta[y], SIGNS[y]) for y in range(2)]
    first = np.array([m for m, _ in within])
    share, _ = moments(mu, np.eye(2)[1])
    total = mu.sum()
    products = (np.outer(mu, mu) + np.diag(mu)) / (total * (total + 1))
    mean = (1 - share) * first[0] + share * first[1]
    square = products * np.outer(first, first)
    np.fill_diagonal(square, np.diag(products) * [s for _, s in within])
    sd = np.sqrt(square.sum() - mean**2)
    drawn = difference(Paired(prior), table_of(COUNTS), metrics.accuracy, seed=seed)

    assert abs(drawn.mean() - mean) < 4.5 * sd / np.sqrt(DRAWS)
    assert abs(drawn.std() / sd - 1) < 4.5 / np.sqrt(2 * DRAWS)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize(("name", "y"), [("recall", 1), ("specificity", 0)])
def test_moments_of_the_recall_difference(prior, name, y):
    theta, _ = nested(COUNTS, *PRIORS[prior])
    mean, second = moments(theta[y], SIGNS[y])
    sd = np.sqrt(second - mean**2)
    table = table_of(COUNTS).binary("y")
    drawn = difference(Paired(prior), table, metrics.named(name))

    assert abs(drawn.mean() - mean) < 4.5 * sd / np.sqrt(DRAWS)
    assert abs(drawn.std() / sd - 1) < 4.5 / np.sqrt(2 * DRAWS)


def simulated(counts, cell, gold, rng, n=DRAWS):
    """Draws of F1 of both systems, by numpy's own Dirichlet."""
    theta, mu = nested(counts, cell, gold)
    shares = rng.dirichlet(mu, size=n)
    cells = np.stack([rng.dirichlet(theta[y], size=n) for y in range(2)], axis=1)
    joint = shares[:, :, np.newaxis] * cells
    scores = []
    for cells in ([2, 3], [1, 3]):
        tp = joint[:, 1][:, cells].sum(1)
        wrong = joint[:, 0][:, cells].sum(1) + joint[:, 1].sum(1) - tp
        scores.append(2 * tp / (2 * tp + wrong))
    return np.array(scores)


@pytest.mark.parametrize("prior", ["uniform", "objective"])
@pytest.mark.parametrize("counts", [COUNTS, (9, 0, 0, 1, 0, 2, 0, 0), (0,) * 7 + (3,)])
def test_f1_is_that_of_a_direct_simulation(prior, counts):
    rng = np.random.default_rng(5)
    first, second = simulated(counts, *PRIORS[prior], rng)
    posterior = Paired(prior).posterior(
        table_of(counts).binary("y"), metrics.f1, Streams.of(1, draws=DRAWS)
    )

    for ours, theirs in (
        (posterior.systems[0], first),
        (posterior.systems[1], second),
        (posterior.difference, second - first),
    ):
        assert stats.ks_2samp(ours.values, theirs).pvalue > 1e-4


def test_gold_classes_have_a_prior_of_their_own():
    # Share of positives where the first says y to all: accuracy of the first is mu.
    counts = (0, 0, 8, 4, 0, 0, 5, 20)
    theta, mu = nested(counts, 1.0, 1.0)
    assert (mu == [13, 26]).all()
    rng = np.random.default_rng(6)
    share = rng.beta(26, 13, size=DRAWS)
    hits = rng.beta(theta[1][2:].sum(), theta[1][:2].sum(), size=DRAWS)
    rest = rng.beta(theta[0][:2].sum(), theta[0][2:].sum(), size=DRAWS)
    posterior = Paired("uniform").posterior(
        table_of(counts), metrics.accuracy, Streams.of(0, draws=DRAWS)
    )

    theirs = share * hits + (1 - share) * rest
    assert stats.ks_2samp(posterior.systems[0].values, theirs).pvalue > 1e-4


@pytest.mark.parametrize("classes", [3, 5])
def test_the_objective_prior_has_mass_1_per_gold_class(classes):
    labels = [str(i) for i in range(classes)]
    gold = labels * 4
    table = Outcomes.from_labels(gold, gold, gold)
    method = Paired("objective")
    posterior = method.posterior(table, metrics.accuracy, Streams.of(0, draws=DRAWS))
    recall = method.posterior(
        table, metrics.balanced_accuracy, Streams.of(0, draws=DRAWS)
    )

    # Given a gold class: 4 right items and, of mass 1, a share 1/k right.
    right = stats.beta(4 + 1 / classes, 1 - 1 / classes)
    error = 4.5 * right.std() / np.sqrt(classes * DRAWS)
    assert abs(recall.systems[0].mean() - right.mean()) < error
    ratio = recall.systems[0].std() / (right.std() / np.sqrt(classes))
    assert ratio == pytest.approx(1, abs=0.04)
    assert abs(posterior.systems[1].mean() - right.mean()) < error * 1.5


def test_the_prior_alone_can_be_drawn():
    table = table_of(COUNTS)
    prior = Paired("uniform").prior_distribution(
        table, metrics.accuracy, Streams.of(0, draws=DRAWS)
    )
    none = simulated_accuracy(np.zeros(8), np.random.default_rng(7))

    assert stats.ks_2samp(prior.systems[0].values, none).pvalue > 1e-4
    for method in (Paired("bootstrap"), Unpaired("bootstrap"), Paired(), Unpaired()):
        with pytest.raises(LikelierError, match="before any item was seen"):
            method.prior_distribution(table, metrics.accuracy, Streams.of(0))


def simulated_accuracy(counts, rng):
    theta, mu = nested(counts, 1.0, 1.0)
    shares = rng.dirichlet(mu, size=DRAWS)
    right = [
        rng.dirichlet(theta[0], size=DRAWS)[:, :2].sum(1),
        rng.dirichlet(theta[1], size=DRAWS)[:, 2:].sum(1),
    ]
    return shares[:, 0] * right[0] + shares[:, 1] * right[1]


@FEW
@given(counts=pattern_counts(most=20))
def test_the_bootstrap_prior_lets_only_observed_patterns_occur(counts):
    table = table_of(counts)
    better = sum(counts[i] for i in (2, 5))
    worse = sum(counts[i] for i in (1, 6))
    drawn = difference(Paired("bootstrap"), table, metrics.accuracy, draws=200)

    if not better:
        assert drawn.values.max() <= 1e-15
    if not worse:
        assert drawn.values.min() >= -1e-15
    uniform = difference(Paired("uniform"), table, metrics.accuracy, draws=200)
    assert uniform.std() > 0


@pytest.mark.parametrize("prior", PRIORS)
def test_unpaired_variances_add_up(prior):
    table = random_labels(0, n=200, right=(0.7, 0.8)).outcomes()
    posterior = Unpaired(prior).posterior(
        table, metrics.accuracy, Streams.of(0, draws=DRAWS)
    )
    separate = sum(draws.std() ** 2 for draws in posterior.systems)
    first, second = (draws.values for draws in posterior.systems)

    assert posterior.difference.std() ** 2 == pytest.approx(separate, rel=0.04)
    assert abs(np.corrcoef(first, second)[0, 1]) < 4 / np.sqrt(DRAWS)


def test_pairing_gives_power():
    table = table_of((400, 20, 2, 30, 20, 2, 20, 400))
    paired = difference(Paired(), table, metrics.accuracy)
    unpaired = difference(Unpaired(), table, metrics.accuracy)

    assert paired.std() < unpaired.std() / 1.5


def test_pairing_is_kept():
    rng = np.random.default_rng(0)
    right = rng.random(4000) < 0.8
    better = right | (rng.random(4000) < 0.06)
    result = lk.compare(
        np.ones(4000, int),
        right.astype(int),
        better.astype(int),
        metric="accuracy",
        seed=0,
    )

    assert result.probability.better > 0.9999
    assert result.verdict.name == "better"


@pytest.mark.parametrize("classes", [1, 2, 17])
def test_the_default_prior_is_the_same_for_any_number_of_classes(classes):
    labels = [f"{i:02}" for i in range(classes)]
    table = Outcomes.from_labels(labels, labels, labels)

    assert Paired().parameters(table)["prior"] == "swap"
    assert Unpaired().parameters(table)["prior"] == "extremes"


@pytest.mark.parametrize(("classes", "expected"), [(2, "uniform"), (3, "objective")])
@pytest.mark.parametrize("method", [Paired(), Unpaired(), Paired("bootstrap")])
def test_a_proper_prior_takes_the_place_of_one_that_looks_at_data(
    method, classes, expected
):
    labels = [str(i) for i in range(classes)]
    table = Outcomes.from_labels(labels, labels, labels)

    assert method.with_proper_prior(table).prior == expected
    named = Paired("objective")
    assert named.with_proper_prior(table) is named


@pytest.mark.parametrize("method", [Paired, Unpaired])
def test_an_unknown_prior_is_refused(method):
    with pytest.raises(LikelierError, match="prior must be one of bootstrap, ext"):
        method("jeffreys").posterior(table_of(COUNTS), metrics.accuracy, Streams.of(0))


@pytest.mark.parametrize("prior", ["uniform", "objective"])
def test_a_prior_on_cells_needs_labels(prior):
    table = Outcomes.from_scores([1.0, 2.0], [2.0, 1.0])

    with pytest.raises(LikelierError, match="must have items with one label"):
        Paired(prior).posterior(table, metrics.mean, Streams.of(0))


def test_scores_are_weighted_as_they_are():
    rng = np.random.default_rng(8)
    first, second = rng.normal(size=(2, 40))
    table = Outcomes.from_scores(first, second)
    drawn = difference(Paired("bootstrap"), table, metrics.mean)
    gains = second - first
    sd = gains.std() / np.sqrt(41)  # of a Dirichlet(1, ..., 1) mean

    assert abs(drawn.mean() - gains.mean()) < 4.5 * sd / np.sqrt(DRAWS)
    assert drawn.std() == pytest.approx(sd, rel=4.5 / np.sqrt(2 * DRAWS))


def test_float_scores_in_clusters_do_not_know_the_order_of_rows():
    rng = np.random.default_rng(9)
    first, second = rng.random((2, 60))
    cluster = rng.integers(8, size=60)
    streams = Streams.of(0, draws=100)
    got = set()
    for _ in range(30):
        order = rng.permutation(60)
        table = Outcomes.from_scores(
            first[order], second[order], cluster=cluster[order]
        )
        drawn = Paired().posterior(table, metrics.mean, streams).difference
        got.add((table.digest, drawn.values.tobytes()))

    assert len(got) == 1


def test_one_system_is_drawn_alone():
    table = table_of(COUNTS).keep(1)
    drawn = Paired("uniform").estimate(
        table.binary("y"), metrics.recall, Streams.of(0, draws=DRAWS)
    )

    assert (
        stats.kstest(drawn.values, stats.beta(9 + 30 + 1, 4 + 2 + 1).cdf).pvalue > 1e-4
    )


def test_the_difference_of_two_is_credible_too():
    table = table_of(COUNTS)
    streams = Streams.of(0, draws=100)
    drawn = Paired().estimate(table, metrics.accuracy, streams)

    expected = Paired().posterior(table, metrics.accuracy, streams).difference
    assert drawn.values.tobytes() == expected.values.tobytes()


@pytest.mark.parametrize("strength", [1.0, 3.0])
def test_the_joint_prior_of_many_systems_weighs_as_much_as_that_of_two(strength):
    method, columns = Paired("uniform", strength), ["yynn", "ynyn", "yyny", "nnyy"]
    masses = []
    for systems in (2, 3):
        table = Outcomes.from_labels("yynn", *columns[:systems])
        cells = DirichletCells.of(table, method.shared_prior(table))
        masses.append(cells.mass.sum())

    assert masses == pytest.approx([8 * strength] * 2)


@pytest.mark.parametrize("method", [Paired("uniform"), Unpaired("uniform")])
def test_prior_and_posterior_have_random_numbers_of_their_own(method):
    """Without items both have the same law, and would have the same draws."""
    table, streams = table_of([1] * 8).scaled(0.0), Streams.of(0, draws=500)
    after = method.posterior(table, metrics.accuracy, streams)
    before = method.prior_distribution(table, metrics.accuracy, streams)

    for one in after.systems:
        for other in before.systems:
            assert not np.isin(one.values, other.values).any()
