#include "strided_scan/strided_scan.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace strided_scan_case {

// Powers of two around one: every product is exact, and none leaves the range of float.
std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("x", random_values<float>(4 * n, seed, [](std::uint64_t bits) {
                  constexpr float factors[] = {0.5f, 1.0f, -1.0f, 2.0f};
                  return factors[bits % 4];
                }))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  require_multiple(inputs[0], 4, "vec4");
  const std::size_t n = size(inputs[0]) / 4;
  inputs.push_back(output<float>("data", 4 * n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<StridedScan, std430::vec4, std430::vec4>(
              "strided_scan/strided_scan.comp", workgroups_for<StridedScan>(n), {0, 1})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto x = values<float>(before.arguments[0]);
  std::vector<Expected> want;
  for_each_subgroup(x.size() / 4, 128, before.subgroup_size, [&](std::size_t first, std::size_t n) {
    for (std::size_t i = first; i < first + n; ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        double product = 1;
        for (std::size_t j = first + (i - first) % 2; j <= i; j += 2)
          product *= double{x[4 * j + k]};
        want.push_back(Expected::after(n, product));
      }
    }
  });
  return difference("data", want, values<float>(after.arguments[1]));
}

}  // namespace strided_scan_case
}  // namespace

Entry strided_scan_entry() {
  using namespace strided_scan_case;
  return {.name = "strided_scan",
          .summary = "a hand-written scan: even and odd lanes separately",
          .source = source::tutorial,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
