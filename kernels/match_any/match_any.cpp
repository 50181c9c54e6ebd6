#include "match_any/match_any.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace match_any_case {

using Uint = std::uint32_t;

constexpr std::size_t keys_in_all = 64;

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("keys", random_below<Uint>(n, seed, keys_in_all)),
          input("values", random_values(n, seed + 1))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  require_same_size(inputs);
  const std::size_t n = size(inputs[0]);
  for (const Uint key : values<Uint>(inputs[0])) {
    if (key >= keys_in_all)
      throw InputError(
          fmt::format("the input keys has {}; use keys from 0 to {}", key, keys_in_all - 1));
  }
  inputs.push_back(output<Uint>("sums", keys_in_all));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<MatchAny, Uint, Uint, Uint>("match_any/match_any.comp",
                                                      workgroups_for<MatchAny>(n), {0, 1, 2})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto keys = values<Uint>(before.arguments[0]);
  const auto added = values<Uint>(before.arguments[1]);
  std::vector<Uint> want(keys_in_all);
  for (std::size_t i = 0; i < keys.size(); ++i) want[keys[i]] += added[i];
  return difference("sums", want, values<Uint>(after.arguments[2]));
}

}  // namespace match_any_case
}  // namespace

Entry match_any_entry() {
  using namespace match_any_case;
  return {.name = "match_any",
          .summary = "sums by key: lanes with equal keys find each other",
          .source = source::none,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
