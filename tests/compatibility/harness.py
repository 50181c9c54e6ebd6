"""What all checks use: how they are registered, arrays, runs of the program, comparisons."""

import json
import os
import random
import struct
import subprocess
import tempfile

LOCKSTEP = None  # the program, set by check.py
CHECKED = False  # whether all runs are checked for all rules, set by check.py
FOUND = set()  # what checked runs found: "file:line rule"
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

LETTERS = {'u8': ('|u1', 'B'), 'i8': ('|i1', 'b'), 'u16': ('<u2', 'H'), 'f16': ('<f2', 'e'), 'u32': ('<u4', 'I'),
           'i32': ('<i4', 'i'), 'f32': ('<f4', 'f')}


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
        count = (len(data) - start) // struct.calcsize(letter)
        self.values = list(struct.unpack(f'<{count}{letter}', data[start:]))


def u8(values):
    return Array('u8', values)


def f16(values):
    return Array('f16', values)


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


def judge(done, outside):
    """Raises Failed, with the program's words, if a run failed; unless its report holds the words `outside`."""
    said = (done.stderr + done.stdout).strip()
    if outside and done.returncode == 1:
        if outside not in said:
            raise Failed(f'"{outside}" is not in: ' + ' | '.join(said.splitlines()[:3]))
    elif done.returncode != 0 or outside:
        raise Failed(f'exit {done.returncode}: ' + ' | '.join(said.splitlines()[:3]))


def judge_findings(shader, done, found):
    """Raises Failed unless a checked run found what `found` says: for each rule the lines, and nothing else."""
    outcome = json.loads(done.stdout) if done.returncode in (0, 1) else {'error': done.stderr.strip()}
    if 'error' in outcome:
        raise Failed(f"exit {done.returncode}: {outcome['error']}")
    place = lambda file, line, rule: f'{os.path.basename(file)}:{line} {rule}'
    got = {place(one['file'], one['line'], one['rule']) for one in outcome['findings']}
    want = {place(shader, line, rule) for rule, lines in found.items() for line in lines}
    if got != want:
        raise Failed('; '.join(f'{what}: ' + ', '.join(sorted(places))
                               for what, places in (('found', got - want), ('not found', want - got)) if places))
    FOUND.update(got)


def races_in(size, workgroup, within, between):
    """What a checked run finds of races that have these lines within a subgroup and these between two of a workgroup."""
    return ({'lockstep-exchange': within} if size > 1 else {}) | ({'data-race': between} if size < workgroup else {})


def run(shader, size, groups, buffers, push=b'', spec=None, defines=(), outside='', options=(), includes=(),
        found=None):
    """One `lockstep run`; afterwards the arrays hold what the shader left. Raises Failed, with the program's
    words, if it says that the shader failed or accessed memory that is not there; unless these accesses
    are those expected, whose report holds the words `outside`. A checked run must find what `found` says: for
    each rule the lines. `push` is bytes, or words for --push; {FOLDER} in `options` stands for a folder that lasts
    as long as the run."""
    with tempfile.TemporaryDirectory() as folder:
        command = [LOCKSTEP, 'run', shader, '--groups', groups, '--subgroup-size', str(size), '--bits']
        for slot, array in buffers.items():
            path = os.path.join(folder, slot.replace(':', '_'))
            array.write(path + '.npy')
            command += ['--buffer', f'{slot}={path}.npy', '--save', f'{slot}={path}.out.npy']
        if isinstance(push, str):
            command += ['--push', push]
        elif push:
            with open(os.path.join(folder, 'push.bin'), 'wb') as file:
                file.write(push)
            command += ['--push', os.path.join(folder, 'push.bin')]
        for number, value in (spec or {}).items():
            command += ['--spec', f'{number}={value}']
        for define in defines:
            command += ['-D', define]
        for directory in includes:
            command += ['-I', directory]
        if CHECKED:
            command += ['--check', '--json']
        command += [option.replace('{FOLDER}', folder) for option in options]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            raise Failed('takes more than two minutes') from None
        if CHECKED:
            judge_findings(shader, done, found or {})
        else:
            judge(done, outside)
        for slot, array in buffers.items():
            array.read(os.path.join(folder, slot.replace(':', '_') + '.out.npy'))


def rng(name, size):
    return random.Random(f'{name} {size}')


def integers(random_, count, low=-99, high=100):
    """Floats whose sums are exact in any order."""
    return [float(random_.randrange(low, high)) for _ in range(count)]


def words(*numbers):
    return struct.pack(f'<{len(numbers)}I', *(n & 0xffffffff for n in numbers))


def subgroups(local_size, size):
    """The first and the behind-last invocation of each subgroup of a workgroup."""
    return [(k, min(k + size, local_size)) for k in range(0, local_size, size)]


ANY = (1, 8, 24, 32, 64, 128)
POWERS = (1, 8, 32, 64, 128)
