#!/usr/bin/env python3
"""Counts how many compute shaders of other projects Lockstep can run, and who refuses the others and why.

usage: count.py LOCKSTEP CLONES [--list]

LOCKSTEP is the lockstep program, CLONES a folder with clones as check.py has them: KhronosGroup+glslang,
KhronosGroup+SPIRV-Cross and ggml-org+ggml. Each shader is compiled, validated and lowered for the machine, by
`lockstep inspect`; none runs. Prints a table for docs/reference/compatibility.md; with --list also a line for each shader that is refused.
Needs nothing but Python.
"""

import collections
import os
import re
import subprocess
import sys
import tempfile

# ---- What there is to compile: a name, a file, and options ----


def glslang_tests(clones):
    folder = f'{clones}/KhronosGroup+glslang/Test'
    found = []
    for name in sorted(os.listdir(folder)):
        if name.endswith('.comp'):
            entry = entry_of_hlsl(f'{folder}/{name}') if name.startswith('hlsl.') else None
            found.append((name, f'{folder}/{name}', ['--entry', entry] if entry else []))
    return found


def entry_of_hlsl(path):
    """The function after [numthreads]."""
    with open(path, errors='replace') as file:
        found = re.search(r'\[numthreads\b.*?\]\s*(?:\w+\s+)(\w+)\s*\(', file.read(), re.S | re.I)
    return found.group(1) if found else 'main'


def shaders_below(clones, pattern):
    root = f'{clones}/KhronosGroup+SPIRV-Cross'
    found = []
    for folder, _, names in os.walk(root):
        short = os.path.relpath(folder, root)
        if not re.match(pattern, short):
            continue
        found += [(f'{short}/{name}', f'{folder}/{name}', []) for name in names if name.endswith('.comp')]
    return sorted(found)


def cross_glsl(clones):
    return [entry for entry in shaders_below(clones, r'shaders') if '.asm.' not in entry[0] and '/asm/' not in entry[0]]


def cross_assembly(clones):
    return [entry for entry in shaders_below(clones, r'shaders') if '.asm.' in entry[0]]


MAPS = re.compile(r'\{\s*"(\w+)"\s*,\s*"([^"]*)"\s*\}')


def ggml_generated(clones):
    """The builds that the project's generator makes of its shaders, where names and macros can be read from its text;
    those that it makes for each quantized type are made for each here, too."""
    folder = f'{clones}/ggml-org+ggml/src/ggml-vulkan/vulkan-shaders'
    with open(f'{folder}/vulkan-shaders-gen.cpp') as file:
        text = file.read()
    base = [('FLOAT_TYPE', 'float'), ('FLOAT_TYPEV2', 'vec2')]
    types = re.search(r'type_names\s*=\s*\{(.*?)\}', text, re.S).group(1)
    types = re.findall(r'"(\w+)"', types)
    found = {}
    for call in re.finditer(r'string_to_spv\(\s*("[^;]*?)\);', text, re.S):
        words = call.group(1)
        per_type = 'tname' in words or 'data_a_key' in words
        for kind in types if per_type else ['']:
            name_end = words.index(',')
            name = words[:name_end]
            name = ''.join(re.findall(r'"([^"]*)"', re.sub(r'\btname\b', f'"{kind}"', name)))
            shader = re.search(r'"([\w]+\.comp)"', words[name_end:])
            if shader is None:
                shader = own_shader(folder, name, kind)
                if shader is None:
                    continue
            else:
                shader = shader.group(1)
            if '__' in name or name.strip('_') != name:
                continue  # another loop's variable is part of its name
            macros = dict(base)
            macros.update(MAPS.findall(words[name_end:]))
            if per_type:
                macros[f'DATA_A_{kind.upper()}'] = '1'
            found[name] = (f'{folder}/{shader}', [f'{key}={value}' for key, value in macros.items()])
    return [(name, path, [option for macro in macros for option in ('-D', macro)])
            for name, (path, macros) in sorted(found.items())]


def own_shader(folder, name, kind):
    """The file of a type: mul_mat_vec_q4_k.comp, dequant_q4_0.comp; others share mul_mat_vec.comp."""
    for stem in (f'dequant_{kind}', f'mul_mat_vec_{kind}', 'mul_mat_vec'):
        if name.startswith(stem.removesuffix(f'_{kind}')) and os.path.exists(f'{folder}/{stem}.comp'):
            return f'{stem}.comp'
    return None


