#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "convergence/expected.hpp"
#include "convergence/program.hpp"

/// \file
/// Programs as GLSL compute shaders of one workgroup, of one or several subgroups, for any machine
/// that runs shaders. Each lane writes its logs to a buffer.

namespace lockstep::test {

/// Words of the buffer per entry: site and ballot.
inline constexpr std::size_t entry_words = 5;
/// Room for entries per lane.
inline constexpr std::size_t most_entries = 400;

/// Prints one program. A function's name ends in its origin: a function of the program, or the site
/// of a continue construct.
class GlslWriter {
 public:
  /// `size` is the workgroup's; `existing` are the lanes of each subgroup that do not return at once.
  GlslWriter(const Program& program, int size, const Lanes128& existing, std::size_t subgroups)
      : program_(program), size_(size), existing_(existing), subgroups_(subgroups) {}

  std::string text() {
    for (std::size_t f = program_.functions.size(); f-- > 0;) {
      const std::string body = block(program_.functions[f], 1);
      functions_ += "void f" + number(f) + "() {\n" + body + "}\n";
      functions_ += "bool call" + number(f) + "() { int outer = trip; trip = 0; f" + number(f) +
                    "(); trip = outer; return true; }\n";
    }
    return head() + functions_ + tail();
  }

 private:
  template <class N>
  static std::string number(N n) {
    return std::to_string(n);
  }
  static std::string hex(std::uint64_t n) { return number(n) + "ul"; }

