"""Real logs of every format, damaged copies of them, and what readers make of these."""

import json
import shutil
import zipfile
from collections import Counter
from functools import partial
from itertools import cycle
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet
from tests.readers.logs import plain_values
from tests.readers.logs.mutations import mutants
from tests.readers.logs.reading import DATA

import likelier as lk
from likelier.errors import LikelierError
from likelier.readers.file import find_file
from likelier.readers.logs.archive import open_archive
from likelier.readers.logs.find_logs import log_format

# What pyarrow raises for rows that Parquet cannot hold.
UNFIT = (ValueError, TypeError, AttributeError, ArithmeticError, LookupError)
UNFIT += (NotImplementedError, pa.ArrowException)

FORMATS = {
    "lm_eval": ("lm_eval*/**/samples_*.jsonl", plain_values.lm_eval),
    "lm_eval_old": ("lm_eval_old/*/*/*toy_*.jsonl", plain_values.lm_eval),
    "inspect_eval": ("inspect/*.eval", plain_values.inspect),
    "inspect_json": ("inspect/*.json", plain_values.inspect),
    "promptfoo": ("promptfoo/**/*.json*", plain_values.promptfoo),
    "helm": ("helm/*/per_instance_stats.json", plain_values.helm),
    "deepeval": ("deepeval/**/*.json", plain_values.deepeval),
    "every_eval_ever": (
        "every_eval_ever/**/*_samples.jsonl",
        plain_values.every_eval_ever,
    ),
    "lighteval": ("lighteval/*details.json", plain_values.lighteval),
    "openai_evals": ("openai_evals/*.jsonl", plain_values.openai_evals),
    "evalplus": ("evalplus/**/*.json", plain_values.evalplus),
    "swe_bench": ("swe_bench/*.json", plain_values.swe_bench),
}


def real_logs(name, *, further=()):
    """Return the real logs of a format."""
    pattern, _ = FORMATS[name]
    paths = [path for folder in (DATA, *further) for path in folder.glob(pattern)]
    return sorted(paths)


def outcomes(name, folder, *, n, seed, further=()):
    """Read `n` damaged copies of the logs of a format, and count what happened."""
    paths, counts = real_logs(name, further=further), Counter()
    each = -(-n // len(paths))
    for number, path in enumerate(paths):
        own = folder / f"{name}{number}"
        copied = own / path.name
        if not own.exists():
            shutil.copytree(path.parent, own)
        for kind in _copies(name, path, copied, n=each, seed=seed + number):
            counts[kind] += 1
        if _has_lines(path):
            copied.write_bytes(_mixed(path, paths[number - 1]))
            kind = attempt(path, copied, partial(_values, name, copied))
            counts[f"mixed, {kind}"] += 1
    return counts


def _values(name, path):
    """Return the values of a file by a plain reading."""
    return FORMATS[name][1](plain_values.decoded(path.read_bytes()))


def _has_lines(path):
    return path.suffix == ".jsonl" and not path.read_bytes().startswith(b"[")


def _mixed(path, other):
    """Return the first half of a log, and what another version or task has there."""
    first, second = (p.read_bytes().splitlines(keepends=True) for p in (path, other))
    half = len(first) // 2
    return b"".join([*first[:half], *second[half:]])


def _copies(name, path, copied, *, n, seed):
    """Yield what became of each damaged copy."""
    if name == "inspect_eval":
        yield from _archives(path, copied, n=n, seed=seed)
        return
    if name == "lighteval":
        yield from _tables(path, copied, n=n, seed=seed)
        return
    for raw in mutants(path.read_bytes(), n, seed):
        copied.write_bytes(raw)
        yield attempt(path, copied, partial(_values, name, copied))


def attempt(original, copied, values):
    """Return what became of a file; any error but ours, or a wrong value, is raised."""
    logs, problem = [], None
    try:
        file = find_file(copied)
        form = log_format(file)
        if form is None:
            return "no log"
        logs = list(form.read(file))
    except LikelierError as error:
        problem = str(error)
    assert problem is None or copied.name in problem
    if problem is not None:
        return "refused"
    plain_values.check_values(logs, values())
    return f"read, {_paired(original, copied, logs)}"


def _paired(original, copied, logs):
    """Compare a damaged copy with the log itself, by its first metric."""
    metric = next((name for log in logs for name in log.scores), None)
    try:
        items = lk.read(original, copied, runs="latest")
        items.task_tables(metric)
    except LikelierError:
        return "not comparable"
    return "comparable"


def _archives(path, copied, *, n, seed):
    """Damage the header or the summaries of samples within an archive."""
    with open_archive(find_file(path)) as archive:
        contents = {name: archive.read(name) for name in archive.names}
    summaries = [name for name in contents if "summaries" in name]
    heads = [
        name for name in ("header.json", "_journal/start.json") if name in contents
    ]
    names = cycle([*summaries, *heads[:1]] if summaries else heads)
    streams = {m: mutants(contents[m], n, seed) for m in (*summaries, *heads)}
    for _, member in zip(range(n), names, strict=False):
        changed = contents | {member: next(streams[member])}
        with zipfile.ZipFile(copied, "w") as archive:
            for name, content in changed.items():
                if not name.startswith("samples/"):
                    archive.writestr(name, content)
        yield attempt(path, copied, partial(_summed, changed, heads))


def _summed(contents, heads):
    """Return the values of an archive by a plain reading."""
    log = plain_values.decoded(contents[heads[0]])
    names = [n for n in contents if "summaries" in n and "/" in n]
    names.sort(key=lambda name: int(Path(name).stem))
    names = ["summaries.json"] if "summaries.json" in contents else names
    # The last of several summaries of a sample is that of the time it ended.
    samples = {
        (str(sample["id"]), sample.get("epoch", 1)): sample
        for name in names
        for sample in plain_values.decoded(contents[name])
    }
    return plain_values.inspect(log | {"samples": [*samples.values()]})


def _tables(path, copied, *, n, seed):
    """Damage rows, and write those that Parquet can hold."""
    rows = json.loads(path.read_text())["rows"]
    original = copied.with_name("details_sums|0.parquet")
    parquet.write_table(pa.Table.from_pylist(rows), original)
    table = copied.with_name("details_sums|0_2026-01-01T00-00-00.000000.parquet")
    for raw in mutants(json.dumps(rows).encode(), n, seed):
        try:
            own = json.loads(raw)
            parquet.write_table(pa.Table.from_pylist(own), table)
        except UNFIT:
            yield "no Parquet"
            continue
        again = parquet.read_table(table).to_pylist()
        yield attempt(original, table, partial(plain_values.lighteval, again))
