"""Every kernel's shader through Python, against plain loops."""

import pathlib

import numpy as np
import pytest

import lockstep as ls

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = [8, 32, 128]
COUNT = 251  # the last subgroup of two workgroups of 128 has inactive lanes


def kernel(name, file=None):
    return ls.Shader(ROOT / "kernels" / name / (file or f"{name}.comp"))


def u32(values):
    return np.array(values, np.uint32)


def some(count, limit, seed=1):
    """Numbers below a limit, the same each time."""
    return np.random.default_rng(seed).integers(0, limit, count, dtype=np.uint32)


def subgroups(size, local=128, count=COUNT, groups=2):
    """The invocations of each subgroup that has some below `count`."""
    for start in range(0, groups * local, size):
        members = [i for i in range(start, start + size) if i < count]
        if members:
            yield members


each_size = pytest.mark.parametrize("size", SIZES)


def test_every_kernel_is_tested():
    text = pathlib.Path(__file__).read_text()
    for path in sorted((ROOT / "kernels").glob("*/*.comp")):
        assert f'"{path.parent.name}"' in text and (path.name == path.parent.name + ".comp" or f'"{path.name}"' in text), path


# ---- Slots that are handed out ----


@pytest.mark.parametrize("name", ["allocate", "allocate_broken", "allocate_nonuniform"])
@each_size
def test_even_numbers_get_slots_of_their_own(name, size):
    values = some(COUNT, 1000)
    free, data = np.zeros(1, np.uint32), np.zeros(COUNT, np.uint32)
    kernel(name).run(2, {"In": values, "FreeSlot": free, "Data": data}, subgroup_size=size)
    even = sorted(int(v) for v in values if v % 2 == 0)
    assert free[0] == len(even) and sorted(data[: len(even)].tolist()) == even and not data[len(even) :].any()


@each_size
def test_compact(size):
    objects = some(COUNT, 1000).astype(np.int32) - 500
    counter, kept = np.zeros(1, np.uint32), np.zeros(COUNT, np.int32)
    kernel("compact").run(2, {"Objects": objects, "Counter": counter, "Out": kept}, subgroup_size=size)
    wanted = sorted(int(v) for v in objects if v >= 0)
    assert counter[0] == len(wanted) and sorted(kept[: len(wanted)].tolist()) == wanted and not kept[len(wanted) :].any()


@each_size
def test_cull_triangles(size):
    shader = kernel("cull_triangles")
    triangles = shader.layout("InTriangles").zeros(3 * COUNT)
    out = shader.layout("OutTriangles").zeros(3 * COUNT)
    for seed, name in enumerate("xyzuv"):
        triangles[name] = some(3 * COUNT, 100, seed)
    taken = np.zeros(1, np.uint32)
    shader.run(2, {"InTriangles": triangles, "OutTrianglesSize": taken, "OutTriangles": out}, subgroup_size=size)
    kept = []
    for a, b, c in triangles.reshape(COUNT, 3):
        if (b["x"] - a["x"]) * (c["y"] - a["y"]) - (c["x"] - a["x"]) * (b["y"] - a["y"]) > 0:
            kept.append([v.tobytes() for v in (a, b, c)])
    assert 0 < len(kept) < COUNT and taken[0] == 3 * len(kept)
    assert sorted([v.tobytes() for v in t] for t in out[: 3 * len(kept)].reshape(-1, 3)) == sorted(kept)


# ---- Sums, maxima and scans ----


@each_size
def test_butterfly(size):
    values, total = some(COUNT, 2**32 - 1), np.zeros(1, np.uint32)
    kernel("butterfly").run(2, {"Values": values, "Total": total}, subgroup_size=size)
    assert total[0] == sum(int(v) for v in values) % 2**32


@each_size
def test_max_reduce(size):
    values, maximum = some(COUNT, 2**32 - 1), np.zeros(1, np.uint32)
    kernel("max_reduce").run(2, {"Values": values, "Maximum": maximum}, subgroup_size=size)
    assert maximum[0] == max(int(v) for v in values)


