#include <lockstep/exec/checks.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/fault_log.hpp>

namespace lockstep {
namespace {

using enum Severity;

constexpr std::array table{
    CheckInfo{
        Check::out_of_bounds, "out-of-bounds", error,
        "An access is outside its buffer, image or array, or an index is outside its own array, "
        "vector or matrix although the byte is inside the enclosing object.",
        "data[all + 1u] = i;", "if (all + 1u < data.length()) data[all + 1u] = i;"},
    CheckInfo{
        Check::misaligned, "misaligned", error,
        "The address of an access is not a multiple of its alignment: buffer_reference_align, "
        "or the size of the number.",
        "data[all] = Pair(pairs + uvec2(4u * i, 0u)).x;",
        "data[all] = Pair(pairs + uvec2(8u * i, 0u)).x;"},
    CheckInfo{Check::barrier_divergence, "barrier-divergence", error,
              "Not all invocations of a workgroup reach a barrier(). The run ends.",
              R"(if (i < 16) {
  tile[i] = i;
  barrier();
}
data[all] = tile[0];)",
              R"(if (i < 16) tile[i] = i;
barrier();
data[all] = tile[0];)"},
    CheckInfo{Check::barrier_mismatch, "barrier-mismatch", error,
              "Invocations of a workgroup wait at different barriers for each other. The run ends.",
              R"(tile[i] = i;
if (gl_SubgroupID == 0) {
  barrier();
} else {
  barrier();
}
data[all] = tile[63 - i];)",
              R"(tile[i] = i;
barrier();
data[all] = tile[63 - i];)"},
    CheckInfo{
        Check::no_progress, "no-progress", error,
        "A loop does not end: what it waits for cannot happen while it runs, or it is longer than "
        "--max-steps allows. The run ends.",
        R"(// A lock for each invocation: the one that has it waits for the others of its subgroup.
while (atomicCompSwap(lock, 0u, 1u) != 0u) {
}
data[0] += 1u;
atomicExchange(lock, 0u);)",
        R"(atomicAdd(data[0], 1u);)"},
    CheckInfo{
        Check::undefined_shuffle, "undefined-shuffle", error,
        "A value that a shuffle or rotation took from a lane that is not active becomes visible.",
        R"(if (i < 8) data[all] = subgroupShuffle(i, i + 4u);)",
        R"(uint v = subgroupShuffle(i, i + 4u);
if (i < 8) data[all] = v;)"},
    CheckInfo{Check::shuffle_past_edge, "shuffle-past-edge", error,
              "A value that a relative shuffle took from beyond the edge of the subgroup becomes "
              "visible. CUDA would return the lane's own value.",
              R"(data[all] = i + subgroupShuffleUp(i, 1u);)", R"(uint v = subgroupShuffleUp(i, 1u);
data[all] = gl_SubgroupInvocationID >= 1u ? i + v : i;)"},
    CheckInfo{Check::undefined_broadcast, "undefined-broadcast", error,
              "A value that was broadcast from a lane that is not active becomes visible.",
              R"(if (i % 2u == 1u) data[all] = subgroupBroadcast(i, 0u);)",
              R"(if (i % 2u == 1u) data[all] = subgroupBroadcastFirst(i);)"},
    CheckInfo{Check::undefined_quad, "undefined-quad", error,
              "A value from a lane of the quad that is not active becomes visible.",
              R"(if (i % 4u != 1u) data[all] = subgroupQuadSwapHorizontal(i);)",
              R"(uint v = subgroupQuadSwapHorizontal(i);
if (i % 4u != 1u) data[all] = v;)"},
    CheckInfo{
        Check::find_in_empty_ballot, "find-in-empty-ballot", error,
        "The result of a search for a bit becomes visible, in a ballot without bits below the "
        "subgroup size.",
        R"(data[all] = subgroupBallotFindLSB(subgroupBallot(i > 99u));)",
        R"(uvec4 found = subgroupBallot(i > 99u);
data[all] = found == uvec4(0u) ? 99u : subgroupBallotFindLSB(found);)"},
    CheckInfo{Check::ballot_bit_outside, "ballot-bit-outside", error,
              "A bit of a ballot at or beyond the subgroup size becomes visible. Where a built-in "
              "ignores such bits, or counts all ones while lanes are not active, it is a note.",
              R"(data[all] = uint(subgroupBallotBitExtract(uvec4(~0u), i));)",
              R"(data[all] = uint(subgroupBallotBitExtract(uvec4(~0u), i % gl_SubgroupSize));)"},
    CheckInfo{Check::partition_invalid, "partition-invalid", error,
              "The result of a partitioned operation becomes visible, although its ballots do not "
              "partition the active lanes. Where only bits of other lanes differ, which HLSL "
              "ignores, it is a note.",
              R"(data[all] = subgroupPartitionedAddNV(i, uvec4(i));)",
              R"(data[all] = subgroupPartitionedAddNV(i, subgroupPartitionNV(i % 4u));)"},
    CheckInfo{Check::all_nan, "all-nan", error,
              "The minimum or maximum of nothing but NaNs becomes visible.",
              R"(data[all] = floatBitsToUint(subgroupMin(uintBitsToFloat(0x7fc00000u | i)));)",
              R"(data[all] = floatBitsToUint(subgroupMin(float(i)));)"},
    CheckInfo{Check::shift_too_wide, "shift-too-wide", error,
              "The result of a shift by as many bits as the number has, or of a bit field that "
              "ends beyond it, becomes visible.",
              R"(data[all] = 1u << i;)", R"(data[all] = 1u << (i & 31u);)"},
    CheckInfo{
        Check::division_by_zero, "division-by-zero", error,
        "The result of an integer division by zero, or of the least number by -1, becomes visible.",
        R"(data[all] = 100u / i;)", R"(data[all] = 100u / max(i, 1u);)"},
    CheckInfo{Check::conversion_range, "conversion-range", error,
              "The result of converting a number becomes visible, although the integer type cannot "
              "hold it.",
              R"(data[all] = uint(-1.0 - float(i));)",
              R"(data[all] = uint(int(-1.0 - float(i)));)"},
    CheckInfo{Check::math_domain, "math-domain", error,
              "The result of a function of GLSL.std.450 outside its domain becomes visible: the "
              "square root of a negative number, pow of a negative base, clamp with a minimum "
              "above the maximum.",
              R"(data[all] = floatBitsToUint(sqrt(10.0 - float(i)));)",
              R"(data[all] = floatBitsToUint(sqrt(max(10.0 - float(i), 0.0)));)"},
    CheckInfo{Check::uninitialised_shared, "uninitialised-shared", error,
              "Shared memory that was not written becomes visible.", R"(if (i != 5u) tile[i] = i;
barrier();
data[all] = tile[63u - i];)",
              R"(tile[i] = i;
