"""KhronosGroup/SPIRV-Cross"""

from harness import *

CROSS = 'KhronosGroup+SPIRV-Cross'
SHADERS = 'shaders/comp'


@check(CROSS, ANY)
def cross_shared(clone, size):
    values = integers(rng('shared', size), 400)
    out = f32([0] * 400)
    run(f'{clone}/{SHADERS}/shared.comp', size, '100', {'0': f32(values), '1': out})
    expect('out_data', out.values, [values[k // 4 * 4 + 3 - k % 4] for k in range(400)])


@check(CROSS, ANY)
def cross_culling(clone, size):
    values = integers(rng('culling', size), 400)
    out, count = f32([0] * 400), u32([0])
    run(f'{clone}/{SHADERS}/culling.comp', size, '100', {'0': f32(values), '1': out, '2': count})
    want = sorted(v for v in values if v > 12)
    expect('count', count.values, [len(want)])
    expect('out_data', sorted(out.values[:len(want)]), want)


@check(CROSS, ANY)
def cross_basic(clone, size):
    values = integers(rng('basic', size), 4 * 200, -4, 5)
    vectors = [tuple(values[k:k + 4]) for k in range(0, 800, 4)]
    out, count = f32([0] * 800), u32([0])
    run(f'{clone}/{SHADERS}/basic.comp', size, '200', {'0': f32(values), '1': out, '2': count})
    want = sorted(v for v in vectors if v[0] + 5 * v[1] + 6 * v[2] + 2 * v[3] > 8.2)
    expect('counter', count.values, [len(want)])
    expect('out_data', sorted(tuple(out.values[k:k + 4]) for k in range(0, 4 * len(want), 4)), want)


@check(CROSS, ANY)
def cross_outer_product(clone, size):
    # std430: columns of three rows take four numbers, and vectors of three start at a multiple of 16 bytes.
    v = {2: [2.0, 3.0], 3: [5.0, 7.0, 11.0], 4: [13.0, 17.0, 19.0, 23.0]}
    source = v[2] + [0.0, 0.0] + v[3] + [0.0] + v[4]
    want = []
    for columns in (2, 3, 4):
        for rows in (2, 3, 4):
            while rows > 2 and len(want) % 4:
                want.append(0.0)
            for c in v[columns]:
                want += [r * c for r in v[rows]] + [0.0] * (rows == 3)
    want += [0.0] * (-len(want) % 4)
    out = f32([0.0] * len(want))
    run(f'{clone}/{SHADERS}/outer-product.comp', size, '1', {'0': out, '1': f32(source)})
    expect('matrices', out.values, want)
