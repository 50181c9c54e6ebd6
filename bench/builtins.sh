#!/bin/bash
# Measures every built-in next to its scalar loop and prints a Markdown table: for each subgroup size the
# nanoseconds per call and the scalar loop's time relative to it. A star marks a missed aim. The aims: at
# most 2 ns for votes, ballots, elect and bit counts; at least 8 times the loop's speed for reductions,
# scans and shuffles of 32 lanes; nothing slower than the loop.
# usage: bash bench/builtins.sh [FILTER]      a regular expression for names, e.g. subgroupInclusive
source "$(dirname "${BASH_SOURCE[0]}")/../src/cmake/setup.sh"

# The measurements come in random order.
echo "| built-in | type | 8 lanes | 32 lanes | 64 lanes | 128 lanes |"
echo "| --- | --- | --- | --- | --- | --- |"
build_in "$root/build/bench" -DLOCKSTEP_ISA=native -DLOCKSTEP_BUILD_TESTS=OFF -DLOCKSTEP_BUILD_PROGRAM=OFF >&2
"$root/build/bench/bench/bench_subgroup" --benchmark_filter="${1:-.}" --benchmark_min_time=0.01 \
  --benchmark_repetitions=3 --benchmark_enable_random_interleaving=true \
  --benchmark_report_aggregates_only=true --benchmark_format=csv 2>/dev/null |
  awk -F, '
    /_median"?,/ {
      name = $1
      gsub(/"|_median/, "", name)
      count = split(name, part, "/")
      row = part[1] "/" part[2]
      if (!(row in seen)) { seen[row] = 1; rows[++n] = row }
      time[row, part[3], count > 3 ? "loop" : "built-in"] = $4
    }
    function missed(name, type, size, ns, ratio) {
      if (ratio < 1) return 1
      if (type != "lanes" && name ~ /^(subgroup(Elect|All|Any|Ballot.*)|(all|any)Invocation.*|ballotARB)$/ &&
          name !~ /AllEqual|allInvocationsEqual|Inclusive|Exclusive|BitExtract/)
        return ns > 2
      return size == 32 && name ~ /(Add|Mul|Min|Max|And|Or|Xor|Up|Down|Shuffle)$/ &&
             name !~ /Clustered|Partitioned/ && ratio < 8
    }
    END {
      count = split("8 32 64 128", sizes, " ")
      for (i = 1; i <= n; ++i) {
        split(rows[i], part, "/")
        line = "| " part[1] " | " part[2] " |"
        for (k = 1; k <= count; ++k) {
          ns = time[rows[i], sizes[k], "built-in"]
          loop = time[rows[i], sizes[k], "loop"]
          if (ns == "") { line = line " - |"; continue }
          star = missed(part[1], part[2], sizes[k], ns, loop / ns) ? " *" : ""
          line = line sprintf(" %.1f ns, %.1f ×%s |", ns, loop / ns, star)
        }
        print line
      }
    }' |
  sort
