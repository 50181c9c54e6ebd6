#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "shader/run/program.hpp"

/// \file
/// Where a dispatch is that takes long: a thread asks, and the next loop that has run for long answers.

namespace lockstep::spirv {

// ---- Of tell_spin ----

inline std::atomic<bool> spin_asked = false;
[[gnu::cold, gnu::noinline]] void answer_spin(const Context& c);

/// Asks the dispatches of this process for loops that have run for long.
void ask_for_spin();
/// Whether one has answered.
bool has_spin();
/// The answers, and asks no more. Each is the line of a loop, who is in it, which memory it reads and what the other
/// subgroups of the workgroup wait for; the last says how many there are besides.
std::vector<std::string> take_spins();

/// Answers what was asked. The subgroup has stopped at the back edge of a loop.
inline void tell_spin(const Context& c) {
  if (spin_asked.load(std::memory_order_relaxed)) answer_spin(c);
}

}  // namespace lockstep::spirv
