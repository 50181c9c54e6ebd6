#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "convergence/program.hpp"

/// \file
/// Shrinks a failing program as long as it fails.

namespace lockstep::test {

/// Whether each jump is in a legal place.
inline bool is_legal(const Block& block, bool in_loop, bool in_switch) {
  for (const Statement& s : block) {
    if (s.kind == Statement::leave_loop && !in_loop && !in_switch) return false;
    if (s.kind == Statement::leave_trip && !in_loop) return false;
    if (s.kind == Statement::loop) {
      if (!is_legal(s.bodies[0], true, false) || !is_legal(s.bodies[1], false, false)) return false;
      continue;
    }
    const bool is_switch = s.kind == Statement::switch_statement;
    for (const Block& body : s.bodies) {
      if (!is_legal(body, in_loop, in_switch || is_switch)) return false;
    }
  }
  return true;
}

/// Tries smaller programs one after another.
class Shrinker {
 public:
  /// The smallest program found for which fails(program) still holds.
  template <class F>
  static Program shrunk(Program program, F&& fails) {
    int tries = 4000;
    for (bool smaller = true; smaller && tries > 0;) {
      smaller = false;
      for (int edit = 0; tries-- > 0;) {
        Program candidate = program;
        Shrinker shrinker(edit);
        shrinker.apply(candidate);
        if (shrinker.left_ >= 0) break;  // no more edits
        bool legal = true;
        for (const Block& f : candidate.functions) legal = legal && is_legal(f, false, false);
        if (legal && fails(candidate)) {
          program = std::move(candidate);
          smaller = true;
        } else {
          ++edit;
        }
      }
    }
    return program;
  }

 private:
  explicit Shrinker(int edit) : left_(edit) {}

  /// Whether to make this edit.
  bool now() { return left_-- == 0; }
  bool done() const { return left_ < 0; }

  void apply(Program& program) {
    for (std::size_t f = 1; f < program.functions.size(); ++f) {
      if (!program.functions[f].empty() && now()) return program.functions[f].clear();
    }
    for (Block& f : program.functions) {
      apply(f);
      if (done()) return;
    }
  }
  void apply(Block& block) {
    for (std::size_t k = 0; k < block.size(); ++k) {
      const auto here = block.begin() + static_cast<std::ptrdiff_t>(k);
      if (now()) {
        block.erase(here);
        return;
      }
      for (std::size_t b = 0; b < block[k].bodies.size(); ++b) {
        if (!now()) continue;
        const Block body = block[k].bodies[b];
        block.insert(block.erase(here), body.begin(), body.end());
        return;
      }
      apply(block[k]);
      if (done()) return;
    }
  }
  void apply(Statement& s) {
    if (s.kind == Statement::selection && s.bodies.size() > 1 && now()) {
      s.bodies.pop_back();
      s.conditions.resize(std::min(s.conditions.size(), s.bodies.size()));
      return;
    }
    if (s.kind == Statement::selection && s.conditions.size() > 1 && now()) {
      s.conditions.erase(s.conditions.begin());
      s.bodies.erase(s.bodies.begin());
      return;
    }
    for (std::size_t k = 0; k < s.cases.size(); ++k) {
      if (now()) {
        s.cases.erase(s.cases.begin() + static_cast<std::ptrdiff_t>(k));
        s.bodies.erase(s.bodies.begin() + static_cast<std::ptrdiff_t>(k));
        return;
      }
      if (s.cases[k].labels.size() > 1 && now()) return s.cases[k].labels.pop_back();
    }
    if (s.kind == Statement::loop && s.n > 1 && s.form != Statement::Form::endless && now()) {
      --s.n;
      return;
    }
    for (Condition& c : s.conditions) {
      apply(c);
      if (done()) return;
    }
    for (Block& body : s.bodies) {
      apply(body);
      if (done()) return;
    }
  }
  void apply(Condition& c) {
    for (std::size_t k = 0; k < c.parts.size(); ++k) {
      if (now()) {
        Condition part = c.parts[k];
        c = std::move(part);
        return;
      }
      apply(c.parts[k]);
      if (done()) return;
    }
  }

  int left_;
};

}  // namespace lockstep::test
