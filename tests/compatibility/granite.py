"""Themaister/Granite and Themaister/pyrowave"""

from harness import *


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