SOURCES = (('glslang: Test/*.comp', glslang_tests), ('SPIRV-Cross: shaders*, GLSL', cross_glsl),
           ('SPIRV-Cross: shaders*, assembly', cross_assembly), ("ggml: its generator's", ggml_generated))

# ---- Who refuses it ----

# Of Lockstep's own words, the feature that they name.
FEATURES = (
    ('cooperative matrices and vectors', r'[Cc]ooperative|OpTypeCoop'),
    ('ray queries and tracing', r'RayQuery|AccelerationStructure|acceleration structures|RayTracing'),
    ('tensors and graphs', r'Tensor|Graph'),
    ('sampled cubes, multisampled images', r'sampled cubes|multisampled?'),
    ('clocks', r'ReadClock'),
    ('mesh and task shaders', r'Mesh|Task'),
    ('floats other than IEEE', r'bfloat16|encoding'),
    ('OpenCL kernels and other stages', r'no compute entry point'),
    ('images as values, and other image operations', r'[Ii]mage'),
)


def outcome_of(lockstep, path, options):
    """'runs', or who refuses it and why."""
    with tempfile.TemporaryDirectory() as folder:
        # Assembly and HLSL may have another ending.
        if os.path.basename(path).startswith('hlsl.'):
            link = os.path.join(folder, os.path.basename(path) + '.hlsl')
            os.symlink(path, link)
            path = link
        if '.asm.' in os.path.basename(path) and not path.endswith('.asm.comp'):
            link = os.path.join(folder, 'a.spvasm')
            os.symlink(path, link)
            path = link
        try:
            done = subprocess.run([lockstep, 'inspect', path, '--search-runs', '0', *options], capture_output=True, text=True, timeout=120,
                                  errors='replace')
        except subprocess.TimeoutExpired:
            return 'Lockstep', 'takes more than two minutes', ''
    said = (done.stderr or done.stdout).strip().splitlines()
    said = said[0] if said else ''
    if done.returncode == 0:
        return 'runs', '', ''
    if done.returncode < 0 or not said.startswith('lockstep: '):
        return 'Lockstep', 'CRASHES', said
    if ': is not valid: ' in said:
        return "the validator", reason_of_validator(said), said
    if is_compilers(said, path):
        return 'the assembler' if '.asm.' in path or path.endswith('.spvasm') else 'glslang', reason_of_compiler(said), said
    for feature, words in FEATURES:
        if re.search(words, said):
            return 'Lockstep', feature, said
    return 'Lockstep', 'other instructions and declarations', said


def reason_of_validator(said):
    if re.search(r'Invalid (capability|opcode|\w+ operand)', said):
        return 'newer than it'
    return 'the module breaks a rule'


def reason_of_compiler(said):
    if re.search(r'extension not supported|unknown|undeclared identifier|no matching|not supported|syntax error', said):
        return 'unknown extension, type or function'
    return 'an error of the language'


def is_compilers(said, path):
    """Whether the message is the compiler's or the assembler's: theirs name a line and no instruction."""
    return not re.search(r': Op[A-Z]\w+: |: is not supported|is not supported:|not structured|compute entry point', said)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    lockstep, clones, listed = sys.argv[1], sys.argv[2], '--list' in sys.argv
    rows = collections.OrderedDict()
    for title, find in SOURCES:
        counts = collections.Counter()
        for name, path, options in find(clones):
            who, why, said = outcome_of(lockstep, path, options)
            counts[who, why] += 1
            if listed and who != 'runs':
                print(f'{title}: {name}: {who}: {why}: {said[:300]}', flush=True)
        rows[title] = counts
    print('| shaders | all | can run | refused |')
    print('| --- | --- | --- | --- |')
    for title, counts in rows.items():
        refusals = [f'{count} by {who}: {why}' for (who, why), count in counts.most_common() if who != 'runs']
        print(f'| {title} | {sum(counts.values())} | {counts["runs", ""]} | {"; ".join(refusals)} |')


if __name__ == '__main__':
    main()
