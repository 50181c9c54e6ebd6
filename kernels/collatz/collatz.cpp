#include "collatz/collatz.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace collatz_case {

using Uint = std::uint32_t;

// The first number whose sequence exceeds 32 bits.
constexpr Uint first_too_large = 159487;

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("numbers", random_below<Uint>(n, seed, first_too_large))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  for (const Uint number : values<Uint>(inputs[0])) {
    if (number >= first_too_large)
      throw InputError(fmt::format(
          "the input numbers has {}, whose sequence may exceed 32 bits; use numbers below {}",
          number, first_too_large));
  }
  inputs.push_back(output<Uint>("steps", n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<Collatz, Uint, Uint>("collatz/collatz.comp", workgroups_for<Collatz>(n),
                                               {0, 1})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  std::vector<Uint> want;
  for (std::uint64_t n : values<Uint>(before.arguments[0])) {
    Uint steps = 0;
    for (; n > 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    want.push_back(steps);
  }
  return difference("steps", want, values<Uint>(after.arguments[1]));
}

}  // namespace collatz_case
}  // namespace

Entry collatz_entry() {
  using namespace collatz_case;
  return {.name = "collatz",
          .summary = "steps from each number to 1: lanes differ in their number of iterations",
          .source = source::none,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
