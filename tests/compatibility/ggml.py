"""ggml-org/ggml"""

from harness import *

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


# ---- Copies and elements ----

SHADERS = 'src/ggml-vulkan/vulkan-shaders'


def strides(shape):
    """Elements from one index to the next, of a dense tensor of four sizes."""
    out = [1]
    for extent in shape[:3]:
        out.append(out[-1] * extent)
    return out


def division(d):
    """The multiplier and the shift that divide by d, as the project's init_fastdiv_values finds them."""
    multiplier, shift = fast_division(d)
    return multiplier, shift


def unary_push(count, source, target, parameters=(0.0, 0.0, 0.0, 0.0), source_strides=None, target_strides=None):
    push = words(count, *source, *(source_strides or strides(source)), *target, *(target_strides or strides(target)), 0)
    push += struct.pack('<4f', *parameters)
    for shape in (source, target):
        parts = [division(shape[0] * shape[1] * shape[2]), division(shape[0] * shape[1]), division(shape[0])]
        push += words(*(multiplier for multiplier, _ in parts), sum(shift << 8 * k for k, (_, shift) in enumerate(parts)))
    return push


def binary_push(count, a, b, parameters=(0.0, 0.0, 0)):
    push = words(count, *a, *strides(a), *b, *strides(b), *a, *strides(a), 0)
    return push + struct.pack('<2fi', *parameters)


QUANTIZED = ('S_TYPE=float', 'D_TYPE=float', 'FLOAT_TYPE=float')