barrier();
data[all] = tile[63u - i];)"},
    CheckInfo{Check::uninitialised_variable, "uninitialised-variable", error,
              "A variable without a value becomes visible.", R"(uint v;
if (i < 32u) v = i;
data[all] = v;)",
              R"(uint v = 0u;
if (i < 32u) v = i;
data[all] = v;)"},
    CheckInfo{Check::broadcast_not_uniform, "broadcast-not-uniform", error,
              "subgroupBroadcast takes the number of a lane that differs between lanes.",
              "data[all] = subgroupBroadcast(i, i % 2u);",
              "data[all] = subgroupShuffle(i, i % 2u);"},
    CheckInfo{Check::inverse_ballot_not_uniform, "inverse-ballot-not-uniform", error,
              "subgroupInverseBallot takes a ballot that differs between lanes.",
              "data[all] = uint(subgroupInverseBallot(uvec4(i)));",
              "data[all] = uint(subgroupInverseBallot(uvec4(5u)));"},
    CheckInfo{Check::rotate_not_uniform, "rotate-not-uniform", error,
              "subgroupRotate takes a distance that differs between lanes.",
              "data[all] = subgroupRotate(i, i % 2u);", "data[all] = subgroupRotate(i, 1u);"},
    CheckInfo{
        Check::cluster_size, "cluster-size", error,
        "A clustered operation has clusters larger than the subgroup, or not of a power of two.",
        "data[all] = subgroupClusteredAdd(i, 64u);", "data[all] = subgroupClusteredAdd(i, 32u);"},
    CheckInfo{Check::quad_index, "quad-index", error,
              "subgroupQuadBroadcast takes an index that differs in a quad, or is above 3.",
              "data[all] = subgroupQuadBroadcast(i, i % 2u);",
              "data[all] = subgroupQuadBroadcast(i, 1u);"},
    CheckInfo{Check::quad_size, "quad-size", error,
              "A quad operation runs in a subgroup of less than 4 lanes, as the 2 of the example.",
              "data[all] = subgroupQuadSwapHorizontal(i);",
              "data[all] = subgroupShuffleXor(i, 1u);", 2},
    CheckInfo{Check::subgroupuniform_broken, "subgroupuniform-broken", error,
              "A value that is declared subgroupuniformEXT (the SPIR-V decoration Uniform) differs "
              "between lanes that compute it together. Parameters are not checked: glslang drops "
              "their qualifier.",
              "subgroupuniformEXT uint first = plain[i] + i;\ndata[all] = first;",
              "subgroupuniformEXT uint first = subgroupBroadcastFirst(plain[i] + i);\n"
              "data[all] = first;"},
    CheckInfo{Check::false_assumption, "false-assumption", error,
              "What the shader says is true (OpAssumeTrueKHR of SPV_KHR_expect_assume) is false, "
              "and a compiler may have relied on it.",
              "assumeTrue(i < 32u);\ndata[all] = i;", "assumeTrue(i < 64u);\ndata[all] = i;"},
    CheckInfo{Check::data_race, "data-race", error,
              "Two invocations access the same bytes, one of them writes, and nothing orders them.",
              R"(tile[i] = i;
data[all] = tile[63 - i];)",
              R"(tile[i] = i;
