"""HansKristian-Work/vkd3d-proton"""

from harness import *

VKD3D = 'HansKristian-Work+vkd3d-proton'
SHADERS = 'libs/vkd3d/shaders'
LANES = 32


class GdeflateStream:
    """Writes the bits of 32 lanes, whose words come in the order in which the lanes of a decoder ask for them."""

    def __init__(self):
        self.bits = [[] for _ in range(LANES)]
        self.steps = []  # the bits that each lane takes; None: a lane that takes none

    def step(self, parts):
        """Each lane's (value, bits), or None for a lane that reads nothing."""
        self.steps.append([None if part is None else part[1] for part in parts])
        for lane, part in enumerate(parts):
            if part is not None:
                value, count = part
                self.bits[lane] += [value >> k & 1 for k in range(count)]

    def words_of(self, lane):
        bits = self.bits[lane] + [0] * (-len(self.bits[lane]) % 32)
        return [sum(bit << k for k, bit in enumerate(bits[at:at + 32])) for at in range(0, len(bits), 32)]

    def bytes(self):
        queues = [self.words_of(lane) for lane in range(LANES)]
        take = lambda lane: queues[lane].pop(0) if queues[lane] else 0
        out, left = [take(lane) for lane in range(LANES)], [32] * LANES
        for step in self.steps:
            for lane, count in enumerate(step):
                if count is None:
                    continue
                left[lane] -= count
                if left[lane] < 32:
                    out.append(take(lane))
                    left[lane] += 32
        return words(*out)


def reversed_bits(code, length):
    return int(f'{code:0{length}b}'[::-1], 2)


def codes_of(lengths):
    """The canonical Huffman code of each symbol with a length: (bits in the order of the stream, length)."""
    out, code = {}, 0
    for length in range(1, 16):
        for symbol, own in enumerate(lengths):
            if own == length:
                out[symbol] = (reversed_bits(code, length), length)
                code += 1
        code <<= 1
    return out


FIXED_LENGTHS = [8] * 144 + [9] * 112 + [7] * 24 + [8] * 8
LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227]
LENGTH_BITS = [0] * 8 + [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4 + [5] * 4
DISTANCES = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
             6145, 8193, 12289, 16385, 24577]
