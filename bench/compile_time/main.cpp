#include <cstdio>

#include "tests.hpp"

/// Runs each test at each subgroup size that its kernel works with.
int main() {
  struct Test {
    const char* name;
    bool (*run)(const lockstep::Device&);
    int smallest;
  };
  int failed = 0;
  for (const auto& [name, run, smallest] :
       {Test{"ballots", test_ballots, 1}, Test{"histogram", test_histogram, 1},
        Test{"loops", test_loops, 1}, Test{"reduce", test_reduce, 1}, Test{"scan", test_scan, 1},
        Test{"shuffles", test_shuffles, 4}, Test{"structs", test_structs, 1},
        Test{"vectors", test_vectors, 1}}) {
    for (int size = smallest; size <= 128; size *= 2) {
      if (run(lockstep::Device{.subgroup_size = size})) continue;
      std::printf("%s fails at subgroup size %d\n", name, size);
      ++failed;
    }
  }
  return failed;
}
