#include <allocate_nonuniform/allocate_nonuniform.hpp>

#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include <allocate/allocate.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using Numbers = std::vector<std::uint32_t>;

/// The stored ones of the values 1 to n, in ascending order; missing values were not stored.
template <template <class> class K>
Numbers allocate(Rule rule, Chooser chooser, int size, std::uint32_t n) {
  Numbers in(n), free_slot(1), data(n / 2);
  for (std::uint32_t i = 0; i < n; ++i) in[i] = i + 1;
  const Convergence convergence{.rule = rule, .chooser = &chooser};
  Device{.subgroup_size = size}.dispatch<K, LOCKSTEP_TEST_WIDTHS>(convergence, {(n + 127) / 128},
                                                                  in, free_slot, data);
  CHECK(free_slot[0] == n / 2);
  std::sort(data.begin(), data.end());
  return data;
}

Numbers even_values(std::uint32_t n) {
  Numbers even;
  for (std::uint32_t value = 2; value <= n; value += 2) even.push_back(value);
  return even;
}

std::vector<Chooser> choosers() {
  std::vector<Chooser> all = {Chooser::rejoin_all(), Chooser::rejoin_none()};
  for (std::uint64_t seed = 0; seed < 8; ++seed) all.push_back(Chooser::random(seed));
  return all;
}

TEST_CASE("the repaired allocation is right under subgroup_uniform, whatever the chooser") {
  for (const std::uint32_t n : {300u, 301u, 384u}) {
    for (const int size : {2, 8, 24, 128}) {
      for (const Chooser& chooser : choosers()) {
        INFO("values " << n << ", subgroup size " << size);
        CHECK(allocate<kernels::Allocate>(Rule::subgroup_uniform, chooser, size, n) ==
              even_values(n));
      }
    }
  }
}

TEST_CASE("but not without the extension: Vulkan's own promise is void where subgroups differ") {
  // Values 1 to 260: the last workgroup has subgroups with nothing to store, others with.
  CHECK(allocate<kernels::Allocate>(Rule::core, Chooser::rejoin_none(), 8, 260) !=
        even_values(260));
  CHECK(allocate<kernels::Allocate>(Rule::core, Chooser::rejoin_all(), 8, 260) == even_values(260));
}

TEST_CASE("its caveat: inside a selection that only part of the subgroup enters, it fails") {
  // 260 values and subgroups of 8: the last one has values in half of its lanes.
  const Rule rule = Rule::subgroup_uniform;
  CHECK(allocate<kernels::AllocateNonuniform>(rule, Chooser::rejoin_none(), 8, 260) !=
        even_values(260));
  CHECK(allocate<kernels::AllocateNonuniform>(rule, Chooser::rejoin_all(), 8, 260) ==
        even_values(260));
  CHECK(allocate<kernels::AllocateNonuniform>(Rule::maximal, Chooser::rejoin_none(), 8, 260) ==
        even_values(260));
  // Whole subgroups hide the problem.
  CHECK(allocate<kernels::AllocateNonuniform>(rule, Chooser::rejoin_none(), 8, 264) ==
        even_values(264));
}

}  // namespace
