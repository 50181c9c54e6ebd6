"""Tencent/ncnn"""

import math

from harness import *

NCNN = 'Tencent+ncnn'
# The words of src/gpu.cpp for storage and arithmetic with 32 bits.
WORDS = ('sfp=float', 'sfpvec4=vec4', 'afp=float', 'afpvec4=vec4', 'lfp=float', 'buffer_ld1(b,i)=b[i]',
         'buffer_st1(b,i,v)={b[i]=v;}', 'buffer_ld4(b,i)=b[i]', 'buffer_st4(b,i,v)={b[i]=v;}',
         'buffer_cp1(b,i,s,j)={b[i]=s[j];}', 'lfp2afp(v)=v', 'afp2lfp(v)=v', 'psc(x)=(x==0?p.x:x)')


def run_ncnn(clone, name, size, local_size, groups, buffers, push=b'', spec=None, defines=(), found=None):
    """The shader with its local size, which the project's loader writes into the module."""
    with open(f'{clone}/src/layer/vulkan/shader/{name}.comp') as file:
        text = file.read()
    x, y, z = local_size
    before, version, after = text.partition('#version 450\n')
    layout = f'layout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;\n'
    text = before + version + layout + f"#line {before.count(chr(10)) + 2}\n" + after
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name + '.comp')
        with open(path, 'w') as file:
            file.write(text)
        run(path, size, groups, buffers, push, spec, WORDS + tuple(defines), found=found)


def elements(clone, size, name, spec, of_element):
    random_ = rng(name, size)
    values = [random_.randrange(-40, 40) / 4 for _ in range(4 * 300)]
    data = f32(values)
    run_ncnn(clone, name, size, (64, 1, 1), '5', {'0': data}, words(300), spec)
    expect('bottom_top_blob_data', data.values, [of_element(v) for v in values])


@check(NCNN, ANY)
def ncnn_relu(clone, size):
    elements(clone, size, 'relu', {0: 0.25}, lambda v: v if v >= 0 else v * 0.25)


@check(NCNN, ANY)
def ncnn_clip(clone, size):
    elements(clone, size, 'clip', {0: -2.5, 1: 4.0}, lambda v: min(max(v, -2.5), 4.0))


@check(NCNN, ANY)
def ncnn_absval(clone, size):
    elements(clone, size, 'absval', None, abs)


def shape(w, h, c):
    """dims, w, h, d, c, cstep."""
    return (3, w, h, 1, c, w * h)


def reduced(clone, size, operation, of_values, values, relative=0):
    """The rows of three channels, one number each."""
    w, h, c = 600, 5, 3
    out = f32([0] * (h * c))
    push = words(w, h, 1, c, w * h, 3, h, c, 1, 1, 2, h * c, 1, 0, 0, 0, -1 & 0xffffffff, 2, -1 & 0xffffffff, 0)
    # The output has two sizes, rows and channels; a number of it belongs to channel y and row x.
    push = words(w, h, 1, c, w * h, 3, h, c, 1, 1, 2, h * c, 1, 0, 0, 0, 2, 0, -1, -1) + struct.pack('<f', 1.0)
    run_ncnn(clone, 'reduction', size, (256, 1, 1), f'1,{h * c}', {'0': out, '1': f32(values)}, push, {0: operation},
             ('ncnn_subgroup_basic=1', 'ncnn_subgroup_arithmetic=1', 'NCNN_fp16_arithmetic=0',
              f'ncnn_subgroupSize={size}'),
             # A subgroup writes its sum over what another one still reads.
             found={'data-race': [252]} if size == 8 else None)
    want = [of_values(values[k:k + w]) for k in range(0, len(values), w)]
    if relative:
        expect_close('top_blob_data', out.values, want, relative)
    else:
        expect('top_blob_data', out.values, want)


@check(NCNN, (8, 16, 32, 64, 128))
def ncnn_reduction(clone, size):
    random_ = rng('reduction', size)
    values = integers(random_, 600 * 15, -9, 10)
    reduced(clone, size, 0, sum, values)
    reduced(clone, size, 1, lambda v: sum(map(abs, v)), values)
    reduced(clone, size, 2, lambda v: sum(x * x for x in v), values)
    reduced(clone, size, 4, max, values)
    reduced(clone, size, 5, min, values)
    reduced(clone, size, 6, math.prod, [random_.choice((1.0, -1.0, 2.0, 0.5)) for _ in values])
    reduced(clone, size, 8, lambda v: sum(x * x for x in v)**0.5, values, 1e-6)
    reduced(clone, size, 10, lambda v: math.log(sum(map(math.exp, v))), values, 1e-5)


