"""Logs of Inspect, compared with a plain computation from their JSON."""

import json
import random
import re
import struct
import zipfile
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from tests.readers.logs.mutations import mutants
from tests.readers.logs.reading import DATA, attempt, check, read, survive

from likelier.errors import InputError
from likelier.readers.file import find_file
from likelier.readers.logs.inspect_log import FORMAT
from likelier.readers.logs.inspect_samples import Sample
from likelier.readers.logs.inspect_scores import score_columns

INSPECT = DATA / "inspect"
LETTERS = {"C": 1, "P": 0.5, "I": 0, "N": 0}


def members(path):
    """Return the members of an archive of Inspect, decompressed."""
    raw = path.read_bytes()
    contents = {}
    for info in zipfile.ZipFile(path).infolist():
        start = info.header_offset
        lengths = struct.unpack("<HH", raw[start + 26 : start + 30])
        start += 30 + sum(lengths)
        packed = raw[start : start + info.compress_size]
        stream = pa.CompressedInputStream(pa.BufferReader(packed), "zstd")
        contents[info.filename] = bytes(stream.read())
    return contents


def write(path, contents, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as opened:
        for name, content in contents.items():
            opened.writestr(name, content)
    return path


def small(contents):
    """Leave out the transcripts, which are not read."""
    return {n: c for n, c in contents.items() if not n.startswith("samples/")}


def plain_scores(summaries):
    """Return the values of every metric by a plain loop."""
    scores = {}
    for row, summary in enumerate(summaries):
        for scorer, score in (summary.get("scores") or {}).items():
            value = score["value"]
            parts = (
                {f"{scorer}.{name}": v for name, v in value.items()}
                if isinstance(value, dict)
                else {scorer: value}
            )
            for name, v in parts.items():
                column = scores.setdefault(name, [np.nan] * len(summaries))
                column[row] = LETTERS.get(v, v)
    return scores


def equal_scores(log, expected):
    assert list(log.scores) == list(expected)
    for name, column in expected.items():
        np.testing.assert_array_equal(log.scores[name], np.array(column, float))


@pytest.mark.parametrize("name", ["epochs-a", "epochs-b", "parts", "reducers"])
def test_values_ids_and_epochs_are_those_of_the_summaries(name):
    path = INSPECT / f"{name}.eval"
    [log] = read(FORMAT, path)
    summaries = json.loads(members(path)["summaries.json"])
    check(log)
    equal_scores(log, plain_scores(summaries))
    assert list(log.items) == [str(s["id"]) for s in summaries]
    assert list(log.repeats) == [s["epoch"] for s in summaries]
    assert log.look_up("input", None) == [s["input"] for s in summaries]
    assert log.look_up("target", [1]) == [summaries[1]["target"]]
    assert log.errors == {}


def test_means_are_those_that_inspect_reports():
    path = INSPECT / "epochs-a.eval"
    [log] = read(FORMAT, path)
    header = json.loads(members(path)["header.json"])
    for score in header["results"]["scores"]:
        for metric in ("accuracy", "mean"):
            # NaN has a rule of its own when epochs are reduced.
            if metric in score["metrics"] and score["name"] != "maybe_nan":
                whole = {score["scorer"], f"{score['scorer']}.{score['name']}"}
                [name] = whole & set(log.scores)
                value = score["metrics"][metric]["value"]
                assert np.mean(log.scores[name]) == pytest.approx(value)


def test_facts_of_a_run():
    [log] = read(FORMAT, INSPECT / "epochs-a.eval")
    assert (log.format, log.system, log.task) == ("Inspect", "toy/a", "sums")
    assert log.version == "0.3.285"
    assert log.headline == "match"
    assert log.cluster == "metadata.passage"
    assert log.text == "input"
    assert {"input", "target", "metadata.topic", "metadata.index"} <= set(log.fields)
    assert log.conditions["dataset"] == "toy_sums"
    assert json.loads(log.conditions["solver"])[0][0] == "generate"
    assert log.conditions["generation settings"] == "{}"
    assert log.notes == ()


def test_hashes_of_items_agree_between_systems_and_kinds_of_files():
    [a], [b] = (read(FORMAT, INSPECT / f"epochs-{s}.eval") for s in "ab")
    assert a.hashes == b.hashes
    assert len(set(a.hashes["item"])) == len(set(a.items))
    [document] = read(FORMAT, INSPECT / "json-a.json")
    by_item = dict(zip(document.items, document.hashes["item"], strict=True))
    assert {i: by_item[i] for i in a.items} == dict(
        zip(a.items, a.hashes["item"], strict=True)
    )


def test_json_document(tmp_path):
    document = json.loads((INSPECT / "json-a.json").read_bytes())
    samples = document["samples"]
    samples[2]["scores"]["maybe_nan"]["value"] = float("nan")
    samples[3]["input"] = 'Is \\"NaN" or NaN, a number?'
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document))
    [log] = read(FORMAT, path)
    check(log)
    equal_scores(log, plain_scores(samples))
    assert np.isnan(log.scores["maybe_nan"]).sum() == 1
    assert log.look_up("input", [3]) == [samples[3]["input"]]
    assert log.repeats is None
    assert log.cluster == "metadata.passage"


