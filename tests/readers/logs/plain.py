"""What is in logs, counted by plain loops: nothing of ours is used to read them."""

import json
import zipfile
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet

_BOOKKEEPING = ("num_", "finish_reason_", "training_", "inference_")
_OLD_METRICS = ("acc", "acc_norm", "exact_match", "f1", "mcc", "bleu", "brier_score")
_LETTERS = {"C": 1, "P": 0.5, "I": 0, "N": 0}


class Row(NamedTuple):
    """One answer: of which run and item it is, and its values by metric."""

    system: str
    task: str
    filter: str | None
    run: str | None
    item: str
    values: dict
    failed: bool = False


def rows_of(path):
    """Read the rows of a log of any tool, told by its folder in the data."""
    path = Path(path)
    files = (
        sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    )
    return [row for file in files for row in _reader(file)(file)]


def _reader(file):
    names = {part: READERS[part] for part in file.parts if part in READERS}
    return next(iter(names.values()))


def _json(file):
    return json.loads(file.read_text(encoding="utf-8"))


def _lines(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def lm_eval(file):
    if not file.name.startswith("samples_"):
        return
    task, date = file.stem.removeprefix("samples_").rsplit("_", 1)
    model = _json(file.with_name(f"results_{date}.json"))["model_name"]
    for row in _lines(file):
        values = {name: row[name] for name in row["metrics"]}
        yield Row(model, task, row["filter"], date, str(row["doc_id"]), values)


def lm_eval_old(file):
    """Read samples that name neither metrics nor filters: each filter is a block."""
    if file.name.startswith("results"):
        return
    results = _json(next(file.parent.glob("results*.json")))
    task = next(task for task in results["configs"] if f"_{task}" in file.name)
    filters = results["configs"][task].get("filter_list") or [{"name": "none"}]
    date = file.stem.rpartition("_")[2] if file.name.startswith("samples_") else None
    seen = Counter()
    records = _lines(file) if date else _json(file)
    for record in records:
        values = {n: record[n] for n in record if n in _OLD_METRICS}
        name = filters[seen[record["doc_id"]]]["name"]
        seen[record["doc_id"]] += 1
        system = results.get("model_name") or file.parent.name
        yield Row(system, task, name, date, str(record["doc_id"]), values)


def inspect(file):
    """Read the samples themselves; the reader looks at their summaries."""
    header, samples = _inspect_archive(file) if file.suffix == ".eval" else _whole(file)
    model, task = header["eval"]["model"], header["eval"]["task"]
    for sample in samples:
        failed = sample.get("error") is not None
        values = {}
        for scorer, score in (sample.get("scores") or {}).items():
            value = score["value"]
            parts = (
                {f"{scorer}.{n}": v for n, v in value.items()}
                if isinstance(value, dict)
                else {scorer: value}
            )
            values |= {n: _LETTERS.get(v, v) for n, v in parts.items()}
        run = header["eval"]["created"]
        yield Row(model, task, None, run, str(sample["id"]), values, failed)


def _whole(file):
    content = _json(file)
    return content, content["samples"]


def _inspect_archive(file):
    members = {}
    raw = file.read_bytes()
    with zipfile.ZipFile(BytesIO(raw)) as archive:
        for info in archive.infolist():
            # The standard library of this Python cannot unpack Zstandard.
            at = info.header_offset
            start = (
                at
                + 30
                + sum(
                    int.from_bytes(raw[at + i : at + i + 2], "little") for i in (26, 28)
                )
            )
            packed = raw[start : start + info.compress_size]
            if info.compress_type == 93:
                packed = pa.decompress(
                    packed, info.file_size, codec="zstd", asbytes=True
                )
            else:
                packed = archive.read(info)
            members[info.filename] = json.loads(packed)
    header = members.get("header.json") or members["_journal/start.json"]
    return header, [m for name, m in members.items() if name.startswith("samples/")]


def helm(file):
    if file.name != "per_instance_stats.json":
        return
    spec = _json(file.with_name("run_spec.json"))
    model, base = spec["adapter_spec"]["model"], spec["name"].split(":")[0]
    rows = {}
    for entry in _json(file):
        (split,) = {s["name"]["split"] for s in entry["stats"]}
        task = f"{base}:split={split}"
        if "perturbation" in entry:
            task += f",perturbation={entry['perturbation']['name']}"
        values = {s["name"]["name"]: s.get("mean") for s in entry["stats"]}
        values = {n: v for n, v in values.items() if not n.startswith(_BOOKKEEPING)}
        # Every class of metrics has an entry of its own.
        key = task, entry["instance_id"], entry["train_trial_index"]
        rows.setdefault(key, {}).update(values)
    for (task, item, _), values in rows.items():
        yield Row(model, task, None, None, item, values)


def promptfoo(file):
    results = (
        _lines(file) if file.suffix == ".jsonl" else _json(file)["results"]["results"]
    )
    names = [(_provider(r), r["prompt"]["label"]) for r in results]
    differ = [len({name[i] for name in names}) > 1 for i in (0, 1)]
    for result in sorted(results, key=lambda r: r["promptIdx"]):
        both = _provider(result), result["prompt"]["label"]
        system = " | ".join(part for part, own in zip(both, differ, strict=True) if own)
        system = system or _provider(result)
        item = " ".join(f"{n}={v}" for n, v in sorted(result["vars"].items()))
        failed = result["failureReason"] == 2
        values = {
            "pass": result["success"],
            "score": result["score"],
            **result["namedScores"],
        }
        yield Row(system, "tests", None, None, item, {} if failed else values, failed)


def _provider(result):
    return result["provider"].get("label") or result["provider"]["id"]


def deepeval(file):
    content = _json(file)
    for key, task in (
        ("testCases", "test cases"),
        ("conversationalTestCases", "conversations"),
    ):
        for case in content[key]:
            values = {}
            for metric in case["metricsData"]:
                values[metric["name"]] = metric.get("score")
            lacking = [n for n, v in values.items() if v is None]
            fails = any(
                m["success"] is False
                for m in case["metricsData"]
                if m.get("score") is not None
            )
            values["pass"] = None if lacking and not fails else case["success"]
            item = str(case.get("input", case.get("scenario")))
            item = item if "test_case_" in case["name"] else case["name"]
            yield Row(
                content["hyperparameters"]["model"], task, None, None, item, values
            )


def openai_evals(file):
    records = _lines(file)
    spec = records[0]["spec"]
    samples = {}
    for record in records:
        if "sample_id" in record:
            own = samples.setdefault(record["sample_id"], {})
            if record["type"] == "match":
                own.setdefault("correct", []).append(record["data"]["correct"])
            elif record["type"] == "metrics":
                for name, value in record["data"].items():
                    own.setdefault(name, []).append(value)
    for item, own in samples.items():
        for i in range(max(map(len, own.values()), default=1)):
            values = {n: v[i] for n, v in own.items() if i < len(v)}
            yield Row(
                spec["completion_fns"][0],
                spec["eval_name"],
                None,
                spec["run_id"],
                item,
                values,
            )


def every_eval_ever(file):
    if file.suffix != ".jsonl":
        return
    records = _lines(file)
    ids = {}
    for record in records:
        ids.setdefault(record["evaluation_name"], {})[
            record.get("evaluation_result_id")
        ] = 1
    samples = {}
    for record in records:
        task, result = record["evaluation_name"], record.get("evaluation_result_id")
        name = result if len(ids[task]) > 1 else "score"
        score = None if record.get("error") else record["evaluation"]["score"]
        key = record["model_id"], task, record["evaluation_id"], record["sample_id"]
        samples.setdefault(key, {}).setdefault(name, []).append(score)
    for (model, task, run, item), own in samples.items():
        for i in range(max(map(len, own.values()))):
            values = {n: v[i] for n, v in own.items() if i < len(v)}
            yield Row(model, task, None, run, item, values)


def evalplus(file):
    for problem, solutions in _json(file)["eval"].items():
        if isinstance(solutions, dict):
            pairs = zip(solutions["base"], solutions["plus"], strict=True)
            solutions = [{"base_status": b[0], "plus_status": p[0]} for b, p in pairs]
        name = file.stem.removesuffix("_eval_results")
        name = file.parent.name if name == "eval_results" else name
        for solution in solutions:
            base, plus = (
                solution[f"{n}_status"] in ("pass", "success") for n in ("base", "plus")
            )
            yield Row(
                name,
                problem.split("/")[0],
                None,
                None,
                problem,
                {"base": base, "plus": base and plus},
            )


def swe_bench(file):
    report = _json(file)
    model = file.stem.rsplit(".", 1)[0]
    for item in report["submitted_ids"]:
        yield Row(
            model,
            "SWE-bench",
            None,
            None,
            item,
            {"resolved": item in report["resolved_ids"]},
        )


def lighteval(file):
    if file.suffix != ".parquet":
        return
    for row in pyarrow.parquet.read_table(file).to_pylist():
        yield Row(
            file.parent.name, file.stem, None, None, row["doc"]["id"], row["metric"]
        )


READERS = {
    "lm_eval": lm_eval,
    "lm_eval_old": lm_eval_old,
    "inspect": inspect,
    "helm": helm,
    "promptfoo": promptfoo,
    "promptfoo_out.json": promptfoo,
    "deepeval": deepeval,
    "openai_evals": openai_evals,
    "every_eval_ever": every_eval_ever,
    "evalplus": evalplus,
    "swe_bench": swe_bench,
    "lighteval": lighteval,
}