DISTANCE_BITS = [0, 0, 0, 0] + [k // 2 for k in range(2, 28)]


def with_extra(table, extra, code, value, first):
    """The code of a length or distance and its extra bits."""
    k = max(k for k, base in enumerate(table) if base <= value)
    bits, count = code[first + k]
    return bits | value - table[k] << count, count + extra[k]


def symbols_used(tokens):
    literals, distances = {256}, set()
    for token in tokens:
        if isinstance(token, int):
            literals.add(token)
        else:
            literals.add(257 + max(k for k, base in enumerate(LENGTHS) if base <= token[0]))
            distances.add(max(k for k, base in enumerate(DISTANCES) if base <= token[1]))
    return literals, distances


def flat_lengths(used, count):
    """Code lengths that make a complete code of the symbols that are used."""
    used = sorted(used)
    if len(used) == 1:
        used = sorted({used[0], (used[0] + 1) % count})
    bits = max(1, (len(used) - 1).bit_length())
    short = (1 << bits) - len(used)  # so many codes are a bit shorter
    lengths = [0] * count
    for k, symbol in enumerate(used):
        lengths[symbol] = bits - 1 if k < short else bits
    return lengths


def put_code_lengths(stream, lengths, literals, distances):
    """The header of a block with codes of its own: every code length as itself, by a code of four bits each."""
    order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    of_lengths = [4] * 16 + [0] * 3
    code = codes_of(of_lengths)
    stream.step([(literals - 257 | distances - 1 << 5 | 19 - 4 << 10, 14)] + [None] * 31)
    stream.step([(of_lengths[order[k]], 3) if k < 19 else None for k in range(LANES)])
    for at in range(0, len(lengths), LANES):
        part = lengths[at:at + LANES]
        stream.step([code[part[k]] if k < len(part) else None for k in range(LANES)])


def put_block(stream, tokens, last, own_codes):
    """A block of literals (0 to 255) and copies (length, distance)."""
    stream.step([(int(last) | (2 if own_codes else 1) << 1, 3)] + [None] * 31)
    if own_codes:
        literals, distances = symbols_used(tokens)
        literal_lengths, distance_lengths = flat_lengths(literals, 286), flat_lengths(distances or {0}, 30)
        put_code_lengths(stream, literal_lengths + distance_lengths, 286, 30)
    else:
        literal_lengths, distance_lengths = FIXED_LENGTHS, [5] * 32
    literal_code, distance_code = codes_of(literal_lengths), codes_of(distance_lengths)
    queue = list(tokens) + [None]  # the end
    copies = [None] * LANES
    while True:
        parts, next_copies, ended = [], [None] * LANES, False
        for lane in range(LANES):
            if copies[lane] is not None:
                parts.append(with_extra(DISTANCES, DISTANCE_BITS, distance_code, copies[lane][1], 0))
            elif ended:
                parts.append(None)
            else:
                token = queue.pop(0)
                if token is None:
                    parts.append(literal_code[256])
                    ended = True
                elif isinstance(token, int):
                    parts.append(literal_code[token])
                else:
                    parts.append(with_extra(LENGTHS, LENGTH_BITS, literal_code, token[0], 257))
                    next_copies[lane] = token
        stream.step(parts)
        copies = next_copies
        if ended:
            break
    stream.step([None if copy is None else with_extra(DISTANCES, DISTANCE_BITS, distance_code, copy[1], 0)
                 for copy in copies])


def put_stored(stream, data, last):
    stream.step([(int(last), 3)] + [None] * 31)
    stream.step([(len(data), 16)] + [None] * 31)
    for at in range(0, len(data), LANES):
        part = data[at:at + LANES]
        stream.step([(part[k], 8) if k < len(part) else None for k in range(LANES)])


def tokens_of(data):
    """Copies where the last three bytes have occurred before, literals elsewhere."""
    seen, out, at = {}, [], 0
    while at < len(data):
        key = data[at:at + 3]
        before = seen.get(key) if len(key) == 3 else None
        length = 0
        if before is not None and at - before <= 32768:
            while length < 250 and at + length < len(data) and data[before + length] == data[at + length]:
                length += 1
        if length >= 3:
            out.append((length, at - before))
        else:
            out.append(data[at])
        for k in range(at, at + max(length, 1)):
            seen[data[k:k + 3]] = k
        at += max(length, 1)
    return out


def compressed(data, kinds):
    """One tile: its parts as blocks of these kinds."""
    stream, step = GdeflateStream(), -(-len(data) // len(kinds))
    for k, kind in enumerate(kinds):
        part, last = data[k * step:(k + 1) * step], k + 1 == len(kinds)
        if kind == 'stored':
            put_stored(stream, part, last)
        else:
            put_block(stream, tokens_of(part), last, kind == 'own')
    return stream.bytes()


def text_like(random_, count):
    names = [bytes(random_.randrange(97, 123) for _ in range(random_.randrange(2, 9))) for _ in range(60)]
    out = b''
    while len(out) < count:
        out += random_.choice(names) + random_.choice((b' ', b', ', b'\n', bytes(random_.randrange(12))))
    return out[:count]


@check(VKD3D, (4, 8, 16, 32, 64, 128))  # it divides 32 invocations among subgroups
def cs_gdeflate(clone, size):
    random_ = rng('gdeflate', size)
    data = text_like(random_, 65536) + text_like(random_, 3000) + random_.randbytes(500)
    tiles = [compressed(data[:65536], ['own', 'fixed', 'stored', 'own']),
             compressed(data[65536:], ['fixed', 'own', 'stored'])]
    metadata = words(len(tiles) << 16, 0, len(tiles[-1]), len(tiles[0]))
    source = metadata + b''.join(tiles)
    out = u8([0] * len(data))
    control, memory = u32([1, 0, 0]), u8(source)
    run(f'{clone}/{SHADERS}/cs_gdeflate.comp', size, str(len(tiles)),
        {'control': control, 'source': memory, 'target': out},
        'addr:control+0 addr:source+0 addr:target+0 u64:0 u32:1 u32:0',
        # Where subgroups are not of 32 lanes, lanes without a code read an element before the first, in vain.
        outside='' if size == 32 else 'of g_decoder_pairs_shared, which has 256 bytes',
        # glslang loses `workgroupcoherent`, with which the bytes are declared. At 32, a block with fixed codes
        # overwrites the symbols that the block before has read, without a barrier between.
        found={'not-coherent': [122]} | ({'lockstep-exchange': [517]} if size == 32 else {'out-of-bounds': [608]}))
    expect('bytes', bytes(out.values), data)


@check(VKD3D, ANY)
def cs_gdeflate_prepare(clone, size):
    random_ = rng('prepare', size)
    streams, room = 40, 45
    counts = [random_.randrange(1, 60000) for _ in range(streams)]
    # tile_stream_t does not say how it is aligned, so it must be at a multiple of 16.
    control = [streams - 3] + [x for k in range(streams) for x in (16 * k, 0)]
    memory = [x for count in counts for x in (count << 16 | 4, 0, 0, 0)]
    scratch = u32([9] * (3 * room))
    run(f'{clone}/{SHADERS}/cs_gdeflate_prepare.comp', size, '2',
        {'control': u32(control), 'source': u32(memory + [0]), 'scratch': scratch},
        f'addr:control+0 addr:source+0 u64:0 addr:scratch+0 u32:{streams} u32:0')
    want = [x for k in range(streams) for x in (counts[k] if k < streams - 3 else 0, 1, 1)]
    expect('dispatch_args', scratch.values, want + [9] * (3 * (room - streams)))
