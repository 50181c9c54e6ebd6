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
      return "quads";
  }
}

}  // namespace

Dimensions differences(const Setting& setting, const Setting& base,
                       const std::vector<Chooser::Question>& asked) {
  Dimensions found;
  if (setting.subgroup_size != base.subgroup_size) found.add(Dimension::subgroup_size);
  if (setting.mapping.kind != base.mapping.kind || setting.mapping.seed != base.mapping.seed)
    found.add(Dimension::mapping);
  if (setting.order.kind != base.order.kind || setting.order.seed != base.order.seed)
    found.add(Dimension::workgroup_order);
  const std::size_t count = std::min(setting.answers.size(), asked.size());
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t before = k < base.answers.size() ? base.answers[k] : 0;
    if (setting.answers[k] != before) found.add(dimension_of(asked[k].choice));
  }
  return found;
}

std::vector<std::string> to_options(const Setting& setting,
                                    const std::vector<std::uint32_t>& answers) {
  std::vector<std::string> options = {"--subgroup-size", std::to_string(setting.subgroup_size)};
  const auto add = [&](const char* name, std::string value) {
    options.emplace_back(name);
    options.push_back(std::move(value));
  };
  const bool rejoins_all = std::ranges::all_of(answers, [](std::uint32_t a) { return a == 0; });
  if (!rejoins_all) {
    add("--convergence", std::string(to_string(setting.rule)));
    add("--choose", fmt::format("replay:{}", fmt::join(answers, ",")));
  }
  if (setting.mapping.kind != Mapping::Kind::linear) add("--mapping", word_of(setting.mapping));
  if (setting.order.kind != WorkgroupOrder::Kind::linear)
    add("--workgroup-order", word_of(setting.order));
  return options;
}

}  // namespace lockstep::explore
