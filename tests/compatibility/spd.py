"""GPUOpen-Effects/FidelityFX-SPD"""

from harness import *

SPD = 'GPUOpen-Effects+FidelityFX-SPD'


def halved(levels, width):
    """The next level: means of four."""
    last = levels[-1]
    return [[sum(last[(2 * y + dy) * width + 2 * x + dx][c] for dy in (0, 1) for dx in (0, 1)) / 4 for c in range(4)]
            for y in range(width // 2) for x in range(width // 2)]


def found_in_spd(load, store, reset, intermediate):
    """What checked runs find, by the lines of SpdLoad, SpdStore, SpdResetAtomicCounter and SpdStoreIntermediate."""
    return {
        # Of the sixth level and the smaller ones, 64 x 64, 32 x 32 ... texels are accessed, whatever their size.
        'out-of-bounds': [load, store],
        # No memory barrier between the stores of the other workgroups and their atomicAdd. All invocations reset the counter.
        'data-race': [load, reset],
        'atomic-mixed': [reset],
        # Between the read of a lane and the write of its neighbour, there is only an exchange within their quad.
        'lockstep-exchange': [reset] + list(range(intermediate, intermediate + 4)),
    }


@check(SPD, (4, 8, 24, 32, 64, 128))
def spd_downsampler(clone, size):
    """All levels of an image in one dispatch: the last workgroup to finish makes the smallest ones."""
    random_ = rng('spd', size)
    width, mips = 256, 8
    pixels = [[random_.randrange(1, 256) / 256 for _ in range(4)] for _ in range(width * width)]
    levels = [pixels]
    while len(levels) <= mips:
        levels.append(halved(levels, width >> len(levels) - 1))
    with tempfile.TemporaryDirectory() as folder:
        f16([v for pixel in pixels for v in pixel]).write(f'{folder}/0.npy')
        options = []
        for k in range(13):
            edge = max(width >> k, 1)
            start = f'{folder}/0.npy' if k == 0 else 'zeros'
            options += ['--image', f'0[{k}]=rgba16f:{edge}x{edge}x1:{start}']
            if 0 < k <= mips and k != 6:
                options += ['--save', f'0[{k}]={folder}/{k}.out.npy']
        options += ['--image', f'1=rgba16f:{width >> 6}x{width >> 6}x1:zeros', '--save', f'1={folder}/6.out.npy']
        counter = u32([0] * 6)
        groups = width // 64
        run(f'{clone}/sample/src/VK/SPDIntegration.glsl', size, f'{groups},{groups}', {'2': counter},
            words(mips, groups * groups, 0, 0), options=options, includes=[f'{clone}/ffx-spd'],
            # The last workgroup reads 64 x 64 texels of the sixth level, whatever its size.
            outside='read of a texel outside of imgDst6',
            found=found_in_spd(load=73, store=82, reset=94, intermediate=106))
        expect('counter', counter.values, [0] * 6)
        for k in range(1, mips + 1):
            got = f16([])
            got.read(f'{folder}/{k}.out.npy')
            # Each store rounds to 11 bits; the levels from the seventh on are made of a rounded one.
            expect_close(f'level {k}', got.values, [v for pixel in levels[k] for v in pixel], 2**-10)


@check(SPD, (4, 8, 24, 32, 64, 128))
def spd_linear_sampler(clone, size):
    """The same with a sampler between the four texels of level 0. All levels are one image, read through the sampler
    and written level by level."""
    random_ = rng('spd linear', size)
    width, mips = 256, 8
    pixels = [[random_.randrange(1, 256) / 256 for _ in range(4)] for _ in range(width * width)]
    levels = [pixels]
    while len(levels) <= mips:
        levels.append(halved(levels, width >> len(levels) - 1))
    texels = sum(len(level) for level in levels)
    with tempfile.TemporaryDirectory() as folder:
        whole = [v for pixel in pixels for v in pixel]
        f16(whole + [0.0] * (4 * texels - len(whole))).write(f'{folder}/in.npy')
        options = ['--image', f'3=rgba16f:{width}x{width}x1,levels={mips + 1}:{folder}/in.npy', '--save', f'3={folder}/out.npy',
                   '--image', '1=level:6:3', '--sampler', '4=linear,clamp_to_edge']
        for k in range(12):
            source = f'level:{k + 1}:3' if k < mips and k != 5 else 'rgba16f:1x1x1:zeros'
            options += ['--image', f'0[{k}]={source}']
        counter = u32([0] * 6)
        groups = width // 64
        inverse = struct.unpack('<I', struct.pack('<f', 1 / width))[0]
        run(f'{clone}/sample/src/VK/SPDIntegrationLinearSampler.glsl', size, f'{groups},{groups}', {'2': counter},
            words(mips, groups * groups, 0, 0, inverse, inverse), options=options, includes=[f'{clone}/ffx-spd'],
            outside='read of a texel outside of imgDst5',
            found=found_in_spd(load=76, store=85, reset=97, intermediate=109))
        expect('counter', counter.values, [0] * 6)
        got = f16([])
        got.read(f'{folder}/out.npy')
        want = [v for level in levels for pixel in level for v in pixel]
        expect('level 0', got.values[:len(whole)], whole)
        expect_close('levels', got.values[len(whole):], want[len(whole):], 2**-10)
