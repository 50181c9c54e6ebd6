"""google/uVkCompute"""

from harness import *

UVK = 'google+uVkCompute'


def reduced_by_elected(clone, name, size, define, operation, start, numbers, line):
    n = 64 * 5
    random_ = rng(name + define, size)
    values = [random_.choice(numbers) for _ in range(n)]
    source, out = f32(values), u32([0] * (n + 1))
    run(f'{clone}/benchmarks/subgroup/{name}.glsl', size, '5', {'0': source, '1': out},
        spec={0: n}, defines=[define],
        # All invocations write the number of lanes to the same element.
        found=races_in(size, n, [line], [line]))
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


def sums_and_products(clone, name, size, line):
    reduced_by_elected(clone, name, size, 'ARITHMETIC_ADD', lambda a, b: a + b, 0.0, range(-99, 99), line)
    reduced_by_elected(clone, name, size, 'ARITHMETIC_MUL', lambda a, b: a * b, 1.0,
                       (1.0, -1.0, 2.0, 0.5), line)


@check(UVK, ANY)
def subgroup_arithmetic_intrinsic(clone, size):
    sums_and_products(clone, 'subgroup_arithmetic_intrinsic', size, 53)


@check(UVK, ANY)
def subgroup_arithmetic_loop(clone, size):
    sums_and_products(clone, 'subgroup_arithmetic_loop', size, 56)


@check(UVK, ANY)
def atomic_reduce_subgroup_int(clone, size):
    random_ = rng('int', size)
    values = [random_.randrange(-2**31, 2**31) for _ in range(1024 * 7)]
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
        {'0': f32(values), '1': out}, defines=['BATCH_SIZE=1024'],
        # The first read of what other workgroups swap is no atomic.
        found={'atomic-mixed': [33]})
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
            {'0': f32(values), '1': out}, spec={0: len(values), 1: local_size},
            # The first read of what other subgroups swap is no atomic.
            found={'atomic-mixed': [36]} if size < local_size else None)
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
