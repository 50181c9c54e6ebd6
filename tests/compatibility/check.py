#!/usr/bin/env python3
"""Runs compute shaders of other people's repositories, as they are, and checks what they compute.

usage: check.py LOCKSTEP CLONES [NAME...]

LOCKSTEP is the lockstep program. CLONES is a folder with clones of the repositories that
docs/compatibility.md lists, each called OWNER+NAME and at the commit listed there. NAME picks checks.
Prints a line for each check and subgroup size; exits with 1 if one failed. Needs nothing but Python.
"""

import os
import random
import struct
import subprocess
import sys
import tempfile

LOCKSTEP = CLONES = None
CHECKS = []


def check(repository, sizes):
    """Registers a check: a function of (the clone's folder, a subgroup size)."""
    def register(function):
        CHECKS.append((function.__name__, repository, sizes, function))
        return function
    return register


class Failed(Exception):
    pass


def expect_failure(words, function):
    """A shader that cannot run as it is: the program must say so in these words."""
    try:
        function()
    except Failed as error:
        if words in str(error):
            return
        raise
    raise Failed(f'ran, though it was to fail with: {words}')


def expect(what, got, want):
    if got == want:
        return
    if isinstance(want, list) and len(got) == len(want):
        k = next(k for k in range(len(want)) if got[k] != want[k])
        raise Failed(f'{what}[{k}] is {got[k]} instead of {want[k]}')
    raise Failed(f'{what} is {got} instead of {want}')


def expect_close(what, got, want, relative):
    for k, (g, w) in enumerate(zip(got, want, strict=True)):
        if not abs(g - w) <= relative * abs(w):
            raise Failed(f'{what}[{k}] is {g} instead of {w}')


# ---- Arrays and runs ----

LETTERS = {'u32': ('<u4', 'I'), 'i32': ('<i4', 'i'), 'f32': ('<f4', 'f')}


class Array:
    """The contents of a buffer."""

    def __init__(self, kind, values):
        self.kind, self.values = kind, list(values)

    def write(self, path):
        dtype, letter = LETTERS[self.kind]
        header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({len(self.values)},), }}"
        header += ' ' * (63 - (len(header) + 10) % 64) + '\n'
        with open(path, 'wb') as file:
            file.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode())
            file.write(struct.pack(f'<{len(self.values)}{letter}', *self.values))

    def read(self, path):
        with open(path, 'rb') as file:
            data = file.read()
        start = 10 + struct.unpack('<H', data[8:10])[0]
        letter = LETTERS[self.kind][1]
        self.values = list(struct.unpack(f'<{(len(data) - start) // 4}{letter}', data[start:]))


def u32(values):
    return Array('u32', values)


def i32(values):
    return Array('i32', values)


def f32(values):
    return Array('f32', values)


def float_of(bits):
    return struct.unpack('<f', struct.pack('<I', bits))[0]


def f32_rounded(x):
    return struct.unpack('<f', struct.pack('<f', x))[0]


def run(shader, size, groups, buffers, push=b'', spec=None, defines=(), outside=''):
    """One `lockstep run`; afterwards the arrays hold what the shader left. Raises Failed, with the program's
    words, if it says that the shader failed or accessed memory that is not there; unless these accesses
    are those expected, whose report holds the words `outside`."""
    with tempfile.TemporaryDirectory() as folder:
        command = [LOCKSTEP, 'run', shader, '--groups', groups, '--subgroup-size', str(size), '--bits']
        for slot, array in buffers.items():
            path = os.path.join(folder, slot.replace(':', '_'))
            array.write(path + '.npy')
            command += ['--buffer', f'{slot}={path}.npy', '--save', f'{slot}={path}.out.npy']
        if push:
            with open(os.path.join(folder, 'push.bin'), 'wb') as file:
                file.write(push)
            command += ['--push', os.path.join(folder, 'push.bin')]
        for number, value in (spec or {}).items():
            command += ['--spec', f'{number}={value}']
        for define in defines:
            command += ['-D', define]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        said = (done.stderr + done.stdout).strip()
        if outside and done.returncode == 1:
            if outside not in said:
                raise Failed(f'"{outside}" is not in: ' + ' | '.join(said.splitlines()[:3]))
        elif done.returncode != 0 or outside:
            raise Failed(f'exit {done.returncode}: ' + ' | '.join(said.splitlines()[:3]))
        for slot, array in buffers.items():
            array.read(os.path.join(folder, slot.replace(':', '_') + '.out.npy'))


