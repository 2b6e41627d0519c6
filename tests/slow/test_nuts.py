"""The hierarchical model beside NUTS, which samples all of its parameters.

The folds keep their multivariate normal density; delta_i, sigma_i, nu and the shape and
rate of its prior are all sampled. Our answers must lie within the Monte-Carlo error.
"""

import os

import numpy as np
import pytest
from scipy import special
from tests.methods.folds.fold_tables import drawn, table_of

from likelier.methods.folds.hierarchical_folds import HierarchicalFolds

CHAINS, WARM_UP, DRAWS = 4, 2_000, 10_000
ROPE = (-0.01, 0.01)
SHARES = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
MOST = 4.0
# Our own error; laws of single data sets rest on a thousand points of the posterior.
OWN = {False: 2e-4, True: 3e-3}

TABLES = {
    "2 x 10": drawn(20, sets=2),
    "5 x 10": drawn(21, sets=5, among=0.01),
    "5 x 30, heavy tails": drawn(22, sets=5, folds=30, among=0.02, nu=1.5),
    "6 x 10, an outlier": [*drawn(23, sets=5, among=0.005), drawn(23, sets=1)[0] + 0.2],
    "20 x 10": drawn(24, sets=20, among=0.01),
}


@pytest.fixture(scope="module")
def nuts():
    """Import numpyro, in double precision; the chains run side by side."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    numpyro = pytest.importorskip(
        "numpyro", reason="needs numpyro: pip install 'likelier[nuts]'"
    )
    numpyro.enable_x64()
    return numpyro


def whitened(folds, rho):
    """Return folds and their ones without the correlation."""
    n = len(folds)
    root = np.linalg.cholesky(np.full((n, n), rho) + (1 - rho) * np.eye(n))
    return np.linalg.solve(root, np.stack([folds, np.ones(n)], axis=1)).T


def model(numpyro, data):
    """Write the model; every parameter is shifted and scaled to be easily walked."""
    import jax.numpy as jnp
    import numpyro.distributions as dist

    def positive(name, centre, width, highest):
        """Sample a number under a flat prior up to its bound, by its logarithm."""
        shape = () if np.ndim(centre) == 0 else (len(centre),)
        raw = numpyro.sample(f"raw {name}", dist.Normal(0, 1).expand(shape).to_event())
        log = jnp.log(centre) + width * raw
        inside = jnp.where(log < jnp.log(highest), 0.0, -jnp.inf)
        numpyro.factor(f"flat {name}", jnp.sum(log + 0.5 * raw**2 + inside))
        return numpyro.deterministic(name, jnp.exp(log))

    def whole():
        shape = numpyro.sample("shape", dist.Uniform(1, 2))
        rate = numpyro.sample("rate", dist.Uniform(0.01, 0.1))
        less_one = numpyro.sample("nu less 1", dist.Gamma(shape, rate))
        nu = numpyro.deterministic("nu", 1 + less_one)
        delta0 = numpyro.sample("delta0", dist.Uniform(-data.bound, data.bound))
        sigma0 = positive("sigma0", data.among, 1.5, data.widest)
        sigma = positive("sigma", data.sd, 0.5 / np.sqrt(data.n), 1000.0)
        each = dist.Gamma(0.5 * nu, 0.5 * nu).expand((data.q,)).to_event()
        # A Student law is normal with a random precision: an outlier has a small one.
        spread = sigma0 / jnp.sqrt(numpyro.sample("precision", each))
        raw = numpyro.sample(
            "raw delta", dist.Normal(0, 1).expand((data.q,)).to_event()
        )
        share = spread**2 / (spread**2 + data.scale**2)
        width = jnp.sqrt(share) * data.scale
        delta = share * data.mean + (1 - share) * delta0 + width * raw
        numpyro.factor("turned", jnp.sum(0.5 * raw**2 + jnp.log(width)))
        numpyro.factor(
            "population", jnp.sum(dist.Normal(delta0, spread).log_prob(delta))
        )
        for i, (values, ones) in enumerate(data.folds):
            residual = (values - delta[i] * ones) / sigma[i]
            numpyro.factor(
                f"folds {i}",
                -0.5 * jnp.sum(residual**2) - len(values) * jnp.log(sigma[i]),
            )
        numpyro.deterministic("first", delta[0])

    return whole


class Data:
    """The folds in units of their mean standard deviation, and the priors' bounds."""

    def __init__(self, folds):
        self.unit = float(np.mean([row.std() for row in folds]))
        rows = [row / self.unit for row in folds]
        self.q = len(rows)
        self.n = np.array([len(row) for row in rows])
        self.mean = np.array([row.mean() for row in rows])
        self.sd = np.array([row.std() for row in rows])
        self.scale = self.sd * np.sqrt((2 - 1 / self.n) / (1 - 1 / self.n) / self.n)
        self.bound = max(np.abs(row).max() for row in rows)
        self.widest = 1000 * self.mean.std()
        self.among = self.mean.std()
        self.folds = [whitened(row, 1 / len(row)) for row in rows]


