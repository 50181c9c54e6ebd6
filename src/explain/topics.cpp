#include "explain/topics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "explain/picture.hpp"
#include "explain/scene.hpp"
#include "runtime/trace/painter.hpp"
#include "runtime/trace/text.hpp"

namespace lockstep::explain {
namespace {

using Json = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

Block text(std::string words) { return {std::move(words), ""}; }
Block source(std::string_view lines) { return {"", std::string(lines)}; }
Block table(Table rows) { return {"", "", std::move(rows)}; }

// ---- Reconvergence ----

constexpr std::string_view rejoin_main = R"(void main() {
  uint lane = gl_SubgroupInvocationID, k = 0u;
  if (lane % 2u == 0u) k = 1u;            // the whole workgroup is here
  uint a = subgroupAdd(1u);               // A
  if (gl_SubgroupID == 0u) {
    if (lane % 2u == 0u) k = 2u;          // one whole subgroup is here
    uint b = subgroupAdd(1u), c = 0u;     // B
    if (lane < 6u) {
      if (lane % 2u == 0u) k = 3u;        // a part of a subgroup is here
      c = subgroupAdd(1u);                // C
    }
    seen[lane] = uvec4(a, b, c, k);
  }
})";

std::vector<Block> tell_reconvergence() {
  const Scene scene{
      "layout(local_size_x = 16) in;\nlayout(binding = 0) buffer Out { uvec4 seen[8]; };",
      rejoin_main, 32};
  Table rows{{"rule", "A", "B", "C"}, {}};
  for (const auto& [rule, name] : {std::pair{Rule::core, "core"},
                                   {Rule::subgroup_uniform, "subgroup-uniform"},
                                   {Rule::maximal, "maximal"}}) {
    const Result result = run(scene, {.rule = rule});
    Texts row{name};
    for (std::size_t k = 0; k < 3; ++k) {
      std::string lanes;
      for (std::size_t lane = 0; lane < 8; ++lane)
        lanes += fmt::format("{}{}", lane == 0 ? "" : " ",
                             k == 2 && lane >= 6 ? "." : std::to_string(result.out[lane * 4 + k]));
      row.push_back(lanes);
    }
    rows.rows.push_back(row);
  }
  return {
      text("Where lanes take different sides of a branch they diverge. Whether they execute the "
           "code "
           "after it together again depends on the rule that the shader asks for:"),
      text("- core, without any extension: lanes rejoin at the end of an if or a loop if the whole "
           "workgroup entered it together, and every invocation leaves through its end."),
      text("- subgroup-uniform, VK_KHR_shader_subgroup_uniform_control_flow: the same for each "
           "subgroup alone."),
      text(
          "- maximal, VK_KHR_shader_maximal_reconvergence: the lanes that entered together rejoin, "
          "however few they were."),
      text("A device may rejoin lanes where nothing promises it, and most do. Here nothing rejoins "
           "unless it must. A workgroup of 16 invocations runs in subgroups of 8:"),
      source(rejoin_main),
      text("subgroupAdd(1u) counts the lanes that are there together. What lanes 0 to 7 of "
           "subgroup 0 "
           "get:"),
      table(rows),
      text("8 at A and B and 6 at C are all lanes that entered; less means that even and odd lanes "
           "are "
           "still apart. See lockstep demo divergence for what that does to an allocator.")};
}

// ---- Tangles ----

constexpr std::string_view tangle_main = R"(void main() {
  uint lane = gl_SubgroupInvocationID;
  here(0);
  if (lane < 5u) {
    here(1);
    if (lane % 2u == 0u) here(2);
    else here(3);
    here(4);
  } else here(5);
  for (uint k = 0u; k < lane / 3u; ++k) here(6u + k);
  here(8);
})";

