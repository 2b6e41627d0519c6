"""How fast a comparison is beside the same model in PyMC, by MCMC.

Run as ``python benchmarks/pymc_model.py`` in likelier's environment; exits 1 if a bar
is missed. PyMC gets an environment of its own, ``.venv-pymc``, made at the first run.
The model is the paired one of Zhang et al. (2016), doi:10.1145/2911451.2911547, the
data are the counts of category 0 of their Table 4. Each PyMC comparison runs in a
process of its own, between two rounds of likelier's; imports are not counted.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

# Likelier, and speed.py with it, are not there where PyMC is: imported where needed.
if TYPE_CHECKING:
    import pymc as pm
    from speed import Line

    from likelier.data.outcomes import Outcomes

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "tests" / "reference" / "zhang_table4.json"
ENVIRONMENT = ROOT / ".venv-pymc"

DRAWS, ROPE, MASS = 50_000, 0.05, 0.95
ROUNDS = 25
LEAST_RATIO = 1_000
HDI_TOLERANCE, STANDARD_ERRORS = 0.003, 4
FIRST_SAYS_YES, SECOND_SAYS_YES = [2, 3], [1, 3]


@dataclass(frozen=True)
class Way:
    """A way of sampling with PyMC: what it is, and the arguments of ``pm.sample``."""

    told: str
    settings: dict[str, Any]
    metropolis: bool = False
    needs: tuple[str, ...] = ("pymc",)
    barred: bool = True
    flags: dict[str, str] = field(default_factory=dict)


# No burn-in means that the draws of the tuning count: 50,000 iterations, all kept.
# PyMC takes as many chains as there are cores, from 2 to 4; with 4, nothing depends
# on the machine.
_ONE_CHAIN = {
    "draws": DRAWS - 1_000,
    "tune": 1_000,
    "chains": 1,
    "discard_tuned_samples": False,
}
_FOUR_CHAINS = {"draws": DRAWS // 4, "chains": 4}
WAYS = {
    "metropolis": Way("Metropolis, 1 x 50,000", _ONE_CHAIN, metropolis=True),
    "nuts": Way("NUTS, 4 x 12,500", _FOUR_CHAINS),
    "nuts-few": Way("NUTS, 4 x 1,000", {"draws": 1_000, "chains": 4}, barred=False),
    "nutpie": Way(
        "NUTS of nutpie, 4 x 12,500",
        _FOUR_CHAINS | {"nuts_sampler": "nutpie"},
        needs=("pymc", "nutpie"),
        barred=False,
    ),
    "metropolis-plain": Way(
        "Metropolis, 1 x 50,000, no compiler",
        _ONE_CHAIN,
        metropolis=True,
        barred=False,
        flags={"cxx": ""},
    ),
}
# The scenarios (a) and (b) of the paper's Table 3: shares given the gold class.
PAIRS = (("+", "+"), ("+", "-"), ("-", "+"), ("-", "-"))
TABLE_3 = (
    ((0.3, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.3)),
    ((0.3, 0.2, 0.2, 0.3), (0.3, 0.2, 0.2, 0.3)),
)
USUAL = "metropolis,nuts,nuts-few"
PARTS = ("import", "build", "sample", "drawing", "prior", "summary", "all")


def counts() -> tuple[list[int], list[int]]:
    """Read what the systems said (00, 01, 10, 11), of positive and negative items."""
    row = json.loads(REFERENCE.read_text())["rows"][0]
    return row["positive"], row["negative"]


def likelier_side() -> dict[str, Any]:
    """Time comparisons with likelier and give what came out."""
    start = time.perf_counter()
    table = outcomes()
    # The first call loads modules; PyMC's imports are not counted either.
    result, _ = compared(table)
    first = time.perf_counter() - start
    busy = spent()
    seconds = [compared(table)[1] for _ in range(ROUNDS)]
    difference = result.posterior.difference
    return {
        "first": first,
        "seconds": seconds,
        "busy": (spent() - busy) / ROUNDS,
        "mean": difference.mean(),
        "mcse": difference.mcse(),
        "hdi": list(result.hdi),
        "equivalent": result.probability.equivalent,
        "log10_factor": result.factor.log10,
    }


def spent() -> float:
    """Give the processor time of this process and of those that it waited for."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def outcomes() -> "Outcomes":
    """Build the table of eight cells."""
    import likelier as lk

    gold = ["y"] * 4 + ["n"] * 4
    first, second = ["n", "n", "y", "y"] * 2, ["n", "y", "n", "y"] * 2
    return lk.Outcomes.from_patterns(
        [gold, first, second], np.concatenate(counts()), systems=["A", "B"]
    )