barrier();
data[all] = tile[63 - i];)"},
    CheckInfo{Check::lockstep_exchange, "lockstep-exchange", error,
              "A data race between lanes of one subgroup: running in lockstep orders nothing.",
              R"(tile[i] = i;
data[all] = tile[i ^ 1u];)",
              R"(tile[i] = i;
subgroupMemoryBarrierShared();
subgroupBarrier();
data[all] = tile[i ^ 1u];)"},
    CheckInfo{Check::barrier_orders_shared_only, "barrier-orders-shared-only", error,
              "A data race on a buffer or image in spite of a barrier(), which orders shared "
              "memory only.",
              R"(data[all] = i;
barrier();
tile[i] = data[all ^ 32u];)",
              R"(data[all] = i;
memoryBarrierBuffer();
barrier();
tile[i] = data[all ^ 32u];)"},
    CheckInfo{Check::atomic_mixed, "atomic-mixed", error,
              "A data race between an atomic and a non-atomic access.",
              R"(if (i == 0) tile[0] = 0u;
atomicAdd(tile[0], 1u);)",
              R"(if (i == 0) tile[0] = 0u;
barrier();
atomicAdd(tile[0], 1u);)"},
    CheckInfo{Check::atomic_scope, "atomic-scope", error,
              "A data race between two atomics, because the scope of one does not include the "
              "other invocation, or "
              "because they are on different numbers that overlap.",
              "atomicAdd(data[0], 1u, gl_ScopeWorkgroup, 0, 0);", "atomicAdd(data[0], 1u);"},
    CheckInfo{Check::not_coherent, "not-coherent", warning,
              "Invocations exchange values, in order, through a buffer that is not declared "
              "coherent: the later one "
              "need not see what the earlier one wrote.",
              R"(plain[all] = i;
memoryBarrierBuffer();
barrier();
data[all] = plain[all ^ 32u];)",
              R"(data[all] = i;
