#include <collatz/collatz.hpp>

#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;
using Numbers = std::vector<std::uint32_t>;

Numbers steps_of(const Numbers& numbers) {
  Numbers steps;
  for (std::uint32_t n : numbers) {
    steps.push_back(0);
    while (n > 1) {
      n = n % 2 == 0 ? n / 2 : 3 * n + 1;
      ++steps.back();
    }
  }
  return steps;
}

TEST_CASE("collatz counts each lane's own steps") {
  for (const std::size_t count : {0u, 1u, 63u, 64u, 1000u}) {
    Numbers numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    for (const int size : {1, 8, 24, 32, 128}) {
      Numbers steps(count, 999);
      kernels::collatz<1, 24, 32, 128>(numbers, steps, Device{.subgroup_size = size});
      INFO(count << " numbers, subgroup size " << size);
      CHECK(steps == steps_of(numbers));
    }
  }
}

TEST_CASE("collatz of large numbers") {
  const Numbers numbers = {27, 97, 871, 6171, 77031, 113383, 159486};
  Numbers steps(numbers.size());
  kernels::collatz<8>(numbers, steps, Device{.subgroup_size = 8});
  CHECK(steps == steps_of(numbers));
  CHECK(steps[0] == 111);
}

TEST_CASE("collatz takes the same steps whatever rejoins") {
  Numbers numbers(100), steps(100);
  std::iota(numbers.begin(), numbers.end(), 1u);
  Chooser chooser = Chooser::rejoin_none();
  const Convergence convergence{.rule = Rule::core, .chooser = &chooser};
  Device{.subgroup_size = 8}.dispatch<kernels::Collatz, 8>(convergence, {2}, numbers, steps);
  CHECK(steps == steps_of(numbers));
}

}  // namespace
