#include "vote/vote.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace vote_case {

using Int = std::int32_t;
using Uint = std::uint32_t;

// Runs of equal values, so that subgroups vote in all ways. The numbers are small: nothing overflows.
std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  std::vector<Int> foo = random_below<Int>(n, seed, 1000);
  std::vector<Int> bar = random_below<Int>(n, seed + 1, 1000);
  for (std::size_t i = 0; i < n; ++i) {
    if (i / 150 % 3 == 0) foo[i] -= 1000;
    if (i / 150 % 3 == 1) bar[i] -= 1000;
  }
  return {input("foo", std::move(foo)), input("bar", std::move(bar))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  require_same_size(inputs);
  const std::size_t n = size(inputs[0]);
  inputs.push_back(output<Int>("out", n));
  inputs.push_back(output<Uint>("path", n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<Vote, Int, Int, Int, Uint>("vote/vote.comp", workgroups_for<Vote>(n),
                                                     {0, 1, 2, 3})}};
}

// As in GLSL: numbers wrap around.
Int way_x(Int a, Int b) { return static_cast<Int>(static_cast<Uint>(b) - static_cast<Uint>(a)); }
Int way_y(Int a, Int b) {
  return static_cast<Int>((static_cast<Uint>(a) - static_cast<Uint>(b)) * 3);
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto foo = values<Int>(before.arguments[0]);
  const auto bar = values<Int>(before.arguments[1]);
  std::vector<Int> out;
  std::vector<Uint> path;
  for_each_subgroup(foo.size(), 128, before.subgroup_size, [&](std::size_t first, std::size_t n) {
    std::size_t wanting = 0;
    for (std::size_t i = first; i < first + n; ++i) {
      wanting += foo[i] < bar[i] ? 1 : 0;
      out.push_back(foo[i] < bar[i] ? way_x(foo[i], bar[i]) : way_y(foo[i], bar[i]));
    }
    path.insert(path.end(), n, wanting == n ? 0u : wanting == 0 ? 1u : 2u);
  });
  const std::string wrong = difference("out", out, values<Int>(after.arguments[2]));
  if (!wrong.empty()) return wrong;
  return difference("path", path, values<Uint>(after.arguments[3]));
}

}  // namespace vote_case
}  // namespace

Entry vote_entry() {
  using namespace vote_case;
  return {.name = "vote",
          .summary = "a subgroup that agrees takes one side of a branch, a mixed one both",
          .source = source::tutorial,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
