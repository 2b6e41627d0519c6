"""The blocked design: overlaps, balance, seeds, regularisation and groups."""

import subprocess
import sys
from collections import Counter
from itertools import combinations

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from tests.conftest import QUICK

from likelier.designs import BlockedMx2, assignment_rows, swaps
from likelier.designs.dealing import count_blocks, larger_blocks, training_half
from likelier.errors import InputError, SettingError

MORE = settings(QUICK, max_examples=60)
RATES = np.array([0.5, 0.45, 0.4, 0.2])


@st.composite
def problems(draw):
    """A number of repetitions, enough items, their classes and a seed."""
    m = draw(st.integers(1, 9))
    n = draw(st.integers(count_blocks(m), 150))
    k = draw(st.integers(1, 6))
    y = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    return m, n, y, draw(st.integers(0, 2**64))


def entity_types(n, *, seed=0):
    """Sentences with Poisson numbers of four entity types."""
    return np.random.default_rng(seed).poisson(RATES, size=(n, len(RATES)))


def documents(n, groups, *, seed=0):
    rng = np.random.default_rng(seed)
    weight = rng.lognormal(size=groups)
    return np.concatenate(
        [
            np.arange(groups),
            rng.choice(groups, size=n - groups, p=weight / weight.sum()),
        ]
    )


def spread(block, counts, blocks):
    """The largest difference of two blocks' counts, per column."""
    totals = np.array([counts[block == b].sum(axis=0) for b in range(blocks)])
    return totals.max(axis=0) - totals.min(axis=0)


def chi_square(block, counts):
    totals = np.array([counts[block == b].sum(axis=0) for b in range(block.max() + 1)])
    return ((totals - totals.mean(axis=0)) ** 2 / totals.mean(axis=0)).sum()


# The design


def test_three_repetitions_are_table_1():
    halves = [training_half(j, 4) for j in (1, 2, 3)]
    assert [(np.flatnonzero(half) + 1).tolist() for half in halves] == [
        [1, 2],
        [1, 3],
        [2, 3],
    ]


@pytest.mark.parametrize("m", range(1, 40))
def test_any_two_halves_share_a_quarter_of_the_blocks(m):
    blocks = count_blocks(m)
    assert blocks // 2 <= m < blocks
    halves = np.array([training_half(j, blocks) for j in range(1, m + 1)], dtype=int)
    assert (halves.sum(axis=1) == blocks / 2).all()
    different = ~np.eye(m, dtype=bool)
    for one in (halves, 1 - halves):
        assert (4 * (one @ halves.T)[different] == blocks).all()


@MORE
@given(problems())
def test_overlaps_and_balance_hold(problem):
    m, n, y, seed = problem
    design = BlockedMx2(m, seed=seed)
    assignment = design.assign(n, y)
    block, blocks = assignment.block, design.n_blocks
    sizes = np.bincount(block, minlength=blocks)
    assert sizes.max() - sizes.min() == (n % blocks > 0)
    one_hot = np.eye(6, dtype=int)[y]
    assert spread(block, one_hot, blocks).max() <= 1

    splits = list(design.split(n, y))
    assert len(splits) == design.get_n_splits() == 2 * m
    for train, test in splits:
        assert sorted([*train, *test]) == list(range(n))
    for first, second in zip(splits[::2], splits[1::2], strict=True):
        assert [*map(list, first)] == [*map(list, second[::-1])]
    quarter = blocks // 4
    for (one, _), (other, _) in combinations(splits[::2], 2):
        shared = len(np.intersect1d(one, other))
        assert quarter * sizes.min() <= shared <= quarter * sizes.max()
        if n % blocks == 0:
            assert shared == n / 4
    check_table(design, n, y, splits)


