#!/usr/bin/env python3
"""What Python costs: importing, calls of a small shader, and built-ins on large arrays.

usage: PYTHONPATH=BUILD/python python3 bench/python/calls.py [BUILD/bench/bench_python] [--check]
Prints the smallest of several times. With the benchmark, also the C++ loop over the same. --check fails beyond the limits:
150 ms for the import, 150 us a call beyond the run itself, 1.5 times the C++ loop.
"""

import json
import subprocess
import sys
import time

import numpy as np

EMPTY = """#version 460
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint values[]; };
layout(binding = 1) buffer Out { uint results[]; };
layout(push_constant) uniform Push { uint count; };
void main() { uint i = gl_GlobalInvocationID.x; if (i < count) results[i] = values[i] + 1u; }
"""


def smallest(times, calls, f):
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        for _ in range(calls):
            f()
        best = min(best, (time.perf_counter() - start) / calls)
    return best


def import_time():
    """Beyond NumPy's own."""
    code = "import numpy, time; t = time.perf_counter(); import lockstep; print(time.perf_counter() - t)"
    return min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5))


def call_times():
    """A call through Shader.run, and the dispatch inside it."""
    import lockstep as ls
    from lockstep import _lockstep

    shader = ls.Shader(EMPTY)
    values = np.arange(64, dtype=np.uint32)
    buffers = {"In": values, "Out": np.zeros_like(values)}
    whole = smallest(20, 200, lambda: shader.run(1, buffers, push={"count": 64}, threads=1))
    _, given = shader._arguments(buffers, None, None, {"count": 64}, False)
    how = _lockstep.How()
    how.groups, how.threads = (1, 1, 1), 1
    pipeline = shader._pipeline(32)
    inner = smallest(20, 200, lambda: pipeline.dispatch(given, how, None))
    assert buffers["Out"].tolist() == [k + 1 for k in range(64)]
    return whole, inner


def rows_time():
    import lockstep as ls

    values = (np.arange(32_000_000, dtype=np.uint32) % 7).astype(np.float32).reshape(1_000_000, 32)
    best = smallest(7, 1, lambda: ls.subgroup.inclusive_add(values))
    assert np.array_equal(ls.subgroup.inclusive_add(values[-1]), np.cumsum(values[-1]))
    return best


def loop_time(benchmark):
    text = subprocess.check_output([benchmark, "--benchmark_format=json", "--benchmark_repetitions=7"], text=True)
    return min(one["real_time"] for one in json.loads(text)["benchmarks"] if one["run_type"] == "iteration") / 1000


def main():
    benchmarks = [word for word in sys.argv[1:] if not word.startswith("--")]
    whole, inner = call_times()
    measured = [("import beyond NumPy", import_time() * 1e3, 150, "ms"), ("call beyond the run", (whole - inner) * 1e6, 150, "us")]
    rows = rows_time()
    print(f"{'the run itself':36}{inner * 1e6:10.1f} us")
    print(f"{'inclusive_add on (1000000, 32)':36}{rows * 1e3:10.1f} ms")
    if benchmarks:
        loop = loop_time(benchmarks[0])
        print(f"{'the C++ loop':36}{loop * 1e3:10.1f} ms")
        measured.append(("inclusive_add / the C++ loop", rows / loop, 1.5, ""))
    failed = False
    for name, value, limit, unit in measured:
        failed |= value > limit
        print(f"{name:36}{value:10.2f} {unit}".rstrip() + f"  (limit {limit:g})")
    return 1 if failed and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
