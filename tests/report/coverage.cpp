#include "report/coverage.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "report/findings.hpp"

using namespace lockstep;
using lockstep::report::Coverage;
using Uint = std::uint32_t;

namespace {

constexpr Uint all_invocations = 48;

/// Selections, a switch, loops and an early return, each part on a line of its own.
const char* const source = R"(#version 450
layout(local_size_x = 24) in;
layout(binding = 0) buffer In { uint values[]; };
layout(binding = 1) buffer Out { uint results[]; };
shared uint sum;
void main() {
  const uint i = gl_GlobalInvocationID.x;
  const uint x = values[i];
  uint y;
  if (x > 90u)
    y = values[i / 2u];
  else if (x < 10u)
    y = values[0] + 1u;
  else
    y = values[1];
  for (uint k = 0u; k < x; ++k) {
    y += values[k % 8u];
    if (k == 20u)
      break;
    if ((y & 1u) == 0u)
      continue;
    y ^= k;
  }
  switch (x % 7u) {
    case 0u:
      y += 7u * x;
    case 1u:
      y ^= 3u * x;
      break;
    case 5u:
      y = ~y;
      break;
    default:
      y *= x;
  }
  results[i] = y;
  if (x == 50u)
    return;
  results[i] += x * y;
}
)";

/// What is reached, by line.
struct Reached {
  std::set<int> lines;
  std::map<int, std::set<bool>> conditions;

  bool on(int line, bool condition) {
    lines.insert(line);
    conditions[line].insert(condition);
    return condition;
  }
};

/// The same for one invocation, which is the shader line by line.
void follow(const std::vector<Uint>& values, Uint i, Reached& at) {
  const Uint x = values[i];
  Uint y = 0;
  at.lines.insert({7, 8});
  if (at.on(10, x > 90)) {
    at.lines.insert(11);
    y = values[i / 2];
  } else if (at.on(12, x < 10)) {
    at.lines.insert(13);
    y = values[0] + 1;
  } else {
    at.lines.insert(15);
    y = values[1];
  }
  at.lines.insert(16);
  for (Uint k = 0; k < x; ++k) {
    at.lines.insert(17);
    y += values[k % 8];
    if (at.on(18, k == 20)) {
      at.lines.insert(19);
      break;
    }
    if (at.on(20, (y & 1) == 0)) {
      at.lines.insert(21);
      continue;
    }
    at.lines.insert(22);
    y ^= k;
  }
  at.lines.insert(24);
  if (x % 7 == 0) at.lines.insert(26), y += 7 * x;
  if (x % 7 <= 1) at.lines.insert({28, 29}), y ^= 3 * x;
  if (x % 7 == 5) at.lines.insert({31, 32}), y = ~y;
  if (x % 7 > 1 && x % 7 != 5) at.lines.insert(34), y *= x;
  at.lines.insert({36, 37});
  at.lines.insert(at.on(37, x == 50) ? 38 : 39);
}

/// Lines whose code computes something: neither braces nor jumps.
const std::set<int> with_code{7,  8,  10, 11, 12, 13, 15, 16, 17, 18,
                              20, 22, 24, 26, 28, 31, 34, 36, 37, 39};

std::vector<Uint> cycle(const std::vector<Uint>& of) {
  std::vector<Uint> values;
  for (Uint i = 0; i < all_invocations; ++i) values.push_back(of[i % of.size()]);
  return values;
}

ShaderRun run(std::vector<Uint> values, int size, Observer& observer) {
  const Pipeline pipeline(Module::from_glsl(source, {}, "some.comp"), {.subgroup_size = size});
  std::vector<Uint> results(all_invocations);
  DescriptorTable table;
  table.bind(0, values).bind(1, results);
  const Convergence convergence{.observer = &observer};
  return pipeline.dispatch(table, {.workgroups = {2}, .convergence = &convergence});
}

/// Without events, alone or checked for all that one run can find.
ShaderRun counted(std::vector<Uint> values, int size, Checks checks) {
  const Pipeline pipeline(Module::from_glsl(source, {}, "some.comp"), {.subgroup_size = size});
  std::vector<Uint> results(all_invocations);
  DescriptorTable table;
  table.bind(0, values).bind(1, results);
  return pipeline.dispatch(table, {.workgroups = {2}, .checks = checks, .count_work = true});
}

