#include <lockstep/spirv/work_counts.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/trace/timeline.hpp>

using namespace lockstep;
using Uint = std::uint32_t;

namespace {

constexpr Uint all_invocations = 150;

/// Twenty-three values, in an order without pattern.
std::vector<Uint> values() {
  std::vector<Uint> all(all_invocations);
  for (Uint i = 0; i < all_invocations; ++i) all[i] = (i * 37 + i / 7) % 23;
  return all;
}

/// Workgroups of 50 invocations: the values of each subgroup.
std::vector<std::vector<Uint>> subgroups(int size) {
  std::vector<std::vector<Uint>> all;
  const std::vector<Uint> in = values();
  for (Uint group = 0; group < 3; ++group) {
    for (Uint first = 0; first < 50; first += static_cast<Uint>(size)) {
      const Uint count = std::min<Uint>(static_cast<Uint>(size), 50 - first);
      const auto begin = in.begin() + group * 50 + first;
      all.emplace_back(begin, begin + count);
    }
  }
  return all;
}

/// The body starts at line 6.
std::string source(const std::string& body) {
  return "#version 460\nlayout(local_size_x = 50) in;\n"
         "layout(set = 0, binding = 0) buffer In { uint values[]; };\n"
         "layout(set = 0, binding = 1) buffer Out { uint results[]; };\n"
         "void main() { const uint i = gl_GlobalInvocationID.x; const uint x = values[i];\n" +
         body + "\n}\n";
}

using Lines = std::map<int, std::pair<std::uint64_t, std::uint64_t>>;

Lines lines_of(const WorkCounts& work) {
  Lines lines;
  for (const LineCount& line : work.lines) lines[line.where.line] = {line.times, line.lanes};
  return lines;
}
/// The lanes for which conditions hold, and do not.
Lines branches_of(const WorkCounts& work) {
  Lines branches;
  for (const BranchCount& branch : work.branches)
    branches[branch.where.line] = {branch.holding, branch.failing};
  return branches;
}

/// The events of every subgroup, summarised.
struct Totals : Observer {
  explicit Totals(int size) : subgroup_size(size) {}

  void on(const Event& event) override {
    auto& events = running[{event.workgroup, event.subgroup}];
    events.push_back(event);
    if (event.kind == Event::Kind::enter) {
      auto& [holding, failing] = entered[event.where.line];
      for (const Tangle& tangle : event.tangles)
        holding += static_cast<std::uint64_t>(tangle.lanes.count());
      failing += static_cast<std::uint64_t>(event.others.count());
    }
    if (event.kind != Event::Kind::end) return;
    const auto summary = trace::summarize(trace::make_timeline(events, subgroup_size));
    ++counts.subgroups;
    counts.divergences += summary.divergences;
    for (const trace::LineWork& line : summary.lines) {
      LineCount& sum = lines[line.where.line];
      sum.times += line.times;
      sum.lanes += line.lanes;
    }
    events.clear();
  }

