#include "bitonic_sort/bitonic_sort.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace bitonic_sort_case {

using Uint = std::uint32_t;

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("keys", random_values(n, seed))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  inputs.push_back(output<Uint>("sorted", n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<BitonicSort, Uint, Uint>("bitonic_sort/bitonic_sort.comp",
                                                   workgroups_for<BitonicSort>(n), {0, 1})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto keys = values<Uint>(before.arguments[0]);
  std::vector<Uint> want(keys.begin(), keys.end());
  for_each_subgroup(want.size(), 128, before.subgroup_size, [&](std::size_t first, std::size_t n) {
    const auto begin = want.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, begin + static_cast<std::ptrdiff_t>(n));
  });
  return difference("sorted", want, values<Uint>(after.arguments[1]));
}

}  // namespace bitonic_sort_case
}  // namespace

Entry bitonic_sort_entry() {
  using namespace bitonic_sort_case;
  return {.name = "bitonic_sort",
          .summary = "each subgroup sorts its keys by a network of shuffles",
          .source = source::none,
          .undefined_at = needs_power_of_two,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