memoryBarrierBuffer();
barrier();
plain[all] = data[all ^ 32u];)"},
    CheckInfo{Check::size_as_count, "size-as-count", warning,
              "gl_SubgroupSize is used as the number of invocations, but a subgroup that is not "
              "full has fewer. With the number of invocations instead, the result stays the same.",
              R"(if (i == 0u) tile[0] = 0u;
barrier();
if (subgroupElect()) atomicAdd(tile[0], gl_SubgroupSize);
barrier();
data[all] = tile[0];)",
              R"(if (i == 0u) tile[0] = 0u;
barrier();
uint count = subgroupBallotBitCount(subgroupBallot(true));
if (subgroupElect()) atomicAdd(tile[0], count);
barrier();
data[all] = tile[0];)",
              32, true},
    CheckInfo{
        Check::hidden_size, "hidden-size", warning,
        "The result depends on the subgroup size, and a number in the source is hard-wired to "
        "one: the size, the size - 1, its half or its logarithm.",
        R"(uint sum = subgroupAdd(i);
if (i % 32u == 0u) tile[i / 32u] = sum;
barrier();
data[all] = tile[0] + tile[1];)",
        R"(uint sum = subgroupAdd(i);
if (subgroupElect()) tile[gl_SubgroupID] = sum;
barrier();
sum = 0u;
for (uint k = 0u; k < gl_NumSubgroups; ++k) sum += tile[k];
data[all] = sum;)",
        32, true},
};

static_assert([] {
  for (std::size_t k = 0; k < table.size(); ++k)
    if (static_cast<std::size_t>(table[k].check) != k) return false;
  return true;
}());

const CheckInfo& named(std::string_view name) {
  const auto found = std::ranges::find(table, name, &CheckInfo::name);
  if (found != table.end()) return *found;
  std::string names = "all";
  for (const CheckInfo& info : table) names.append(", ").append(info.name);
  throw Error(fmt::format("there is no rule '{}'; the rules are {}", name, names));
}

const CheckInfo& in_one_run(const CheckInfo& info) {
  if (info.explored)
    throw Error(fmt::format(
        "a checked run cannot find '{}': lockstep explore does, which compares runs", info.name));
  return info;
}

}  // namespace

std::span<const CheckInfo> all_checks() { return table; }
const CheckInfo& info_of(Check check) { return table[static_cast<std::size_t>(check)]; }
std::string_view check_declarations() {
  return R"(#version 460
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_spirv_intrinsics : require
#extension GL_EXT_subgroupuniform_qualifier : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_rotate : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_NV_shader_subgroup_partitioned : require
spirv_instruction(extensions = ["SPV_KHR_expect_assume"], capabilities = [5629], id = 5630)
void assumeTrue(bool condition);
layout(local_size_x = 64) in;
layout(binding = 0) coherent buffer Data { uint data[]; };
layout(binding = 1) buffer Plain { uint plain[]; };
layout(binding = 2) buffer Lock { uint lock; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pair { uint x, y; };
layout(binding = 3) buffer Pairs { uvec2 pairs; };  // the address of 64 of them
shared uint tile[64];
uint i = gl_LocalInvocationIndex, all = gl_GlobalInvocationID.x;
)";
}
std::string_view to_string(Check check) { return info_of(check).name; }

Finding finding_of(Check check) {
  Finding finding;
  finding.rule = info_of(check).name;
  finding.severity = info_of(check).severity;
  return finding;
}

Checks Checks::all() {
  Checks checks;
  for (const CheckInfo& info : table)
    if (!info.explored) checks = checks.with(info.check);
  return checks;
}

Checks Checks::parse(std::string_view text) {
  if (text.empty()) return all();
  Checks checks = text.front() == '-' ? all() : Checks();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    begin = end + 1;
    if (word == "all")
      checks = all();
    else if (word.starts_with('-'))
      checks = checks.without(named(word.substr(1)).check);
    else
      checks = checks.with(in_one_run(named(word)).check);
  }
  return checks;
}

