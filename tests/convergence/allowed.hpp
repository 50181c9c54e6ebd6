#pragma once

#include "convergence/expected.hpp"
#include "convergence/reference.hpp"

/// \file
/// What the reference allows machines to log.

namespace lockstep::test {

/// Exactly what the reference logged.
inline AllowedLog exactly(const Reference& reference, bool active_is_known) {
  AllowedLog log(reference.lanes.size());
  for (std::size_t i = 0; i < log.size(); ++i) {
    for (const Passed& p : reference.lanes[i].logs) {
      log[i].push_back({p.site, p.together, p.together, {}});
      if (active_is_known) log[i].back().active = p.together;
    }
  }
  return log;
}

/// Each tangle between those of two references.
inline AllowedLog between(const Reference& least, const Reference& most) {
  AllowedLog log = exactly(most, true);
  for (std::size_t i = 0; i < log.size(); ++i) {
    for (std::size_t k = 0; k < log[i].size(); ++k)
      log[i][k].least = least.lanes[i].logs[k].together;
  }
  return log;
}

inline bool has_switch(const Program& program) {
  bool found = false;
  for (const Block& f : program.functions) {
    for_each_statement(
        f, [&](const Statement& s) { found = found || s.kind == Statement::switch_statement; });
  }
  return found;
}

}  // namespace lockstep::test
