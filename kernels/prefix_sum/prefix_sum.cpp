#include "prefix_sum/prefix_sum.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace prefix_sum_case {

using Uint = std::uint32_t;

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("in", random_values(n, seed))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  const Size3 workgroups = workgroups_for<ScanWorkgroups>(n);
  inputs.push_back(output<Uint>("out", n));
  inputs.push_back(scratch<Uint>("workgroup_totals", workgroups.x));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {
              pass<ScanWorkgroups, Uint, Uint, Uint>("prefix_sum/prefix_sum.comp", workgroups,
                                                     {0, 1, 2}),
              pass<ScanWorkgroupTotals, Uint>("prefix_sum/prefix_sum_totals.comp", {1}, {2}),
              pass<AddWorkgroupOffsets, Uint, Uint>("prefix_sum/prefix_sum_offsets.comp",
                                                    workgroups, {2, 1}),
          }};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  std::vector<Uint> want;
  Uint sum = 0;
  for (const Uint x : values<Uint>(before.arguments[0])) want.push_back(sum += x);
  return difference("out", want, values<Uint>(after.arguments[1]));
}

}  // namespace prefix_sum_case
}  // namespace

Entry prefix_sum_entry() {
  using namespace prefix_sum_case;
  return {.name = "prefix_sum",
          .summary = "inclusive scan of an array: subgroups, workgroups, a final pass",
          .source = source::blog,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