  int subgroup_size;
  std::map<std::pair<std::array<std::uint32_t, 3>, Uint>, std::vector<Event>> running;
  WorkCounts counts;
  std::map<int, LineCount> lines;
  Lines entered;  ///< branches and switches
};

/// Times and lanes by line, which must be the same from events.
Lines lines_of(const std::string& body, int size, std::uint64_t* divergences = nullptr) {
  const Pipeline pipeline(Module::from_glsl(source(body), {}, "kernel.comp"),
                          {.subgroup_size = size});
  std::vector<Uint> in = values(), out(all_invocations), told(all_invocations),
                    checked(all_invocations);
  DescriptorTable table;
  table.bind(0, in).bind(1, out);
  const ShaderRun run =
      pipeline.dispatch(table, {.workgroups = {3}, .threads = 2, .count_work = true});
  REQUIRE(run.work.has_value());
  CHECK(run.work->subgroups == subgroups(size).size());

  Totals events(size);
  const Convergence convergence{.observer = &events};
  table.bind(1, told);
  pipeline.dispatch(table, {.workgroups = {3}, .convergence = &convergence});
  CHECK(out == told);
  CHECK(events.counts.subgroups == run.work->subgroups);
  CHECK(events.counts.divergences == run.work->divergences);

  const Lines lines = lines_of(*run.work), branches = branches_of(*run.work);
  for (const auto& [number, lanes] : branches) {
    INFO("line " << number);
    CHECK(lanes == events.entered[number]);
  }

  // With checks, that need the events of accesses where lanes could race.
  table.bind(1, checked);
  const ShaderRun with_checks =
      pipeline.dispatch(table, {.workgroups = {3}, .checks = Checks::all(), .count_work = true});
  CHECK(out == checked);
  CHECK(with_checks.findings.count() == 0);
  REQUIRE(with_checks.work.has_value());
  CHECK(with_checks.work->divergences == run.work->divergences);
  CHECK(lines_of(*with_checks.work) == lines);
  CHECK(branches_of(*with_checks.work) == branches);

  Lines told_lines;
  for (const auto& [number, line] : events.lines) told_lines[number] = {line.times, line.lanes};
  CHECK(lines == told_lines);
  if (divergences != nullptr) *divergences = run.work->divergences;
  return lines;
}

const int sizes[] = {1, 7, 16, 32, 64, 100};

/// The sum over all subgroups, and the sum over all lanes.
template <class OfSubgroup, class OfLane>
std::pair<std::uint64_t, std::uint64_t> sums(int size, OfSubgroup of_subgroup, OfLane of_lane) {
  std::uint64_t times = 0, lanes = 0;
  for (const auto& subgroup : subgroups(size)) {
    times += of_subgroup(subgroup);
    for (const Uint x : subgroup) lanes += of_lane(x);
  }
  return {times, lanes};
}
template <class Holds>
std::pair<std::uint64_t, std::uint64_t> where(int size, Holds holds) {
  return sums(
      size, [&](const auto& subgroup) { return std::ranges::any_of(subgroup, holds) ? 1u : 0u; },
      [&](Uint x) { return holds(x) ? 1u : 0u; });
}

}  // namespace

TEST_CASE("lines in selections count the lanes that execute them") {
  for (const int size : sizes) {
    INFO("subgroup size " << size);
    std::uint64_t divergences = 0;
    const Lines lines = lines_of(
        "uint r = 1u;\n"      // 6
        "if (x > 11u) {\n"    // 7
        "  r = x * i;\n"      // 8
        "  r += r >> 3;\n"    // 9
        "} else {\n"          // 10
        "  r = r * x + i;\n"  // 11
        "}\n"                 // 12
        "results[i] = r;\n",  // 13
        size, &divergences);
    const auto all = where(size, [](Uint) { return true; });
    CHECK(lines.at(7) == all);
    CHECK(lines.at(8) == where(size, [](Uint x) { return x > 11; }));
    CHECK(lines.at(9) == lines.at(8));
    CHECK(lines.at(11) == where(size, [](Uint x) { return x <= 11; }));
    CHECK(lines.at(13) == all);
    CHECK(divergences == lines.at(8).first + lines.at(11).first - all.first);
  }
}

TEST_CASE("lines in loops count every iteration") {
  for (const int size : sizes) {
    INFO("subgroup size " << size);
    const Lines lines = lines_of(
        "uint r = 1u;\n"                     // 6
        "for (uint k = 0u; k < x; ++k) {\n"  // 7
        "  r = r * 3u + k;\n"                // 8
        "  if (k == 9u)\n"                   // 9
        "    break;\n"                       // 10
        "  if ((k & 1u) == 0u)\n"            // 11
        "    continue;\n"                    // 12
        "  r ^= r >> 2;\n"                   // 13
        "}\n"                                // 14
        "results[i] = r;\n",                 // 15
        size);
    const auto trips = [](Uint x) { return std::min(x, 10u); };
    const auto later = [](Uint x) { return std::min(x, 9u); };  // those that come to line 11
    const auto most = [](auto of) {
      return [of](const std::vector<Uint>& subgroup) {
        std::uint64_t result = 0;
        for (const Uint x : subgroup) result = std::max<std::uint64_t>(result, of(x));
        return result;
      };
    };
    const auto odd = [](Uint x) { return std::min(x, 9u) / 2; };
    const auto even = [](Uint x) { return (std::min(x, 9u) + 1) / 2; };
    // Lanes with x = 0 come to the test, and those that break do not come to it again.
    const auto tests = [](Uint x) { return std::min(x + 1, 10u); };
    CHECK(lines.at(7) == sums(size, most(tests), tests));
    CHECK(lines.at(8) == sums(size, most(trips), trips));
    CHECK(lines.at(9) == sums(size, most(trips), trips));
    CHECK(lines.at(11) == sums(size, most(later), later));
    CHECK(lines.at(12) == sums(size, most(even), even));
    CHECK(lines.at(13) == sums(size, most(odd), odd));
    if (lines.contains(10)) CHECK(lines.at(10) == where(size, [](Uint x) { return x > 9; }));
  }
}