def test_failed_samples_are_missing():
    path = INSPECT / "errors.eval"
    [log] = read(FORMAT, path)
    summaries = json.loads(members(path)["summaries.json"])
    failed = [row for row, s in enumerate(summaries) if s.get("error")]
    assert failed
    assert list(log.errors) == failed
    assert "toy provider is down" in log.errors[failed[0]]
    assert np.isnan(log.scores["match"][failed]).all()
    assert np.isfinite(np.delete(log.scores["match"], failed)).all()


def test_unfinished_logs_are_read_from_their_journal():
    path = INSPECT / "unfinished.eval"
    contents = members(path)
    assert "summaries.json" not in contents
    [log] = read(FORMAT, path)
    journal = [n for n in contents if re.match(r"_journal/summaries/\d+\.json", n)]
    rows = [row for name in journal for row in json.loads(contents[name])]
    equal_scores(log, plain_scores(rows))
    assert log.notes == (f"unfinished: {len(rows)} of 14 samples",)
    assert log.headline == "match"


def test_what_a_log_lacks_is_noted(tmp_path):
    document = json.loads(next(INSPECT.glob("*.json")).read_text())
    total = len(document["samples"])
    document["samples"].pop()
    document["invalidated"] = True
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document))
    [log] = read(FORMAT, path)
    lack, invalid = log.notes[:2]
    assert lack == f"the results are of {total} samples; the log has {total - 1}"
    assert "invalid" in invalid


def test_notes_on_cancelled_runs_limits_and_reducers(tmp_path):
    [log] = read(FORMAT, INSPECT / "cancelled.eval")
    assert log.notes == (f"unfinished: {len(log.items)} of 14 samples",)
    [log] = read(FORMAT, INSPECT / "reducers.eval")
    assert log.notes == ("Inspect reduces epochs by mean, pass_at_2, mode",)
    contents = small(members(INSPECT / "parts.eval"))
    summaries = json.loads(contents["summaries.json"])
    summaries[3]["limit"] = summaries[5]["limit"] = "token"
    contents["summaries.json"] = json.dumps(summaries)
    [log] = read(FORMAT, write(tmp_path / "a.eval", contents))
    [note] = log.notes
    assert note == "2 samples reached a limit (token) and were scored as they were"
    assert log.errors == {}
    equal_scores(log, plain_scores(summaries))


def test_last_summary_of_a_sample_that_ran_again_counts(tmp_path):
    contents = small(members(INSPECT / "parts.eval"))
    summaries = json.loads(contents["summaries.json"])
    again = json.loads(json.dumps(summaries[0]))
    again["scores"]["match"]["value"] = "C"
    contents["summaries.json"] = json.dumps([*summaries, again])
    [log] = read(FORMAT, write(tmp_path / "a.eval", contents, zipfile.ZIP_STORED))
    assert len(log.items) == len(summaries)
    assert log.scores["match"][0] == 1


@pytest.mark.parametrize("id_", [1, "1"])
def test_a_sample_twice_in_a_document_is_refused(tmp_path, id_):
    document = json.loads(next(INSPECT.glob("*.json")).read_text())
    document["samples"][0]["id"] = 1
    document["samples"].append(document["samples"][0] | {"id": id_})
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=r"each sample once; sample .* 2 times"):
        read(FORMAT, path)


def test_score_on_error_counts_scores_of_failed_samples(tmp_path):
    contents = small(members(INSPECT / "parts.eval"))
    summaries = json.loads(contents["summaries.json"])
    summaries[0]["error"] = "Boom"
    contents["summaries.json"] = json.dumps(summaries)
    [log] = read(FORMAT, write(tmp_path / "a.eval", contents))
    assert log.errors == {0: "Boom"}
    header = json.loads(contents["header.json"])
    header["eval"]["config"]["score_on_error"] = True
    contents["header.json"] = json.dumps(header)
    [log] = read(FORMAT, write(tmp_path / "b.eval", contents))
    assert log.errors == {}
    assert log.scores["match"][0] == 0


def test_values():
    values = ["C", "P", "I", "N", True, 0.3, "yes", "False", "2", None, float("nan")]
    columns = score_columns([{"a": value} for value in values])
    expected = [1, 0.5, 0, 0, 1, 0.3, 1, 0, 2, np.nan, np.nan]
    np.testing.assert_array_equal(columns.scores["a"], expected)


