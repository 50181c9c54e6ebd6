#include "butterfly/butterfly.hpp"

#include "registry/check.hpp"
#include "registry/inputs.hpp"
#include "registry/passes.hpp"

namespace lockstep::kernels {
namespace {
namespace butterfly_job {

using Uint = std::uint32_t;

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("values", random_values(n, seed))};
}

Job make_job(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  inputs.push_back(output<Uint>("total", 1));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<Butterfly, Uint, Uint>("butterfly/butterfly.comp",
                                                 workgroups_for<Butterfly>(n), {0, 1})}};
}

std::string check(const Job& before, const Job& after) {
  Uint total = 0;
  for (const Uint x : values<Uint>(before.arguments[0])) total += x;
  return difference("total", std::vector{total}, values<Uint>(after.arguments[1]));
}

}  // namespace butterfly_job
}  // namespace

Entry butterfly_entry() {
  using namespace butterfly_job;
  return {.name = "butterfly",
          .summary = "a sum by shuffles with ever nearer lanes",
          .source = source::none,
          .undefined_at = needs_power_of_two,
          .make_input = make_input,
          .make_job = make_job,
          .check = check};
}

}  // namespace lockstep::kernels
