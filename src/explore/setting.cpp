#include "explore/setting.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::explore {
namespace {

/// The words of --mapping and --workgroup-order.
template <class Order>
std::string word_of(const Order& order) {
  switch (order.kind) {
    case Order::Kind::linear:
      return "linear";
    case Order::Kind::reversed:
      return "reversed";
    case Order::Kind::shuffled:
      return fmt::format("shuffled:{}", order.seed);
    default:
      break;
  }
  if constexpr (requires { Order::Kind::quads; })
    return "quads";
  else
    return fmt::format("permutation:{}", order.seed);
}

}  // namespace

Dimensions differences(const Setting& setting, const Setting& base,
                       const std::vector<Chooser::Question>& questions) {
  Dimensions found;
  if (setting.subgroup_size != base.subgroup_size) found.add(Dimension::subgroup_size);
  if (setting.mapping.kind != base.mapping.kind || setting.mapping.seed != base.mapping.seed)
    found.add(Dimension::mapping);
  if (setting.mapping.filling != base.mapping.filling ||
      setting.mapping.filling_seed != base.mapping.filling_seed)
    found.add(Dimension::partial_subgroups);
  if (setting.order.kind != base.order.kind || setting.order.seed != base.order.seed)
    found.add(Dimension::workgroup_order);
  for (std::size_t k = 0; k < questions.size(); ++k) {
    if (setting.answers[k] != 0) found.add(dimension_of(questions[k].choice));
  }
  return found;
}

std::vector<std::string> to_options(const Setting& setting) {
  std::vector<std::string> options = {"--subgroup-size", std::to_string(setting.subgroup_size)};
  const auto add = [&](const char* name, std::string value) {
    options.emplace_back(name);
    options.push_back(std::move(value));
  };
  if (std::ranges::any_of(setting.answers, [](std::uint32_t answer) { return answer != 0; })) {
    std::vector<std::string_view> kinds;
    for (const Choice choice : setting.asked) kinds.push_back(to_string(choice));
    add("--convergence", std::string(to_string(setting.rule)));
    add("--choose",
        fmt::format("{}=replay:{}", fmt::join(kinds, ","), Chooser::to_text(setting.answers)));
  }
  if (setting.mapping.kind != Mapping::Kind::linear) add("--mapping", word_of(setting.mapping));
  if (setting.mapping.filling == Mapping::Filling::even) add("--partial-subgroups", "even");
  if (setting.mapping.filling == Mapping::Filling::random)
    add("--partial-subgroups", fmt::format("random:{}", setting.mapping.filling_seed));
  if (setting.order.kind != WorkgroupOrder::Kind::linear)
    add("--workgroup-order", word_of(setting.order));
  return options;
}

}  // namespace lockstep::explore