def test_values_that_are_no_numbers_are_unusable():
    rows = [
        {"list": [1, 2], "text": "good", "parts": {"x": 1, "y": "bad"}},
        {"list": [1, 2], "text": "C", "parts": float("nan")},
    ]
    columns = score_columns(rows)
    assert list(columns.scores) == ["parts.x"]
    assert columns.unusable == {
        "list": "its values are lists",
        "text": "its values are not numbers, such as 'good'",
        "parts.y": "its values are not numbers, such as 'bad'",
    }


def test_shortened_inputs_have_no_hash():
    def message(content, role="user"):
        return {"id": str(random.random()), "role": role, "content": content}

    long = "x" * 5120 + "...\n(content truncated)"
    assert Sample("q", input=long, target="a").hash is None
    assert Sample("q", input="x", target=long).hash is None
    image = [message([{"type": "text", "text": "(Image)"}])]
    assert Sample("q", input=image, target="a").hash is None
    one, two = ([message("x"), message("y", "system")] for _ in range(2))
    assert Sample("q", input=one, target="a").hash is not None
    # Ids of messages are drawn anew in each run.
    assert Sample("q", input=one, target="a").hash == (
        Sample("q", input=two, target="a").hash
    )
    assert Sample("q", input=one).text == "x\ny"


def test_other_files_are_not_logs_of_inspect(tmp_path):
    others = [
        write(tmp_path / "a.npz", {"header.json": "{}", "x.npy": "1"}),
        tmp_path / "a.json",
        tmp_path / "b.json",
    ]
    others[1].write_text('{"eval": "task", "status": "model", "dataset": 1}')
    others[2].write_text('{"results": {"eval": {"task": 1, "model": 2}}}')
    assert not any(FORMAT.sniff(find_file(path)) for path in others)


def test_keys_in_any_order_compact_or_not(tmp_path):
    document = json.loads((INSPECT / "json-a.json").read_bytes())
    path = tmp_path / "a.json"
    for indent in (None, 4):
        path.write_text(json.dumps(dict(reversed(document.items())), indent=indent))
        [log] = read(FORMAT, path)
        assert log.system == "toy/a"


@pytest.mark.parametrize("end", [100, 9000, 28_000])
def test_archive_that_is_cut_off(tmp_path, end):
    path = tmp_path / "a.eval"
    path.write_bytes((INSPECT / "parts.eval").read_bytes()[:end])
    with pytest.raises(InputError, match="damaged"):
        read(FORMAT, path)


def test_archive_with_a_changed_byte(tmp_path):
    path = tmp_path / "a.eval"
    raw = bytearray((INSPECT / "parts.eval").read_bytes())
    start = zipfile.ZipFile(INSPECT / "parts.eval").getinfo("summaries.json")
    raw[start.header_offset + 300] ^= 255
    path.write_bytes(raw)
    with pytest.raises(InputError, match=r"summaries\.json must be .* damaged"):
        read(FORMAT, path)


def test_log_without_samples(tmp_path):
    document = json.loads((INSPECT / "json-a.json").read_bytes())
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document | {"samples": []}))
    with pytest.raises(InputError, match="must have samples"):
        read(FORMAT, path)


def damaged_archives(n, seed):
    """Yield archives with one member damaged, or with other bytes."""
    rng = random.Random(seed)
    raw = (INSPECT / "parts.eval").read_bytes()
    contents = small(members(INSPECT / "parts.eval"))
    for number in range(n):
        if number % 4 == 0:
            changed = bytearray(raw[: rng.choice([len(raw), rng.randrange(len(raw))])])
            for _ in range(rng.choice([0, 1, 5])):
                # The end has the list of members.
                changed[-rng.randrange(1, min(2000, len(changed) + 1))] = rng.randrange(
                    256
                )
            yield bytes(changed)
            continue
        name = rng.choice(["header.json", "summaries.json"])
        [mutant] = mutants(contents[name], 1, rng.randrange(1 << 30))
        yield contents | {name: mutant}


def survive_archives(path, n, seed):
    counts = Counter()
    for mutant in damaged_archives(n, seed):
        if isinstance(mutant, dict):
            write(path, mutant, zipfile.ZIP_STORED)
        else:
            path.write_bytes(mutant)
        counts[attempt(FORMAT, path)] += 1
    return counts


def test_damaged_archives_are_read_or_refused(tmp_path):
    counts = survive_archives(tmp_path / "a.eval", 120, seed=1)
    assert counts["read"] > 20
    assert counts["refused"] > 20


def test_damaged_documents_are_read_or_refused(tmp_path):
    raw = (INSPECT / "json-a.json").read_bytes()
    counts = survive(FORMAT, tmp_path / "a.json", raw, n=120, seed=2)
    assert counts["read"] > 20
    assert counts["refused"] > 10
