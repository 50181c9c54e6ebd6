#pragma once

#include <cstddef>

namespace lockstep {

/// Calls body(context, begin, end) on ranges that together are exactly [0, count), in parallel.
///
/// Requires      body may run on several threads at once. threads: at most that many; 0 for all of
///               the machine; 1 for one call in this thread, in order.
/// Active lanes  None.
/// Errors        The first exception that a body throws comes out here, after the others have
///               stopped.
/// Cost          A few microseconds to hand out the ranges.
/// Spec          None.
/// Example       tests/dispatch/parallel.cpp
void parallel_ranges(std::size_t count, int threads, void (*body)(void*, std::size_t, std::size_t),
                     void* context);

}  // namespace lockstep
