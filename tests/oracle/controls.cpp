#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "oracle/run_shader.hpp"

/// \file
/// What execution modes of SPV_KHR_float_controls take from the freedom of devices.

namespace {

using lockstep::judgement::Verdict;
using lockstep::oracle_test::BoundedRun;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// One of Vulkan's modes for floats of 32 bits, in GLSL.
std::string mode(int capability, int number) {
  return "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [" +
         std::to_string(capability) + "], " + std::to_string(number) + ", 32);\n";
}
const std::string none, preserve = mode(4464, 4459), nearest = mode(4467, 4462),
                        specials = mode(4466, 4461), flushing = mode(4465, 4460),
                        to_zero = mode(4468, 4463);

BoundedRun run(const std::string& modes, const std::string& body, const std::vector<float>& a) {
  return BoundedRun("#version 450\n#extension GL_EXT_spirv_intrinsics : enable\n" + modes +
                        "layout(local_size_x = 8) in;\n"
                        "layout(binding = 0) readonly buffer A { float a[]; };\n"
                        "layout(binding = 1) buffer Out { float res[]; };\n"
                        "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  " +
                        body + "\n}\n",
                    {a, std::vector<float>(8)});
}

TEST_CASE("DenormPreserve keeps denormals") {
  const std::vector<float> a{1e-39f, 2e-39f, 3e-39f, 4e-38f, 5e-38f, 6e-38f, 7e-38f, 8e-38f};
  for (const std::string body :
       {"res[i] = a[i] + a[i];", "res[i] = -a[i];", "res[i] = abs(a[i]);"}) {
    CAPTURE(body);
    CHECK(run(none, body, a).verdict(0, 0) == Verdict::allowed);
    CHECK(run(preserve, body, a).verdict(0, 0) == Verdict::wrong);
  }
  // Other functions need not.
  CHECK(run(preserve, "res[i] = ceil(a[i]);", a).verdict(0, 0) == Verdict::allowed);
  CHECK(run(preserve, "res[i] = a[i] == 0.0 ? 1.0 : 2.0;", a).verdict(0, 1) == Verdict::wrong);
  CHECK(run(none, "res[i] = a[i] == 0.0 ? 1.0 : 2.0;", a).verdict(0, 1) != Verdict::wrong);
}

TEST_CASE("RoundingModeRTE leaves one result") {
  const std::vector<float> a{1 / 3.f, 2 / 3.f, 4 / 3.f,  5 / 3.f,
                             7 / 3.f, 8 / 3.f, 10 / 3.f, 11 / 3.f};
  const std::string body = "precise float x = a[i] * a[7u - i]; res[i] = x;";
  const BoundedRun free = run(none, body, a), bound = run(nearest, body, a);
  const double exact = static_cast<double>(a[1]) * static_cast<double>(a[6]);
  const float mine = free.values()[1];
  const float other =
      std::nextafter(mine, static_cast<double>(mine) < exact ? infinity : -infinity);
  CHECK(free.verdict(1, other) == Verdict::allowed);
  CHECK(bound.verdict(1, other) == Verdict::wrong);
  // Where it is not precise a compiler may still fuse.
  const std::string fused = "res[i] = a[i] * a[7u - i] + a[i];";
  const float once = std::fma(a[1], a[6], a[1]);
  CHECK(run(nearest, fused, a).verdict(1, once) != Verdict::wrong);
  // Divisions have their own precision.
  const BoundedRun quotient = run(nearest, "precise float x = a[i] / 3.0; res[i] = x;", a);
  CHECK(quotient.verdict(1, std::nextafter(quotient.values()[1], infinity)) == Verdict::allowed);
}

TEST_CASE("DenormFlushToZero leaves no denormals") {
  const std::vector<float> a{1e-39f, 2e-39f, 3e-39f, 4e-38f, 5e-38f, 6e-38f, 7e-38f, 8e-38f};
  for (const std::string body :
       {"res[i] = a[i] + a[i];", "precise float x = a[i] + a[i]; res[i] = x;", "res[i] = -a[i];",
        "res[i] = ceil(a[i]) * 1e-39;", "res[i] = a[3] * 0.5 - a[i];"}) {
    CAPTURE(body);
    const BoundedRun bound = run(flushing, body, a);
    CHECK(bound.verdict(0, 0) != Verdict::wrong);
    CHECK(bound.verdict(0, 2e-39f) == Verdict::wrong);
  }
  CHECK(run(none, "res[i] = a[i] + a[i];", a).verdict(0, 2e-39f) == Verdict::equal);
  // Operands may become zero, or not; moves of bits keep denormals, and what is left of a sum is as large as a denormal.
  const BoundedRun scaled = run(flushing, "res[i] = a[i] * 1e10;", a);
  CHECK(scaled.values()[0] == 0);
  CHECK(scaled.verdict(0, a[0] * 1e10f) == Verdict::allowed);
  CHECK(scaled.verdict(0, a[0] * 2e10f) == Verdict::wrong);
  CHECK(run(flushing, "res[i] = a[i];", a).verdict(0, 0) == Verdict::wrong);
  const BoundedRun rest = run(flushing, "res[i] = (a[i] + a[1]) + a[7];", a);
  CHECK(rest.verdict(0, a[7]) != Verdict::wrong);
  CHECK(rest.verdict(0, a[0] + (a[1] + a[7])) != Verdict::wrong);
}

TEST_CASE("RoundingModeRTZ leaves one result") {
  const std::vector<float> a{1 / 3.f, -2 / 3.f, 4 / 3.f,  5 / 3.f,
                             7 / 3.f, -8 / 3.f, 10 / 3.f, 11 / 3.f};
  for (const std::string operation : {"*", "+", "-"}) {
    const BoundedRun bound =
        run(to_zero, "precise float x = a[i] " + operation + " a[7u - i]; res[i] = x;", a);
    for (std::size_t i = 0; i < 8; ++i) {
      CAPTURE(operation, i);
      const auto x = static_cast<double>(a[i]), y = static_cast<double>(a[7 - i]);
      const double exact = operation == "*" ? x * y : operation == "+" ? x + y : x - y;
      const float mine = bound.values()[i];
      if (static_cast<double>(mine) == exact) continue;
      CHECK(std::abs(static_cast<double>(mine)) < std::abs(exact));
      const float next = std::nextafter(mine, exact > 0 ? infinity : -infinity);
      CHECK(std::abs(static_cast<double>(next)) > std::abs(exact));
      CHECK(bound.verdict(i, next) == Verdict::wrong);
      CHECK(bound.verdict(i, std::nextafter(mine, 0.0f)) == Verdict::wrong);
    }
  }
  // What is too large for the type is its largest number.
  const BoundedRun large = run(to_zero, "precise float x = a[i] * 3e38; res[i] = x;", a);
  CHECK(large.values()[7] == std::numeric_limits<float>::max());
  CHECK(large.verdict(7, infinity) == Verdict::wrong);
  // Divisions have their own precision, and sums may be fused.
  const BoundedRun quotient = run(to_zero, "precise float x = a[i] / 3.0; res[i] = x;", a);
  CHECK(quotient.verdict(1, std::nextafter(quotient.values()[1], infinity)) == Verdict::allowed);
  const float once = std::fma(a[1], a[6], a[1]);
  CHECK(run(to_zero, "res[i] = a[i] * a[7u - i] + a[i];", a).verdict(1, once) != Verdict::wrong);
}

TEST_CASE("SignedZeroInfNanPreserve defines infinities and NaN") {
  const std::vector<float> a{infinity, -infinity, nan, 1, 2, 3, infinity, 5};
  const std::string sum = "precise float x = a[i] + a[6]; res[i] = x;";
  CHECK(run(none, sum, a).verdict(0, 1) == Verdict::undefined);
  const BoundedRun sums = run(specials, sum, a);
  CHECK(sums.verdict(0, 1) == Verdict::wrong);
  CHECK(sums.verdict(1, 0) == Verdict::wrong);
  CHECK(sums.verdict(1, nan) == Verdict::equal);
  CHECK(sums.verdict(3, infinity) == Verdict::equal);
  // A compiler may cancel: infinity minus infinity with what is around it.
  const BoundedRun plain = run(specials, "res[i] = (a[i] + a[6]) - a[6];", a);
  CHECK(plain.verdict(3, 1) == Verdict::undefined);
  CHECK(run(specials, "res[i] = isnan(a[i]) ? 1.0 : 0.0;", a).verdict(2, 0) == Verdict::wrong);
  CHECK(run(none, "res[i] = isnan(a[i]) ? 1.0 : 0.0;", a).verdict(2, 0) == Verdict::undefined);
  CHECK(run(specials, "res[i] = a[i] < 9.0 ? 1.0 : 0.0;", a).verdict(2, 1) == Verdict::wrong);
}

}  // namespace
