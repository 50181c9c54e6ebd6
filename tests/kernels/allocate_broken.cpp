#include <allocate_broken/allocate_broken.hpp>

#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using Numbers = std::vector<std::uint32_t>;

struct Allocated {
  std::uint32_t slots;
  Numbers data;
};

/// One workgroup of which invocation i has the value i + 1.
Allocated allocate(Rule rule, Chooser chooser, int size) {
  Numbers in(128), free_slot(1), data(64, 999);
  for (std::uint32_t i = 0; i < 128; ++i) in[i] = i + 1;
  const Convergence convergence{.rule = rule, .chooser = &chooser};
  const FaultLog faults =
      Device{.subgroup_size = size}.dispatch<kernels::AllocateBroken, LOCKSTEP_TEST_WIDTHS>(
          convergence, {1}, in, free_slot, data);
  CHECK(faults.count() == 0);
  return {free_slot[0], data};
}

Numbers even_values() {
  Numbers even;
  for (std::uint32_t value = 2; value <= 128; value += 2) even.push_back(value);
  return even;
}

TEST_CASE("the broken allocation is right as long as lanes happen to rejoin") {
  for (const int size : {2, 8, 32, 100, 128}) {
    for (const auto& [rule, chooser] : {std::pair(Rule::maximal, Chooser::rejoin_none()),
                                        std::pair(Rule::subgroup_uniform, Chooser::rejoin_all()),
                                        std::pair(Rule::core, Chooser::rejoin_all())}) {
      const Allocated got = allocate(rule, chooser, size);
      INFO(to_string(rule) << ", subgroup size " << size);
      CHECK(got.slots == 64);
      Numbers sorted = got.data;
      std::sort(sorted.begin(), sorted.end());
      CHECK(sorted == even_values());
    }
  }
}

TEST_CASE(
    "where the elected lane does not rejoin, the others write over slots that are not theirs") {
  for (const Rule rule : {Rule::core, Rule::subgroup_uniform}) {
    INFO(to_string(rule));
    const Allocated got = allocate(rule, Chooser::rejoin_none(), 8);
    CHECK(got.slots == 64);  // the counter is right
    // In each subgroup of 8, lane 1 is elected and writes its first slot; lanes 3, 5 and 7 broadcast
    // the base of lane 3, which is 0: slots 1 to 3 again and again, the last subgroup's values last.
    Numbers want(64, 999);
    for (std::uint32_t s = 0; s < 16; ++s) want[s * 4] = s * 8 + 2;
    want[1] = 124;
    want[2] = 126;
    want[3] = 128;
    CHECK(got.data == want);
  }
}

}  // namespace