  std::string head() const {
    return "#version 460\n"
           "#extension GL_KHR_shader_subgroup_ballot : require\n"
           "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
           "layout(local_size_x = " +
           number(size_) +
           ") in;\n"
           "#define MANY_LANES " +
           number(size_ > 32 ? 1 : 0) +
           "\n"
           "layout(set = 0, binding = 0) buffer Log { uint words[]; };\n"
           "const uint most = " +
           number(most_entries) +
           "u;\n"
           "int me, trip = 0;\n" +
           (subgroups_ > 1 ? "int subgroup;\n" : "const int subgroup = 0;\n") +
           "uint logged = 0;\n"
           "uint row() { return uint(subgroup * 128 + me); }\n"
           "layout(constant_id = 0) const int mode = 3;\n"
           "layout(constant_id = 1) const bool on = true;\n"
           "layout(constant_id = 2) const bool off = false;\n"
           "int visits[" +
           number(program_.sites + 1) + "];\n" + R"(
bool note(int site) {
  uvec4 b = subgroupBallot(true);
  uint at = (row() * most + min(logged, most - 1u)) * 5u;
  words[at] = uint(site);
  words[at + 1u] = b.x;
#if MANY_LANES
  words[at + 2u] = b.y;
  words[at + 3u] = b.z;
  words[at + 4u] = b.w;
#endif
  ++logged;
  return true;
}
uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 30) * 13787848793156543929ul;
  x = (x ^ x >> 27) * 10723151780598845931ul;
  return x ^ x >> 31;
}
uint64_t hashed(uint64_t x, int n) { return mixed(x * 11400714819323198485ul + uint64_t(n) + 1ul); }
uint64_t drawn(uint64_t start, int site, int who) {
  return hashed(hashed(start, visits[site]++), who);
}
bool bit_of(uvec4 bits) { return (bits[me / 32] >> (me % 32) & 1u) != 0u; }
bool near_first(int n) { return me < int(subgroupBallotFindLSB(subgroupBallot(true))) + n; }
// A loop's test and its limit, without a selection between the two.
bool within(bool holds, int n) { return holds && trip < n; }
bool again(bool holds, int n) { ++trip; return holds && trip < n; }
int kind() {
  switch (mode) {
    case 0:
    case 1:
      return 1;
    case 2:
    case 3:
      if (on) return 2;
      return 3;
  }
  return 0;
}
bool odd_ballot() { return subgroupBallotBitCount(subgroupBallot(true)) % 2u == 1u; }
)";
  }

  std::string tail() const {
    std::string bits;
    for (int w = 0; w < 4; ++w) {
      std::uint32_t word = 0;
      for (int i = 0; i < 32; ++i)
        word |= std::uint32_t{existing_.test(static_cast<std::size_t>(32 * w + i))} << i;
      bits += (w == 0 ? "" : ", ") + number(word) + "u";
    }
    return "void main() {\n"
           "  me = int(gl_SubgroupInvocationID);\n" +
           std::string(subgroups_ > 1 ? "  subgroup = int(gl_SubgroupID);\n" : "") +
           "  if (!bit_of(uvec4(" + bits + "))) return;\n" + zeros() +
           "  f0();\n"
           "  words[" +
           number(subgroups_ * 128 * most_entries * entry_words) +
           "u + row()] = logged;\n"
           "}\n";
  }

  /// One by one: drivers keep an array in registers if only constants index it.
  std::string zeros() const {
    std::string text;
    for (int i = 0; i < program_.sites; ++i) text += "  visits[" + number(i) + "] = 0;\n";
    return text;
  }

  static std::string indent(int depth) {
    return std::string(static_cast<std::size_t>(2 * depth), ' ');
  }

  std::string block(const Block& b, int depth) {
    std::string text;
    for (const Statement& s : b) text += statement(s, depth);
    return text;
  }
  std::string braces(const Block& b, int depth) {
    return "{\n" + block(b, depth + 1) + indent(depth) + "}";
  }

  std::string statement(const Statement& s, int depth) {
    const std::string in = indent(depth);
    switch (s.kind) {
      case Statement::log:
        return in + "note(" + number(s.site) + ");\n";
      case Statement::selection:
        return in + selection(s, depth) + "\n";
      case Statement::loop:
        return loop(s, depth);
      case Statement::switch_statement:
        return switch_statement(s, depth);
      case Statement::leave_loop:
        return in + "break;\n";
      case Statement::leave_trip:
        return in + "continue;\n";
      case Statement::leave_function:
        return in + "return;\n";
      case Statement::call:
        return in + "call" + number(s.n) + "();\n";
    }
    return "";
  }

  std::string selection(const Statement& s, int depth) {
    std::string text;
    for (std::size_t k = 0; k < s.conditions.size(); ++k)
      text += (k == 0 ? "if (" : " else if (") + condition(s.conditions[k]) + ") " +
              braces(s.bodies[k], depth);
    if (s.bodies.size() > s.conditions.size()) text += " else " + braces(s.bodies.back(), depth);
    return text;
  }

  std::string loop(const Statement& s, int depth) {
    using Form = Statement::Form;
    const std::string in = indent(depth), outer = "outer" + number(s.site);
    std::string text = in + "int " + outer + " = trip;\n" + in + "trip = 0;\n" + in;
    if (s.form == Form::do_while) {
      text += "do " + braces(s.bodies[0], depth) + " while (again(" + condition(s.conditions[0]) +
              ", " + number(s.n) + "));\n";
    } else {
      const std::string step = "step" + number(s.site);
      const std::string body = block(s.bodies[1], 1);
      functions_ += "bool " + step + "() {\n" + body + "  ++trip;\n  return true;\n}\n";
      const std::string test = s.form == Form::endless ? "true"
                                                       : "within(" + condition(s.conditions[0]) +
                                                             ", " + number(s.n) + ")";
      text += "for (; " + test + "; " + step + "()) " + braces(s.bodies[0], depth) + "\n";
    }
    return text + in + "trip = " + outer + ";\n";
  }

  std::string switch_statement(const Statement& s, int depth) {
    const std::string in = indent(depth);
    std::string text = in + "switch (" + selector(s) + ") {\n";
    for (std::size_t k = 0; k < s.cases.size(); ++k) {
      for (const int label : s.cases[k].labels) text += in + "case " + number(label) + ":\n";
      if (s.cases[k].is_default) text += in + "default:\n";
      // glslang requires something after the last label.
      text += indent(depth + 1) +
              (s.bodies[k].empty() ? "logged += 0u;" : braces(s.bodies[k], depth + 1)) + "\n";
    }
    return text + in + "}\n";
  }

  std::string drawn(int site, const std::string& who) const {
    return "drawn(" + hex(hash_of(program_.number, site)) + ", " + number(site) + ", " + who + ")";
  }
  std::string selector(const Statement& s) const {
    const auto hashed = [&](const std::string& who) {
      return "int(" + drawn(s.site, who) + " % " + number(s.n) + "ul) - 1";
    };
    switch (s.selector) {
      case Statement::Selector::lane:
        return "me % " + number(s.n);
      case Statement::Selector::trip:
        return "trip";
      case Statement::Selector::by_lane:
        return hashed("subgroup * 128 + me + 1000");
      case Statement::Selector::same_for_all:
        return hashed("0");
      case Statement::Selector::same_for_subgroup:
        return hashed("subgroup + 1");
      case Statement::Selector::fixed: {
        const int value = fixed_selector_of(program_, s);
        return s.site % 2 == 0 ? "mode + " + number(value - 3) : "kind() + " + number(value - 2);
      }
    }
    return "";
  }

  /// By a specialization constant, a comparison with one, or a function that chooses by one.
  static std::string fixed(int site, bool value) {
    switch (site % 3) {
      case 0:
        return value ? "on" : "off";
      case 1:
        return value ? "(mode == 3)" : "(mode > 3)";
      default:
        return value ? "(kind() == 2)" : "(kind() != 2)";
    }
  }

  std::string condition(const Condition& c) {
    const std::string n = number(c.n);
    const auto part = [&](std::size_t k) { return condition(c.parts[k]); };
    switch (c.kind) {
      case Condition::always:
        return "true";
      case Condition::lane_bits: {
        std::string words;
        for (const std::uint64_t half : c.bits)
          words += (words.empty() ? "" : ", ") + number(half & 0xffffffffu) + "u, " +
                   number(half >> 32) + "u";
        return "bit_of(uvec4(" + words + "))";
      }
      case Condition::lane_from:
        return "(me >= " + n + ")";
      case Condition::lane_is_trip:
        return "(me % " + n + " == trip)";
      case Condition::trip_below:
        return "(trip < " + n + ")";
      case Condition::trip_below_lane:
        return "(trip < me % " + n + ")";
      case Condition::by_lane:
        return "(" + drawn(c.site, "subgroup * 128 + me + 1000") + " % " + n + "ul == 0ul)";
      case Condition::same_for_all:
        return "(" + drawn(c.site, "0") + " % 2ul == 0ul)";
      case Condition::same_for_subgroup:
        return "(" + drawn(c.site, "subgroup + 1") + " % 2ul == 0ul)";
      case Condition::fixed:
        return fixed(c.site, c.n != 0);
      case Condition::near_first:
        return "near_first(" + n + ")";
      case Condition::odd_ballot:
        return "odd_ballot()";
      case Condition::logged:
        return "(note(" + number(c.site) + "), " + part(0) + ")";
      case Condition::called:
        return "(call" + n + "(), " + part(0) + ")";
      case Condition::negated:
        return "!" + part(0);
      case Condition::both:
        return "(" + part(0) + " && " + part(1) + ")";
      case Condition::either:
        return "(" + part(0) + " || " + part(1) + ")";
      case Condition::choice:
        return "(" + part(0) + " ? " + part(1) + " : " + part(2) + ")";
    }
    return "";
  }

  const Program& program_;
  int size_;
  Lanes128 existing_;
  std::size_t subgroups_;
  std::string functions_;
};