def rng(name, size):
    return random.Random(f'{name} {size}')


def words(*numbers):
    return struct.pack(f'<{len(numbers)}I', *(n & 0xffffffff for n in numbers))


def subgroups(local_size, size):
    """The first and the behind-last invocation of each subgroup of a workgroup."""
    return [(k, min(k + size, local_size)) for k in range(0, local_size, size)]


ANY = (1, 8, 24, 32, 64, 128)
POWERS = (1, 8, 32, 64, 128)


# ---- google/uVkCompute ----

UVK = 'google+uVkCompute'


def reduced_by_elected(clone, name, size, define, operation, start, numbers):
    n = 64 * 5
    random_ = rng(name + define, size)
    values = [random_.choice(numbers) for _ in range(n)]
    source, out = f32(values), u32([0] * (n + 1))
    run(f'{clone}/benchmarks/subgroup/{name}.glsl', size, '5', {'0': source, '1': out},
        spec={0: n}, defines=[define])
    want = list(values)
    for group in range(0, n, 64):
        for first, end in subgroups(64, size):
            total = start
            for k in range(first, end):
                total = operation(total, values[group + k])
            want[group + first] = total
    expect('output_values', [float_of(x) for x in out.values[1:]], want)
    if out.values[0] not in {end - first for first, end in subgroups(64, size)}:
        raise Failed(f'actual_subgroup_size is {out.values[0]}')


def sums_and_products(clone, name, size):
    reduced_by_elected(clone, name, size, 'ARITHMETIC_ADD', lambda a, b: a + b, 0.0, range(-99, 99))
    reduced_by_elected(clone, name, size, 'ARITHMETIC_MUL', lambda a, b: a * b, 1.0,
                       (1.0, -1.0, 2.0, 0.5))


@check(UVK, ANY)
def subgroup_arithmetic_intrinsic(clone, size):
    sums_and_products(clone, 'subgroup_arithmetic_intrinsic', size)


@check(UVK, ANY)
def subgroup_arithmetic_loop(clone, size):
    sums_and_products(clone, 'subgroup_arithmetic_loop', size)


@check(UVK, ANY)
def atomic_reduce_subgroup_int(clone, size):
    values = [rng('int', size).randrange(-2**31, 2**31) for _ in range(1024 * 7)]
    out = i32([0])
    run(f'{clone}/benchmarks/reduction/atomic_reduce_subgroup_int.glsl', size, '7',
        {'0': i32(values), '1': out}, defines=['BATCH_SIZE=1024'])
    expect('data', out.values[0] & 0xffffffff, sum(values) & 0xffffffff)


@check(UVK, ANY)
def atomic_reduce_subgroup_float(clone, size):
    random_ = rng('float', size)
    values = [random_.randrange(-500, 500) for _ in range(1024 * 7)]
    out = u32([0])
    run(f'{clone}/benchmarks/reduction/atomic_reduce_subgroup_float.glsl', size, '7',
        {'0': f32(values), '1': out}, defines=['BATCH_SIZE=1024'])
    expect('data', float_of(out.values[0]), float(sum(values)))


@check(UVK, (16, 24, 32, 64, 128))  # one subgroup a workgroup, as the shader says
def one_workgroup_reduce_subgroup(clone, size):
    random_ = rng('one', size)
    values = [random_.randrange(-500, 500) for _ in range(4096)]
    out = f32([0])
    run(f'{clone}/benchmarks/reduction/one_workgroup_reduce_subgroup.glsl', size, '1',
        {'0': f32(values), '1': out}, spec={0: len(values)})
    expect('data', out.values[0], float(sum(values)))


@check(UVK, ANY)
def one_workgroup_reduce_atomic(clone, size):
    random_ = rng('atomic', size)
    values = [random_.randrange(-500, 500) for _ in range(8192)]
    for local_size in (64, 256):
        out = f32([0])
        run(f'{clone}/benchmarks/reduction/one_workgroup_reduce_atomic.glsl', size, '1',
            {'0': f32(values), '1': out}, spec={0: len(values), 1: local_size})
        expect('data', out.values[0], float(sum(values)))


