#include "shuffle_blend/shuffle_blend.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace shuffle_blend_case {

using Uint = std::uint32_t;

// Integers and quarters: every blend is exact.
std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("index", random_values(n, seed)),
          input("x", random_below<float>(4 * n, seed + 1, 1000)),
          input("blend_factor", random_values<float>(n, seed + 2, [](std::uint64_t bits) {
                  return static_cast<float>(bits % 5) / 4;
                }))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  if (size(inputs[1]) != 4 * n || size(inputs[2]) != n)
    throw InputError(fmt::format(
        "the inputs have {}, {} and {} elements; use n indices, 4 n numbers x and n blend factors",
        n, size(inputs[1]), size(inputs[2])));
  inputs.push_back(output<float>("data", 4 * n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<ShuffleBlend, Uint, std430::vec4, float, std430::vec4>(
              "shuffle_blend/shuffle_blend.comp", workgroups_for<ShuffleBlend>(n), {0, 1, 2, 3})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto index = values<Uint>(before.arguments[0]);
  const auto x = values<float>(before.arguments[1]);
  const auto factor = values<float>(before.arguments[2]);
  std::vector<Expected> want;
  for_each_subgroup(index.size(), 128, before.subgroup_size, [&](std::size_t first, std::size_t n) {
    for (std::size_t i = first; i < first + n; ++i) {
      const std::size_t other = first + index[i] % n;
      for (std::size_t k = 0; k < 4; ++k) {
        const double a = double{x[4 * i + k]} * (1 - double{factor[i]});
        const double b = double{x[4 * other + k]} * double{factor[i]};
        want.push_back({a + b, 4 * 0x1p-23 * (std::abs(a) + std::abs(b))});
      }
    }
  });
  return difference("data", want, values<float>(after.arguments[3]));
}

}  // namespace shuffle_blend_case
}  // namespace

Entry shuffle_blend_entry() {
  using namespace shuffle_blend_case;
  return {.name = "shuffle_blend",
          .summary = "each lane blends its vector with another lane's",
          .source = source::tutorial,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
