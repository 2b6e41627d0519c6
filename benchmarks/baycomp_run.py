"""Answer the cases of ``baycomp_cases.py`` with baycomp, and tell the time it takes.

Run as ``python benchmarks/baycomp_run.py cases.json answers.json`` by the Python of an
environment that has baycomp 1.0.3 and pystan 3.10.0; likelier is not needed there. The
first hierarchical case compiles the model, which takes a minute.

Baycomp's differences are second minus first, so its left, rope and right are worse,
equivalent and better of the second system.
"""

import argparse
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import baycomp
import httpstan.cache
import numpy as np
import stan

Case = dict[str, Any]
Answer = dict[str, Any]

# HierarchicalTest.sample draws 10,000 per chain unless told otherwise; called through
# the class it gets 50,000, for which 20 data sets would need some 25 GB of memory.
DRAWS, CHAINS = 10_000, 4
SIDES = ("worse", "equivalent", "better")
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
ELAPSED = re.compile(rb"info: +([\d.e+-]+) seconds \(Total\)")


@dataclass
class Watch:
    """What Stan did while baycomp ran it."""

    building: float = 0.0
    sampling: float = 0.0
    chains: list[float] = field(default_factory=list)
    divergences: int = 0
    draws: dict[str, np.ndarray] = field(default_factory=dict)

    def keep(self, fit: Any) -> None:
        """Keep what is needed of a fit: its hyper-parameters (draw, chain)."""
        self.chains = [
            float(seconds)
            for output in fit.stan_outputs
            for seconds in ELAPSED.findall(output)
        ]
        self.divergences = int(fit["divergent__"].sum())
        self.draws = {
            name: fit[name].reshape(-1, fit.num_chains)
            for name in ("delta0", "std0", "nu", "gammaAlpha", "gammaBeta")
        }


@dataclass(frozen=True)
class Watched:
    """A Stan model that tells how long sampling takes."""

    model: Any
    watch: Watch

    def sample(self, **settings: Any) -> Any:
        """Sample, never from the fits that httpstan stores under their seed."""
        fits = httpstan.cache.model_directory(self.model.model_name) / "fits"
        shutil.rmtree(fits, ignore_errors=True)
        start = time.perf_counter()
        fit = self.model.sample(**settings)
        self.watch.sampling = time.perf_counter() - start
        shutil.rmtree(fits, ignore_errors=True)
        self.watch.keep(fit)
        return fit


@contextmanager
def watched(seed: int) -> Iterator[Watch]:
    """Have baycomp's call of Stan timed, and seeded, which baycomp does not do.

    In a folder of its own: baycomp stores its last draws in the current one, and takes
    them again for the same scores even if the number of draws has changed.
    """
    watch, build = Watch(), stan.build

    def building(code: str, data: Any) -> Watched:
        start = time.perf_counter()
        model = build(code, data=data, random_seed=seed)
        watch.building = time.perf_counter() - start
        return Watched(model, watch)

    stan.build = building
    try:
        with TemporaryDirectory() as folder, chdir(folder):
            yield watch
    finally:
        stan.build = build


def correlated_t(case: Case, _: argparse.Namespace) -> Answer:
    """Answer by the correlated t-test: one data set, all folds."""
    first, second = (np.array(case[which][0]) for which in ("first", "second"))
    test = baycomp.CorrelatedTTest
    return timed(lambda: test.probs(first, second, case["rope"], case["runs"]))


def by_dirichlet(test: Any, case: Case, options: argparse.Namespace) -> Answer:
    """Answer by the sign or signed-rank test: one score per data set."""
    first, second = (np.array(case[which])[:, 0] for which in ("first", "second"))
    return timed(
        lambda: test.probs(first, second, case["rope"], random_state=options.seed)
    )


def timed(probabilities: Callable[[], Sequence[float]]) -> Answer:
    """Give the three probabilities and the seconds; without a rope there are two."""
    start = time.perf_counter()
    found = probabilities()
    seconds = time.perf_counter() - start
    worse, better = found[0], found[-1]
    equivalent = found[1] if len(found) > 2 else 0.0
    return {"probability": named((worse, equivalent, better)), "seconds": seconds}


def hierarchical(case: Case, options: argparse.Namespace) -> Answer:
    """Answer by the hierarchical model; several runs are pooled."""
    runs = [
        hierarchical_run(case, options, seed=options.seed + number)
        for number in range(options.repeats)
    ]
    pooled = {
        key: named(np.mean([list(run[key].values()) for run in runs], axis=0))
        for key in ("probability", "predictive")
    }
    errors = {key: pooled_error([run["mcse"][key] for run in runs]) for key in pooled}
    seconds = sum(run["seconds"] for run in runs)
    draws = options.draws * options.chains * len(runs)
    told = {"seconds": seconds, "draws": draws, "mcse": errors, "runs": runs}
    return pooled | told


def hierarchical_run(case: Case, options: argparse.Namespace, *, seed: int) -> Answer:
    """Sample once; give probabilities, their errors, and what Stan tells.

    Predictive are the mean masses of the three regions for the next data set, not
    baycomp's shares of draws in which a region has the largest mass.
    """
    first, second = (np.array(case[which]) for which in ("first", "second"))
    with watched(seed) as watch:
        start = time.perf_counter()
        posterior = baycomp.HierarchicalTest(
            first,
            second,
            case["rope"],
            runs=case["runs"],
            nsamples=options.draws,
            chains=options.chains,
            random_state=seed,
        )
        found = posterior.probs()
        seconds = time.perf_counter() - start - watch.building
    masses = posterior.sample.reshape(-1, options.chains, 3)
    largest = np.eye(3)[masses.argmax(axis=2)]
    scale = float(np.std(second - first, axis=1).mean())
    return {
        "seed": seed,
        "probability": named(found),
        "predictive": named(masses.mean(axis=(0, 1))),
        "mcse": {
            "probability": standard_errors(largest),
            "predictive": standard_errors(masses),
        },
        "seconds": seconds,
        "build_seconds": watch.building,
        "sample_seconds": watch.sampling,
        "chain_seconds": watch.chains,
        "divergences": watch.divergences,
        "hyper": hyper(watch.draws, scale),
    }


