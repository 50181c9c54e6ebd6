#include "subgroup_scan/subgroup_scan.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace subgroup_scan_case {

// Integers: every sum is exact.
std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("values", random_below<float>(n, seed, 1000))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  for (const char* name : {"loop_inclusive", "loop_exclusive", "inclusive", "exclusive"}) {
    inputs.push_back(output<float>(name, n));
  }
  return {
      .subgroup_size = subgroup_size,
      .arguments = std::move(inputs),
      .passes = {pass<SubgroupScan, float, float, float, float, float>(
          "subgroup_scan/subgroup_scan.comp", workgroups_for<SubgroupScan>(n), {0, 1, 2, 3, 4})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto in = values<float>(before.arguments[0]);
  std::vector<Expected> inclusive, exclusive;
  for_each_subgroup(in.size(), 128, before.subgroup_size, [&](std::size_t first, std::size_t n) {
    double sum = 0, magnitude = 0;
    for (std::size_t i = first; i < first + n; ++i) {
      const auto slack = [&] { return static_cast<double>(n) * 0x1p-23 * magnitude; };
      exclusive.push_back({sum, slack()});
      sum += double{in[i]};
      magnitude += std::abs(double{in[i]});
      inclusive.push_back({sum, slack()});
    }
  });
  for (std::size_t k = 1; k < after.arguments.size(); ++k) {
    const Argument& out = after.arguments[k];
    const std::string wrong =
        difference(out.name, k % 2 == 1 ? inclusive : exclusive, values<float>(out));
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace subgroup_scan_case
}  // namespace

Entry subgroup_scan_entry() {
  using namespace subgroup_scan_case;
  return {.name = "subgroup_scan",
          .summary = "scans of a subgroup, by a loop and by the built-ins",
          .source = source::tutorial,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