@each_size
def test_match_any(size):
    keys, values, sums = some(COUNT, 7), some(COUNT, 1000, 2), np.zeros(7, np.uint32)
    kernel("match_any").run(2, {"Keys": keys, "Values": values, "Sums": sums}, subgroup_size=size)
    assert sums.tolist() == [sum(int(v) for k, v in zip(keys, values) if k == key) for key in range(7)]


@pytest.mark.parametrize("size", [4, 24, 32, 128])
def test_prefix_sum(size):
    values = some(2900, 1000)
    sums, totals = np.zeros_like(values), np.zeros(3, np.uint32)
    run = kernel("prefix_sum").run(3, {"In": values, "Out": sums, "WorkgroupTotals": totals}, subgroup_size=size, check=True)
    ls.assert_no_findings(run)
    kernel("prefix_sum", "prefix_sum_totals.comp").run(1, {"WorkgroupTotals": totals}, subgroup_size=size)
    kernel("prefix_sum", "prefix_sum_offsets.comp").run(3, {"WorkgroupTotals": totals, "Out": sums}, subgroup_size=size)
    sum = 0
    for i, value in enumerate(values):
        sum += int(value)
        assert sums[i] == sum
    assert totals[2] == sum


@each_size
def test_prefix_sum_lookback(size):
    values = some(2900, 1000)
    sums = np.zeros_like(values)
    memory = {name: np.zeros(3, np.uint32) for name in ("NextTile", "States", "Totals", "Sums")}
    kernel("prefix_sum_lookback").run(3, {"In": values, "Out": sums, **memory}, subgroup_size=size)
    sum = 0
    for i, value in enumerate(values):
        sum += int(value)
        assert sums[i] == sum


@each_size
def test_subgroup_scan(size):
    values = some(COUNT, 1000).astype(np.float32)
    inclusive, exclusive = ["LoopInclusive", "Inclusive"], ["LoopExclusive", "Exclusive"]
    results = {name: np.zeros(COUNT, np.float32) for name in inclusive + exclusive}
    kernel("subgroup_scan").run(2, {"Values": values, **results}, subgroup_size=size)
    for members in subgroups(size):
        sum = 0.0
        for i in members:
            assert all(results[name][i] == sum for name in exclusive)
            sum += float(values[i])
            assert all(results[name][i] == sum for name in inclusive)


def factors(count=COUNT):
    """Powers of two, whose products are exact: mostly ones."""
    return np.array([1, 1, 1, 2, 1, 1, 0.5, 1, -1, 1], np.float32)[some(4 * count, 10)].reshape(count, 4)


@each_size
def test_reverse_scan(size):
    x, data = factors(), np.zeros((COUNT, 4), np.float32)
    kernel("reverse_scan").run(2, {"X": x, "Data": data}, subgroup_size=size)
    for members in subgroups(size):
        product = np.ones(4)
        for i in reversed(members):
            product = product * x[i]
            assert data[i].tolist() == product.tolist()


@each_size
def test_strided_scan(size):
    x, data = factors(256), np.zeros((256, 4), np.float32)
    kernel("strided_scan").run(2, {"X": x, "Data": data}, subgroup_size=size)
    for members in subgroups(size, count=256):
        products = {0: np.ones(4), 1: np.ones(4)}  # of even and of odd lanes
        for lane, i in enumerate(members):
            products[lane % 2] = products[lane % 2] * x[i]
            assert data[i].tolist() == products[lane % 2].tolist()


@each_size
def test_xor_reduce(size):
    x = 0.5 + some(4 * 256, 500).reshape(256, 4).astype(np.float32) / 1024
    additive, data = some(256, 100, 2).astype(np.float32) / 1024, np.zeros((256, 4), np.float32)
    kernel("xor_reduce").run(2, {"X": x, "Additive": additive, "Data": data}, subgroup_size=size)
    for members in subgroups(size, count=256):
        now, step = {i: x[i].astype(float) for i in members}, 1
        while step < size:
            now = {i: now[i] * now[members[0] + ((i - members[0]) ^ step)] + additive[i] for i in members}
            step *= 2
        for i in members:
            np.testing.assert_allclose(data[i], now[i], rtol=1e-4)


# ---- Values of other lanes ----