TEST_CASE("lanes that were at the line already do not start it again") {
  for (const int size : sizes) {
    INFO("subgroup size " << size);
    // The last line of one side is the line of what follows: only the other lanes start it there.
    const Lines lines = lines_of(
        "uint r = 1u;\n"               // 6
        "if (x > 11u) {\n"             // 7
        "  r = x * 3u;\n"              // 8
        "} else { r = i; } r += x;\n"  // 9
        "results[i] = r;\n",           // 10
        size);
    const auto more = where(size, [](Uint x) { return x > 11; });
    const auto others = where(size, [](Uint x) { return x <= 11; });
    CHECK(lines.at(8) == more);
    CHECK(lines.at(9) ==
          std::pair<std::uint64_t, std::uint64_t>(more.first + others.first, all_invocations));
    CHECK(lines.at(10) == where(size, [](Uint) { return true; }));
  }
}

TEST_CASE("the work of all kinds of control flow is what its events say") {
  const char* bodies[] = {
      "uint r = 0u; if (x > 3u && x < 9u || x == 1u) r = x; results[i] = r;",
      "uint r = 0u;\nif (x > 3u &&\n x < 9u ||\n x == 1u)\n r = x;\nresults[i] = r;",
      "uint r = x; do { r = r * 3u + 1u; } while ((r & 4u) != 0u); results[i] = r;",
      "uint r = x, n = 0u;\ndo {\n r = r * 3u;\n if (r == 9u)\n  continue;\n r += 1u;\n} while "
      "(n++ < "
      "x);\nresults[i] = r;",
      "switch (x % 5u) {\n case 0u:\n results[i] = 1u;\n break;\n case 1u:\n case 2u:\n results[i] "
      "= "
      "2u;\n case 3u:\n results[i] += 3u;\n break;\n default:\n results[i] = 7u;\n}\n",
      "uint r = 0u;\nfor (uint a = 0u; a < x; ++a)\n for (uint b = a; b < 6u; ++b) {\n  if (b == "
      "4u) "
      "continue;\n  if (a + b == x) break;\n  r += a * b;\n }\nresults[i] = r;",
      "uint r = 0u;\nfor (;;) {\n switch (r) {\n  case 3u: r += 2u; break;\n  case 9u: r += x;\n  "
      "default: ++r;\n }\n if (r > x) break;\n}\nresults[i] = r;",
      "if (x == 3u) return;\nif (x < 9u) {\n results[i] = 1u;\n return;\n}\nresults[i] = 2u;",
      "uint r = x;\nwhile (r > 1u) r = (r & 1u) == 0u ? r / 2u : r * 3u + 1u;\nresults[i] = r;",
      "uint r = x;\nwhile (r > 1u) {\n if ((r & 1u) == 0u) r = r / 2u;\n else r = r * 3u + 1u;\n}\n"
      "results[i] = r;",
      "uint r[3] = uint[3](x, 1u, 2u);\nfor (uint k = 0u; k < x % 7u; ++k)\n r[(k + i) % 3u] += "
      "k;\nresults[i] = r[0] + r[2];",
      "uint r;\nif (x > 9u)\n r = x;\nelse\n r = i;\nresults[i] = r;",
      // Lanes could race, as far as one can see.
      "uint at = i * 7u % 150u;\nif (x > 9u)\n results[at] = x;\nelse {\n if (x == 3u) return;\n "
      "results[at] = i;\n}",
      "uint at = i * 7u % 150u, r = 0u;\nfor (uint k = 0u; k < 3u; ++k) {\n if (x > k) r += x;\n "
      "results[at] = r;\n if (r > 40u) break;\n}",
  };
  for (const char* body : bodies) {
    INFO(body);
    for (const int size : sizes) CHECK_FALSE(lines_of(body, size).empty());
  }
}

