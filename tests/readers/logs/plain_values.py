"""Values in logs by a plain reading of their JSON, to check the readers by.

For each format a function from the JSON to the values of each metric, in any order:
numbers, or what stands there instead. It knows the layout, and nothing else.
"""

import json
import math
import re
from collections import defaultdict

LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
LM_EVAL = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter"}
LM_EVAL |= {"metrics", "doc_hash", "prompt_hash", "target_hash", "input"}
BOOKKEEPING = r"num_.*|finish_reason_.*|training_.*|inference_.*|logprob|batch_size"
BOOKKEEPING = re.compile(rf"{BOOKKEEPING}|prompt_truncated|max_prob|predicted_index")


def decoded(raw):
    """Return the JSON of a document, or of lines of it."""
    text = raw.decode("utf-8", "replace")
    try:
        return _json(text)
    except ValueError:
        return [_json(line) for line in text.split("\n") if line.strip()]


def _json(text):
    """Decode JSON; NaN is no value."""
    constants = {"NaN": None, "Infinity": math.inf, "-Infinity": -math.inf}
    return json.loads(text, parse_constant=constants.get)


def is_number(value):
    return isinstance(value, int | float)


def get(value, *names):
    """Return a value within objects; None where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def lm_eval(records):
    values = defaultdict(list)
    for record in records if isinstance(records, list) else [records]:
        names = record.get("metrics")
        if names is None:
            own = {k: v for k, v in record.items() if k not in LM_EVAL}
            names = [k for k, v in own.items() if is_number(v) or isinstance(v, list)]
        for name in dict.fromkeys(names):
            values[name].append(record.get(name))
    return values


def inspect(log):
    values = defaultdict(list)
    scored = get(log, "eval", "config", "score_on_error") is True
    for sample in log["samples"]:
        scores = sample.get("scores") or {}
        if sample.get("error") and not (scored and scores):
            continue
        for scorer, score in scores.items():
            value = score.get("value")
            parts = value if isinstance(value, dict) else {"": value}
            for part, own in parts.items():
                name = f"{scorer}.{part}" if isinstance(value, dict) else scorer
                values[name].append(_inspect_number(own))
    return values


def _inspect_number(value):
    if not isinstance(value, str):
        return value
    if value in LETTERS:
        return LETTERS[value]
    try:
        return WORDS[value.lower()] if value.lower() in WORDS else float(value)
    except ValueError:
        return value


def promptfoo(document):
    results = document
    if isinstance(document, dict):
        lines = "results" not in document
        results = [document] if lines else document["results"]["results"]
    values = defaultdict(list)
    for result in results:
        failed = result.get("failureReason") == 2
        if failed or (result.get("error") and not result.get("gradingResult")):
            continue
        own = {"pass": result["success"], "score": result.get("score")}
        for name, value in (result.get("namedScores") or {}).items():
            own[f"{name} (named)" if name in own else name] = value
        for name, value in own.items():
            values[name].append(value)
    return values


def helm(entries):
    rows = defaultdict(dict)
    for entry in entries:
        change = entry.get("perturbation")
        change = change if not isinstance(change, dict) else json.dumps(change)
        key = entry["instance_id"], str(change), entry.get("train_trial_index", 0)
        for stat in entry["stats"]:
            name, split = stat["name"]["name"], stat["name"].get("split")
            over = get(stat, "name", "perturbation", "computed_on")
            if BOOKKEEPING.fullmatch(name) or over in ("worst", "original"):
                continue
            row = rows[(*key, split)]
            if row.get(name) is None:
                row[name] = _helm_mean(stat)
    values = defaultdict(list)
    for row in rows.values():
        for name, value in row.items():
            values[name].append(value)
    return values


def _helm_mean(stat):
    if not stat.get("count"):
        return None
    if stat.get("mean") is None and is_number(stat.get("sum")):
        return stat["sum"] / stat["count"]
    return stat.get("mean")


def deepeval(run):
    values = defaultdict(list)
    cases = (run.get("testCases") or []) + (run.get("conversationalTestCases") or [])
    for case in cases:
        metrics = case.get("metricsData") or []
        scores = [
            None if m.get("error") is not None else m.get("score") for m in metrics
        ]
        pairs = list(zip(metrics, scores, strict=True))
        failing = any(m.get("success") is False for m, s in pairs if s is not None)
        values["pass"].append(
            case.get("success") if failing or None not in scores else None
        )
        names = defaultdict(int)
        for metric, score in pairs:
            names[metric["name"]] += 1
            number = names[metric["name"]]
            name = metric["name"] + (f" ({number})" if number > 1 else "")
            values["pass score" if name == "pass" else name].append(score)
    return values


def every_eval_ever(records):
    """Return scores and right answers, whatever the metric is called."""
    values = defaultdict(list)
    for record in records if isinstance(records, list) else [records]:
        if not record.get("error"):
            for name in ("score", "is_correct"):
                values[name].append(record["evaluation"].get(name))
    return values


def lighteval(rows):
    values = defaultdict(list)
    for row in rows:
        own = next(
            (row[k] for k in ("metric", "__metric__", "metrics") if k in row), {}
        )
        for name, value in (own or {}).items():
            values[name].append(value)
    return values


def openai_evals(records):
    values = defaultdict(list)
    for record in records:
        data, kind = record.get("data"), record.get("type")
        if record.get("sample_id") is None or not isinstance(data, dict):
            continue
        if kind == "match":
            values["correct"].append(data.get("correct"))
        elif kind == "metrics":
            for name, value in data.items():
                values[name].append(value)
    return values


def evalplus(results):
    values = defaultdict(list)
    passes = ("pass", "success")
    for solutions in results["eval"].values():
        if isinstance(solutions, dict):  # before 0.2
            base = [status for status, _ in solutions["base"]]
            plus = [status for status, _ in solutions.get("plus", [])]
            plus += [None] * (len(base) - len(plus))
            solutions = [
                {"base_status": b, "plus_status": p}
                for b, p in zip(base, plus, strict=False)
            ]
        for solution in solutions:
            base = solution["base_status"] in passes
            plus = solution.get("plus_status")
            values["base"].append(base)
            if plus is not None:
                values["plus"].append(base and plus in passes)
    return values


def swe_bench(report):
    submitted = report.get("submitted_ids")
    if submitted is None:
        kinds = ("completed", "resolved", "unresolved", "empty_patch", "error")
        submitted = {i for kind in kinds for i in report.get(f"{kind}_ids") or []}
    resolved = set(report["resolved_ids"])
    return {"resolved": [item in resolved for item in submitted]}


def check_values(logs, expected):
    """Check that logs have the values of a plain reading, each once.

    A metric that is no number everywhere is named as unusable, or has labels.
    """
    scores, named = defaultdict(list), set()
    for log in logs:
        named |= {_short(log, name) for name in (*log.unusable, *log.labels)}
        # What is no mean of its samples has no right ones.
        named |= {"is_correct"} if log.unusable or log.formulas else set()
        for name, column in log.scores.items():
            own = [v for v in column.tolist() if not math.isnan(v)]
            scores[_short(log, name)] += own
    for name, values in expected.items():
        if name in named:
            continue
        numbers = [float(v) for v in values if is_number(v) and not math.isnan(v)]
        others = [v for v in values if v is not None and not is_number(v)]
        assert not others, (name, others[:3])
        assert sorted(scores[name]) == sorted(numbers), name
    assert {name for name, values in scores.items() if values} <= {*expected}


def _short(log, name):
    """Return the name of a metric; Every Eval Ever has it from another file."""
    if log.format != "Every Eval Ever":
        return name
    return "is_correct" if name.endswith("is_correct") else "score"
