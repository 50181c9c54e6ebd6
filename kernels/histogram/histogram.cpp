#include "histogram/histogram.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace histogram_case {

using Uint = std::uint32_t;

// Values cluster, as in pictures.
std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("values", random_values<Uint>(n, seed, [](std::uint64_t bits) {
                  return static_cast<Uint>(bits % 200 + (bits >> 32) % 100);
                }))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const auto workgroups =
      static_cast<Uint>((size(inputs[0]) + histogram_part - 1) / histogram_part);
  inputs.push_back(output<Uint>("bins", histogram_bins));
  return {
      .subgroup_size = subgroup_size,
      .arguments = std::move(inputs),
      .passes = {pass<Histogram, Uint, Uint>("histogram/histogram.comp", {workgroups}, {0, 1})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  std::vector<Uint> want(256);
  for (const Uint x : values<Uint>(before.arguments[0])) ++want[x % 256];
  return difference("bins", want, values<Uint>(after.arguments[1]));
}

}  // namespace histogram_case
}  // namespace

Entry histogram_entry() {
  using namespace histogram_case;
  return {.name = "histogram",
          .summary = "counts in shared memory, then one atomic per bin and workgroup",
          .source = source::none,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
