#include "saxpy/saxpy.hpp"

#include "registry/inputs.hpp"
#include "registry/list.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace saxpy_case {

constexpr float a = 2.5f;

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  const auto number = [](std::uint64_t bits) {
    return static_cast<float>(static_cast<std::int64_t>(bits % 2000001) - 1000000) / 1024;
  };
  return {input("x", random_values<float>(n, seed, number)),
          input("y", random_values<float>(n, seed + 1, number))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  require_same_size(inputs);
  const std::size_t n = size(inputs[0]);
  inputs[1].role = Role::output;
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<Saxpy, float, float>("saxpy/saxpy.comp", workgroups_for<Saxpy>(n), {0, 1},
                                               SaxpyConstants{a})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto x = values<float>(before.arguments[0]);
  const auto y = values<float>(before.arguments[1]);
  std::vector<Expected> want;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double product = double{a} * double{x[i]};
    // Two roundings, or one on a device that fuses them.
    want.push_back(
        {product + double{y[i]}, 0x1p-23 * (std::abs(product) + std::abs(double{y[i]}))});
  }
  return difference("y", want, values<float>(after.arguments[1]));
}

}  // namespace saxpy_case
}  // namespace

Entry saxpy_entry() {
  using namespace saxpy_case;
  return {.name = "saxpy",
          .summary = "a x + y: memory traffic only, for measurements",
          .source = source::none,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
