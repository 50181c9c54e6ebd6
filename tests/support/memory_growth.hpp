#pragma once

#include <cstddef>
#include <fstream>
#include <thread>
#include <vector>

#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
/// Of AddressSanitizer; g++ comes without its header.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

/// \file
/// How much memory repeated work takes for good.

namespace lockstep::test {

/// Bytes that this process has in memory; 0 where the system does not say. AddressSanitizer keeps freed memory for a
/// while: with it, the bytes that are allocated.
inline std::size_t memory_in_use() {
#if defined(__SANITIZE_ADDRESS__)
  return __sanitizer_get_current_allocated_bytes();
#else
  std::ifstream pages("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  pages >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
#endif
}

/// Calls work(thread) `times` times on each of so many threads at once.
template <class F>
void repeat_on_threads(int threads, int times, const F& work) {
  std::vector<std::jthread> running;
  for (int thread = 0; thread < threads; ++thread)
    running.emplace_back([&work, thread, times] {
      for (int k = 0; k < times; ++k) work(thread);
    });
}

/// The bytes that calls take for good, after as many calls that may set up what later ones use.
template <class F>
std::ptrdiff_t memory_growth(int threads, int times, const F& work) {
  repeat_on_threads(threads, times, work);
  const std::size_t before = memory_in_use();
  repeat_on_threads(threads, times, work);
  return static_cast<std::ptrdiff_t>(memory_in_use()) - static_cast<std::ptrdiff_t>(before);
}

}  // namespace lockstep::test