def compared(table: "Outcomes") -> tuple[Any, float]:
    """Compare, make all that is made when needed, and tell the seconds."""
    import likelier as lk

    start = time.perf_counter()
    result = lk.compare(
        table, metric="f1", positive="y", rope=ROPE, mass=MASS, draws=DRAWS, seed=0
    )
    _ = result.verdict, result.hdi, result.probability, result.factor
    return result, time.perf_counter() - start


def pymc_side(way: Way, *, cores: int | None) -> dict[str, Any]:
    """Make one comparison with PyMC; give the seconds of its parts and the results."""
    start = time.perf_counter()
    import pymc as pm

    busy = spent()
    clock = [time.perf_counter()]
    model = paired_model()
    clock.append(time.perf_counter())
    chains, drawing = sampled(model, way, cores=cores)
    clock.append(time.perf_counter())
    with model:
        unseen = pm.sample_prior_predictive(DRAWS, var_names=["delta"], random_seed=0)
    prior = unseen.prior["delta"].to_numpy().ravel()
    clock.append(time.perf_counter())
    found = summary(chains.ravel(), prior)
    clock.append(time.perf_counter())
    busy = spent() - busy
    build, sample, before, summarise = np.diff(clock).tolist()
    return {
        "import": clock[0] - start,
        "build": build,
        "sample": sample,
        "drawing": drawing,
        "prior": before,
        "summary": summarise,
        "all": clock[-1] - clock[0],
        "alone": drawing + summarise,
        "busy": busy,
        "mode": mode(way),
        "mcse": standard_error(chains),
        **found,
    }


def paired_model() -> "pm.Model":
    """Write down the paired model of the paper, with its uniform priors."""
    import pymc as pm

    positive, negative = counts()
    total = sum(positive) + sum(negative)
    with pm.Model() as model:
        mu = pm.Beta("mu", 1, 1)
        said = [pm.Dirichlet(name, np.ones(4)) for name in ("theta_pos", "theta_neg")]
        pm.Binomial("gold", n=total, p=mu, observed=sum(positive))
        pm.Multinomial("positive", n=sum(positive), p=said[0], observed=positive)
        pm.Multinomial("negative", n=sum(negative), p=said[1], observed=negative)

        def f1(cells: list[int]) -> Any:
            right, wrong = (theta[cells].sum() for theta in said)
            return 2 * mu * right / (mu + mu * right + (1 - mu) * wrong)

        pm.Deterministic("delta", f1(SECOND_SAYS_YES) - f1(FIRST_SAYS_YES))
    return model


def sampled(
    model: "pm.Model", way: Way, *, cores: int | None
) -> tuple[np.ndarray, float]:
    """Sample the posterior; give the difference (chain, draw) and the bare seconds.

    The bare seconds are those between the first draw and the last, as PyMC tells them:
    without compiling, converting and checking convergence.
    """
    import pymc as pm

    with model:
        steps = {"step": pm.Metropolis()} if way.metropolis else {}
        trace = pm.sample(
            **way.settings, **steps, cores=cores, random_seed=0, progressbar=False
        )
    kept = [trace.posterior]
    if not way.settings.get("discard_tuned_samples", True):
        kept.insert(0, trace.warmup_posterior)
    chains = np.concatenate([part["delta"].to_numpy() for part in kept], axis=1)
    return chains, float(trace.posterior.attrs["sampling_time"])


def summary(draws: np.ndarray, prior: np.ndarray) -> dict[str, Any]:
    """Summarise draws as the paper does, with Savage and Dickey's factor by KDE.

    Likelier's factor is that of the whole rope; it is added to be checked.
    """
    import arviz
    from scipy.stats import gaussian_kde

    inside, before = (np.mean(np.abs(each) < ROPE) for each in (draws, prior))
    at_zero, before_at_zero = (gaussian_kde(each)(0.0)[0] for each in (draws, prior))
    odds = inside / (1 - inside) * (1 - before) / before
    return {
        "mean": float(draws.mean()),
        "hdi": arviz.hdi(draws, MASS).tolist(),
        "equivalent": float(inside),
        "log10_factor": float(np.log10(odds)),
        "savage_dickey": float(at_zero / before_at_zero),
    }


