#include "convergence/generated_shader.hpp"

#include <random>

#include <fmt/format.h>

namespace lockstep::bench {
namespace {

constexpr const char* start = R"(#version 450
layout(local_size_x = 256) in;
layout(binding = 0) buffer Results { uint results[]; };
uint mix_in(uint x, uint a) {
  if ((x & 1u) != 0u)
    return x * 3u + a;
  return x / 2u + a;
}
void main() {
  const uint i = gl_GlobalInvocationID.x;
  uint x = i;
)";

std::uint32_t mix_in(std::uint32_t x, std::uint32_t a) {
  return (x & 1) != 0 ? x * 3 + a : x / 2 + a;
}

}  // namespace

GeneratedShader::GeneratedShader(int statements) {
  std::mt19937 engine(1);
  const auto random = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(engine() % below);
  };
  for (int k = 0; k < statements; ++k) {
    // Every second statement is arithmetic.
    const auto kind = k % 2 == 0 ? Kind::arithmetic : static_cast<Kind>(1 + random(5));
    statements_.push_back({kind, random(1000) + 1, random(31) + 1});
  }
}

std::string GeneratedShader::text_of(const Statement& s) {
  switch (s.kind) {
    case Kind::arithmetic:
      return fmt::format("  x = (x ^ (x >> {1}u)) * {0}u + {1}u;\n", s.a | 1, s.b);
    case Kind::selection:
      return fmt::format("  if ((x & {1}u) > {2}u)\n    x += {0}u;\n", s.a, s.b, s.b / 2);
    case Kind::both_sides:
      return fmt::format(
          "  if (x % {1}u < {2}u) {{\n    x ^= {0}u;\n  }} else {{\n    x -= {0}u;\n  }}\n", s.a,
          s.b + 1, s.b / 2 + 1);
    case Kind::loop:
      return fmt::format("  for (uint k = x & 7u; k > 0u; --k)\n    x = x * {}u + k;\n", s.a | 1);
    case Kind::call:
      return fmt::format("  x = mix_in(x, {}u);\n", s.a);
    case Kind::store:
      return "  results[i] = x;\n";
  }
  return {};
}

std::uint32_t GeneratedShader::value_of(const Statement& s, std::uint32_t x) {
  switch (s.kind) {
    case Kind::arithmetic:
      return (x ^ (x >> s.b)) * (s.a | 1) + s.b;
    case Kind::selection:
      return (x & s.b) > s.b / 2 ? x + s.a : x;
    case Kind::both_sides:
      return x % (s.b + 1) < s.b / 2 + 1 ? x ^ s.a : x - s.a;
    case Kind::loop:
      for (std::uint32_t k = x & 7; k > 0; --k) x = x * (s.a | 1) + k;
      return x;
    case Kind::call:
      return mix_in(x, s.a);
    case Kind::store:
      break;
  }
  return x;
}

std::string GeneratedShader::source() const {
  std::string text = start;
  for (const Statement& statement : statements_) text += text_of(statement);
  return text + "  results[i] = x;\n}\n";
}

std::uint32_t GeneratedShader::result(std::uint32_t i) const {
  std::uint32_t x = i;
  for (const Statement& statement : statements_) x = value_of(statement, x);
  return x;
}

}  // namespace lockstep::bench