std::vector<Block> tell_tangles() {
  const Scene scene{
      "layout(local_size_x = 8) in;\nlayout(binding = 0) buffer Out { uint seen[]; };\n"
      "void here(uint place) { seen[place * 8u + gl_SubgroupInvocationID] = "
      "subgroupBallot(true).x; }",
      tangle_main, 72};
  constexpr std::array places{"here(0)",
                              "here(1)",
                              "here(2)",
                              "here(3)",
                              "here(4)",
                              "here(5)",
                              "here(6), first iteration",
                              "here(7), second iteration",
                              "here(8)"};
  const Result result = run(scene, {});
  Table rows{{"place", "lane", "0", "1", "2", "3", "4", "5", "6", "7"}, {}};
  for (std::size_t place = 0; place < places.size(); ++place) {
    Texts row{places[place], ""};
    for (std::size_t lane = 0; lane < 8; ++lane) {
      const std::uint32_t with = result.out[place * 8 + lane];
      row.push_back(with == 0 ? "." : fmt::format("{}", std::popcount(with)));
    }
    rows.rows.push_back(row);
  }
  return {
      text("A tangle is a set of lanes that execute an instruction together. A subgroup built-in "
           "sees the lanes of its tangle in its subgroup: these are the active lanes. A branch "
           "splits a tangle, the end of the branch may join it again, and lanes in different "
           "iterations of a loop are never in one."),
      source(tangle_main),
      text("At each place, here() stores the ballot of its tangle. A number is the size of the "
           "tangle that the lane is in, a dot means that the lane is elsewhere (rule: maximal):"),
      table(rows),
      text(
          "here(2) and here(3) are on both sides of one branch: two tangles, which do not see each "
          "other. At here(4) the five lanes are one tangle again.")};
}

// ---- Partial subgroups ----

constexpr std::string_view partial_main = R"(void main() {
  uint k = gl_SubgroupID;
  atomicAdd(lanes[k], 1u);
  size[k] = gl_SubgroupSize;
  sum[k] = subgroupAdd(1u);
  last[k] = subgroupBallotFindMSB(subgroupBallot(true));
})";

std::vector<Block> tell_partial_subgroups() {
  const Scene scene{
      "layout(local_size_x = 20) in;\nlayout(binding = 0) buffer Out { uint lanes[3], size[3], "
      "sum[3], last[3]; };",
      partial_main, 12};
  const Result result = run(scene, {});
  Table rows{{"subgroup", "0", "1", "2"}, {}};
  constexpr std::array labels{"invocations", "gl_SubgroupSize", "subgroupAdd(1u)",
                              "highest active lane"};
  for (std::size_t row = 0; row < labels.size(); ++row) {
    Texts cells{labels[row]};
    for (std::size_t k = 0; k < 3; ++k) cells.push_back(std::to_string(result.out[row * 3 + k]));
    rows.rows.push_back(cells);
  }
  return {
      text("A subgroup is partial if it has fewer invocations than gl_SubgroupSize, because the "
           "workgroup's size is not a multiple of it, or because the device spread the workgroup "
           "over more subgroups than needed. "
           "The other lanes do not exist: they are never active."),
      text("Here 20 invocations run in subgroups of 8:"),
      source(partial_main),
      table(rows),
      text(
          "gl_SubgroupSize is 8 in all of them. So lane gl_SubgroupSize - 1 of subgroup 2 does not "
          "exist, and what is read from it is undefined. The sum of a scan is in the highest "
          "active lane, or comes from a reduction."),
      text("Vulkan does not promise which subgroup is partial, unless the pipeline asks for full "
           "subgroups "
           "and the workgroup's x is a multiple of the size. lockstep run --partial-subgroups "
           "varies it.")};
}

// ---- Sizes ----

