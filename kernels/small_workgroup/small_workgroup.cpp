#include "small_workgroup/small_workgroup.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace small_workgroup_case {

using Uint = std::uint32_t;

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("values", random_values(n, seed))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  inputs.push_back(output<Uint>("squares", n));
  inputs.push_back(output<Uint>("lanes", n));
  return {
      .subgroup_size = subgroup_size,
      .arguments = std::move(inputs),
      .passes = {pass<SmallWorkgroup, Uint, Uint, Uint>(
          "small_workgroup/small_workgroup.comp", workgroups_for<SmallWorkgroup>(n), {0, 1, 2})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  std::vector<Uint> squares;
  for (const Uint x : values<Uint>(before.arguments[0])) squares.push_back(x * x);
  const std::string wrong = difference("squares", squares, values<Uint>(after.arguments[1]));
  if (!wrong.empty()) return wrong;
  const std::vector<Uint> lanes(squares.size(), 1);
  return difference("lanes", lanes, values<Uint>(after.arguments[2]));
}

}  // namespace small_workgroup_case
}  // namespace

Entry small_workgroup_entry() {
  using namespace small_workgroup_case;
  return {.name = "small_workgroup",
          .summary = "workgroups of one invocation: no other lane exists",
          .source = source::tutorial,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