def standard_error(chains: np.ndarray) -> float:
    """Estimate the Monte-Carlo error of the mean of chains."""
    import arviz

    return float(np.ravel(arviz.mcse(chains))[0])


def mode(way: Way) -> str:
    """Say how PyMC's functions are run: compiled by what, or not."""
    if "nutpie" in way.needs:
        return "compiled by numba"
    import pytensor
    from pytensor.compile.mode import get_default_mode

    linker = type(get_default_mode().linker).__name__
    compiler = Path(pytensor.config.cxx).name
    return f"{linker}, {f'compiled by {compiler}' if compiler else 'no C compiler'}"


def environment(packages: set[str]) -> Path:
    """Make PyMC's environment unless it is there, and give its Python."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    missing = [name for name in sorted(packages) if not has(python, name)]
    if missing:
        command = [str(python), "-m", "pip", "install", "--quiet", *missing]
        subprocess.run(command, check=True)
    return python


def has(python: Path, package: str) -> bool:
    """Look whether an environment has a package."""
    code = f"import importlib.util as u, sys; sys.exit(not u.find_spec({package!r}))"
    return not subprocess.run([str(python), "-c", code]).returncode


def told_by(
    python: Path | str, side: str, *arguments: str, flags: dict[str, str] | None = None
) -> dict[str, Any]:
    """Run one side in a process of its own and give what it tells."""
    settings = ",".join(f"{name}={value}" for name, value in (flags or {}).items())
    done = subprocess.run(
        [str(python), __file__, "--side", side, *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTENSOR_FLAGS": settings},
    )
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


@dataclass(frozen=True)
class Measured:
    """What one way of sampling took: the cold run, the warm ones, and likelier's."""

    way: Way
    cold: dict[str, Any]
    warm: list[dict[str, Any]]
    ours: list[dict[str, Any]]

    @property
    def likelier(self) -> float:
        """The median seconds of a comparison with likelier."""
        return float(np.median([one["seconds"] for one in self.ours]))

    def median(self, part: str) -> float:
        """Give the median seconds of a part of the warm runs."""
        return float(np.median([run[part] for run in self.warm]))


def measure(python: Path, name: str, *, repetitions: int, cores: list[str]) -> Measured:
    """Run a way of sampling, first with nothing compiled, likelier before and after."""
    way, runs = WAYS[name], []
    ours = [told_by(sys.executable, "likelier")]
    with TemporaryDirectory() as folder:
        flags = way.flags | {"base_compiledir": folder}
        for _ in range(repetitions + 1):
            runs.append(told_by(python, "pymc", "--ways", name, *cores, flags=flags))
            ours.append(told_by(sys.executable, "likelier"))
    return Measured(way, runs[0], runs[1:], ours)


def speed_lines(measured: Measured) -> Iterator["Line"]:
    """Compare the time of all of it, where there is a bar."""
    from speed import Line, formatted

    ours, theirs = measured.likelier, measured.median("all")
    if measured.way.barred:
        yield Line(
            f"{measured.way.told}: all of it",
            formatted(ours),
            formatted(theirs),
            f"{theirs / ours:,.0f} times faster",
            f"at least {LEAST_RATIO:,}",
            theirs / ours >= LEAST_RATIO,
        )


def agreement_lines(measured: Measured) -> Iterator["Line"]:
    """Compare the answers: the mean and the ends of the interval."""
    from speed import Line

    ours, theirs = measured.ours[0], measured.warm[0]
    gap = abs(ours["mean"] - theirs["mean"])
    allowed = STANDARD_ERRORS * float(np.hypot(ours["mcse"], theirs["mcse"]))
    yield Line(
        f"{measured.way.told}: mean of the difference",
        f"{ours['mean']:.5f}",
        f"{theirs['mean']:.5f}",
        f"{gap:.5f} apart",
        f"at most {allowed:.5f}",
        gap <= allowed,
    )
    apart = float(np.max(np.abs(np.subtract(ours["hdi"], theirs["hdi"]))))
    yield Line(
        f"{measured.way.told}: ends of the HDI",
        "{:.4f}, {:.4f}".format(*ours["hdi"]),
        "{:.4f}, {:.4f}".format(*theirs["hdi"]),
        f"{apart:.4f} apart",
        f"at most {HDI_TOLERANCE}",
        apart <= HDI_TOLERANCE,
    )


