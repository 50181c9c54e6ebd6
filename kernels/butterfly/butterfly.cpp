#include "butterfly/butterfly.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace butterfly_case {

using Uint = std::uint32_t;

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("values", random_values(n, seed))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  inputs.push_back(output<Uint>("total", 1));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<Butterfly, Uint, Uint>("butterfly/butterfly.comp",
                                                 workgroups_for<Butterfly>(n), {0, 1})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  Uint total = 0;
  for (const Uint x : values<Uint>(before.arguments[0])) total += x;
  return difference("total", std::vector{total}, values<Uint>(after.arguments[1]));
}

}  // namespace butterfly_case
}  // namespace

Entry butterfly_entry() {
  using namespace butterfly_case;
  return {.name = "butterfly",
          .summary = "a sum by shuffles with ever nearer lanes",
          .source = source::none,
          .undefined_at = needs_power_of_two,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
