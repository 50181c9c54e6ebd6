"""Themaister/parallel-rdp"""

from harness import *


def triangles(random_, count):
    """Triangles of the console's format: edges with slopes in 16.16, rows in quarters."""
    out = []
    for _ in range(count):
        yh = random_.randrange(-40, 700)
        ym, yl = yh + random_.randrange(200), yh + random_.randrange(200, 500)
        # Not negative: its 64-bit sum does not extend the sign of an edge's start.
        edges = [random_.randrange(0, 340) << 16 for _ in range(3)]
        slopes = [random_.randrange(-3 << 14, 3 << 14) for _ in range(3)]
        out.append((*edges, yh, ym, *slopes, yl, random_.randrange(4), 0))
    return out


def bin_primitive(triangle, low, high, scissor):
    """Whether the triangle's spans may touch the rectangle: what binning.h documents, with exact integers."""
    xh, xm, xl, yh, ym, dxh, dxm, dxl, yl, flags, _ = triangle
    scissor_xl, scissor_yl, scissor_xh, scissor_yh = scissor
    (lx, ly), (hx, hy) = low, high
    ly, hy = max(ly, scissor_yl >> 2), min(hy, (scissor_yh + 3 >> 2) - 1)
    start, end = max(4 * ly, yh), min(4 * hy + 3, yl - 1)
    if end < start:
        return False

    def saturated(value):
        # Only beyond 32 bits of magnitude; below, the sign bit is taken as it is.
        if value >> 32 not in (0, -1):
            return (2**31 - 1 if value > 0 else -2**31) >> 15
        return ((value + 2**31) % 2**32 - 2**31) >> 15

    ys = [start, end, *(max(start, min(end, y)) for y in (ym - 1, ym))]
    first = [saturated((y - (yh & ~3)) * dxh + xh) for y in ys]
    second = [saturated((y - ym) * dxl + xl if y >= ym else (y - (yh & ~3)) * dxm + xm) for y in ys]
    left, right = (first, second) if flags & 1 else (second, first)
    if max(map(abs, left + right)) <= 2047:
        x_low, x_high = min(left), max(right)
    else:
        x_low, x_high = 0, 0x7fffffff
    bias = 4 if flags & 2 else 3
    bounds = scissor_xl >> 2, (scissor_xh + bias >> 2) - 1
    x_low, x_high = (min(max(x, bounds[0]), bounds[1]) for x in (x_low, x_high))
    return max(x_low, lx) <= min(x_high, hx)


@check('Themaister+parallel-rdp', (8, 32, 64, 128))
def tile_binning_combined(clone, size):
    random_ = rng('binning', size)
    primitives, width, height, tile = 70, 320, 240, 8
    across = 1024 // tile
    setups = triangles(random_, primitives)
    scissors = [(random_.randrange(0, 400), random_.randrange(0, 300), random_.randrange(500, 1280),
                 random_.randrange(400, 960)) for _ in range(primitives)]
    data = b''.join(struct.pack('<3i2h3ih2B', *setup) for setup in setups)
    variants = [random_.randrange(3) for _ in range(primitives)]
    indices = b''.join(bytes([v]) + bytes(15) for v in variants)
    groups = -(-primitives // 32)
    # In each workgroup of 8 columns and local / 8 rows of tiles.
    subgroups_at_once = size >= 32
    local = max(size, 32)
    rows = local // 8
    metas = (-(-width // (8 * tile)), -(-height // (rows * tile)))
    tiles = across * metas[1] * rows
    stride = 256 // 32
    masks, coarse = u32([0] * (tiles * stride)), u32([0] * tiles)
    offsets, counts = u32([0] * (tiles * stride)), u32([0] * 12)
    work = u32([0] * (4 * 3 * 0x8000))
    run(f'{clone}/parallel-rdp/shaders/tile_binning_combined.comp', size, f'{groups},{metas[0]},{metas[1]}',
        {'0': u8(data), '1': i32([x for s in scissors for x in s]), '2': u8(indices), '3': masks, '4': coarse,
         '5': offsets, '6': counts, '7': work}, words(width, height, primitives),
        {0: local, 1: tile, 2: tile, 3: 256, 4: 1024, 5: 0x8000, 6: 1} if subgroups_at_once else
        {1: tile, 2: tile, 3: 256, 4: 1024, 5: 0x8000, 6: 1},
        defines=(f'SUBGROUP={int(subgroups_at_once)}', 'UBERSHADER=0', 'SMALL_TYPES=1'))
    want_masks, want_coarse, want_work = [0] * (tiles * stride), [0] * tiles, set()
    for ty in range(metas[1] * rows):
        for tx in range(metas[0] * 8):
            low = (tx * tile, ty * tile)
            high = (min(low[0] + tile, width) - 1, min(low[1] + tile, height) - 1)
            # All tiles of a subgroup, or of a workgroup, are binned at once first.
            at_once = size // 8 if subgroups_at_once else rows
            first = (tx // 8 * 8 * tile, ty // at_once * at_once * tile)
            behind = (min(first[0] + 8 * tile, width) - 1, min(first[1] + at_once * tile, height) - 1)
            for k in range(primitives):
                if (bin_primitive(setups[k], first, behind, scissors[k]) and
                        bin_primitive(setups[k], low, high, scissors[k])):
                    want_masks[(ty * across + tx) * stride + k // 32] |= 1 << k % 32
                    want_coarse[ty * across + tx] |= 1 << k // 32
                    want_work.add((variants[k], tx, ty, k))
    expect('binned_bitmask', masks.values, want_masks)
    expect('binned_bitmask_coarse', coarse.values, want_coarse)
    per_variant = [sum(v == variant for v, *_ in want_work) for variant in range(3)]
    expect('indirect_counts', [counts.values[4 * v] for v in range(3)], per_variant)
    expect('indirect_counts.w', counts.values[3], len(want_work))
    got = set()
    for variant in range(3):
        for k in range(per_variant[variant]):
            x, y, _, primitive = work.values[4 * (0x8000 * variant + k):][:4]
            got.add((variant, x, y, primitive))
    expect('tile_raster_work', got, want_work)