std::vector<Block> tell_sizes() {
  constexpr std::string_view main = R"(void main() {
  uint sum = subgroupAdd(1u);
  if (gl_LocalInvocationIndex != 0u) return;
  subgroups = gl_NumSubgroups;
  lanes = sum;
  for (uint d = 1u; d < gl_SubgroupSize; d *= 2u) ++steps;
  words = (gl_SubgroupSize + 31u) / 32u;
})";
  const Scene scene{
      "layout(local_size_x = 128) in;\nlayout(binding = 0) buffer Out { uint subgroups, lanes, "
      "steps, "
      "words; };",
      main, 4};
  Table rows{{"subgroup size"},
             {{"gl_NumSubgroups"},
              {"lanes of subgroup 0"},
              {"steps of a butterfly"},
              {"words of a ballot in use"}}};
  for (const int size : {1, 2, 4, 8, 16, 32, 64, 128}) {
    const Result result = run(scene, {.subgroup_size = size});
    rows.head.push_back(std::to_string(size));
    for (std::size_t k = 0; k < 4; ++k) rows.rows[k].push_back(std::to_string(result.out[k]));
  }
  return {
      text("Vulkan allows subgroup sizes from 1 to 128, all powers of two; WGSL and HLSL start at "
           "4. "
           "Devices report 4 (SwiftShader), 8 (lavapipe with AVX2), 8 to 32 (Intel), 32 (NVIDIA, "
           "Apple), 32 or 64 "
           "(AMD), 64 or 128 (Adreno). Some choose one for each pipeline."),
      text("The same shader, with a workgroup of 128 invocations, at each size:"), source(main),
      table(rows),
      text("What breaks when the size changes: an array with one element for each subgroup that is "
           "too short; ballot.x where lanes above 31 exist; clusters and quads larger than the "
           "subgroup; loops that end at 16; code that takes a workgroup for one subgroup. "
           "lockstep explore runs a shader at all sizes, and lockstep::for_each_size a test.")};
}

// ---- Scopes ----

std::string rules_of(const FaultLog& findings) {
  std::string text;
  for (const Finding& finding : findings.findings())
    if (text.find(finding.rule) == std::string::npos)
      text += (text.empty() ? "" : ", ") + std::string(finding.rule);
  return text.empty() ? "no findings" : text;
}

std::vector<Block> tell_scopes() {
  constexpr std::string_view main = R"(void main() {
  uint i = gl_LocalInvocationIndex;
  tile[i] = i;
  BARRIER;
  seen[i] = tile[i ^ OTHER];
})";
  Table rows{{"BARRIER", "same subgroup", "another subgroup"}, {}};
  for (const std::string barrier :
       {"", "subgroupMemoryBarrier()", "subgroupBarrier()", "barrier()"}) {
    Texts row{barrier.empty() ? "nothing" : barrier};
    for (const std::string other : {"1u", "8u"}) {
      const std::string declarations = fmt::format(
          "#define BARRIER {}\n#define OTHER {}\nlayout(local_size_x = 16) in;\nshared uint "
          "tile[16];\n"
          "layout(binding = 0) buffer Out {{ uint seen[16]; }};",
          barrier, other);
      row.push_back(rules_of(run({declarations, main, 16}, {.checks = Checks::all()}).findings));
    }
    rows.rows.push_back(row);
  }
  Table scopes{{"scope", "which invocations", "in GLSL"},
               {{"Invocation", "one lane", "-"},
                {"Subgroup", "the lanes of a subgroup", "subgroupBarrier()"},
                {"Workgroup", "the invocations of a workgroup", "barrier(), gl_ScopeWorkgroup"},
                {"QueueFamily", "all that runs on queues of a family", "gl_ScopeQueueFamily"},
                {"Device", "all that runs on the device", "gl_ScopeDevice"}}};
  return {
      text("A barrier or atomic has scopes. The execution scope says which invocations wait for "
           "each other, "
           "the memory scope which of them see what was written before. That the lanes of a "
           "subgroup "
           "run in lockstep orders nothing: a compiler may move their accesses."),
      table(scopes),
      text("Here each of 16 invocations, in subgroups of 8, writes shared memory and reads what "
           "another one wrote. A checked run says what is wrong:"),
      source(main),
      table(rows),
      text("OTHER is 1u for a lane of the same subgroup and 8u for another subgroup. A memory "
           "barrier "
           "orders accesses of its own lane, and no lane waits at it. barrier() orders shared "
           "memory "
           "only; buffers need memoryBarrierBuffer() before it (docs/reference/rules.md, "
           "barrier-orders-shared-only).")};
}

// ---- The order of floats ----

