#include "prefix_sum_lookback/prefix_sum_lookback.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace prefix_sum_lookback_case {

using Uint = std::uint32_t;

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("in", random_values(n, seed))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  const Size3 tiles = workgroups_for<PrefixSumLookback>(n);
  inputs.push_back(output<Uint>("out", n));
  inputs.push_back(scratch<Uint>("next_tile", 1));
  for (const char* name : {"states", "totals", "sums"}) {
    inputs.push_back(scratch<Uint>(name, tiles.x));
  }
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<PrefixSumLookback, Uint, Uint, Uint, Uint, Uint, Uint>(
              "prefix_sum_lookback/prefix_sum_lookback.comp", tiles, {0, 1, 2, 3, 4, 5})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  std::vector<Uint> want;
  Uint sum = 0;
  for (const Uint x : values<Uint>(before.arguments[0])) want.push_back(sum += x);
  return difference("out", want, values<Uint>(after.arguments[1]));
}

}  // namespace prefix_sum_lookback_case
}  // namespace

Entry prefix_sum_lookback_entry() {
  using namespace prefix_sum_lookback_case;
  return {.name = "prefix_sum_lookback",
          .summary = "inclusive scan in one pass, with decoupled look-back",
          .source = source::blog,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