def details(measured: Measured) -> Iterator[str]:
    """Tell the parts of the time, the ratios, and how PyMC was run."""
    yield f"{measured.way.told} ({measured.warm[0]['mode']})"
    for name, runs in (("cold", [measured.cold]), ("warm", measured.warm)):
        for run in runs:
            told = "  ".join(f"{part} {run[part]:.2f}" for part in PARTS)
            yield f"  {name}, seconds: {told}"
    rounds = np.concatenate([one["seconds"] for one in measured.ours])
    least, middle = rounds.min(), measured.likelier
    first = float(np.median([one["first"] for one in measured.ours]))
    yield (
        f"  likelier, {len(rounds)} runs: least {least * 1e3:.1f} ms, "
        f"median {middle * 1e3:.1f} ms; imports and first call {first:.2f} s"
    )
    busy = measured.median("busy") / np.median([one["busy"] for one in measured.ours])
    started = (measured.median("import") + measured.median("all")) / first
    yield (
        f"  times faster: all of it {measured.median('all') / middle:,.0f} "
        f"(least times {min(run['all'] for run in measured.warm) / least:,.0f}, "
        f"processor times {busy:,.0f}), "
        f"nothing compiled before {measured.cold['all'] / middle:,.0f}, "
        f"drawing and summing up alone {measured.median('alone') / middle:,.0f}, "
        f"one comparison with imports {started:,.0f}"
    )
    ours, theirs = measured.ours[0], measured.warm[0]
    yield (
        f"  P(in rope) {ours['equivalent']:.4f} and {theirs['equivalent']:.4f}; "
        f"log10 factor of the rope {ours['log10_factor']:.3f} and "
        f"{theirs['log10_factor']:.3f}; Savage-Dickey by KDE "
        f"{theirs['savage_dickey']:.4f}"
    )


def table_3_grid_lines(measured: list[Measured]) -> Iterator["Line"]:
    """Compare all of the paper's Table 3 with the time of one PyMC comparison.

    That is 2 scenarios x 7 sizes x 2 models x 1,000 replications by ``likelier.plan``.
    """
    from speed import Line, formatted

    ours = table_3_grid()
    for one in measured:
        beside = one.median("all")
        yield Line(
            f"Table 3's whole grid beside one comparison, {one.way.told}",
            formatted(ours),
            formatted(beside),
            f"{ours / beside:.2f}",
            "at most 1",
            ours <= beside if one.way.barred else None,
        )


def table_3_grid() -> float:
    """Run the whole grid and give the seconds it takes."""
    import likelier as lk

    start = time.perf_counter()
    for positive, negative in TABLE_3:
        shares = {
            (gold, *pair): share / 2
            for gold, row in (("+", positive), ("-", negative))
            for pair, share in zip(PAIRS, row, strict=True)
        }
        for method in ("unpaired", "paired"):
            plan = lk.plan(
                lk.Assumed.cells(shares),
                metric="f1",
                positive="+",
                rope=0.05,
                method=method,
                seed=0,
                workers=os.cpu_count() or 1,
            )
            plan.chances(range(500, 3501, 500))
    return time.perf_counter() - start


def options_given() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ways", default=USUAL, help=f"of {', '.join(WAYS)}")
    parser.add_argument("--repetitions", type=int, default=3, help="of each way, warm")
    parser.add_argument("--cores", type=int, help="for PyMC's chains; its own default")
    parser.add_argument("--side", choices=["likelier", "pymc"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.ways = options.ways.split(",")
    if unknown := set(options.ways) - set(WAYS):
        parser.error(f"--ways takes {', '.join(WAYS)}; got {', '.join(unknown)}")
    return options


def main() -> int:
    """Measure the ways asked for, print the table, tell whether all bars are met."""
    options = options_given()
    if options.side:
        ours = options.side == "likelier"
        way = WAYS[options.ways[0]]
        told = likelier_side() if ours else pymc_side(way, cores=options.cores)
        print(json.dumps(told))
        return 0
    from speed import show

    python = environment({name for way in options.ways for name in WAYS[way].needs})
    cores = [] if options.cores is None else ["--cores", str(options.cores)]
    measured = []
    for name in options.ways:
        measured.append(
            measure(python, name, repetitions=options.repetitions, cores=cores)
        )
        print(*details(measured[-1]), sep="\n", flush=True)
    lines = [
        line for one in measured for line in (*speed_lines(one), *agreement_lines(one))
    ]
    lines += table_3_grid_lines(measured)
    show(lines)
    return int(any(line.met is False for line in lines))


if __name__ == "__main__":
    sys.exit(main())
