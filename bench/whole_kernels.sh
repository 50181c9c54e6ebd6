#!/bin/bash
# Runs the kernels of bench/whole_kernels on large inputs and prints a Markdown table: for each kernel and subgroup
# size the time per invocation on one thread, the bandwidth of its arrays as a share of memcpy's in the
# same run, the speed-up on all threads, and the time of lavapipe on all threads relative to Lockstep.
# Rows named "loop" are equivalent plain loops.
# usage: bash bench/whole_kernels.sh [FILTER]      a regular expression for names, e.g. ^compact
source "$(dirname "${BASH_SOURCE[0]}")/../src/cmake/setup.sh"

build_in "$root/build/bench" -DLOCKSTEP_ISA=native -DLOCKSTEP_BUILD_TESTS=OFF -DLOCKSTEP_BUILD_PROGRAM=OFF \
  -DLOCKSTEP_KERNEL_WIDTHS=1,2,4,8,16,32,64,128 >&2
echo "| kernel | lanes | ns/invocation | GB/s | of memcpy | threads | lavapipe |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
"$root/build/bench/bench/bench_whole_kernels" --benchmark_filter="${1:-.}" --benchmark_format=json 2>/dev/null |
  python3 -c '
import json, math, sys

runs = {}
for run in json.load(sys.stdin)["benchmarks"]:
    kernel, lanes, *rest = run["name"].removesuffix("/manual_time").split("/")
    if run.get("error_occurred"):
        sys.exit(run["name"] + ": " + run["error_message"])
    threads = int(rest[0].split(":")[1]) if rest else 0
    runs[kernel, lanes, threads] = run

ratios = []
for (kernel, lanes, threads), run in runs.items():
    if threads != 1:
        continue
    all_threads = max(t for k, l, t in runs if (k, l) == (kernel, lanes))
    scaling = run["real_time"] / runs[kernel, lanes, all_threads]["real_time"]
    cells = [kernel, lanes, "-", "%.1f" % run["GB/s"], "%.0f %%" % (100 * run["of_memcpy"]), "-", "-"]
    if lanes != "loop":
        cells[2] = "%.2f" % run["ns/invocation"]
        if all_threads > 1:
            cells[5] = "%.1f x on %d" % (scaling, all_threads)
        lavapipe = runs.get((kernel, "lavapipe", 0))
        if lavapipe:
            ratio = lavapipe["real_time"] / runs[kernel, lanes, all_threads]["real_time"]
            cells[6] = "%.1f x" % ratio
            if lanes == "32":
                ratios.append(ratio)
    print("| " + " | ".join(cells) + " |")
if ratios:
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print("\nGeometric mean of the ratios to lavapipe at 32 lanes: %.1f" % mean)
'
