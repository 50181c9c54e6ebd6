#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/shader.hpp>

namespace {

using namespace lockstep;

/// Every workgroup but the last one waits for the flag that the last one sets, if it does.
std::string waiting(bool sets) {
  return std::string(R"(#version 460
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer Flag { uint flag; };
void main() {
  if (gl_WorkGroupID.x + 1u < gl_NumWorkGroups.x) {
    while (atomicAdd(flag, 0u) == 0u) {
    }
  } else {
    )") + (sets ? "atomicExchange(flag, 1u);" : "while (atomicAdd(flag, 0u) == 0u) {\n}") +
         "\n  }\n}\n";
}

/// The note beside the error that ends the run, "alone" if there is none; "" without an error.
std::string message(const std::string& text, std::uint32_t workgroups, WorkgroupOrder order,
                    Checks checks) {
  Shader shader = Shader::from_glsl(text);
  std::vector<std::uint32_t> flag(1);
  shader.bind(0, flag);
  DispatchSettings settings{.subgroup_size = 16, .threads = 1, .max_steps = 1000};
  settings.order = order;
  settings.checks = checks;
  try {
    shader.dispatch({workgroups}, settings);
  } catch (const FindingError& error) {
    CHECK(error.finding().rule == "no-progress");
    CHECK(error.finding().severity == Severity::error);
    if (error.earlier().count() == 0) return "alone";
    const Finding& note = error.earlier().findings().front();
    CHECK(note.rule == "no-progress");
    CHECK(note.severity == Severity::note);
    return note.message;
  }
  return "";
}

TEST_CASE("an endless loop names the workgroups that have not begun") {
  for (const Checks checks : {Checks(), Checks::all()}) {
    const auto linear = WorkgroupOrder(), reversed = WorkgroupOrder::reversed();
    CHECK_THAT(message(waiting(true), 4, linear, checks),
               Catch::Contains("3 workgroups have not begun, from (1, 0, 0) on"));
    CHECK_THAT(message(waiting(true), 2, linear, checks),
               Catch::Contains("1 workgroup has not begun, from (1, 0, 0) on"));
    CHECK_THAT(message(waiting(false), 4, reversed, checks),
               Catch::Contains("3 workgroups have not begun, from (2, 0, 0) on"));
    CHECK(message(waiting(true), 4, reversed, checks).empty());
    CHECK(message(waiting(false), 1, linear, checks) == "alone");
  }
}

}  // namespace