std::vector<Block> tell_float_order() {
  constexpr std::string_view main = R"(void main() {
  float v = 1.0;
  if (gl_SubgroupInvocationID == 0u) v = 16777216.0;
  if (gl_SubgroupInvocationID == 4u) v = -16777216.0;
  sum = subgroupAdd(v);
  least = subgroupMin(v);
})";
  const Scene scene{
      "layout(local_size_x = 8) in;\nlayout(binding = 0) buffer Out { float sum, least; };", main,
      2};
  Table rows{{"order", "subgroupAdd", "subgroupMin"}, {}};
  for (const FloatOrder order : {FloatOrder::left_fold, FloatOrder::tree, FloatOrder::butterfly,
                                 FloatOrder::hillis_steele}) {
    const Result result = run(scene, {.float_order = order});
    rows.rows.push_back({std::string(to_string(order)),
                         fmt::format("{}", std::bit_cast<float>(result.out[0])),
                         fmt::format("{}", std::bit_cast<float>(result.out[1]))});
  }
  return {
      text("The order in which subgroupAdd adds floats, and subgroupMul multiplies them, is open. "
           "Rounding "
           "makes it visible: 16777216 is 2^24, and 2^24 + 1 is not a float."),
      source(main), table(rows),
      text("The exact sum is 6. All of these results are allowed, on one device or on several. "
           "Minima, "
           "maxima and everything on integers do not depend on the order."),
      text("So compare sums of floats with a tolerance, or let lockstep run --against decide: it "
           "knows which results some order gives (docs/reference/oracle.md).")};
}

constexpr std::array all_topics{
    Topic{"reconvergence", "where diverged lanes rejoin, under each of three rules",
          tell_reconvergence},
    Topic{"tangles", "which lanes execute an instruction together", tell_tangles},
    Topic{"partial-subgroups", "subgroups with lanes that do not exist", tell_partial_subgroups},
    Topic{"sizes", "what changes with the subgroup size", tell_sizes},
    Topic{"scopes", "which lanes wait for each other, and what they see", tell_scopes},
    Topic{"float-order", "why sums of floats differ between devices", tell_float_order},
};

std::string drawn(const Table& rows, const trace::Painter& paint) {
  std::vector<std::size_t> widths(rows.head.size());
  const auto measure = [&](const Texts& cells) {
    for (std::size_t k = 0; k < cells.size(); ++k) widths[k] = std::max(widths[k], cells[k].size());
  };
  measure(rows.head);
  for (const Texts& row : rows.rows) measure(row);
  const auto line = [&](const Texts& cells) {
    std::string out = "  ";
    for (std::size_t k = 0; k < cells.size(); ++k) out += trace::padded(cells[k], widths[k] + 2);
    return trace::trimmed(out);
  };
  std::string out = paint(line(rows.head), trace::grey) + "\n";
  for (const Texts& row : rows.rows) out += line(row) + "\n";
  return out;
}

}  // namespace

std::span<const Topic> topics() { return all_topics; }

const Topic* find_topic(std::string_view name) {
  const auto found = std::ranges::find(all_topics, name, &Topic::name);
  return found == all_topics.end() ? nullptr : &*found;
}

std::string draw(const std::vector<Block>& blocks, const trace::Look& look) {
  const trace::Painter paint(look.colour);
  std::string out;
  for (const Block& block : blocks) {
    if (!out.empty()) out += "\n";
    if (!block.text.empty()) out += wrapped_item(block.text, std::min(look.columns, 100), "");
    if (!block.source.empty()) {
      std::size_t start = 0;
      while (start < block.source.size()) {
        const std::size_t end = std::min(block.source.find('\n', start), block.source.size());
        out += "    " + paint(block.source.substr(start, end - start), 75) + "\n";
        start = end + 1;
      }
    }
    if (!block.table.head.empty()) out += drawn(block.table, paint);
  }
  return out;
}

nlohmann::ordered_json to_json(const Topic& topic, const std::vector<Block>& blocks) {
  Json all = Json::array();
  for (const Block& block : blocks) {
    if (!block.text.empty()) all.push_back({{"text", block.text}});
    if (!block.source.empty()) all.push_back({{"source", block.source}});
    if (!block.table.head.empty())
      all.push_back({{"head", block.table.head}, {"rows", block.table.rows}});
  }
  return {{"name", topic.name}, {"what", topic.what}, {"blocks", all}};
}

}  // namespace lockstep::explain
