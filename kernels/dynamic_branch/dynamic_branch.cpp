#include "dynamic_branch/dynamic_branch.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace dynamic_branch_case {

// Integers: every operation is exact.
std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("in", random_values<float>(n, seed, [](std::uint64_t bits) {
                  return static_cast<float>(bits % 2001) - 1000.0f;
                }))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  inputs.push_back(output<float>("out", n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<DynamicBranch, float, float>("dynamic_branch/dynamic_branch.comp",
                                                       workgroups_for<DynamicBranch>(n), {0, 1})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  std::vector<float> want;
  for (const float x : values<float>(before.arguments[0])) {
    want.push_back(x < 0 ? x * -1.0f + 42.0f : x - 13.0f);
  }
  return difference("out", want, values<float>(after.arguments[1]));
}

}  // namespace dynamic_branch_case
}  // namespace

Entry dynamic_branch_entry() {
  using namespace dynamic_branch_case;
  return {.name = "dynamic_branch",
          .summary = "a selection whose sides run one after the other",
          .source = source::tutorial,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