@check(UVK, (16, 24, 32, 64, 128))  # one subgroup a workgroup, as the shader says
def tree_reduce_subgroup(clone, size):
    random_ = rng('tree', size)
    stride, batch = 9, 64
    for kind, parts in (('float', 1), ('vec4', 4)):
        values = [random_.randrange(-500, 500) for _ in range(stride * batch * parts)]
        data = f32(values)
        run(f'{clone}/benchmarks/reduction/tree_reduce_subgroup.glsl', size, str(stride), {'0': data},
            spec={0: stride}, defines=[f'TYPE={kind}', f'BATCH_SIZE={batch}'])
        want = [float(sum(values[k::stride * parts])) for k in range(stride * parts)]
        expect('data', data.values[:stride * parts], want)


@check(UVK, (32, 64, 128))  # one subgroup a workgroup, as the shader says
def one_workgroup_argmax_subgroup(clone, size):
    random_ = rng('argmax', size)
    values = [random_.random() for _ in range(2048)]
    out = u32([0])
    run(f'{clone}/benchmarks/argmax/one_workgroup_argmax_subgroup.glsl', size, '1',
        {'0': f32(values), '1': out}, spec={0: len(values)})
    expect('data', out.values[0], max(range(len(values)), key=values.__getitem__))


# ---- MircoWerner/VkRadixSort ----

