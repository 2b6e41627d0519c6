"""Small logs of lm-evaluation-harness, written by hand."""

import json


def write_log(
    folder, values, *, task="t", metrics=None, date=None, results=None, **row
):
    """Write samples: item to value of ``acc``, or to values by metric."""
    folder.mkdir(parents=True, exist_ok=True)
    ending = "" if date is None else f"_{date}"
    lines = []
    for item, value in values.items():
        scores = value if isinstance(value, dict) else {"acc": value}
        record = {
            "doc_id": item,
            "doc": {"question": f"question {item}", "passage": f"p{hash_of(item) % 3}"},
            "filtered_resps": [],
            "filter": "none",
            "metrics": list(metrics or scores),
            "doc_hash": f"doc {item} of {task}",
            "prompt_hash": f"prompt {item}",
            **{k: v(item) if callable(v) else v for k, v in row.items()},
            **scores,
        }
        lines.append(json.dumps(record) + "\n")
    path = folder / f"samples_{task}{ending}.jsonl"
    path.write_text("".join(lines))
    if results is not None:
        name = f"results{ending or '_1'}.json"
        (folder / name).write_text(json.dumps(results))
    return path


def hash_of(item):
    return int(item) if str(item).isdigit() else len(str(item))