Checks undefined_checks() {
  Checks checks;
  for (const CheckInfo& info : table) {
    if (info.check >= Check::undefined_shuffle && info.check <= Check::uninitialised_variable)
      checks = checks.with(info.check);
  }
  return checks;
}

Checks basic_checks() {
  return {Check::out_of_bounds, Check::barrier_divergence, Check::barrier_mismatch,
          Check::no_progress};
}

Checks expected_checks() {
  return {Check::out_of_bounds, Check::misaligned, Check::subgroupuniform_broken,
          Check::false_assumption};
}

Checks explored_checks() {
  Checks checks;
  for (const CheckInfo& info : table)
    if (info.explored) checks = checks.with(info.check);
  return checks;
}

Checks kernel_checks() {
  // Elements of buffers are where their type wants them. Nothing can be declared subgroupuniformEXT, or be assumed.
  return Checks::all()
      .without(Check::misaligned)
      .without(Check::subgroupuniform_broken)
      .without(Check::false_assumption);
}

std::string to_string(Checks checks) {
  std::string text;
  for (const CheckInfo& info : table) {
    if (!checks.has(info.check)) continue;
    if (!text.empty()) text += ',';
    text += info.name;
  }
  return text;
}

namespace {

Checks all_but(Checks some) {
  Checks others;
  for (const CheckInfo& info : table)
    if (!some.has(info.check)) others = others.with(info.check);
  return others;
}
std::string names_of(Checks checks) {
  std::vector<std::string> names;
  for (const CheckInfo& info : table)
    if (checks.has(info.check)) names.push_back(fmt::format("`{}`", info.name));
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

}  // namespace

std::string checks_to_markdown() {
  std::string page = R"(# The rules of checked runs

`lockstep run --check` checks a shader for all of these rules, `--check=data-race,out-of-bounds` for some, and
`--check=-data-race` for all but one. A comment in the shader, `// lockstep: allow data-race`, switches a rule off for its
line. An error makes a run fail; a warning or a note does not.

Kernels in C++ are checked by `device.dispatch_checked<K>(...)` of `<lockstep/checked.hpp>`, those on pixels by
`dispatch_pixels_checked<K>(...)`, for the rules in `Device::checks`, or for all of theirs if there are none. A dispatch that cannot check for a rule in `Device::checks` throws
an `Error` that names it; for kernels these rules are )";
  page += names_of(all_but(kernel_checks()));
  page += R"(.

A checked run of a kernel in C++ does not see what happens to plain numbers of C++. A plain `uint n`, `float` or `bool`, or a member, that is written
in the body of an `If` changes for lanes that wait, too. `src/lint/plain_writes.sh kernel.cpp -I...`, installed in `share/lockstep/lint`, finds such writes in the source with
clang-query; it does not look into functions that a body calls. A comment, `// lockstep: allow divergent-write`, allows one in its line; `auto n = uniform(0u);` checks each write when it runs.
`uint(f)` of a plain float out of range is C++'s; `Uint(f)` and `uvec2(f)` are checked.

`lockstep explore` finds )";
  page += names_of(explored_checks());
  page += R"( by comparing runs; a checked run cannot be asked for them.

The log of a run keeps )";
  page += std::to_string(FaultLog::most_kept);
  page += R"( places, and counts the findings in others.

GLSL has lines but no columns: glslang writes none, so findings in shaders compiled from GLSL say column 0 in JSON.
Assembly has the lines of its text, unless it has its own (`OpLine`).

The examples are the `main` of a shader that runs 2 workgroups of 64 invocations in subgroups of 32, on 128 elements, after

)";
  page += fmt::format("```glsl\n{}```\n", check_declarations());
  for (const CheckInfo& info : table)
    page += fmt::format(
        "\n## {}\n\n{}: {}{}\n\nWrong:\n\n```glsl\n{}\n```\n\nRight:\n\n```glsl\n{}\n```\n",
        info.name, to_string(info.severity), info.meaning,
        info.explored ? " `lockstep explore` finds it." : "", info.wrong, info.right);
  return page;
}

}  // namespace lockstep
