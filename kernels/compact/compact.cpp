#include "compact/compact.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace compact_case {

using Int = std::int32_t;
using Uint = std::uint32_t;

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("objects", random_values<Int>(n, seed, [](std::uint64_t bits) {
                  return static_cast<Int>(static_cast<Uint>(bits));
                }))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  inputs.push_back(output<Uint>("counter", 1));
  inputs.push_back(output<Int>("out", n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<Compact, Int, Uint, Int>("compact/compact.comp",
                                                   workgroups_for<Compact>(n), {0, 1, 2})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  std::vector<Int> want;
  for (const Int object : values<Int>(before.arguments[0])) {
    if (object >= 0) want.push_back(object);
  }
  const std::vector<Uint> count = {static_cast<Uint>(want.size())};
  std::string wrong = difference("counter", count, values<Uint>(after.arguments[1]));
  if (!wrong.empty()) return wrong;
  const auto out = values<Int>(after.arguments[2]).first(want.size());
  std::vector<Int> got(out.begin(), out.end());
  std::ranges::sort(want);
  std::ranges::sort(got);
  return difference<Int>("sorted out", want, got);
}

}  // namespace compact_case
}  // namespace

Entry compact_entry() {
  using namespace compact_case;
  return {.name = "compact",
          .summary = "objects that pass a test move together, with one atomic per subgroup",
          .source = source::course,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