@check(NCNN, ANY)
def ncnn_softmax(clone, size):
    random_ = rng('softmax', size)
    w, h, c = 40, 6, 3
    values = [f32_rounded(random_.uniform(-4, 4)) for _ in range(w * h * c)]
    data, largest, total = f32(values), f32([0] * (h * c)), f32([0] * (h * c))
    # Along the width: one number for each row and channel.
    push = words(*shape(w, h, c), 2, h, c, 1, 1, h * c)
    spec = {0: 2}
    run_ncnn(clone, 'softmax_reduce_max', size, (4, 4, 1), '2,1', {'0': data, '1': largest}, push, spec)
    expect('max_workspace_data', largest.values, [max(values[k:k + w]) for k in range(0, len(values), w)])
    run_ncnn(clone, 'softmax_exp_sub_max', size, (8, 4, 2), '5,2,2', {'0': data, '1': largest}, push, spec)
    run_ncnn(clone, 'softmax_reduce_sum', size, (4, 4, 1), '2,1', {'0': data, '1': total}, push, spec)
    run_ncnn(clone, 'softmax_div_sum', size, (8, 4, 2), '5,2,2', {'0': data, '1': total}, push, spec)
    want = []
    for k in range(0, len(values), w):
        powers = [math.exp(v - max(values[k:k + w])) for v in values[k:k + w]]
        want += [v / sum(powers) for v in powers]
    expect_close('bottom_top_blob_data', data.values, want, 1e-5)


def moved(clone, size, name, spec, source, target, of_place, push_of=None):
    """Every element of the output is one of the input's: of_place(x, y, z) says which."""
    random_ = rng(name, size)
    (w, h, c), (ow, oh, oc) = source, target
    values = integers(random_, w * h * c, -999, 999)
    out = f32([0] * (ow * oh * oc))
    flat = words(3, w, h, c, w * h, 3, ow, oh, oc, ow * oh)
    push = words(*shape(*source), *shape(*target)) if push_of is None else flat + push_of
    run_ncnn(clone, name, size, (8, 4, 2), f'{-(-ow // 8)},{-(-oh // 4)},{-(-oc // 2)}',
             {'0': f32(values), '1': out}, push, spec)
    want = []
    for oz in range(oc):
        for oy in range(oh):
            for ox in range(ow):
                x, y, z = of_place(ox, oy, oz)
                want.append(values[(z * h + y) * w + x])
    expect('top_blob_data', out.values, want)


@check(NCNN, ANY)
def ncnn_permute(clone, size):
    moved(clone, size, 'permute', {0: 1}, (10, 7, 3), (7, 10, 3), lambda x, y, z: (y, x, z))
    moved(clone, size, 'permute', {0: 2}, (10, 7, 3), (10, 3, 7), lambda x, y, z: (x, z, y))
    moved(clone, size, 'permute', {0: 3}, (10, 7, 3), (3, 10, 7), lambda x, y, z: (y, z, x))


@check(NCNN, ANY)
def ncnn_reorg(clone, size):
    moved(clone, size, 'reorg', {0: 2, 1: 0}, (12, 8, 3), (6, 4, 12),
          lambda x, y, z: (2 * x + z % 2, 2 * y + z // 2 % 2, z // 4), b'')


@check(NCNN, ANY)
def ncnn_shufflechannel(clone, size):
    moved(clone, size, 'shufflechannel', {0: 3}, (5, 4, 12), (5, 4, 12),
          lambda x, y, z: (x, y, z % 3 * 4 + z // 3), words(3))


@check(NCNN, ANY)
def ncnn_pooling_global_reduce_max(clone, size):
    random_ = rng('pooling', size)
    w, c = 301, 4
    ow = -(-w // 8)
    values = integers(random_, w * c, -999, 999)
    out = f32([0] * (ow * c))
    run_ncnn(clone, 'pooling_global_reduce_max', size, (16, 1, 2), f'{-(-ow // 16)},1,2', {'0': f32(values), '1': out},
             words(w, c, w, ow, ow), defines=('FLT_MAX=3.402823466e+38',))
    want = [max(values[k * w + min(x + i * ow, w - 1)] for i in range(8)) for k in range(c) for x in range(ow)]
    expect('top_blob_data', out.values, want)
