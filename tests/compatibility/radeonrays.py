"""GPUOpen-LibrariesAndSDKs/RadeonRays_SDK"""

from harness import *

RADEONRAYS = 'GPUOpen-LibrariesAndSDKs+RadeonRays_SDK'
KERNELS = 'src/core/src/vlk/kernels'
PARTITIONED = ('PP_USE_SUBGROUP_OPS', 'PP_USE_NV_SHADER_SUBGROUP_PARTITIONED')
LEAVES = ('RR_GROUP_SIZE=128', 'PRIMITIVES_PER_THREAD=8')


def scanned(clone, size, extra):
    """Sums of parts of 512 keys, their scan, and the scan of all keys with these."""
    random_ = rng('scan', size)
    count, part = 3000, 512
    parts = -(-count // part)
    keys = [random_.randrange(-999, 999) for _ in range(count)]
    defines = ('PP_KEYS_PER_THREAD=2', 'PP_GROUP_SIZE=256') + extra
    sums, offsets, out = i32([0] * parts), i32([0] * parts), i32([0] * count)
    source = i32(keys)
    run(f'{clone}/{KERNELS}/scan_exclusive_add_group_reduce.comp', size, str(parts), {'0': source, '1': sums},
        words(count), defines=defines)
    expect('g_part_sums', sums.values, [sum(keys[k:k + part]) for k in range(0, count, part)])
    run(f'{clone}/{KERNELS}/scan_exclusive_add.comp', size, '1', {'0': sums, '1': i32([0]), '2': offsets},
        words(parts, 0), defines=defines)
    run(f'{clone}/{KERNELS}/scan_exclusive_add.comp', size, str(parts), {'0': source, '1': offsets, '2': out},
        words(count, 1), defines=defines)
    want, before = [], 0
    for key in keys:
        want.append(before)
        before += key
    expect('g_output_keys', out.values, want)


@check(RADEONRAYS, (32,))  # its PP_SUBGROUP_SIZE
def scan_exclusive_add_partitioned(clone, size):
    scanned(clone, size, PARTITIONED)


@check(RADEONRAYS, ANY)
def scan_exclusive_add(clone, size):
    scanned(clone, size, ())


@check(RADEONRAYS, ANY)
def radix_sort(clone, size):
    random_ = rng('sort', size)
    count, per_group = 5000, 256 * 4
    groups = -(-count // per_group)
    defines = ('PP_GROUP_SIZE=256', 'PP_KEYS_PER_THREAD=4')
    if size == 32:
        defines += PARTITIONED
    keys = i32([random_.randrange(2**31) for _ in range(count)])
    values = i32(range(count))
    want = sorted(zip(keys.values, values.values))
    for shift in range(0, 32, 4):
        histograms = i32([0] * (16 * groups))
        run(f'{clone}/{KERNELS}/radix_sort_group_histograms.comp', size, str(groups), {'0': keys, '1': histograms},
            words(count, shift), defines=defines[:2])
        counts = [0] * (16 * groups)
        for k, key in enumerate(keys.values):
            counts[groups * (key >> shift & 15) + k // per_group] += 1
        expect('g_group_histograms', histograms.values, counts)
        offsets = [sum(counts[:k]) for k in range(len(counts))]
        keys_out, values_out = i32([0] * count), i32([0] * count)
        run(f'{clone}/{KERNELS}/radix_sort_scatter_keys.comp', size, str(groups),
            {'0': keys, '1': i32(offsets), '2': keys_out, '3': values, '4': values_out}, words(count, shift),
            defines=defines)
        keys, values = keys_out, values_out
    expect('sorted', list(zip(keys.values, values.values)), want)


def tree(random_, leaves):
    """The parents of a random binary tree, whose inner nodes come before its leaves; the root has none."""
    parents, todo, inner, leaf = [None] * (2 * leaves - 1), [(0, leaves, 2**32 - 1)], 0, leaves - 1
    while todo:
        first, count, parent = todo.pop()
        if count == 1:
            parents[leaf], leaf = parent, leaf + 1
            continue
        node, inner = inner, inner + 1
        parents[node] = parent
        split = random_.randrange(1, count)
        todo += [(first + split, count - split, node), (first, split, node)]
    return parents


@check(RADEONRAYS, ANY)
def find_treelet_roots(clone, size):
    random_ = rng('treelets', size)
    leaves, least = 500, 12
    parents = tree(random_, leaves)
    nodes = u32([x for parent in parents for x in [0] * 11 + [parent] + [0] * 4])
    # BVHNode: three vectors and a number each; parent is the last of the third.
    counter, roots, primitives = u32([7]), u32([0] * leaves), u32([9] * (2 * leaves - 1))
    buffers = {'0': nodes, '1': counter, '2': roots, '3': primitives}
    push, groups = words(least, leaves), str(-(-leaves // 128))
    run(f'{clone}/{KERNELS}/init_primitive_count.comp', size, groups, buffers, push, defines=LEAVES)
    expect('g_primitive_counts', primitives.values, [0] * (leaves - 1) + [1] * leaves)
    expect('g_treelet_count', counter.values, [0])
    run(f'{clone}/{KERNELS}/find_treelet_roots.comp', size, groups, buffers, push, defines=LEAVES)
    below = [0] * (leaves - 1) + [1] * leaves
    children = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent != 2**32 - 1:
            children[parent].append(node)
    order, k = [0], 0
    while k < len(order):
        order += children[order[k]]
        k += 1
    for node in reversed(order):
        for child in children[node]:
            below[node] += below[child]
    want = {node for node in range(leaves - 1)
            if below[node] >= least and all(below[child] < least for child in children[node])}
    # A node whose other child is a treelet's root is reached from one side only and makes none.
    expect('g_treelet_roots', set(roots.values[:counter.values[0]]), want)


def mesh(random_, triangles, vertices):
    points = [random_.randrange(-4000, 4000) / 8 for _ in range(3 * vertices)]
    return points, [random_.randrange(vertices) for _ in range(3 * triangles)]


def ordered_bits(x):
    bits = struct.unpack('<I', struct.pack('<f', x))[0]
    return bits ^ 0xffffffff if bits >> 31 else bits | 0x80000000


@check(RADEONRAYS, ANY)
def lbvh_calc_mesh_aabb(clone, size):
    random_ = rng('aabb', size)
    triangles = 2048  # whole workgroups of 1024: its barriers are in `if (prim_index < g_num_leafs)`
    points, indices = mesh(random_, triangles, 700)
    box = u32([2**32 - 1] * 4 + [0] * 4)
    run(f'{clone}/{KERNELS}/lbvh_calc_mesh_aabb.comp', size, str(-(-triangles // 1024)),
        {'0:0': u32([0] * 16), '0:1': u32([0]), '0:2': u32([0]), '0:3': box, '1:0': u32(indices), '1:1': f32(points)},
        words(12, triangles), defines=LEAVES,
        # Element 0 is read at the end of a reduction and written at the start of the next, without a barrier between.
        found=races_in(size, 128, [83, 104], [97, 118]))
    used = sorted(set(indices))
    for axis in range(3):
        values = [points[3 * i + axis] for i in used]
        expect('g_mesh_aabb', (box.values[axis], box.values[4 + axis]),
               (ordered_bits(min(values)), ordered_bits(max(values))))


@check(RADEONRAYS, ANY)
def lbvh_reset_update_flags(clone, size):
    leaves = 900
    nodes = u32([5] * (16 * (2 * leaves - 1)))
    run(f'{clone}/{KERNELS}/lbvh_reset_update_flags.comp', size, '1',
        {'0': nodes, '1': u32([0]), '2': f32([0])}, words(12, leaves), defines=LEAVES)
    expect('g_bvh', nodes.values, ([5] * 15 + [0]) * (2 * leaves - 1))
