#pragma once

#include <string>

#include "convergence/program.hpp"

/// \file
/// Programs as GLSL-like text.

namespace lockstep::test {

inline std::string to_text(const Condition& c) {
  const auto n = std::to_string(c.n);
  const auto hash = [&](const char* of) { return "hash" + std::to_string(c.site) + of; };
  const auto part = [&](std::size_t k) { return to_text(c.parts[k]); };
  switch (c.kind) {
    case Condition::always:
      return "true";
    case Condition::lane_bits:
      return "bit(lane, " + std::to_string(c.bits[1]) + "_" + std::to_string(c.bits[0]) + ")";
    case Condition::lane_from:
      return "lane >= " + n;
    case Condition::lane_is_trip:
      return "lane % " + n + " == trip";
    case Condition::trip_below:
      return "trip < " + n;
    case Condition::trip_below_lane:
      return "trip < lane % " + n;
    case Condition::by_lane:
      return hash("(lane, visit) % ") + n + " == 0";
    case Condition::same_for_all:
      return hash("(visit)");
    case Condition::same_for_subgroup:
      return hash("(subgroup, visit)");
    case Condition::fixed:
      return c.n != 0 ? "fixed true" : "fixed false";
    case Condition::near_first:
      return c.n == 1 ? "subgroupElect()" : "lane < subgroupBroadcastFirst(lane) + " + n;
    case Condition::odd_ballot:
      return "bitCount(subgroupBallot(true)) % 2 == 1";
    case Condition::logged:
      return "(log(" + std::to_string(c.site) + "), " + part(0) + ")";
    case Condition::called:
      return "(f" + n + "(), " + part(0) + ")";
    case Condition::negated:
      return "!(" + part(0) + ")";
    case Condition::both:
      return "(" + part(0) + " && " + part(1) + ")";
    case Condition::either:
      return "(" + part(0) + " || " + part(1) + ")";
    case Condition::choice:
      return "(" + part(0) + " ? " + part(1) + " : " + part(2) + ")";
  }
  return "?";
}

inline std::string to_text(const Block& block, int depth);

inline std::string loop_text(const Statement& s, const std::string& tab, int depth) {
  const std::string test = s.form == Statement::Form::endless
                               ? "true"
                               : to_text(s.conditions[0]) + " & trip" +
                                     (s.form == Statement::Form::do_while ? " + 1 < " : " < ") +
                                     std::to_string(s.n);
  const std::string body = to_text(s.bodies[0], depth + 1);
  if (s.form == Statement::Form::do_while)
    return tab + "do {\n" + body + tab + "} while (" + test + ");\n";
  std::string text = tab + "for (; " + test + "; trip++) {\n" + body;
  if (!s.bodies[1].empty()) text += tab + "} continuing {\n" + to_text(s.bodies[1], depth + 1);
  return text + tab + "}\n";
}

inline std::string switch_text(const Statement& s, const std::string& tab, int depth) {
  const auto n = std::to_string(s.n);
  const auto hash = "hash" + std::to_string(s.site);
  const std::string selectors[] = {"lane % " + n,
                                   "trip",
                                   hash + "(lane, visit) % " + n + " - 1",
                                   hash + "(visit) % " + n + " - 1",
                                   hash + "(subgroup, visit) % " + n + " - 1",
                                   "fixed" + hash + " % " + n + " - 1"};
  std::string text = tab + "switch (" + selectors[static_cast<std::size_t>(s.selector)] + ") {\n";
  for (std::size_t k = 0; k < s.cases.size(); ++k) {
    text += tab + (s.cases[k].is_default ? " default:" : "");
    for (const int label : s.cases[k].labels) text += " case " + std::to_string(label) + ":";
    text += "\n" + to_text(s.bodies[k], depth + 1);
  }
  return text + tab + "}\n";
}

inline std::string selection_text(const Statement& s, const std::string& tab, int depth) {
  std::string text = tab;
  for (std::size_t k = 0; k < s.bodies.size(); ++k) {
    if (k > 0) text += tab + "} else ";
    if (k < s.conditions.size()) text += "if (" + to_text(s.conditions[k]) + ") ";
    text += "{\n" + to_text(s.bodies[k], depth + 1);
  }
  return text + tab + "}\n";
}

inline std::string to_text(const Statement& s, int depth) {
  const std::string tab(static_cast<std::size_t>(depth) * 2, ' ');
  switch (s.kind) {
    case Statement::log:
      return tab + "log(" + std::to_string(s.site) + ");\n";
    case Statement::selection:
      return selection_text(s, tab, depth);
    case Statement::loop:
      return loop_text(s, tab, depth);
    case Statement::switch_statement:
      return switch_text(s, tab, depth);
    case Statement::leave_loop:
      return tab + "break;\n";
    case Statement::leave_trip:
      return tab + "continue;\n";
    case Statement::leave_function:
      return tab + "return;\n";
    case Statement::call:
      return tab + "f" + std::to_string(s.n) + "();\n";
  }
  return "?";
}

inline std::string to_text(const Block& block, int depth) {
  std::string text;
  for (const Statement& s : block) text += to_text(s, depth);
  return text;
}

/// All functions, callees first.
inline std::string to_text(const Program& program) {
  std::string text;
  for (std::size_t f = program.functions.size(); f-- > 0;) {
    const std::string name = f == 0 ? "main" : "f" + std::to_string(f);
    text += "void " + name + "() {\n" + to_text(program.functions[f], 1) + "}\n";
  }
  return text;
}

}  // namespace lockstep::test