def quantized(clone, size, define, values, block_bytes, block, want):
    blocks = len(values) // block
    out = u8([0] * (blocks * block_bytes))
    push = unary_push(len(values), (len(values), 1, 1, 1), (len(values), 1, 1, 1),
                      target_strides=(1, blocks, blocks, blocks))
    run(f'{clone}/{SHADERS}/copy_to_quant.comp', size, str(-(-blocks // 32)), {'0': f32(values), '1': out}, push,
        defines=(f'{define}=1',) + QUANTIZED)
    expect('data_q', out.values, list(b''.join(want(values[k:k + block]) for k in range(0, len(values), block))))


def extreme_first(random_, count, extreme, low, high, scale):
    """Values that a quantization with the extreme one as its end keeps exactly, the extreme one somewhere."""
    values = [scale * random_.randrange(low, high) for _ in range(count)]
    values[random_.randrange(count)] = scale * extreme
    return [float(v) for v in values]


def blocks_of(name, size, extreme, low, high, block=32):
    random_ = rng(name, size)
    return [v for k in range(70) for v in extreme_first(random_, block, extreme, low, high, 2.0**(k % 9 - 4))]


def nibbles(low, high):
    return bytes(a | b << 4 for a, b in zip(low, high, strict=True))


@check(GGML, ANY)
def copy_to_quant_q4_0(clone, size):
    def block(v):
        d = max(v, key=abs) / -8
        q = [min(15, int(x / d + 8.5)) for x in v]
        return struct.pack('<e', d) + nibbles(q[:16], q[16:])
    quantized(clone, size, 'DATA_A_Q4_0', blocks_of('q4_0', size, -8, -7, 8), 18, 32, block)


@check(GGML, ANY)
def copy_to_quant_q4_1(clone, size):
    def block(v):
        low, d = min(v), (max(v) - min(v)) / 15
        q = [min(15, int((x - low) / d + 0.5)) for x in v]
        return struct.pack('<2e', d, low) + nibbles(q[:16], q[16:])
    values = blocks_of('q4_1', size, 15, 0, 15)
    for k in range(0, len(values), 32):
        values[k + values[k:k + 32].index(min(values[k:k + 32]))] = 0.0
    quantized(clone, size, 'DATA_A_Q4_1', values, 20, 32, block)


@check(GGML, ANY)
def copy_to_quant_q5_0(clone, size):
    def block(v):
        d = max(v, key=abs) / -16
        q = [min(31, int(x / d + 16.5)) for x in v]
        high = sum((x >> 4) << k for k, x in enumerate(q))
        return struct.pack('<eI', d, high) + nibbles([x & 15 for x in q[:16]], [x & 15 for x in q[16:]])
    quantized(clone, size, 'DATA_A_Q5_0', blocks_of('q5_0', size, -16, -15, 16), 22, 32, block)


@check(GGML, ANY)
def copy_to_quant_q5_1(clone, size):
    def block(v):
        low, d = min(v), (max(v) - min(v)) / 31
        q = [int((x - low) / d + 0.5) for x in v]
        high = sum((x >> 4) << k for k, x in enumerate(q))
        return struct.pack('<2eI', d, low, high) + nibbles([x & 15 for x in q[:16]], [x & 15 for x in q[16:]])
    values = blocks_of('q5_1', size, 31, 0, 31)
    for k in range(0, len(values), 32):
        values[k + values[k:k + 32].index(min(values[k:k + 32]))] = 0.0
    quantized(clone, size, 'DATA_A_Q5_1', values, 24, 32, block)


@check(GGML, ANY)
def copy_to_quant_q8_0(clone, size):
    def block(v):
        d = max(map(abs, v)) / 127
        return struct.pack('<e32b', d, *(round(x / d) for x in v))
    quantized(clone, size, 'DATA_A_Q8_0', blocks_of('q8_0', size, 127, -126, 127), 34, 32, block)


@check(GGML, ANY)
def copy_to_quant_q1_0(clone, size):
    def block(v):
        bits = sum((x >= 0) << k for k, x in enumerate(v))
        return struct.pack('<e', sum(map(abs, v)) / 128) + bits.to_bytes(16, 'little')
    random_ = rng('q1_0', size)
    values = [random_.choice((-1.0, 1.0)) * 2.0**(k // 128 % 5) for k in range(128 * 40)]
    quantized(clone, size, 'DATA_A_Q1_0', values, 18, 128, block)


@check(GGML, ANY)
def copy_to_bf16(clone, size):
    random_ = rng('bf16', size)
    values = [float_of(random_.randrange(0x3000, 0x4f00) << 16) for _ in range(1000)]
    out = Array('u16', [0] * 1000)
    run(f'{clone}/{SHADERS}/copy_to_quant.comp', size, '32', {'0': f32(values), '1': out},
        unary_push(1000, (1000, 1, 1, 1), (1000, 1, 1, 1)), defines=('DATA_A_BF16=1',) + QUANTIZED)
    expect('data_q', out.values, [struct.unpack('<I', struct.pack('<f', v))[0] >> 16 for v in values])


def element_by_element(clone, size, shader, function, parameters=(0.0, 0.0, 0.0, 0.0), count=1500, groups='1,3'):
    random_ = rng(shader, size)
    values = integers(random_, count)
    out = f32([0] * count)
    shape = (count // 3, 3, 1, 1)
    run(f'{clone}/{SHADERS}/{shader}.comp', size, groups, {'0': f32(values), '1': out},
        unary_push(count, shape, shape, parameters), defines=FLOATS)
    expect('data_d', out.values, [function(v) for v in values])


@check(GGML, ANY)
def scale(clone, size):
    element_by_element(clone, size, 'scale', lambda v: 0.5 * v + 3.0, (0.5, 3.0, 0.0, 0.0))


def binary(clone, size, shader, operation):
    random_ = rng(shader, size)
    columns, rows = 300, 5
    a, b = integers(random_, columns * rows), [2.0**random_.randrange(-3, 4) for _ in range(columns)]
    out = f32([0] * len(a))
    buffers = {'0': f32(a), '1': f32(b), '2': out}
    if shader == 'add':
        buffers['3'] = f32([0])
    run(f'{clone}/{SHADERS}/{shader}.comp', size, '1,3', buffers,
        binary_push(len(a), (columns, rows, 1, 1), (columns, 1, 1, 1)),
        defines=('A_TYPE=float', 'B_TYPE=float', 'D_TYPE=float', 'FLOAT_TYPE=float', 'ADD_RMS=0'))
    expect('data_d', out.values, [operation(x, b[k % columns]) for k, x in enumerate(a)])


@check(GGML, ANY)
def add(clone, size):
    binary(clone, size, 'add', lambda x, y: x + y)


@check(GGML, ANY)
def sub(clone, size):
    binary(clone, size, 'sub', lambda x, y: x - y)


@check(GGML, ANY)
def mul(clone, size):
    binary(clone, size, 'mul', lambda x, y: x * y)


@check(GGML, ANY)
def div(clone, size):
    binary(clone, size, 'div', lambda x, y: x / y)


@check(GGML, ANY)
def add_rms(clone, size):
    # With ADD_RMS the subgroups also add the squares of the sums, for each workgroup of 512 elements.
    if size == 24:
        return  # it divides the workgroup by the subgroup size
    random_ = rng('add_rms', size)
    count = 1300
    a, b = integers(random_, count, -9, 10), integers(random_, count, -9, 10)
    out, partial = f32([0] * count), f32([0] * 3)
    run(f'{clone}/{SHADERS}/add.comp', size, '1,3', {'0': f32(a), '1': f32(b), '2': out, '3': partial},
        binary_push(count, (count, 1, 1, 1), (count, 1, 1, 1), (0.0, 0.0, 1)),
        defines=('A_TYPE=float', 'B_TYPE=float', 'D_TYPE=float', 'FLOAT_TYPE=float', 'ADD_RMS=1'))
    sums = [x + y for x, y in zip(a, b)]
    expect('data_d', out.values, sums)
    expect('partial_sums', partial.values, [sum(s * s for s in sums[k:k + 512]) for k in range(0, count, 512)])


@check(GGML, ANY)
def repeat(clone, size):
    random_ = rng('repeat', size)
    source, target = (50, 3, 1, 1), (100, 9, 2, 1)
    values = integers(random_, 150)
    out = f32([0] * 1800)
    run(f'{clone}/{SHADERS}/repeat.comp', size, '4', {'0': f32(values), '1': out},
        unary_push(1800, source, target), defines=FLOATS)
    expect('data_d', out.values, [values[y % 3 * 50 + x % 50] for _ in range(2) for y in range(9) for x in range(100)])


@check(GGML, ANY)
def roll(clone, size):
    random_ = rng('roll', size)
    shape, shifts = (50, 9, 2, 1), (7, -3, 1, 0)
    values = integers(random_, 900)
    out = f32([0] * 900)
    packed = [float_of(shifts[k] + 0x8000 << 16 | shifts[k + 1] + 0x8000) for k in (0, 2)]
    run(f'{clone}/{SHADERS}/roll.comp', size, '2', {'0': f32(values), '1': out},
        unary_push(900, shape, shape, (*packed, 0.0, 0.0)), defines=FLOATS)
    expect('data_d', out.values, [values[(z - 1) % 2 * 450 + (y + 3) % 9 * 50 + (x - 7) % 50]
                                  for z in range(2) for y in range(9) for x in range(50)])


@check(GGML, ANY)
def arange(clone, size):
    out = f32([7] * 1000)
    run(f'{clone}/{SHADERS}/arange.comp', size, '2', {'0': out},
        words(990, 0) + struct.pack('<4f', 3.0, 0.25, 0.0, 0.0), defines=FLOATS)
    expect('data_d', out.values, [3.0 + 0.25 * k for k in range(990)] + [7.0] * 10)


@check(GGML, ANY)
def diag_mask_inf(clone, size):
    random_ = rng('diag', size)
    columns, rows, past = 200, 12, 5
    values = integers(random_, columns * rows)
    out = f32([0] * len(values))
    run(f'{clone}/{SHADERS}/diag_mask_inf.comp', size, f'{rows},1', {'0': f32(values), '1': out},
        words(columns, 6, past), defines=FLOATS)
    expect('data_d', out.values, [float('-inf') if k % columns > past + k // columns % 6 else v
                                  for k, v in enumerate(values)])


# ---- Rows ----

def row_shape(columns, rows):
    return (columns, rows, 1, 1)


@check(GGML, ANY)
def rms_norm(clone, size):
    random_ = rng('rms', size)
    columns, rows = 700, 5
    values = [f32_rounded(random_.uniform(-2, 2)) for _ in range(columns * rows)]
    out = f32([0] * len(values))
    run(f'{clone}/{SHADERS}/rms_norm.comp', size, str(rows), {'0': f32(values), '1': f32([0]), '2': out},
        binary_push(len(values), row_shape(columns, rows), (1, 1, 1, 1), (1e-5, 0.0, 0)),
        defines=('A_TYPE=float', 'B_TYPE=float', 'D_TYPE=float', 'FLOAT_TYPE=float', 'RMS_NORM_ROPE_FUSION=0'))
    want = []
    for k in range(0, len(values), columns):
        row = values[k:k + columns]
        factor = (sum(x * x for x in row) / columns + 1e-5)**-0.5
        want += [x * factor for x in row]
    expect_close('data_d', out.values, want, 1e-5)


def normalized(clone, size, shader, epsilon, of_row):
    random_ = rng(shader, size)
    columns, rows = 600, 6
    values = [f32_rounded(random_.uniform(1, 3)) for _ in range(columns * rows)]
    out = f32([0] * len(values))
    shape = row_shape(columns, rows)
    run(f'{clone}/{SHADERS}/{shader}.comp', size, str(rows), {'0': f32(values), '1': out},
        unary_push(len(values), shape, shape, (epsilon, 0.0, 0.0, 0.0)), defines=('A_TYPE=float', 'D_TYPE=float', 'FLOAT_TYPE=float'))
    want = [x for k in range(0, len(values), columns) for x in of_row(values[k:k + columns])]
    if not all(abs(g - w) <= 2e-4 for g, w in zip(out.values, want, strict=True)):
        raise Failed('data_d differs by more than 2e-4')


@check(GGML, ANY)
def norm(clone, size):
    def of_row(row):
        mean = sum(row) / len(row)
        variance = sum((x - mean)**2 for x in row) / len(row)
        return [(x - mean) * (variance + 1e-5)**-0.5 for x in row]
    normalized(clone, size, 'norm', 1e-5, of_row)


@check(GGML, ANY)
def l2_norm(clone, size):
    def of_row(row):
        length = sum(x * x for x in row)**0.5
        return [x / max(length, 1e-6) for x in row]
    normalized(clone, size, 'l2_norm', 1e-6, of_row)


@check(GGML, ANY)
def group_norm(clone, size):
    random_ = rng('group', size)
    columns, groups = 800, 3
    values = [f32_rounded(random_.uniform(1, 3)) for _ in range(columns * groups)]
    out = f32([0] * len(values))
    run(f'{clone}/{SHADERS}/group_norm.comp', size, str(groups), {'0': f32(values), '1': out},
        words(columns, 0) + struct.pack('<4f', 1e-5, 0, 0, 0), defines=FLOATS)
    want = []
    for k in range(0, len(values), columns):
        row = values[k:k + columns]
        mean = sum(row) / columns
        factor = (sum((x - mean)**2 for x in row) / columns + 1e-5)**-0.5
        want += [(x - mean) * factor for x in row]
    if not all(abs(g - w) <= 2e-4 for g, w in zip(out.values, want, strict=True)):
        raise Failed('data_d differs by more than 2e-4')


@check(GGML, ANY)
def soft_max(clone, size):
    from math import exp
    random_ = rng('soft', size)
    columns, rows, block = 300, 6, 128
    logits = [f32_rounded(random_.uniform(-4, 4)) for _ in range(columns * rows)]
    mask = [f32_rounded(random_.uniform(-1, 1)) for _ in range(columns * rows)]
    out = f32([0] * len(logits))
    push = words(columns, rows, columns, rows, 1, 1, 1, columns, columns * rows, columns * rows)
    push += struct.pack('<4f', 0.5, 0.0, 1.0, 1.0) + words(1, rows, 0)
    run(f'{clone}/{SHADERS}/soft_max.comp', size, str(rows),
        {'0': f32(logits), '1': f32(mask), '2': f32([0]), '3': out}, push, spec={0: block},
        defines=('A_TYPE=float', 'B_TYPE=float', 'D_TYPE=float', 'FLOAT_TYPE=float'))
    want = []
    for k in range(0, len(logits), columns):
        row = [0.5 * x + y for x, y in zip(logits[k:k + columns], mask[k:k + columns])]
        total = sum(exp(x - max(row)) for x in row)
        want += [exp(x - max(row)) / total for x in row]
    expect_close('data_d', out.values, want, 1e-5)


@check(GGML, ANY)
def argsort(clone, size):
    random_ = rng('argsort', size)
    columns, rows, block = 100, 5, 128
    values = [float(v) for _ in range(rows) for v in random_.sample(range(-999, 999), columns)]
    for order in (0, 1):
        out = i32([0] * len(values))
        run(f'{clone}/{SHADERS}/argsort.comp', size, f'1,{rows}', {'0': f32(values), '2': out},
            words(columns, block, 7, rows, order, 0, 7, 0, 7), spec={0: block, 1: 7},
            defines=('A_TYPE=float',),
            # It reads 128 elements of each row of 100; the last row's are behind the buffer, and never used.
            outside='read of byte 2000 of A',
            # Both lanes of a pair read both elements, then one of them writes both, without a barrier between.
            found={'out-of-bounds': [36]} | races_in(size, block, [55, 56], [48, 49]))
        want = []
        for k in range(0, len(values), columns):
            row = values[k:k + columns]
            want += sorted(range(columns), key=lambda i: -row[i] if order else row[i])
        expect('data_d', out.values, want)


@check(GGML, ANY)
def argmax(clone, size):
    random_ = rng('argmax', size)
    columns, rows = 333, 4
    values = [float(v) for _ in range(rows) for v in random_.sample(range(-999, 999), columns)]
    out = i32([0] * rows)
    run(f'{clone}/{SHADERS}/argmax.comp', size, str(rows), {'0': f32(values), '1': out},
        words(columns, rows) + struct.pack('<4f', 0, 0, 0, 0), spec={0: 64}, defines=('A_TYPE=float', 'D_TYPE=int', 'FLOAT_TYPE=float'))
    expect('data_d', out.values, [max(range(columns), key=values[k:k + columns].__getitem__)
                                  for k in range(0, len(values), columns)])


# ---- Matrices ----

def matrix_vector_push(columns, rows):
    return words(columns, columns, columns, rows, columns * rows, columns, rows, 0, 0, 1, 1, 1, 1)


def multiplied(clone, size, block, rows_at_once, defines, a, columns, rows, b, want, outside=''):
    out = f32([0] * rows)
    run(f'{clone}/{SHADERS}/mul_mat_vec.comp', size, str(-(-rows // rows_at_once)),
        {'0': a, '1': f32(b), '2': out, '3': f32([0]), '4': f32([0])}, matrix_vector_push(columns, rows),
        spec={0: block, 1: rows_at_once, 2: 1},
        defines=('B_TYPE=float', 'B_TYPEV2=vec2', 'B_TYPEV4=vec4', 'D_TYPE=float', 'FLOAT_TYPE=float',
                 'FLOAT_TYPEV2=vec2') + defines)
    expect('data_d', out.values, want)


def products(values, columns, rows, b):
    return [sum(values[r * columns + c] * b[c] for c in range(columns)) for r in range(rows)]


def multiplied_floats(clone, size, block, extra):
    random_ = rng('mul_mat_vec', size)
    columns, rows = 260, 10
    values, b = integers(random_, columns * rows, -9, 10), integers(random_, columns, -9, 10)
    multiplied(clone, size, block, 2, ('DATA_A_F32=1',) + extra, f32(values), columns, rows, b,
               products(values, columns, rows, b))


@check(GGML, ANY)
def mul_mat_vec(clone, size):
    multiplied_floats(clone, size, 32, ())


@check(GGML, ANY)
def mul_mat_vec_subgroup(clone, size):
    multiplied_floats(clone, size, 128, ('USE_SUBGROUP_ADD=1',))


@check(GGML, (8, 24, 32, 64, 128))
def mul_mat_vec_subgroup_no_shmem(clone, size):
    # The workgroup is one subgroup.
    multiplied_floats(clone, size, size, ('USE_SUBGROUP_ADD_NO_SHMEM=1',))


@check(GGML, ANY)
def mul_mat_vec_q4_0(clone, size):
    random_ = rng('mul_q4', size)
    columns, rows = 256, 6
    b, values, data = integers(random_, columns, -9, 10), [], b''
    for _ in range(columns * rows // 32):
        d, q = 2.0**random_.randrange(-2, 3), [random_.randrange(16) for _ in range(32)]
        values += [(x - 8) * d for x in q]
        data += struct.pack('<e', d) + nibbles(q[:16], q[16:])
    multiplied(clone, size, 32, 2, ('DATA_A_Q4_0=1', 'USE_SUBGROUP_ADD=1'), u8(data), columns, rows, b,
               products(values, columns, rows, b))


@check(GGML, ANY)
def mul_mat_vec_q8_0(clone, size):
    random_ = rng('mul_q8', size)
    columns, rows = 256, 6
    b, values, data = integers(random_, columns, -9, 10), [], b''
    for _ in range(columns * rows // 32):
        d, q = 2.0**random_.randrange(-2, 3), [random_.randrange(-128, 128) for _ in range(32)]
        values += [x * d for x in q]
        data += struct.pack('<e32b', d, *q)
    multiplied(clone, size, 32, 2, ('DATA_A_Q8_0=1', 'USE_SUBGROUP_ADD=1'), u8(data), columns, rows, b,
               products(values, columns, rows, b))