def sampled(numpyro, data):
    """Walk the chains; return the draws (chain, draw) in units of the scores."""
    from jax import random
    from numpyro.infer import MCMC, NUTS

    kernel = NUTS(model(numpyro, data), target_accept_prob=0.95)
    chains = MCMC(
        kernel,
        num_warmup=WARM_UP,
        num_samples=DRAWS,
        num_chains=CHAINS,
        chain_method="vectorized",
        progress_bar=False,
    )
    chains.run(random.PRNGKey(0), extra_fields=("diverging",))
    samples = chains.get_samples(group_by_chain=True)
    diverging = int(chains.get_extra_fields()["diverging"].sum())
    drawn_ = {
        name: data.unit * np.asarray(samples[name])
        for name in ("delta0", "sigma0", "first")
    }
    return {**drawn_, "nu": np.asarray(samples["nu"])}, diverging


def compared(draws, population):
    """Return the numbers that are compared: draws (chain, draw), and our number."""
    delta0, sigma0, nu = draws["delta0"], draws["sigma0"], draws["nu"]
    below = special.stdtr(nu, (ROPE[0] - delta0) / sigma0)
    above = special.stdtr(nu, (delta0 - ROPE[1]) / sigma0)
    masses = np.stack([below, 1 - below - above, above])
    names = ("worse", "equivalent", "better")
    rows = {}
    for region, name in enumerate(names):
        rows[name] = (
            (masses.argmax(axis=0) == region).astype(float),
            population.shares(*ROPE)[region],
        )
        rows[f"next {name}"] = masses[region], population.predictive()[region]
    laws = {
        "delta0": population.delta0,
        "sigma0": population.sigma0,
        "nu": population.nu,
        "first": population.shrunken[0],
    }
    for name, law in laws.items():
        for share, end in zip(SHARES, law.quantile(SHARES), strict=True):
            rows[f"{name} {share:g}"] = (draws[name] < end).astype(float), float(share)
    rows["delta0 mean"] = draws["delta0"], population.delta0.mean()
    rows["first mean"] = draws["first"], population.shrunken[0].mean()
    return rows


@pytest.mark.parametrize("name", TABLES)
def test_agrees_with_nuts(name, nuts, show):
    from numpyro.diagnostics import effective_sample_size

    folds = TABLES[name]
    population = HierarchicalFolds().population(table_of(folds), *ROPE)
    draws, diverging = sampled(nuts, Data(folds))
    rows = []
    for quantity, (values, ours) in compared(draws, population).items():
        size = float(effective_sample_size(values)) if values.std() else np.nan
        error = float(values.std() / np.sqrt(size)) if values.std() else 0.0
        z = (ours - float(values.mean())) / np.hypot(
            error, OWN[quantity.startswith("first")]
        )
        rows.append((quantity, float(ours), float(values.mean()), error, size, z))
    head = ("quantity", "ours", "nuts", "mcse", "ess", "z")
    show(f"{name}: {diverging} divergences of {CHAINS * DRAWS:,}", [head, *rows])
    assert diverging < 0.02 * CHAINS * DRAWS
    assert max(abs(row[-1]) for row in rows) < MOST