inline std::string to_glsl(const Program& program, int size, const Lanes128& existing,
                           std::size_t subgroups = 1) {
  return GlslWriter(program, size, existing, subgroups).text();
}

/// The output buffer of such a shader.
inline std::vector<std::uint32_t> log_words(std::size_t subgroups = 1) {
  return std::vector<std::uint32_t>(subgroups * (128 * most_entries * entry_words + 128));
}

/// What one of the subgroups wrote to it.
inline Log log_from(std::span<const std::uint32_t> words, std::size_t subgroup = 0,
                    std::size_t subgroups = 1) {
  Log log(128);
  for (std::size_t lane = 0; lane < 128; ++lane) {
    const std::size_t row = subgroup * 128 + lane;
    const std::size_t entries = words[subgroups * 128 * most_entries * entry_words + row];
    for (std::size_t k = 0; k < entries && k < most_entries; ++k) {
      const std::uint32_t* entry = &words[(row * most_entries + k) * entry_words];
      Entry e{.site = static_cast<int>(entry[0]), .tangle = {}, .active = {}};
      for (std::size_t i = 0; i < 128; ++i) e.tangle.set(i, (entry[1 + i / 32] >> i % 32 & 1) != 0);
      e.active = e.tangle;
      log[lane].push_back(e);
    }
  }
  return log;
}

/// Whether every lane's log has room.
inline bool fits(const AllowedLog& log) {
  for (const auto& lane : log)
    if (lane.size() > most_entries) return false;
  return true;
}

}  // namespace lockstep::test
