#pragma once

#include <cstddef>
#include <functional>

namespace lockstep {

/// Calls body(begin, end) on up to so many threads, for ranges that together are exactly [0, count). Returns when all
/// calls have. Requires that the body throws nothing, and that no more threads are asked for than are available.
void run_on_threads(std::size_t count, int threads,
                    const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace lockstep
