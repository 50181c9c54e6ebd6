#include "quarter_ballot/quarter_ballot.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace quarter_ballot_case {

using Int = std::int32_t;
using Uint = std::uint32_t;

// Runs of equal values, so that subgroups vote in all ways. The numbers are small: nothing overflows.
std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  std::vector<Int> foo = random_below<Int>(n, seed, 1000);
  std::vector<Int> bar = random_below<Int>(n, seed + 1, 1000);
  for (std::size_t i = 0; i < n; ++i) {
    if (i / 150 % 3 == 0) foo[i] -= 1000;
    if (i / 150 % 3 == 1) bar[i] -= 600;
  }
  return {input("foo", std::move(foo)), input("bar", std::move(bar))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  require_same_size(inputs);
  const std::size_t n = size(inputs[0]);
  inputs.push_back(output<Int>("out", n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<QuarterBallot, Int, Int, Int>(
              "quarter_ballot/quarter_ballot.comp", workgroups_for<QuarterBallot>(n), {0, 1, 2})}};
}

// As in GLSL: numbers wrap around.
Int way_x(Int a, Int b) { return static_cast<Int>(static_cast<Uint>(b) - static_cast<Uint>(a)); }
Int way_y(Int a, Int b) {
  return static_cast<Int>((static_cast<Uint>(a) - static_cast<Uint>(b)) * 3);
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto foo = values<Int>(before.arguments[0]);
  const auto bar = values<Int>(before.arguments[1]);
  std::vector<Int> want;
  for_each_subgroup(foo.size(), 128, before.subgroup_size, [&](std::size_t first, std::size_t n) {
    int wanting = 0;
    for (std::size_t i = first; i < first + n; ++i) wanting += foo[i] < bar[i] ? 1 : 0;
    const bool enough = wanting * 4 >= before.subgroup_size;
    for (std::size_t i = first; i < first + n; ++i) {
      want.push_back(enough ? way_x(foo[i], bar[i]) : way_y(foo[i], bar[i]));
    }
  });
  return difference("out", want, values<Int>(after.arguments[2]));
}

}  // namespace quarter_ballot_case
}  // namespace

Entry quarter_ballot_entry() {
  using namespace quarter_ballot_case;
  return {.name = "quarter_ballot",
          .summary = "all lanes take the branch that a quarter of the subgroup chooses",
          .source = source::tutorial,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