def pooled_error(errors: list[dict[str, float | None]]) -> dict[str, float | None]:
    """Give the errors of means over runs; none where a run does not tell."""
    found: dict[str, float | None] = {}
    for side in SIDES:
        known = [each for error in errors if (each := error[side]) is not None]
        all_known = len(known) == len(errors)
        found[side] = float(np.linalg.norm(known)) / len(known) if all_known else None
    return found


def named(values: Any) -> dict[str, float]:
    """Name three numbers."""
    return dict(zip(SIDES, map(float, values), strict=True))


def hyper(draws: dict[str, np.ndarray], scale: float) -> dict[str, Any]:
    """Sum up the hyper-parameters; location and scale in the unit of the scores."""
    units = {"delta0": scale, "std0": scale}
    return {
        name: {
            "quantiles": (np.quantile(x, QUANTILES) * units.get(name, 1)).tolist(),
            "ess": effective(ranks(x)),
            "rhat": r_hat(ranks(x)),
        }
        for name, x in draws.items()
    }


def standard_errors(draws: np.ndarray) -> dict[str, float | None]:
    """Estimate the Monte-Carlo errors of the means of draws (draw, chain, side).

    Draws that are all alike tell nothing of it.
    """
    return {
        side: float(each.std() / np.sqrt(effective(each))) if np.ptp(each) else None
        for side, each in zip(SIDES, np.moveaxis(draws, 2, 0), strict=True)
    }


def effective(draws: np.ndarray) -> float:
    """Estimate how many independent draws these (draw, chain) are worth.

    By split chains and Geyer's initial monotone sequence, as in Stan; see Vehtari et
    al. (2021), doi:10.1214/20-BA1221.
    """
    halves = split(draws)
    count, chains = halves.shape
    covariance = autocovariance(halves).mean(axis=1)
    within = covariance[0] * count / (count - 1)
    total = covariance[0] + halves.mean(axis=0).var(ddof=1)
    correlation = 1 - (within - covariance * count / (count - 1)) / total
    correlation[0] = 1
    pairs = correlation[: count // 2 * 2].reshape(-1, 2).sum(axis=1)
    stop = np.flatnonzero(pairs < 0)
    pairs = np.minimum.accumulate(pairs[: stop[0] if len(stop) else None])
    time_scale = max(2 * pairs.sum() - 1, 1 / np.log10(count * chains))
    return float(count * chains / time_scale)


def r_hat(draws: np.ndarray) -> float:
    """Compare the chains' means with the spread inside the chains: 1 if alike."""
    halves = split(draws)
    within = halves.var(axis=0, ddof=1).mean()
    between = halves.mean(axis=0).var(ddof=1)
    return float(np.sqrt((len(halves) - 1) / len(halves) + between / within))


def split(draws: np.ndarray) -> np.ndarray:
    """Cut every chain in two halves."""
    half = len(draws) // 2
    return np.hstack([draws[:half], draws[-half:]])


def ranks(draws: np.ndarray) -> np.ndarray:
    """Replace draws by their ranks, which heavy tails do not disturb."""
    order = np.argsort(np.argsort(draws, axis=None))
    return order.reshape(draws.shape) / draws.size


def autocovariance(chains: np.ndarray) -> np.ndarray:
    """Give the autocovariances (lag, chain), by Fourier transform."""
    count = len(chains)
    waves = np.fft.rfft(chains - chains.mean(axis=0), 2 * count, axis=0)
    power = np.fft.irfft(np.abs(waves) ** 2, 2 * count, axis=0)
    return power[:count] / count


TESTS: dict[str, Callable[[Case, argparse.Namespace], Answer]] = {
    "hierarchical": hierarchical,
    "correlated-t": correlated_t,
    "signed-rank": partial(by_dirichlet, baycomp.SignedRankTest),
    "sign": partial(by_dirichlet, baycomp.SignTest),
}


def options_given() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("answers", type=Path)
    parser.add_argument("--tests", default=",".join(TESTS), help="which tests")
    parser.add_argument("--names", help="only cases whose name matches this pattern")
    parser.add_argument("--draws", type=int, default=DRAWS, help="per chain")
    parser.add_argument("--chains", type=int, default=CHAINS)
    parser.add_argument("--repeats", type=int, default=1, help="runs to pool")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Answer the cases asked for; write after each, as one may take long."""
    options = options_given()
    tests = options.tests.split(",")
    answers: list[Answer] = []
    told = {
        "versions": {name: version(name) for name in ("baycomp", "pystan", "httpstan")},
        "cores": os.cpu_count(),
        "draws": options.draws,
        "chains": options.chains,
        "seed": options.seed,
        "answers": answers,
    }
    for case in json.loads(options.cases.read_text()):
        wanted = re.search(options.names or "", case["name"])
        if case["test"] not in tests or not wanted:
            continue
        answer = TESTS[case["test"]](case, options)
        answers.append({"name": case["name"], "test": case["test"], **answer})
        options.answers.write_text(json.dumps(told, indent=1))
        shown = "  ".join(f"{p:.4f}" for p in answer["probability"].values())
        print(f"{case['name']}: {shown}  {answer['seconds']:.3g} s", flush=True)


if __name__ == "__main__":
    main()
