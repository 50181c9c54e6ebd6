#include "io/choices.hpp"

#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "io/error.hpp"
#include "io/numbers.hpp"

namespace lockstep::io {
namespace {

/// The number of "word:NUMBER".
std::optional<std::uint64_t> number_after(std::string_view word, std::string_view how) {
  if (!how.starts_with(word) || how.substr(word.size(), 1) != ":") return std::nullopt;
  return parse_unsigned(how.substr(word.size() + 1));
}

Mapping order_of_invocations(std::string_view how) {
  if (how.empty() || how == "linear") return Mapping::linear();
  if (how == "reversed") return Mapping::reversed();
  if (how == "quads") return Mapping::quads();
  if (const auto seed = number_after("shuffled", how)) return Mapping::shuffled(*seed);
  throw InputError(
      fmt::format("--mapping {}: write linear, reversed, shuffled:SEED or quads", how));
}

}  // namespace

Mapping parse_mapping(std::string_view how, std::string_view partial) {
  const Mapping order = order_of_invocations(how);
  if (partial.empty()) return order;
  if (partial == "even") return order.filled(Mapping::Filling::even);
  if (const auto seed = number_after("random", partial))
    return order.filled(Mapping::Filling::random, *seed);
  throw InputError(fmt::format("--partial-subgroups {}: write even or random:SEED", partial));
}

WorkgroupOrder parse_workgroup_order(std::string_view how) {
  if (how.empty() || how == "linear") return WorkgroupOrder::linear();
  if (how == "reversed") return WorkgroupOrder::reversed();
  if (const auto seed = number_after("shuffled", how)) return WorkgroupOrder::shuffled(*seed);
  if (const auto number = number_after("permutation", how))
    return WorkgroupOrder::permutation(*number);
  throw InputError(fmt::format(
      "--workgroup-order {}: write linear, reversed, shuffled:SEED or permutation:NUMBER", how));
}

Rule parse_rule(std::string_view name) {
  if (name.empty()) return Rule::maximal;
  for (const Rule rule : {Rule::maximal, Rule::subgroup_uniform, Rule::core}) {
    if (to_string(rule) == name) return rule;
  }
  throw InputError(fmt::format("--convergence {}: write maximal, subgroup-uniform or core", name));
}

FloatOrder parse_float_order(std::string_view name) {
  if (name.empty()) return FloatOrder::tree;
  for (const FloatOrder order : {FloatOrder::tree, FloatOrder::left_fold, FloatOrder::hillis_steele,
                                 FloatOrder::butterfly}) {
    if (to_string(order) == name) return order;
  }
  throw InputError(fmt::format(
      "--strict-order {}: is not an order; use tree, left_fold, hillis_steele or butterfly", name));
}

}  // namespace lockstep::io