@check('MircoWerner+VkRadixSort', (32, 64, 128))  # its array of sums has room for 8 subgroups of 256
def multi_radixsort(clone, size):
    folder = f'{clone}/multiradixsort/resources/shaders'
    n, workgroups = 10000, 5
    blocks = -(-n // (256 * workgroups))
    keys = u32([rng('multi', size).randrange(2**32) for _ in range(n)])
    want = sorted(keys.values)
    for shift in (0, 8, 16, 24):
        push = words(n, shift, workgroups, blocks)
        histograms, out = u32([0] * (256 * workgroups)), u32([0] * n)
        run(f'{folder}/multi_radixsort_histograms.comp', size, str(workgroups),
            {'0:0': keys, '0:1': histograms}, push)
        run(f'{folder}/multi_radixsort.comp', size, str(workgroups),
            {'1:0': keys, '1:1': out, '1:2': histograms}, push,
            # Every lane reads its element of `sums`, which has but one for each subgroup; what is read
            # outside is never used.
            outside='of sums, which has 32 bytes')
        keys = out
    expect('keys', keys.values, want)


@check('MircoWerner+VkRadixSort', (32,))  # it steps by its own SUBGROUP_SIZE
def single_radixsort(clone, size):
    n = 3000
    keys, other = u32([rng('single', size).randrange(2**32) for _ in range(n)]), u32([0] * n)
    want = sorted(keys.values)
    run(f'{clone}/singleradixsort/resources/shaders/single_radixsort.comp', size, '1',
        {'0:0': keys, '0:1': other}, words(n))
    expect('keys', keys.values, want)


# ---- jaesung-cs/vulkan_radix_sort ----

@check('jaesung-cs+vulkan_radix_sort', (32, 64, 128))  # localHistogram has room for 16 subgroups
def upsweep_downsweep(clone, size):
    n, partition = 10000, 4096
    partitions = -(-n // partition)
    random_ = rng('sweep', size)
    keys = u32([random_.randrange(2**32) for _ in range(n)])
    values = u32(range(n))
    want = sorted(zip(keys.values, values.values))
    counts = u32([n])
    for turn in range(4):
        whole, parts = u32([0] * 1024), u32([0] * (256 * partitions))
        run(f'{clone}/src/shader/upsweep.comp', size, str(partitions),
            {'0': counts, '1': whole, '2': parts, '3': keys}, words(turn))
        digits = [key >> 8 * turn & 255 for key in keys.values]
        want_parts = [0] * (256 * partitions)
        for k in range(partitions * partition):
            digit = digits[k] if k < n else 255
            want_parts[256 * (k // partition) + digit] += 1
        expect('partitionHistogram', parts.values, want_parts)
        # What spine.comp is for, which cannot run: see there.
        before = 0
        for digit in range(256):
            whole.values[256 * turn + digit], before = before, before + whole.values[256 * turn + digit]
            inside = 0
            for p in range(partitions):
                parts.values[256 * p + digit], inside = inside, inside + parts.values[256 * p + digit]
        keys_out, values_out = u32([0] * n), u32([0] * n)
        run(f'{clone}/src/shader/downsweep.comp', size, str(partitions),
            {'0': counts, '1': whole, '2': parts, '3': keys, '4': keys_out, '5': values,
             '6': values_out}, words(turn), defines=['KEY_VALUE'])
        keys, values = keys_out, values_out
    expect('sorted', list(zip(keys.values, values.values)), want)


@check('jaesung-cs+vulkan_radix_sort', (8, 32, 64, 128))
def spine(clone, size):
    # Its first workgroup has barriers inside `if (index < RADIX)`, which half of it enters: undefined.
    expect_failure('barrier() is not reached by all of workgroup', lambda: run(
        f'{clone}/src/shader/spine.comp', size, '256',
        {'0': u32([4096]), '1': u32([0] * 1024), '2': u32([0] * 256)}, words(2)))


# ---- Themaister/Granite ----

@check('Themaister+Granite', ANY)
def compute_bucket_allocate(clone, size):
    # glslang wants parentheses in its `#pragma optimize off`.
    expect_failure('optimize pragma syntax is incorrect', lambda: run(
        f'{clone}/tests/assets/shaders/compute_bucket_allocate.comp', size, '1',
        {'0': u32([0] * 64), '1': u32([0] * 64), '2': u32([0])}))


@check('Themaister+Granite', (32, 64, 128))  # it shuffles among 32 lanes
def clusterer_bindless_z_range_opt(clone, size):
    random_ = rng('z', size)
    lights, slices = 300, 500
    ranges = []
    for _ in range(lights):
        low = random_.randrange(slices)
        ranges += [low, min(low + random_.randrange(40), slices - 1)]
    out = u32([7] * (2 * slices))
    run(f'{clone}/assets/shaders/lights/clusterer_bindless_z_range_opt.comp', size, '4',
        {'0': u32(ranges), '1': out}, words(lights, -(-lights // 128), slices))
    want = []
    for z in range(slices):
        here = [i for i in range(lights) if ranges[2 * i] <= z <= ranges[2 * i + 1]]
        want += [min(here, default=2**32 - 1), max(here, default=0)]
    expect('light_ranges', out.values, want)


# ---- Themaister/pyrowave ----

@check('Themaister+pyrowave', (8, 16, 24, 32, 64, 128))
def resolve_rate_control(clone, size):
    random_ = rng('rate', size)
    blocks, buckets = 300, 2048
    operations, totals, before = [], [], 0
    for _ in range(buckets):
        for _ in range(blocks):
            saving = random_.choice((0, 0, 0, random_.randrange(1, 30)))
            operations.append((random_.randrange(16), random_.randrange(1000) | saving << 16))
            before += saving
        totals.append(before)
    target = 1000
    consumed = target + totals[1400] + 100
    data = [0] * 16
    data[1] = consumed
    data += totals + [x for operation in operations for x in operation]
    quant = i32([0] * 1000)
    run(f'{clone}/shaders/resolve_rate_control.comp', size, str(buckets),
        {'0': u32(data), '1': quant}, words(target, blocks), spec={0: size})
    want = [0] * 1000
    for bucket in range(buckets):
        earlier = totals[bucket - 1] if bucket > 0 else 0
        needed, saved = consumed - target - earlier, 0
        for quantum, packed in operations[bucket * blocks:(bucket + 1) * blocks]:
            if needed <= 0 or totals[bucket] == earlier or saved >= needed:
                break
            if packed >> 16:
                want[packed & 0xffff] = max(want[packed & 0xffff], quantum)
            saved += packed >> 16
    expect('quant_data', quant.values, want)


# ---- ggml-org/ggml ----

GGML = 'ggml-org+ggml'
FLOATS = ('DATA_A_F32=1', 'D_TYPE=float', 'FLOAT_TYPE=float')


def fast_division(d):
    shift = 0
    while shift < 32 and 1 << shift < d:
        shift += 1
    return (2**32 * ((1 << shift) - d) // d + 1, shift)


def rows_push(columns, rows):
    return (struct.pack('<9I', columns, rows, 1, columns, columns * rows, columns * rows, columns,
                        columns * rows, columns * rows) + struct.pack('<f', 1.0) +
            words(0, *fast_division(rows), *fast_division(rows)))


def sums_of_rows(values, columns):
    want = []
    for k in range(0, len(values), columns):
        total = 0.0
        for value in values[k:k + columns]:
            total += value
            want.append(total)
    return want


@check(GGML, (1, 8, 16, 32, 64, 128))  # BLOCK_SIZE is a multiple of SUBGROUP_SIZE
def cumsum(clone, size):
    random_ = rng('cumsum', size)
    columns, rows = 1234, 5
    values = [random_.randrange(-99, 99) for _ in range(columns * rows)]
    out = f32([0] * len(values))
    run(f'{clone}/src/ggml-vulkan/vulkan-shaders/cumsum.comp', size, str(rows),
        {'0': f32(values), '1': out}, rows_push(columns, rows),
        spec={0: 128, 1: size, 2: 4}, defines=FLOATS)
    expect('data_d', out.values, sums_of_rows(values, columns))


@check(GGML, (1, 8, 16, 32, 64, 128))  # BLOCK_SIZE is a multiple of SUBGROUP_SIZE
def cumsum_multipass(clone, size):
    random_ = rng('multipass', size)
    columns, rows, block = 1234, 3, 256
    groups = -(-columns // block)
    values = [random_.randrange(-99, 99) for _ in range(columns * rows)]
    source, out, totals = f32(values), f32([0] * len(values)), f32([0] * (groups * rows))
    for turn in (1, 2):
        run(f'{clone}/src/ggml-vulkan/vulkan-shaders/cumsum_multipass{turn}.comp', size,
            f'{groups},{rows}', {'0': source, '1': out, '2': totals}, rows_push(columns, rows),
            spec={0: block, 1: size}, defines=FLOATS)
    expect('data_d', out.values, sums_of_rows(values, columns))


@check(GGML, POWERS)
def fwht(clone, size):
    random_ = rng('fwht', size)
    n, rows = 256, 7
    values = [random_.randrange(-99, 99) for _ in range(n * rows)]
    out = f32([0] * len(values))
    run(f'{clone}/src/ggml-vulkan/vulkan-shaders/fwht.comp', size, '2', {'0': f32(values), '1': out},
        words(rows, 0, 0) + struct.pack('<f', 0.5), spec={0: size, 1: n})
    want = []
    for row in range(rows):
        for k in range(n):
            want.append(sum(values[row * n + j] * (-0.5 if (j & k).bit_count() % 2 else 0.5)
                            for j in range(n)))
    expect('data_d', out.values, want)


@check(GGML, POWERS)
def topk_moe(clone, size):
    from math import exp
    random_ = rng('topk', size)
    experts, used, rows = 64, 6, 9
    logits = [f32_rounded(random_.uniform(-4, 4)) for _ in range(experts * rows)]
    weights, ids = f32([0] * (used * rows)), u32([0] * (experts * rows))
    push = words(rows, experts, used) + struct.pack('<2f', 1e-9, 1e9) + words(0, 0, 1)
    push += struct.pack('<2f', 1.0, 0.0)
    run(f'{clone}/src/ggml-vulkan/vulkan-shaders/topk_moe.comp', size, str(-(-rows // 4)),
        {'0': f32(logits), '1': f32([0]), '2': weights, '3': ids}, push,
        spec={0: size, 1: experts, 2: 0})
    want_ids, want_weights = [], []
    for row in range(rows):
        mine = logits[row * experts:(row + 1) * experts]
        best = sorted(range(experts), key=lambda k: -mine[k])[:used]
        total = sum(exp(mine[k]) for k in best)
        want_ids += best
        want_weights += [exp(mine[k]) / total for k in best]
    expect('ids', [ids.values[row * experts + k] for row in range(rows) for k in range(used)], want_ids)
    expect_close('weights', weights.values, want_weights, 1e-5)


# ---- All of them ----

def main():
    global LOCKSTEP, CLONES
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    LOCKSTEP, CLONES, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    unknown = set(names) - {name for name, *_ in CHECKS}
    if unknown:
        sys.exit(f'no such check: {", ".join(sorted(unknown))}')
    failed = 0
    for name, repository, sizes, function in CHECKS:
        if names and name not in names:
            continue
        clone = os.path.join(CLONES, repository)
        if not os.path.isdir(clone):
            print(f'{repository} {name}: no clone at {clone}')
            failed += 1
            continue
        for size in sizes:
            try:
                function(clone, size)
                print(f'{repository} {name} {size}: ok', flush=True)
            except Failed as error:
                failed += 1
                print(f'{repository} {name} {size}: FAILED: {error}', flush=True)
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
