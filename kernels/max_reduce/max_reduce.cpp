#include "max_reduce/max_reduce.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace max_reduce_case {

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("values", random_values(n, seed))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const Size3 workgroups = workgroups_for<MaxReduce>(size(inputs[0]));
  inputs.push_back(output<std::uint32_t>("maximum", 1));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<MaxReduce, std::uint32_t, std::uint32_t>("max_reduce/max_reduce.comp",
                                                                   workgroups, {0, 1})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  std::uint32_t largest = 0;
  for (const std::uint32_t x : values<std::uint32_t>(before.arguments[0])) {
    largest = std::max(largest, x);
  }
  return difference("maximum", std::vector{largest}, values<std::uint32_t>(after.arguments[1]));
}

}  // namespace max_reduce_case
}  // namespace

Entry max_reduce_entry() {
  using namespace max_reduce_case;
  return {.name = "max_reduce",
          .summary = "the maximum of an array, with one atomic per subgroup",
          .source = source::tutorial,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
