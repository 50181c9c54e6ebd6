#!/usr/bin/env python3
"""How time grows over three decades of invocations, lines of shader, buffers, findings, threads and dispatches.

usage: PYTHONPATH=BUILD/python python3 bench/python/growth.py FOLDER [AXIS...]
Needs matplotlib (Debian: python3-matplotlib). Draws FOLDER/AXIS.svg, prints each time, and fails if a series grows faster than
n log n does: its time per n log2 n rises by more than half between its second and its last decade.
"""

import math
import pathlib
import subprocess
import sys
import tempfile
import time

import matplotlib
import numpy as np

import lockstep as ls

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

HEAD = "#version 460\nlayout(local_size_x = 64) in;\n"
ADD = HEAD + "layout(binding = 0) buffer Data { uint data[]; };\nvoid main() { data[gl_GlobalInvocationID.x] += 1u; }\n"
SIZES = (10, 30, 100, 300, 1000, 3000, 10000)


def seconds(work, times=3):
    """The shortest of several times of work()."""
    best = math.inf
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def module_of(text):
    """The module of GLSL, compiled by another program: only what is Lockstep's is measured."""
    with tempfile.TemporaryDirectory() as folder:
        source, module = pathlib.Path(folder, "shader.comp"), pathlib.Path(folder, "shader.spv")
        source.write_text(text)
        subprocess.run(
            ["glslangValidator", "-g", "-V", "--target-env", "vulkan1.3", source, "-o", module],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return module.read_bytes()


def invocations():
    """Workgroups of 64, unchecked and with all checks."""
    for check in (False, True):
        shader = ls.Shader(ADD)
        times = {}
        for groups in SIZES:
            data = np.zeros(64 * groups, np.uint32)
            times[64 * groups] = seconds(lambda: shader.run(groups, {0: data}, check=check, threads=1))
            assert (data == 3).all()
        yield "with checks" if check else "without checks", times


def lines():
    """From the bytes of a module to its result: statements one after another, selections, and loops."""
    statements = {
        "assignments": "x = x * 1664525u + {}u;",
        "selections": "if (x % 7u == {}u) x += 3u;",
        "loops": "for (uint i = 0u; i < x % 3u; ++i) x ^= {}u;",
    }
    for name, statement in statements.items():
        times = {}
        for count in SIZES:
            body = "\n".join(statement.format(k % 7) for k in range(count))
            text = HEAD + "layout(binding = 0) buffer Data { uint data[]; };\nvoid main() { uint x = gl_LocalInvocationIndex;\n"
            module = module_of(text + body + "\ndata[gl_LocalInvocationIndex] = x; }\n")
            data = np.zeros(64, np.uint32)
            times[count] = seconds(lambda: ls.Shader(module, validate=False).run(1, {0: data}))
        yield name, times


def buffers():
    """Each with a binding of its own."""
    times = {}
    for count in (1, 3, 10, 30, 100, 300, 1000):
        declared = "".join(f"layout(binding = {k}) buffer B{k} {{ uint b{k}[]; }};\n" for k in range(count))
        added = "".join(f"b{k}[gl_LocalInvocationIndex] += {k}u;\n" for k in range(count))
        shader = ls.Shader(module_of(HEAD + declared + "void main() {\n" + added + "}\n"))
        given = {k: np.zeros(64, np.uint32) for k in range(count)}
        shader.run(1, given)
        times[count] = seconds(lambda: shader.run(1, given))
    yield "a run", times


def findings():
    """Lines that each store an undefined value, and invocations that do so on one line."""
    times = {}
    undefined = "data[gl_LocalInvocationIndex] = subgroupShuffleUp(data[gl_LocalInvocationIndex], 1u);\n"
    head = HEAD.replace("\n", "\n#extension GL_KHR_shader_subgroup_shuffle_relative : require\n", 1)
    head += "layout(binding = 0) buffer Data { uint data[]; };\nvoid main() {\n"
    for count in (1, 3, 10, 30, 100, 300, 1000):
        shader = ls.Shader(module_of(head + undefined * count + "}\n"))
        data = np.zeros(64, np.uint32)
        run = shader.run(1, {0: data}, check=True)
        assert len(run.findings) + run.more_findings >= count
        times[count] = seconds(lambda: shader.run(1, {0: data}, check=True))
    yield "lines", times
    shader = ls.Shader(head + undefined.replace("Local", "Global").replace("Index", "ID.x") + "}\n")
    times = {}
    for groups in SIZES:
        data = np.zeros(64 * groups, np.uint32)
        times[groups] = seconds(lambda: shader.run(groups, {0: data}, check=True))
    yield "workgroups", times


def threads():
    """Of one run, asked for by --threads; no more start than the machine has processors."""
    shader = ls.Shader(ADD.replace("+= 1u", "+= uint(sqrt(float(gl_GlobalInvocationID.x)))"))
    data = np.zeros(64 << 14, np.uint32)
    yield "a run", {count: seconds(lambda: shader.run(1 << 14, {0: data}, threads=count)) for count in (1, 2, 4, 10, 30, 100, 300, 1000)}


def dispatches():
    """One after another in one process."""
    shader = ls.Shader(ADD)
    data = np.zeros(64, np.uint32)

    def run(count):
        for _ in range(count):
            shader.run(1, {0: data})

    yield "runs", {count: seconds(lambda: run(count), times=1) for count in SIZES + (30000,)}


AXES = {"invocations": invocations, "lines": lines, "buffers": buffers, "findings": findings, "threads": threads,
        "dispatches": dispatches}  # fmt: skip


def growth(times):
    """How much the time per n log n rises from the second decade on; less than 1 if it falls."""
    per = {n: t / (n * math.log2(n + 1)) for n, t in times.items()}
    smallest = min(times)
    later = [n for n in times if n >= 10 * smallest]
    return per[max(times)] / min(per[n] for n in later if n < max(times))


def draw(axis, series, file):
    figure, plot = plt.subplots(figsize=(5, 4), layout="constrained")
    for name, times in series:
        plot.loglog(list(times), [1e3 * t for t in times.values()], marker="o", label=name)
    name, times = series[0]
    last = max(times)
    scale = 1e3 * times[last] / (last * math.log2(last + 1))
    plot.loglog(list(times), [scale * n * math.log2(n + 1) for n in times], color="gray", linestyle=":", label="n log n")
    plot.set_xlabel(axis)
    plot.set_ylabel("milliseconds")
    plot.legend()
    plot.grid(True, alpha=0.3)
    figure.savefig(file)
    plt.close(figure)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    too_fast = []
    for axis in sys.argv[2:] or AXES:
        series = list(AXES[axis]())
        draw(axis, series, folder / f"{axis}.svg")
        for name, times in series:
            rise = growth(times)
            print(f"{axis}, {name}: {rise:.2f} ", " ".join(f"{n}: {1e3 * t:.2f} ms" for n, t in times.items()), flush=True)
            if rise > 1.5:
                too_fast.append(f"{axis}, {name}")
    if too_fast:
        sys.exit("faster than n log n: " + "; ".join(too_fast))


if __name__ == "__main__":
    main()
