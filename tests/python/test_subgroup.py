"""Built-ins on arrays, judged lane by lane."""

import re
import zlib

import numpy as np
import pytest

import lockstep as ls
from lockstep import subgroup as sg

SIZES = (1, 2, 3, 8, 24, 32, 33, 64, 100, 128)
INTEGERS = tuple(np.dtype(f"{sign}{size}") for sign in "iu" for size in (1, 2, 4, 8))
FLOATS = tuple(np.dtype(f"f{size}") for size in (2, 4, 8))
BOOL = np.dtype(bool)
TYPES = {"T5": INTEGERS + FLOATS + (BOOL,), "TN": INTEGERS + FLOATS, "TI": INTEGERS + (BOOL,), "bool": (BOOL,), "-": (None,)}
ROWS = 3


def masks(size, random):
    """Rows of active lanes: all, a few, one, none."""
    one = np.zeros(size, bool)
    one[size // 2] = True
    return [np.ones(size, bool), random.random(size) < 0.6, one, np.zeros(size, bool)]


def values_of(dtype, shape, random, op=""):
    if dtype == BOOL:
        return random.random(shape) < 0.5
    if op == "mul" and dtype.kind == "f":
        return random.choice([-1, 1], shape).astype(dtype)
    if dtype.kind == "f":
        return random.integers(-8, 9, shape).astype(dtype)  # exact in every order
    if dtype.kind == "u":
        return random.integers(0, 200, shape).astype(dtype)
    return random.integers(-100, 100, shape).astype(dtype)


# ---- The truth, by plain loops over lanes ----


def wrapped(value, dtype):
    """An integer in as many bits as the type has."""
    if dtype.kind not in "iu":
        return value
    bits = 8 * dtype.itemsize
    value %= 1 << bits
    return value - (1 << bits) if dtype.kind == "i" and value >> (bits - 1) else value


def combine(op, dtype, a, b):
    if dtype == BOOL:
        return {"and": a and b, "or": a or b, "xor": a != b}[op]
    if op == "add":
        return wrapped(a + b, dtype)
    if op == "mul":
        with np.errstate(over="ignore"):
            return wrapped(a * b, dtype) if dtype.kind in "iu" else float(dtype.type(a) * dtype.type(b))
    if op in ("min", "max"):
        return min(a, b) if op == "min" else max(a, b)
    return {"and": a & b, "or": a | b, "xor": a ^ b}[op]


def identity(op, dtype):
    if dtype == BOOL:
        return op == "and"
    if op in ("min", "max"):
        if dtype.kind == "f":
            return np.inf if op == "min" else -np.inf
        return int(np.iinfo(dtype).max if op == "min" else np.iinfo(dtype).min)
    return {"add": 0, "mul": 1, "and": wrapped(-1, dtype), "or": 0, "xor": 0}[op]


def scalars(row, dtype):
    return [bool(v) if dtype == BOOL else float(v) if dtype.kind == "f" else int(v) for v in row]


def reduced(op, dtype, row, lanes):
    total = identity(op, dtype)
    for lane in lanes:
        total = combine(op, dtype, total, row[lane])
    return total


def ballot_of(lanes):
    words = [0, 0, 0, 0]
    for lane in lanes:
        words[lane // 32] |= 1 << lane % 32
    return words


def lanes_of(ballot):
    return [32 * k + bit for k in range(4) for bit in range(32) if int(ballot[k]) >> bit & 1]


def group(lane, active, cluster):
    return [k for k in active if k // cluster == lane // cluster]


def check(function, arguments, mask, expected, undefined, by_lane=True, dtype=None):
    """Compares a row: expected[lane] where it is defined in active lanes, and where it is not."""
    result = function(*arguments, active=mask)
    known = getattr(sg.undefined, function.__name__)(*arguments, active=mask)
    active = np.flatnonzero(mask)
    assert known.tolist() == [bool(lane in active and undefined(lane)) for lane in range(len(mask))]
    if dtype is not None:
        assert result.dtype == dtype
    if not by_lane:
        if len(active) and not known[active].any():
            assert result.tolist() == expected(active[0])
        return
    for lane in range(len(mask)):
        if lane in active and not known[lane]:
            assert result[lane].tolist() == expected(lane), (lane, mask)
        elif lane not in active:
            assert not np.any(result[lane])


NEVER = lambda lane: False  # noqa: E731
CASES = {}


def case(pattern):
    def add(function):
        CASES[pattern] = function
        return function

    return add


@case(r"(inclusive_|exclusive_|)(add|mul|min|max|and|or|xor)")
def _(function, kind, op, dtype, size, random, mask):
    values = values_of(dtype, size, random, op)
    row, active = scalars(values, dtype), np.flatnonzero(mask).tolist()
    if kind == "":
        return check(function, (values,), mask, lambda lane: reduced(op, dtype, row, active), NEVER, False, dtype)
    upto = 1 if kind == "inclusive_" else 0
    check(function, (values,), mask,
          lambda lane: reduced(op, dtype, row, [k for k in active if k < lane + upto]), NEVER, dtype=dtype)  # fmt: skip


@case(r"clustered_(add|mul|min|max|and|or|xor)")
def _(function, op, dtype, size, random, mask):
    values = values_of(dtype, size, random, op)
    row, active = scalars(values, dtype), np.flatnonzero(mask).tolist()
    for cluster in 1, 2, 8, 64, 128:
        check(function, (values, cluster), mask,
              lambda lane: reduced(op, dtype, row, group(lane, active, cluster)), lambda lane: cluster > size, dtype=dtype)  # fmt: skip


@case(r"partitioned_(inclusive_|exclusive_|)(add|mul|min|max|and|or|xor)")
def _(function, kind, op, dtype, size, random, mask):
    values, keys = values_of(dtype, size, random, op), random.integers(0, 3, size)
    row, active = scalars(values, dtype), np.flatnonzero(mask).tolist()
    same = [[k for k in active if keys[k] == keys[lane]] for lane in range(size)]
    partition = np.array([ballot_of(same[lane]) for lane in range(size)], np.uint32)
    upto = {"": size, "inclusive_": 1, "exclusive_": 0}[kind]
    check(function, (values, partition), mask,
          lambda lane: reduced(op, dtype, row, [k for k in same[lane] if k < lane + upto]), NEVER, dtype=dtype)  # fmt: skip
    # Ballots that do not divide the active lanes.
    if len(active) > 1:
        wrong = partition.copy()
        wrong[active[0]] = ballot_of([])
        assert sg.undefined.__getattribute__(function.__name__)(values, wrong, active=mask)[active].all()


@case(r"elect")
def _(function, dtype, size, random, mask):
    active = np.flatnonzero(mask)
    check(function, (), mask, lambda lane: bool(lane == active[0]), NEVER, dtype=BOOL)


@case(r"(all|any)")
def _(function, which, dtype, size, random, mask):
    values = random.random(size) < random.choice([0.02, 0.5, 0.98])
    held = [bool(values[k]) for k in np.flatnonzero(mask)]
    check(function, (values,), mask, lambda lane: all(held) if which == "all" else any(held), NEVER, False, BOOL)


@case(r"all_equal")
def _(function, dtype, size, random, mask):
    for values in values_of(dtype, size, random), np.full(size, values_of(dtype, (), random)):
        held = [values[k] for k in np.flatnonzero(mask)]
        check(function, (values,), mask, lambda lane: all(bool(v == held[0]) for v in held), NEVER, False, BOOL)


@case(r"broadcast_first")
def _(function, dtype, size, random, mask):
    values = values_of(dtype, size, random)
    check(function, (values,), mask, lambda lane: values[np.flatnonzero(mask)[0]].tolist(), NEVER, False, dtype)


@case(r"broadcast")
def _(function, dtype, size, random, mask):
    values, active = values_of(dtype, size, random), np.flatnonzero(mask).tolist()
    for source in {0, size // 2, size - 1, size + 3}:
        check(function, (values, source), mask, lambda lane: values[source].tolist(),
              lambda lane: source not in active, False, dtype)  # fmt: skip
    several = np.arange(size)
    check(function, (values, several), mask, lambda lane: values[active[0]].tolist(), lambda lane: len(active) > 1, False)


@case(r"(shuffle|shuffle_xor|shuffle_up|shuffle_down)")
def _(function, which, dtype, size, random, mask):
    values, active = values_of(dtype, size, random), np.flatnonzero(mask).tolist()
    for numbers in random.integers(0, size + 2, size), np.full(size, 1), np.full(size, size):
        source = {
            "shuffle": lambda lane: numbers[lane],
            "shuffle_xor": lambda lane: lane ^ numbers[lane],
            "shuffle_up": lambda lane: lane - numbers[lane],
            "shuffle_down": lambda lane: lane + numbers[lane],
        }[which]
        check(function, (values, numbers), mask, lambda lane: values[source(lane)].tolist(),
              lambda lane: source(lane) not in active, dtype=dtype)  # fmt: skip


@case(r"(clustered_|)rotate")
def _(function, kind, dtype, size, random, mask):
    values, active = values_of(dtype, size, random), np.flatnonzero(mask).tolist()
    for delta in 0, 1, 5:
        for cluster in (1, 4, 256) if kind else (size,):
            source = lambda lane: lane // cluster * cluster + (lane + delta) % cluster  # noqa: E731
            if not kind:
                source = lambda lane: (lane + delta) % size  # noqa: E731
            arguments = (values, delta, cluster) if kind else (values, delta)
            illegal = bool(kind) and cluster > size
            check(function, arguments, mask, lambda lane: values[source(lane)].tolist(),
                  lambda lane: illegal or source(lane) not in active, dtype=dtype)  # fmt: skip
    deltas = np.arange(size) % 2
    agreed = len({int(deltas[k]) for k in active}) < 2
    if not agreed:
        arguments = (values, deltas, 1) if kind else (values, deltas)
        assert getattr(sg.undefined, function.__name__)(*arguments, active=mask)[active].all()


@case(r"ballot")
def _(function, dtype, size, random, mask):
    values = random.random(size) < 0.5
    expected = ballot_of([k for k in np.flatnonzero(mask).tolist() if values[k]])
    check(function, (values,), mask, lambda lane: expected, NEVER, False, np.uint32)


def random_ballot(random):
    return random.integers(0, 2**32, 4).astype(np.uint32)


@case(r"inverse_ballot")
def _(function, dtype, size, random, mask):
    ballot = random_ballot(random)
    check(function, (ballot,), mask, lambda lane: lane in lanes_of(ballot), NEVER, dtype=BOOL)


@case(r"ballot_bit_extract")
def _(function, dtype, size, random, mask):
    ballot, index = random_ballot(random), random.integers(0, size + 2, size)
    check(function, (ballot, index), mask, lambda lane: int(index[lane]) in lanes_of(ballot),
          lambda lane: index[lane] >= size, dtype=BOOL)  # fmt: skip


@case(r"ballot_(bit_count|find_lsb|find_msb)")
def _(function, which, dtype, size, random, mask):
    for ballot in random_ballot(random), np.zeros(4, np.uint32):
        bits = [lane for lane in lanes_of(ballot) if lane < size]
        expected = {"bit_count": len(bits), "find_lsb": bits and bits[0], "find_msb": bits and bits[-1]}[which]
        check(function, (ballot,), mask, lambda lane: expected, lambda lane: which != "bit_count" and not bits, False, np.uint32)


@case(r"ballot_(inclusive|exclusive)_bit_count")
def _(function, which, dtype, size, random, mask):
    ballot = random_ballot(random)
    upto = 1 if which == "inclusive" else 0
    check(function, (ballot,), mask, lambda lane: sum(k < lane + upto for k in lanes_of(ballot)), NEVER, dtype=np.uint32)


@case(r"quad_broadcast")
def _(function, dtype, size, random, mask):
    values, active = values_of(dtype, size, random), np.flatnonzero(mask).tolist()
    for k in range(4):
        source = lambda lane: lane // 4 * 4 + k  # noqa: E731
        check(function, (values, k), mask, lambda lane: values[source(lane)].tolist(),
              lambda lane: source(lane) not in active, dtype=dtype)  # fmt: skip


@case(r"quad_swap_(horizontal|vertical|diagonal)")
def _(function, which, dtype, size, random, mask):
    values, active = values_of(dtype, size, random), np.flatnonzero(mask).tolist()
    flip = {"horizontal": 1, "vertical": 2, "diagonal": 3}[which]
    check(function, (values,), mask, lambda lane: values[lane ^ flip].tolist(),
          lambda lane: lane ^ flip not in active, dtype=dtype)  # fmt: skip


@case(r"quad_(all|any)")
def _(function, which, dtype, size, random, mask):
    values, active = random.random(size) < 0.6, np.flatnonzero(mask).tolist()
    held = lambda lane: [bool(values[k]) for k in group(lane, active, 4)]  # noqa: E731
    check(function, (values,), mask, lambda lane: all(held(lane)) if which == "all" else any(held(lane)), NEVER, dtype=BOOL)


@case(r"partition")
def _(function, dtype, size, random, mask):
    values, active = values_of(dtype, size, random), np.flatnonzero(mask).tolist()
    check(function, (values,), mask, lambda lane: ballot_of([k for k in active if values[k] == values[lane]]), NEVER,
          dtype=np.uint32)  # fmt: skip


def found_case(name):
    for pattern, function in CASES.items():
        match = re.fullmatch(pattern, name.rstrip("_"))
        if match:
            return function, match.groups()
    raise LookupError(f"no loop for {name}")


@pytest.mark.parametrize("built_in", sg.BUILT_INS, ids=lambda b: b.name)
def test_each_built_in_is_that_of_a_loop(built_in):
    case, groups = found_case(built_in.name)
    function = getattr(sg, built_in.name)
    random = np.random.default_rng(zlib.crc32(built_in.name.encode()))
    types = TYPES[built_in.row["types"]]
    for k, size in enumerate(SIZES):
        for mask in masks(size, random):
            # Each type at some sizes, each size with some types.
            for dtype in {types[(k + shift) % len(types)] for shift in (0, 5)}:
                case(function, *groups, dtype, size, random, mask)


def test_every_case_is_of_a_built_in():
    names = [b.name for b in sg.BUILT_INS]
    for pattern in CASES:
        assert any(re.fullmatch(pattern, name.rstrip("_")) for name in names), pattern
    assert len(names) > 70 and len(set(names)) == len(names)


def test_subgroups_are_all_axes_but_the_last():
    values = np.arange(2 * 3 * 8, dtype=np.float32).reshape(2, 3, 8)
    active = np.arange(8) != 2
    sums = sg.inclusive_add(values, active=active)
    total = sg.add(values, active=active)
    assert sums.shape == (2, 3, 8) and total.shape == (2, 3)
    for a in range(2):
        for b in range(3):
            sum = 0
            for lane in range(8):
                if active[lane]:
                    sum += values[a, b, lane]
                assert sums[a, b, lane] == (sum if active[lane] else 0)
            assert total[a, b] == sum


def test_operands_are_broadcast():
    values = np.arange(5 * 16, dtype=np.int32).reshape(5, 16)
    per_subgroup = np.arange(5)[:, None]
    moved = sg.shuffle_xor(values, per_subgroup)
    assert moved.tolist() == [[values[k, lane ^ k] for lane in range(16)] for k in range(5)]
    one_row = sg.shuffle(values[0], np.arange(15, -1, -1)[None].repeat(3, 0))
    assert one_row.tolist() == [values[0][::-1].tolist()] * 3
    assert sg.broadcast(values[:, ::2], 1).tolist() == values[:, 2].tolist()


def test_minima_of_nan_are_undefined():
    nan = np.float32("nan")
    values = np.array([[nan, 1, 2, nan], [nan] * 4, [3, nan, nan, 1]], np.float32)
    assert sg.undefined.min(values).tolist() == [[False] * 4, [True] * 4, [False] * 4]
    assert sg.min(values)[[0, 2]].tolist() == [1, 1]
    assert sg.undefined.inclusive_max(values).tolist() == [[True, False, False, False], [True] * 4, [False] * 4]
    assert sg.undefined.exclusive_max(values)[0].tolist() == [False, True, False, False]
    assert sg.undefined.clustered_min(values, 2)[2].tolist() == [False] * 4
    assert sg.undefined.clustered_min(np.array([nan, nan, nan, 1], np.float32), 2).tolist() == [True, True, False, False]


def test_ballots_by_lane():
    ballots = np.array([ballot_of(range(lane)) for lane in range(8)], np.uint32)
    assert sg.ballot_bit_count(ballots, by_lane=True).tolist() == list(range(8))
    assert sg.undefined.inverse_ballot(ballots, by_lane=True).all()
    assert not sg.undefined.inverse_ballot(ballots[[3] * 8], by_lane=True).any()
    assert sg.undefined.ballot_find_lsb(ballots, by_lane=True).tolist() == [True] + [False] * 7


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: sg.add(np.float32(1)), ValueError, "no axis of lanes"),
        (lambda: sg.add(np.zeros(129)), ValueError, "1 to 128 lanes, not 129"),
        (lambda: sg.add(np.zeros(0)), ValueError, "1 to 128 lanes, not 0"),
        (lambda: sg.add(np.zeros(4, bool)), ls.Error, "subgroupAdd takes no values of this type"),
        (lambda: sg.xor(np.zeros(4)), ls.Error, "subgroupXor takes no values of this type"),
        (lambda: sg.add(np.zeros(4, complex)), TypeError, "complex128"),
        (lambda: sg.any(np.zeros(4, int)), TypeError, "conditions are bool"),
        (lambda: sg.add(np.zeros(4), active=np.ones(3, bool)), ValueError, "active has 3 lanes, not 4"),
        (lambda: sg.add(np.zeros(4), active=np.ones(4, int)), TypeError, "array of bool"),
        (lambda: sg.shuffle(np.zeros(4), -1), ValueError, "-1"),
        (lambda: sg.shuffle(np.zeros(4), np.zeros(3, int)), ValueError, "second has 3 lanes"),
        (lambda: sg.clustered_add(np.zeros(4), 3), ValueError, "cluster_size 3"),
        (lambda: sg.clustered_add(np.zeros(4), 0), ValueError, "cluster_size 0"),
        (lambda: sg.ballot_bit_count(np.zeros(4, np.uint32)), TypeError, "give lanes"),
        (lambda: sg.ballot_bit_count(np.zeros(3, np.uint32), 8), TypeError, "four uint32"),
        (lambda: sg.elect(), TypeError, "give lanes"),
    ],
)
def test_wrong_arguments_are_explained(call, error, text):
    with pytest.raises(error, match=text):
        call()