TEST_CASE("functions have lines of their own") {
  const std::string text =
      "#version 460\n"
      "#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
      "layout(local_size_x = 50) in;\n"
      "layout(set = 0, binding = 0) buffer In { uint values[]; };\n"
      "layout(set = 0, binding = 1) buffer Out { uint results[]; };\n"
      "uint twice(uint x) {\n"  // 6
      "  if (x > 11u)\n"        // 7
      "    return x;\n"         // 8
      "  return x * 2u;\n"      // 9
      "}\n"
      "void main() {\n"
      "  uint i = gl_GlobalInvocationID.x;\n"
      "  results[i] = twice(values[i]) + twice(values[i] + 5u);\n"  // 13
      "  results[i] += subgroupAdd(i) + subgroupAdd(values[i]);\n"  // 14
      "}\n";
  std::vector<Uint> in = values(), out(all_invocations);
  DescriptorTable table;
  table.bind(0, in).bind(1, out);
  const Pipeline pipeline(Module::from_glsl(text, {}, "kernel.comp"), {.subgroup_size = 50});
  const ShaderRun run = pipeline.dispatch(table, {.workgroups = {3}, .count_work = true});
  const Lines lines = lines_of(*run.work), branches = branches_of(*run.work);
  const auto over = [&](Uint most) {
    return static_cast<std::uint64_t>(std::ranges::count_if(in, [&](Uint x) { return x > most; }));
  };
  CHECK(lines.at(7) == std::pair<std::uint64_t, std::uint64_t>(6, 300));
  CHECK(lines.at(8) == std::pair<std::uint64_t, std::uint64_t>(6, over(11) + over(6)));
  CHECK(lines.at(9) == std::pair<std::uint64_t, std::uint64_t>(6, 300 - over(11) - over(6)));
  CHECK(branches == Lines{{7, {over(11) + over(6), 300 - over(11) - over(6)}}});
  // The second built-in starts the line again.
  CHECK(lines.at(14) == std::pair<std::uint64_t, std::uint64_t>(6, 300));
}

TEST_CASE("work is counted only where it can be") {
  std::vector<Uint> in = values(), out(all_invocations);
  DescriptorTable table;
  table.bind(0, in).bind(1, out);
  const Pipeline pipeline(Module::from_glsl(source("results[i] = x;"), {}, "kernel.comp"));
  CHECK(pipeline.can_count_work());
  CHECK_FALSE(pipeline.dispatch(table, {.workgroups = {3}}).work.has_value());
  const Convergence core{.rule = Rule::core};
  CHECK(pipeline.dispatch(table, {.convergence = &core, .count_work = true}).work.has_value());
  Chooser chooser = Chooser::rejoin_all();
  const Convergence chosen{.chooser = &chooser};
  CHECK_THROWS_WITH(pipeline.dispatch(table, {.convergence = &chosen, .count_work = true}),
                    Catch::Contains("work is counted without choosers and observers"));
  const ShaderRun nothing = pipeline.dispatch(table, {.workgroups = {0, 1, 1}, .count_work = true});
  REQUIRE(nothing.work.has_value());
  CHECK(nothing.work->subgroups == 0);
  CHECK(nothing.work->lines.empty());
}

TEST_CASE("branches count the lanes on both sides") {
  const std::string body =
      "uint r = i;\n"                    // 6
      "if (x > 11u)\n"                   // 7
      "  r = x;\n"                       // 8
      "while (r > 40u) {\n"              // 9
      "  if (r < 60u)\n"                 // 10
      "    break;\n"                     // 11
      "  r -= 9u;\n"                     // 12
      "}\n"                              // 13
      "if (gl_NumWorkGroups.x == 3u)\n"  // 14
      "  results[i] = r;\n"              // 15
      "if (gl_NumWorkGroups.x == 4u)\n"  // 16
      "  results[i] = 0u;";              // 17
  Lines want{{14, {all_invocations, 0}}, {16, {0, all_invocations}}};
  const auto count = [&](int line, bool holds) {
    auto& [holding, failing] = want[line];
    (holds ? holding : failing) += 1;
    return holds;
  };
  for (Uint i = 0; i < all_invocations; ++i) {
    const Uint x = values()[i];
    Uint r = count(7, x > 11) ? x : i;
    while (r > 40) {
      if (count(10, r < 60)) break;
      r -= 9;
    }
  }
  for (const int size : sizes) {
    INFO("subgroup size " << size);
    const Pipeline pipeline(Module::from_glsl(source(body), {}, "kernel.comp"),
                            {.subgroup_size = size});
    std::vector<Uint> in = values(), out(all_invocations);
    DescriptorTable table;
    table.bind(0, in).bind(1, out);
    const ShaderRun run = pipeline.dispatch(table, {.workgroups = {3}, .count_work = true});
    CHECK(branches_of(*run.work) == want);
  }
}