std::set<int> never_ran(const Coverage& coverage) {
  std::set<int> lines;
  for (const Coverage::Range& range : coverage.ranges()) {
    std::size_t count = 0;
    for (int line = range.first; line <= range.last; ++line) {
      if (!with_code.contains(line)) continue;
      lines.insert(line);
      ++count;
    }
    CHECK(range.lines == count);
    CHECK(range.file == "some.comp");
  }
  return lines;
}

std::map<int, bool> one_sided(const Coverage& coverage) {
  std::map<int, bool> sides;
  for (const Coverage::Side& side : coverage.sides()) sides[side.line] = side.was;
  return sides;
}

void check(const Coverage& coverage, const Reached& reached) {
  std::set<int> missed;
  for (const int line : with_code) {
    if (!reached.lines.contains(line)) missed.insert(line);
  }
  std::map<int, bool> sides;
  for (const auto& [line, values] : reached.conditions) {
    if (values.size() == 1) sides[line] = *values.begin();
  }
  CHECK(coverage.lines() == with_code.size());
  CHECK(coverage.never_ran() == missed.size());
  CHECK(never_ran(coverage) == missed);
  CHECK(one_sided(coverage) == sides);
}

const std::vector<std::vector<Uint>> inputs{
    {0}, {95}, {9}, {50, 51}, {14, 5, 97}, {20, 61}, {1, 3, 50, 99}, {21, 0, 12}};

}  // namespace

TEST_CASE("coverage names the lines and the sides that no invocation took") {
  for (const auto& of : inputs) {
    const std::vector<Uint> values = cycle(of);
    Reached reached;
    for (Uint i = 0; i < all_invocations; ++i) follow(values, i, reached);
    for (const int size : {1, 5, 8, 32, 128}) {
      CAPTURE(of, size);
      Coverage coverage;
      coverage.add(run(values, size, coverage));
      check(coverage, reached);
      for (const Checks& checks : {Checks(), Checks::all()}) {
        Coverage of_counts;
        of_counts.add(counted(values, size, checks));
        check(of_counts, reached);
      }
    }
  }
}

TEST_CASE("coverage adds up over runs") {
  Coverage coverage;
  Reached reached;
  for (const auto& of : inputs) {
    const std::vector<Uint> values = cycle(of);
    for (Uint i = 0; i < all_invocations; ++i) follow(values, i, reached);
    coverage.add(run(values, 8, coverage));
    check(coverage, reached);
  }
  CHECK(to_text(coverage).empty());
}

TEST_CASE("coverage is told as text, JSON and notes of SARIF") {
  Coverage coverage;
  const ShaderRun zeros = run(cycle({0}), 8, coverage);
  coverage.add(zeros);
  CHECK(to_text(coverage) ==
        "8 of 20 lines never ran: 11, 15, 17-22, 31-34; conditions that were always true: 12; "
        "conditions that were always false: 10, 37");
  const auto json = to_json(coverage);
  CHECK(json["text"] == to_text(coverage));
  CHECK(json["lines"] == 20);
  CHECK(json["never_ran"] == 8);
  CHECK(json["ranges"][2].dump() == R"({"file":"some.comp","first":17,"last":22,"lines":4})");
  CHECK(json["sides"][0].dump() == R"({"file":"some.comp","line":10,"always":false})");
  auto log = to_sarif(lockstep::report::Findings());
  add_to_sarif(coverage, log);
  const auto& results = log["runs"][0]["results"];
  REQUIRE(results.size() == 7);
  CHECK(results[2]["ruleId"] == "never-ran");
  CHECK(results[2]["level"] == "note");
  const auto& region = results[2]["locations"][0]["physicalLocation"]["region"];
  CHECK(region["startLine"] == 17);
  CHECK(region["endLine"] == 22);
  CHECK(results[4]["ruleId"] == "one-sided-branch");
  std::set<std::string> rules;
  for (const auto& rule : log["runs"][0]["tool"]["driver"]["rules"]) rules.insert(rule["id"]);
  for (const auto& result : results) CHECK(rules.contains(result["ruleId"]));
}

TEST_CASE("a shader without source lines has no coverage") {
  Coverage coverage;
  coverage.add(ShaderRun());
  CHECK(coverage.lines() == 0);
  CHECK(to_text(coverage).empty());
  CHECK(to_json(coverage).is_null());
}