def check_table(design, n, y, splits):
    """Every item is tested once per repetition, as the splits have it."""
    table = design.assignments(n, y)
    assert table["item"].tolist() == list(range(n)) * design.m
    repetitions = np.repeat(range(1, design.m + 1), n)
    assert table["repetition"].tolist() == repetitions.tolist()
    assert set(table["role"]) == {"test"}
    for number, (_, test) in enumerate(splits):
        repetition, fold = divmod(number, 2)
        rows = (table["repetition"] == repetition + 1) & (table["fold"] == fold + 1)
        assert table["item"][rows].tolist() == test.tolist()
    rows = list(assignment_rows(design, n, y))
    assert rows == [tuple(row) for row in table.tolist()]
    assert type(rows[0].item) is int


@pytest.mark.parametrize("m", range(1, 9))
def test_larger_blocks_leave_overlaps_as_even_as_can_be(m):
    blocks = count_blocks(m)
    halves = [training_half(j, blocks) for j in range(1, m + 1)]
    both = [h for half in halves for h in (half, ~half)]
    quarters = [a & b for a, b in combinations(both, 2) if (a & b).any()]
    quarters = np.array([q for q in quarters if q.sum() == blocks / 4] or [halves[0]])

    def widest(chosen):
        share = len(chosen) * quarters[0].sum() / blocks
        return np.abs(quarters[:, list(chosen)].sum(axis=1) - share).max()

    # Only with seven of sixteen blocks a criterion near the right one fails.
    for larger in (*range(min(blocks, 4)), *([7] if m == 8 else [])):
        least = min(map(widest, combinations(range(blocks), larger)))
        for seed in range(20):
            chosen = larger_blocks(m, larger, np.random.default_rng(seed))
            assert len(set(chosen.tolist())) == larger
            assert widest(chosen) == least


def test_many_repetitions():
    design = BlockedMx2(40, seed=0)
    sizes = np.bincount(design.assign(1000).block)
    assert len(sizes) == 64
    assert set(sizes) == {15, 16}
    assert len(larger_blocks(300, 200, np.random.default_rng(0))) == 200


# Seeds


def test_distinct_seeds_give_distinct_splits():
    y = [0, 1, 1, 0, 2] * 8
    blocks = [BlockedMx2(seed=seed).assign(40, y).block for seed in range(300)]
    assert len({block.tobytes() for block in blocks}) >= 297


