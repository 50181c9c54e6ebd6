#include <lockstep/testing/for_each_size.hpp>

#include <exception>
#include <string>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep {
namespace {

std::string failure_text(int first, int size, const std::string& wrong) {
  std::string passed;
  if (size == first + 1) passed = fmt::format(" (size {} passed)", first);
  if (size > first + 1) passed = fmt::format(" (sizes {} to {} passed)", first, size - 1);
  return fmt::format("subgroup size {} is the smallest that fails{}: {}", size, passed, wrong);
}

}  // namespace

void run_sizes(int first, int last, bool (*test)(void* context, int size), void* context) {
  if (first < 1 || last > max_subgroup_size || first > last)
    throw Error(fmt::format("for_each_size: {} to {} are not subgroup sizes; use 1 to {}", first,
                            last, max_subgroup_size));
  for (int size = first; size <= last; ++size) {
    std::string wrong;
    try {
      const WatchedTest watching(fmt::format("at subgroup size {}", size));
      if (!test(context, size)) wrong = "the test returned false";
      if (watching.failed()) return;
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    if (!wrong.empty()) throw Error(failure_text(first, size, wrong));
  }
}

}  // namespace lockstep
