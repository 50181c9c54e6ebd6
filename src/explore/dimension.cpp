#include "explore/dimension.hpp"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/error.hpp>

namespace lockstep::explore {
namespace {

/// `names` are further words that there are.
Dimension parse_one(std::string_view word, std::vector<std::string_view> names = {}) {
  for (const Dimension d : all_dimensions) {
    if (to_string(d) == word) return d;
  }
  for (const Dimension d : all_dimensions) names.push_back(to_string(d));
  throw Error(fmt::format("'{}' is not a dimension: use one of {}", word, fmt::join(names, ", ")));
}

}  // namespace

std::string_view to_string(Dimension dimension) {
  switch (dimension) {
    case Dimension::subgroup_size:
      return "subgroup-size";
    case Dimension::mapping:
      return "mapping";
    case Dimension::partial_subgroups:
      return "partial-subgroups";
    case Dimension::workgroup_order:
      return "workgroup-order";
    default:
      break;
  }
  for (const Choice choice : all_choices) {
    if (dimension_of(choice) == dimension) return to_string(choice);
  }
  return "?";
}

Dimension dimension_of(Choice choice) {
  switch (choice) {
    case Choice::rejoin:
      return Dimension::convergence;
    case Choice::switch_grouping:
      return Dimension::switch_grouping;
    case Choice::fallthrough:
      return Dimension::fallthrough;
    case Choice::late_break:
      return Dimension::late_break;
    case Choice::subgroup_order:
      return Dimension::subgroup_order;
    case Choice::side_order:
      return Dimension::side_order;
    case Choice::atomic_order:
      return Dimension::atomic_order;
    case Choice::reduction_order:
      return Dimension::reduction_order;
    case Choice::progress:
      return Dimension::progress;
  }
  return Dimension::convergence;
}

std::vector<Choice> choices_of(const Dimensions& dimensions) {
  std::vector<Choice> choices;
  for (const Choice choice : all_choices) {
    if (dimensions.has(dimension_of(choice))) choices.push_back(choice);
  }
  return choices;
}

Dimensions Dimensions::parse_for_programs(std::string_view text) {
  using enum Dimension;
  Dimensions all;
  const auto add = [&](std::initializer_list<Dimension> list) {
    for (const Dimension d : list) all.add(d);
  };
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word == "all")
      add({convergence, switch_grouping, fallthrough, late_break, subgroup_size, mapping,
           workgroup_order, subgroup_order, side_order, atomic_order});
    else if (word == "sizes")
      add({subgroup_size});
    else if (word == "order")
      add({workgroup_order, subgroup_order, side_order, atomic_order});
    else
      add({parse_one(word, {"all", "sizes", "order"})});
  }
  return all;
}

Dimensions Dimensions::parse(std::string_view text) {
  Dimensions dimensions;
  for (;;) {
    const std::size_t comma = text.find(',');
    dimensions.add(parse_one(text.substr(0, comma)));
    if (comma == std::string_view::npos) return dimensions;
    text.remove_prefix(comma + 1);
  }
}

std::vector<Dimension> Dimensions::list() const {
  std::vector<Dimension> found;
  for (const Dimension d : all_dimensions) {
    if (has(d)) found.push_back(d);
  }
  return found;
}

}  // namespace lockstep::explore