@pytest.mark.parametrize("name", ["rotate", "clustered_rotate"])
@pytest.mark.parametrize("size", [8, 24, 32, 128])
def test_rotate(name, size):
    values, rotated = some(COUNT, 1000), np.zeros(COUNT, np.uint32)
    if name == "clustered_rotate" and size == 24:
        pytest.skip("clusters are at full subgroups' ends")
    kernel(name).run(2, {"In": values, "Out": rotated}, push={"delta": 3}, subgroup_size=size)
    padded = [int(v) for v in values] + [0] * 5
    for i in range(COUNT):
        local = i % 128
        width = 4 if name == "clustered_rotate" else size
        if width == 24 and local >= 120:
            continue  # in the last subgroup of a workgroup some sources do not exist
        first = i - local + local // width * width
        assert rotated[i] == padded[first + (i - first + 3) % width]


@each_size
def test_broadcast_load(size):
    table = some(4 * 37, 1000).reshape(37, 4).astype(np.float32)
    results = np.zeros((COUNT, 4), np.float32)
    kernel("broadcast_load").run(2, {"Table": table, "Out": results}, subgroup_size=size)
    for number, members in enumerate(subgroups(size)):
        for i in members:
            assert results[i].tolist() == table[(number * 7 + 3) % 37].tolist()


@each_size
def test_shuffle_blend(size):
    index, x = some(COUNT, 1000), some(4 * COUNT, 1000, 2).reshape(COUNT, 4).astype(np.float32)
    factor, data = some(COUNT, 5, 3).astype(np.float32) / 4, np.zeros((COUNT, 4), np.float32)
    kernel("shuffle_blend").run(2, {"Index": index, "X": x, "BlendFactor": factor, "Data": data}, subgroup_size=size)
    for members in subgroups(size):
        for i in members:
            other = x[members[int(index[i]) % len(members)]]
            assert data[i].tolist() == (x[i] * (1 - factor[i]) + other * factor[i]).tolist()


@each_size
def test_bitonic_sort(size):
    keys, result = some(COUNT, 1000), np.zeros(COUNT, np.uint32)
    kernel("bitonic_sort").run(2, {"Keys": keys, "Sorted": result}, subgroup_size=size)
    for members in subgroups(size):
        assert result[members].tolist() == sorted(keys[members].tolist())


@pytest.mark.parametrize("size", [16, 32, 128])
def test_matrix_product(size):
    a, b = some(256, 9).astype(np.float32), some(256, 9, 2).astype(np.float32)
    product = np.zeros(256, np.float32)
    kernel("matrix_product").run(2, {"A": a, "B": b, "Product": product}, subgroup_size=size)
    for m in range(0, 256, 16):
        for row in range(4):
            for column in range(4):
                wanted = sum(a[m + 4 * row + k] * b[m + 4 * k + column] for k in range(4))
                assert product[m + 4 * row + column] == wanted


@pytest.mark.parametrize("size", [16, 32, 128])
def test_max_pool(size):
    width, height, depth = 20, 3, 2
    texels = some(16 * width * height * depth, 1000).astype(np.float16).reshape(depth, 4 * height, 4 * width)
    pooled = np.zeros((depth, height, width), np.float16)
    kernel("max_pool").run((3, height, depth), images={"in_image": texels, "out_image": pooled}, subgroup_size=size)
    for z in range(depth):
        for y in range(height):
            for x in range(width):
                assert pooled[z, y, x] == max(texels[z, 4 * y + j, 4 * x + i] for j in range(4) for i in range(4))


def test_radix_sort():
    for size in SIZES:
        keys, moved = some(3000, 2**32 - 1), np.zeros(3000, np.uint32)
        wanted = sorted(keys.tolist())
        for shift in range(0, 32, 4):
            counts = np.zeros(3 * 16, np.uint32)
            push = {"shift": shift}
            kernel("radix_sort", "radix_sort_count.comp").run(3, {"Keys": keys, "Counts": counts}, push=push, subgroup_size=size)
            kernel("radix_sort", "radix_sort_scan.comp").run(1, {"Counts": counts}, subgroup_size=size)
            places = {"Keys": keys, "TilePlaces": counts, "Moved": moved}
            kernel("radix_sort").run(3, places, push=push, subgroup_size=size)
            keys, moved = moved, keys
        assert keys.tolist() == wanted


# ---- Branches and votes ----


def between(a, b):
    return int(b) - int(a)