def test_one_seed_gives_one_split():
    y, units = [0, 1] * 30, entity_types(60)
    for settings_ in ({}, {"units": units}, {"groups": np.arange(60) // 2}):
        blocks = [BlockedMx2(seed=0).assign(60, y, **settings_).block for _ in range(2)]
        assert (blocks[0] == blocks[1]).all()
    unseeded = BlockedMx2()
    assert (unseeded.assign(60, y).block == unseeded.assign(60, y).block).all()
    again = BlockedMx2(seed=unseeded.seed)
    assert (unseeded.assign(60, y).block == again.assign(60, y).block).all()


def test_blocks_are_random():
    """Over seeds an item is equally often in any block, and items are not tied."""
    draws = np.array([BlockedMx2(seed=s).assign(9, [0] * 9).block for s in range(1000)])
    share = np.array([(draws == b).mean(axis=0) for b in range(4)])
    assert np.abs(share - 0.25).max() < 0.07
    together = (draws[:, [0]] == draws[:, 1:]).mean(axis=0)
    assert np.abs(together - together.mean()).max() < 0.07


# Regularised


@pytest.mark.parametrize("m", [1, 3, 5])
def test_entity_types_come_out_even(m):
    n = 4000
    counts = entity_types(n)
    y = np.arange(n) % 3
    assignment = BlockedMx2(m, seed=0).assign(n, y, units=counts)
    blocks = assignment.design.n_blocks
    assert (np.bincount(assignment.block) == n // blocks).all()
    assert spread(assignment.block, np.eye(3)[y], blocks).max() <= 1
    assert spread(assignment.block, counts, blocks).max() <= 2
    shuffled = np.random.default_rng(1).permutation(assignment.block)
    assert chi_square(assignment.block, counts) < 0.01 * chi_square(shuffled, counts)
    assert assignment.findings() == ()
    assert assignment.imbalance.deviation[3:].max() <= 2


def test_words_come_out_more_even_than_at_random():
    rng = np.random.default_rng(0)
    words = [Counter(rng.zipf(1.5, size=8).clip(max=300).tolist()) for _ in range(600)]
    imbalance = BlockedMx2(seed=0, units=words).assign(600).imbalance
    totals = imbalance.counts.sum(axis=0)
    common = totals >= 20
    mean = imbalance.counts.mean(axis=0)
    ours = ((imbalance.counts - mean) ** 2 / mean)[:, common].sum()
    assert ours < 0.2 * 3 * common.sum()
    assert imbalance.chi_square < imbalance.random_chi_square


def test_all_forms_of_units_are_one():
    counts = entity_types(80)
    forms = [
        counts,
        sparse.csr_array(counts),
        sparse.coo_matrix(counts),
        [dict(enumerate(row)) for row in counts.tolist()],
        [[u for u, c in enumerate(row) for _ in range(c)] for row in counts.tolist()],
    ]
    reports = [BlockedMx2(seed=0, units=units).assign(80).imbalance for units in forms]
    for report in reports:
        totals = dict(zip(report.names, report.counts.sum(axis=0), strict=True))
        assert totals == dict(enumerate(counts.sum(axis=0)))
        assert report.deviation.max() <= 1


def test_units_of_the_caller_stay_as_they_are():
    units = sparse.random_array((40, 20), density=0.3, rng=0, format="csr")
    before = units.toarray()
    report = BlockedMx2(seed=0, units=units).assign(40).imbalance
    assert (units.toarray() == before).all()
    assert report.counts.sum(axis=0) == pytest.approx(before.sum(axis=0))


def test_one_unit_per_item_may_be_a_label():
    labels = ["a", "b", "b", "c"] * 12
    design = BlockedMx2(seed=0, units=labels)
    assert design.assign(48).imbalance.deviation.max() == 0
    assert design.assign(48).findings() == ()


def test_every_round_of_swaps_helps(monkeypatch):
    counts = entity_types(400)
    reached = []
    for rounds in (0, 1, 2, 50):
        monkeypatch.setattr(swaps, "_ROUNDS", rounds)
        report = BlockedMx2(seed=0, units=counts).assign(400).imbalance
        reached.append(report.chi_square)
    assert reached == sorted(reached, reverse=True)
    assert reached[0] > 10 * reached[-1]


def test_units_without_anything_to_even_out():
    for units in (np.zeros((8, 3)), np.eye(8), np.empty((8, 0)), [{}] * 8):
        assignment = BlockedMx2(seed=0, units=units).assign(8)
        assert (np.bincount(assignment.block) == 2).all()


def test_expected_chi_square_of_random_blocks():
    counts = entity_types(40)
    report = BlockedMx2(seed=0, units=counts).assign(40).imbalance
    rng = np.random.default_rng(0)
    drawn = [
        chi_square(rng.permutation(np.arange(40) % 4), counts) for _ in range(4000)
    ]
    assert report.random_chi_square == pytest.approx(np.mean(drawn), rel=0.03)


# Groups


@QUICK
@given(st.integers(0, 2**32), st.integers(4, 40), st.integers(0, 100))
def test_groups_are_never_split(seed, groups, more):
    group = documents(groups + more, groups, seed=seed)
    y = np.random.default_rng(seed).integers(3, size=len(group))
    block = BlockedMx2(seed=0).assign(len(group), y, group).block
    assert len({(g, b) for g, b in zip(group, block, strict=True)}) == groups
    assert len(set(block)) == 4


def test_groups_come_out_even():
    group = documents(4000, 200)
    y = (np.arange(4000) + group) % 3
    assignment = BlockedMx2(seed=0).assign(4000, y, group, units=entity_types(4000))
    sizes = assignment.imbalance.sizes
    assert sizes.max() - sizes.min() <= 10
    assert assignment.imbalance.share.max() < 0.02
    assert assignment.findings() == ()
    assert assignment.described() == "3x2 blocked stratified by units grouped seed 0"
    alone = BlockedMx2(seed=0, stratify=False).assign(4000, groups=group)
    assert np.ptp(alone.imbalance.sizes) <= 1


# Findings and words


def test_unstratified_use_is_a_finding():
    for design, y in ((BlockedMx2(), None), (BlockedMx2(stratify=False), [0, 1] * 4)):
        assert [f.code for f in design.assign(8, y).findings()] == ["LIK121"]
    assert BlockedMx2().assign(8, [0, 1] * 4).findings() == ()


def test_poor_balance_is_a_finding():
    heavy = np.ones((400, 1))
    heavy[0] = 200
    findings = BlockedMx2(seed=0, units=heavy).assign(400).findings()
    assert [f.code for f in findings] == ["LIK120"]
    assert "1 of 1 classes or units" in findings[0].message
    group = np.minimum(np.arange(200) // 20, 4)
    findings = BlockedMx2(seed=0).assign(200, np.arange(200) % 2, group).findings()
    assert {f.code for f in findings} == {"LIK120"}
    assert "some groups are too large" in findings[0].message


def test_rare_classes_are_allowed_with_a_finding():
    y = ["rare"] * 3 + ["often"] * 37
    findings = BlockedMx2(seed=0).assign(40, y).findings()
    assert len(findings) == 1
    assert "'rare'" in findings[0].message
    assert "(4)" in findings[0].message


def test_description_and_repr():
    y = [0, 1] * 20
    assert BlockedMx2(seed=0).described() == "3x2 blocked stratified seed 0"
    assert BlockedMx2(5, seed=7, stratify=y, units=[y]).described() == (
        "5x2 blocked stratified by units seed 7"
    )
    unstratified = BlockedMx2(seed=0, stratify=False)
    assert unstratified.described() == "3x2 blocked unstratified seed 0"
    assert BlockedMx2(seed=0).assign(40).described() == unstratified.described()
    assert repr(unstratified) == "BlockedMx2(m=3, stratify=False, seed=0)"
    text = "BlockedMx2(m=2, stratify=<40 labels>, units=<bags>, seed=1)"
    assert repr(BlockedMx2(2, stratify=y, units=[y], seed=1)) == text
    assert (BlockedMx2().test_share, BlockedMx2().test_per_train) == (0.5, 1)
    assert BlockedMx2(seed=0).assign(8).imbalance.sentence() == (
        "4 blocks of 2 to 2 items"
    )


def test_labels_may_replace_y():
    labels = ["a", "b"] * 20
    y = np.linspace(0, 1, 40)
    report = BlockedMx2(seed=0, stratify=labels).assign(40, y).imbalance
    assert set(report.names) == {"a", "b"}
    assert report.deviation.max() == 0


def test_items_may_be_anything_with_a_length():
    y = [0, 1] * 6
    blocks = [
        BlockedMx2(seed=0).assign(data, y).block.tolist()
        for data in (12, np.int64(12), ["x"] * 12, np.empty((12, 2)), None)
    ]
    blocks.append(BlockedMx2(seed=0).assign(sparse.eye_array(12), y).block.tolist())
    assert len(set(map(tuple, blocks))) == 1


@pytest.mark.parametrize(
    "labels",
    [[True, False] * 6, [1.0, 2.0] * 6, ["NA", "None"] * 6, [("a", 1), "b"] * 6],
)
def test_labels_may_be_anything(labels):
    if isinstance(labels[0], tuple):
        column = np.empty(12, dtype=object)
        column[:] = labels
        labels = column
    report = BlockedMx2(seed=0).assign(12, labels).imbalance
    assert len(report.names) == 2
    assert report.deviation.max() <= 0.5


def test_works_without_scikit_learn():
    script = (
        "import sys; sys.modules['sklearn'] = None\n"
        "from likelier import designs\n"
        "print(len(list(designs.BlockedMx2().split(8, [0, 1] * 4))))\n"
        "print(len(list(designs.train_dev_test().split(20))))\n"
        "try: designs.k_fold(2).split(8)\n"
        "except designs.cross_validation.SettingError as error: print(error.hint)\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    six, one, hint = done.stdout.splitlines()
    assert (six, one) == ("6", "1")
    assert "likelier[sklearn]" in hint


# Bad input


@pytest.mark.parametrize("m", [0, -1, 2.5, True, "3", None])
def test_refuses_what_is_no_number_of_repetitions(m):
    with pytest.raises(SettingError, match="m must be a whole number of at least 1"):
        BlockedMx2(m)


@pytest.mark.parametrize("seed", [-1, 1.5, "0", True])
def test_refuses_what_is_no_seed(seed):
    with pytest.raises(SettingError, match="seed must be"):
        BlockedMx2(seed=seed)


@pytest.mark.parametrize(("m", "needed"), [(1, 2), (3, 4), (4, 8)])
def test_says_how_many_items_are_needed(m, needed):
    with pytest.raises(InputError, match=f"at least {needed} items; got {needed - 1}"):
        BlockedMx2(m).assign(needed - 1)
    group = [0] * 50 + list(range(needed - 1))
    with pytest.raises(InputError, match=f"at least {needed} groups; got {needed - 1}"):
        BlockedMx2(m).assign(len(group), groups=group)


@pytest.mark.parametrize("name", ["y", "groups"])
def test_refuses_labels_of_another_length(name):
    with pytest.raises(InputError, match=f"{name} must have one label per item: 8; go"):
        BlockedMx2().assign(8, **{name: [0, 1]})


@pytest.mark.parametrize(
    "labels",
    [
        [0.0, float("nan")] * 4,
        ["a", None] * 4,
        ["a", float("nan")] * 4,
        np.array(["a", np.nan] * 4, dtype=object),
    ],
)
@pytest.mark.parametrize("name", ["y", "groups"])
def test_refuses_missing_labels(labels, name):
    with pytest.raises(InputError, match="missing at item 1"):
        BlockedMx2().assign(8, **{name: labels})


def test_refuses_missing_labels_of_pandas():
    y = pandas.Series(["a", pandas.NA] * 4)
    with pytest.raises(InputError, match="missing at item 1"):
        BlockedMx2().assign(8, y)


@pytest.mark.parametrize("object_", [False, True])
def test_refuses_a_continuous_y_with_a_hint(object_):
    y = np.linspace(0, 1, 8).astype(object if object_ else float)
    with pytest.raises(InputError, match="must have class labels") as caught:
        BlockedMx2().assign(8, y)
    assert "stratify=False" in caught.value.hint
    assert len(BlockedMx2(stratify=False).assign(8, y).block) == 8
    assert len(BlockedMx2().assign(8, groups=y).block) == 8


@pytest.mark.parametrize("y", [np.eye(8), [[0], [1, 2]] * 4, 3, "labels"])
def test_refuses_a_y_that_is_no_column(y):
    with pytest.raises(InputError, match="one label per item"):
        BlockedMx2().assign(8, y)


@pytest.mark.parametrize("data", [None, 3.5, True])
def test_refuses_what_are_no_items(data):
    with pytest.raises(InputError, match="items must be"):
        BlockedMx2().assign(data)


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), "x", None])
def test_refuses_counts_that_are_none(bad):
    forms = [[{"a": 1}] * 7 + [{"a": bad}]]
    if isinstance(bad, float | int):
        column = np.ones((8, 1))
        column[7] = bad
        forms += [column, sparse.csr_array(column)]
    for units in forms:
        with pytest.raises(InputError, match="units must have counts of at least 0"):
            BlockedMx2().assign(8, units=units)
    with pytest.raises(InputError, match="units must have counts of at least 0"):
        BlockedMx2().assign(8, units=np.full((8, 1), "x"))


def test_refuses_units_of_another_length():
    for units in ([{}] * 3, np.ones((3, 1)), sparse.eye_array(3), ["a"] * 3):
        with pytest.raises(InputError, match=r"one (bag|row) per item: 8; got 3"):
            BlockedMx2().assign(8, units=units)


def test_refuses_items_without_a_bag():
    with pytest.raises(InputError, match="a bag of units for every item; got None"):
        BlockedMx2().assign(8, units=[{"a": 1}] * 7 + [None])
