#include "xor_reduce/xor_reduce.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace xor_reduce_case {

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  const auto fraction = [](std::uint64_t bits) {
    return static_cast<float>(bits >> 40) * 0x1p-24f;
  };
  return {input("x", random_values<float>(4 * n, seed, fraction)),
          input("additive", random_values<float>(n, seed + 1, [fraction](std::uint64_t bits) {
                  return fraction(bits) / 4;
                }))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[1]);
  if (size(inputs[0]) != 4 * n)
    throw InputError(fmt::format("the input x has {} elements and additive has {}; use four to one",
                                 size(inputs[0]), n));
  inputs.push_back(output<float>("data", 4 * n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<XorReduce, std430::vec4, float, std430::vec4>(
              "xor_reduce/xor_reduce.comp", workgroups_for<XorReduce>(n), {0, 1, 2})}};
}

// t * other + additive, with bounds of the rounding errors so far and of the result.
Expected combine(const Expected& t, const Expected& other, double additive) {
  const double product = t.value * other.value;
  const double inherited = std::abs(t.value) * other.slack + std::abs(other.value) * t.slack;
  return {product + additive,
          inherited * 1.01 + 2 * 0x1p-23 * (std::abs(product) + std::abs(additive))};
}

// One component of one subgroup, given its lanes' initial values.
std::vector<Expected> reduce(std::vector<Expected> now, const std::vector<double>& additive) {
  for (std::size_t step = 1; step < now.size(); step *= 2) {
    std::vector<Expected> next;
    for (std::size_t lane = 0; lane < now.size(); ++lane)
      next.push_back(combine(now[lane], now[lane ^ step], additive[lane]));
    now = next;
  }
  return now;
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto x = values<float>(before.arguments[0]);
  const auto additive = values<float>(before.arguments[1]);
  const auto size = static_cast<std::size_t>(before.subgroup_size);
  std::vector<Expected> want(x.size(), Expected{0, 0});
  for (std::size_t first = 0; first < additive.size(); first += size) {
    const std::size_t lanes = std::min(size, additive.size() - first);  // others start with zeros
    std::vector<double> add(size);
    for (std::size_t lane = 0; lane < lanes; ++lane) add[lane] = double{additive[first + lane]};
    for (std::size_t k = 0; k < 4; ++k) {
      std::vector<Expected> start(size, Expected{0, 0});
      for (std::size_t lane = 0; lane < lanes; ++lane)
        start[lane].value = double{x[4 * (first + lane) + k]};
      const auto result = reduce(start, add);
      for (std::size_t lane = 0; lane < lanes; ++lane) want[4 * (first + lane) + k] = result[lane];
    }
  }
  return difference("data", want, values<float>(after.arguments[2]));
}

}  // namespace xor_reduce_case
}  // namespace

Entry xor_reduce_entry() {
  using namespace xor_reduce_case;
  return {.name = "xor_reduce",
          .summary = "a hand-written reduction: lanes exchange values with lane ^ step",
          .source = source::tutorial,
          .undefined_at = needs_power_of_two,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
