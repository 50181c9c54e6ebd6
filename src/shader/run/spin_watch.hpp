#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "shader/run/program.hpp"

/// \file
/// Where a dispatch is that takes long: a thread asks, and the next loop that has run for long answers.

namespace lockstep::spirv {

namespace detail {
inline std::atomic<bool> spin_asked = false;
[[gnu::cold, gnu::noinline]] void answer_spin(const Context& c);
}  // namespace detail

/// Asks the dispatches of this process for a loop that has run for long.
void ask_for_spin();
/// The answer, once: the line of the loop, who is in it and which memory it reads; nothing until there is one.
std::optional<std::string> take_spin();

/// Answers what was asked. The subgroup has stopped at the back edge of a loop.
inline void tell_spin(const Context& c) {
  if (detail::spin_asked.load(std::memory_order_relaxed)) detail::answer_spin(c);
}

}  // namespace lockstep::spirv
