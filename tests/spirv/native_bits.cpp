#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "spirv/native_check.hpp"
#include "support/settings.hpp"

/// \file
/// Operations on bits, of which machine code computes several at once: random ones of few values, so that most read what
/// others have made, values differ between lanes or do not, and places are written again in between.

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::size_t variables = 6;
/// The first three differ between lanes, the others do not.
constexpr const char* names[variables] = {"a", "b", "c", "u", "w", "k"};

enum class Operation { band, bor, bxor, bnot, rotation, shift, add };

/// to = (x first y) last (z second w); or with `between`: to = (x first y) last (between = z second w).
struct Statement {
  Operation first, second, last;
  std::size_t to, x, y, z, w;
  std::size_t between = variables;
  unsigned count;  ///< of rotations and shifts
};

template <class Number>
Number apply(Operation operation, Number x, Number y, unsigned count) {
  constexpr unsigned bits = 8 * sizeof(Number);
  switch (operation) {
    case Operation::band:
      return x & y;
    case Operation::bor:
      return x | y;
    case Operation::bxor:
      return x ^ y;
    case Operation::bnot:
      return ~x;
    case Operation::rotation:
      return x >> count | x << (bits - count);
    case Operation::shift:
      return x >> count;
    case Operation::add:
      return x + y;
  }
  return 0;
}
template <class Number>
void apply(const Statement& s, std::array<Number, variables>& v) {
  const Number first = apply(s.first, v[s.x], v[s.y], s.count);
  const Number second = apply(s.second, v[s.z], v[s.w], s.count);
  if (s.between < variables) v[s.between] = second;
  v[s.to] = apply(s.last, first, second, s.count);
}

std::string text_of(Operation operation, const std::string& x, const std::string& y, unsigned count,
                    unsigned bits) {
  switch (operation) {
    case Operation::band:
      return fmt::format("({} & {})", x, y);
    case Operation::bor:
      return fmt::format("({} | {})", x, y);
    case Operation::bxor:
      return fmt::format("({} ^ {})", x, y);
    case Operation::bnot:
      return fmt::format("(~{})", x);
    case Operation::rotation:
      return fmt::format("({} >> {} | {} << {})", x, count, x, bits - count);
    case Operation::shift:
      return fmt::format("({} >> {})", x, count);
    case Operation::add:
      return fmt::format("({} + {})", x, y);
  }
  return "";
}
std::string text_of(const Statement& s, unsigned bits) {
  std::string second = text_of(s.second, names[s.z], names[s.w], s.count, bits);
  if (s.between < variables) second = fmt::format("({} = {})", names[s.between], second);
  const std::string first = text_of(s.first, names[s.x], names[s.y], s.count, bits);
  return fmt::format("{} = {};\n", names[s.to], text_of(s.last, first, second, s.count, bits));
}

/// What does not differ between lanes is made of its like, and the count k stays.
std::vector<Statement> program_of(std::uint64_t number) {
  std::mt19937_64 generator(number);
  const auto choice = [&](std::size_t of) { return static_cast<std::size_t>(generator() % of); };
  const auto logical = [&] { return static_cast<Operation>(choice(3)); };
  const auto any = [&] { return choice(3) == 0 ? static_cast<Operation>(choice(7)) : logical(); };
  std::vector<Statement> program(60);
  for (Statement& s : program) {
    const bool uniform = choice(8) == 0;
    const auto written = [&] { return uniform ? 3 + choice(2) : choice(3); };
    const auto read = [&] { return uniform ? 3 + choice(3) : choice(variables); };
    s.first = any();
    s.second = any();
    s.last = logical();
    s.to = written();
    s.x = read();
    s.y = read();
    s.z = read();
    s.w = read();
    if (choice(3) == 0) s.between = written();
    s.count = static_cast<unsigned>(1 + choice(31));
  }
  return program;
}

/// The values of an invocation at the end, mixed.
template <class Number>
std::uint32_t run(const std::vector<Statement>& program, std::uint32_t x, std::uint32_t i) {
  std::array<Number, variables> v{x, i * Number{2654435761}, x ^ (Number{i} << 7), 40, 0x5bd1e995,
                                  0};
  for (Number k = 0; k < 3; ++k) {
    v[5] = k;
    for (const Statement& s : program) apply(s, v);
  }
  Number mixed = 0;
  for (std::size_t n = 0; n < 5; ++n) mixed = mixed * 31 + v[n];
  return static_cast<std::uint32_t>(mixed) ^ static_cast<std::uint32_t>(std::uint64_t{mixed} >> 32);
}

std::string body_of(const std::vector<Statement>& program, unsigned bits) {
  const char* const type = bits == 64 ? "uint64_t" : "uint";
  const char* const suffix = bits == 64 ? "ul" : "u";
  std::string body = fmt::format(
      "{0} a = x, b = {0}(i) * 2654435761{1}, c = {0}(x) ^ ({0}(i) << 7), u = limit, w = "
      "0x5bd1e995{1};\n"
      "for ({0} k = 0{1}; k < 3{1}; ++k) {{\n",
      type, suffix);
  for (const Statement& s : program) body += text_of(s, bits);
  body += fmt::format("}}\n{0} mixed = (((a * 31{1} + b) * 31{1} + c) * 31{1} + u) * 31{1} + w;\n",
                      type, suffix);
  return body +
         (bits == 64 ? "result[i] = uint(mixed) ^ uint(mixed >> 32);\n" : "result[i] = mixed;\n");
}

}  // namespace

TEST_CASE("operations on bits that are computed together give what each gives") {
  constexpr int few[] = {16, 32, 128};
  const std::uint64_t count = full_run() ? 200 : 8;
  for (std::uint64_t number = 0; number < count; ++number) {
    const auto program = program_of(number);
    CAPTURE(number);
    check(
        body_of(program, 32),
        [&](std::uint32_t x, std::uint32_t i) { return run<std::uint32_t>(program, x, i); }, few);
    check(
        body_of(program, 64),
        [&](std::uint32_t x, std::uint32_t i) { return run<std::uint64_t>(program, x, i); }, few);
  }
}

TEST_CASE("operations that are computed together read values that nothing else reads any more") {
  constexpr int few[] = {16, 32};
  struct Step {
    Operation operation;
    std::size_t a, b;
    unsigned count;
  };
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t count) { return random() % count; };
    std::vector<Step> steps;
    std::string body = "uint t0 = x, t1 = i * 77u;\n";
    for (std::size_t k = 2; k < 30; ++k) {
      // Each reads some of the last few, so that all soon have their last use.
      const Step step{static_cast<Operation>(below(7)), k - 1 - below(std::min<std::size_t>(k, 4)),
                      k - 1 - below(std::min<std::size_t>(k, 4)),
                      static_cast<unsigned>(1 + below(31))};
      constexpr const char* texts[] = {
          "t{0} & t{1}", "t{0} | t{1}", "t{0} ^ t{1}", "~t{0}", "t{0} >> {2} | t{0} << {3}",
          "t{0} >> {2}", "t{0} + t{1}"};
      body += fmt::format("uint t{} = {};\n", k,
                          fmt::format(fmt::runtime(texts[static_cast<std::size_t>(step.operation)]),
                                      step.a, step.b, step.count, 32 - step.count));
      steps.push_back(step);
    }
    CAPTURE(seed, body);
    check(
        body + "result[i] = t29;",
        [&](std::uint32_t x, std::uint32_t i) {
          std::vector<std::uint32_t> t{x, i * 77};
          for (const Step& s : steps) t.push_back(apply(s.operation, t[s.a], t[s.b], s.count));
          return t.back();
        },
        few);
  }
}