def threefold(a, b):
    return (int(a) - int(b)) * 3


@each_size
def test_vote(size):
    foo, bar = some(COUNT, 100).astype(np.int32), some(COUNT, 100, 2).astype(np.int32)
    foo[:128], bar[64:192] = 0, 100  # subgroups in which all conditions hold, then some in which none does
    foo[192:224] = 200
    results, path = np.zeros(COUNT, np.int32), u32([9] * COUNT)
    kernel("vote").run(2, {"Foo": foo, "Bar": bar, "Out": results, "Path": path}, subgroup_size=size)
    for members in subgroups(size):
        holds = [bool(foo[i] < bar[i]) for i in members]
        for i, condition in zip(members, holds):
            assert results[i] == (between if condition else threefold)(foo[i], bar[i])
            assert path[i] == (0 if all(holds) else 1 if not any(holds) else 2)
    assert size == 128 or set(path.tolist()) == {0, 1, 2}


@each_size
def test_quarter_ballot(size):
    foo, bar = some(COUNT, 100).astype(np.int32), some(COUNT, 100, 2).astype(np.int32)
    foo[128:] += 80
    results = np.zeros(COUNT, np.int32)
    kernel("quarter_ballot").run(2, {"Foo": foo, "Bar": bar, "Out": results}, subgroup_size=size)
    for members in subgroups(size):
        less = sum(1 for i in members if foo[i] < bar[i])
        for i in members:
            assert results[i] == (between if size <= 4 * less else threefold)(foo[i], bar[i])


@each_size
def test_dynamic_branch(size):
    values, results = some(COUNT, 100).astype(np.float32) - 50, np.zeros(COUNT, np.float32)
    kernel("dynamic_branch").run(2, {"In": values, "Out": results}, subgroup_size=size)
    assert results.tolist() == [42 - v if v < 0 else v - 13 for v in values.tolist()]


@each_size
def test_collatz(size):
    numbers, steps = some(COUNT, 1000), np.zeros(COUNT, np.uint32)
    kernel("collatz").run(4, {"Numbers": numbers, "Steps": steps}, subgroup_size=size)
    for n, counted in zip(numbers.tolist(), steps):
        count = 0
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        assert counted == count


@each_size
def test_mandelbrot(size):
    width, height, most = 70, 5, 60
    iterations = np.zeros(width * height, np.uint32)
    view = {"width": width, "height": height, "left": -2.0, "bottom": -1.0, "step": 0.04, "max_iterations": most}
    kernel("mandelbrot").run((2, height), {"Iterations": iterations}, push=view, subgroup_size=size)
    step, four, two = np.float32(0.04), np.float32(4), np.float32(2)
    for py in range(height):
        for px in range(width):
            cx, cy = np.float32(-2) + np.float32(px) * step, np.float32(-1) + np.float32(py) * step
            x = y = np.float32(0)
            count = 0
            while count < most and x * x + y * y <= four:
                x, y = x * x - y * y + cx, two * x * y + cy
                count += 1
            assert iterations[py * width + px] == count


# ---- Each invocation for itself ----


@each_size
def test_saxpy(size):
    x, y = some(COUNT, 1000).astype(np.float32), some(COUNT, 1000, 2).astype(np.float32)
    wanted = [3 * a + b for a, b in zip(x.tolist(), y.tolist())]
    kernel("saxpy").run(1, {"X": x, "Y": y}, push={"a": 3.0}, subgroup_size=size)
    assert y.tolist() == wanted


@each_size
def test_histogram(size):
    values, bins = some(5000, 2**32 - 1), np.zeros(256, np.uint32)
    kernel("histogram").run(2, {"Values": values, "Bins": bins}, subgroup_size=size)
    wanted = [0] * 256
    for value in values.tolist():
        wanted[value % 256] += 1
    assert bins.tolist() == wanted


@each_size
def test_small_workgroup(size):
    values = some(20, 1000)
    squares, lanes = np.zeros(20, np.uint32), np.zeros(20, np.uint32)
    kernel("small_workgroup").run(20, {"Values": values, "Squares": squares, "Lanes": lanes}, subgroup_size=size)
    assert squares.tolist() == [v * v for v in values.tolist()] and lanes.tolist() == [1] * 20
