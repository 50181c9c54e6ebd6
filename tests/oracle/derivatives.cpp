#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "oracle/run_shader.hpp"

/// \file
/// Which derivatives the oracle allows: of an invocation's own row of the quad, or of one that the quad shares.

namespace {

using lockstep::judgement::Verdict;
using lockstep::oracle_test::BoundedRun;

/// The quad 1 2 / 4 16: differences along x of 1 and 12, along y of 3 and 14.
BoundedRun run(const std::string& expression) {
  const std::string glsl =
      "#version 460\n#extension GL_NV_compute_shader_derivatives : require\n"
      "layout(local_size_x = 4) in;\nlayout(derivative_group_linearNV) in;\n"
      "layout(binding = 0) readonly buffer A { float a[]; };\n"
      "layout(binding = 1) buffer Out { float res[]; };\nvoid main() {\n"
      "  uint i = gl_LocalInvocationIndex;\n  float v = a[i];\n  res[i] = " +
      expression + ";\n}\n";
  return BoundedRun(glsl, {{1, 2, 4, 16}, std::vector<float>(4)});
}

}  // namespace

TEST_CASE("plain derivatives may be fine or coarse") {
  const BoundedRun along_x = run("dFdx(v)"), along_y = run("dFdy(v)"), width = run("fwidth(v)");
  CHECK(along_x.values() == std::vector<float>{1, 1, 12, 12});
  CHECK(along_y.values() == std::vector<float>{3, 14, 3, 14});
  CHECK(width.values() == std::vector<float>{4, 15, 15, 26});
  for (std::size_t k = 0; k < 4; ++k) {
    INFO("invocation " << k);
    for (const float of_row : {1.f, 12.f}) {
      CHECK(along_x.verdict(k, of_row) ==
            (of_row == along_x.values()[k] ? Verdict::equal : Verdict::allowed));
      for (const float of_column : {3.f, 14.f})
        CHECK(width.verdict(k, of_row + of_column) != Verdict::wrong);
    }
    for (const float of_column : {3.f, 14.f})
      CHECK(along_y.verdict(k, of_column) != Verdict::wrong);
    for (const float none : {-1.f, 0.f, 13.f}) CHECK(along_x.verdict(k, none) == Verdict::wrong);
    for (const float none : {-3.f, 2.f, 15.f}) CHECK(along_y.verdict(k, none) == Verdict::wrong);
    for (const float none : {3.f, 27.f}) CHECK(width.verdict(k, none) == Verdict::wrong);
  }
}

TEST_CASE("coarse derivatives may be of either row, fine ones only of their own") {
  const BoundedRun coarse = run("dFdxCoarse(v)"), fine = run("dFdxFine(v)");
  for (std::size_t k = 0; k < 4; ++k) {
    INFO("invocation " << k);
    CHECK(coarse.verdict(k, 1) == Verdict::equal);
    CHECK(coarse.verdict(k, 12) == Verdict::allowed);
    CHECK(coarse.verdict(k, 13) == Verdict::wrong);
    CHECK(fine.verdict(k, k < 2 ? 1.f : 12.f) == Verdict::equal);
    CHECK(fine.verdict(k, k < 2 ? 12.f : 1.f) == Verdict::wrong);
  }
}
