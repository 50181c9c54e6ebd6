#include <lockstep/testing/print.hpp>

#include <algorithm>
#include <bit>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "runtime/exec/component.hpp"
#include "runtime/exec/gdb_printers.hpp"

namespace lockstep {
namespace {

/// Columns that a line may have: test frameworks indent it and wrap at 80.
constexpr std::size_t most_columns = 72;

std::string component_text(const LaneTable& table, std::size_t index, std::string_view number) {
  const std::string format = fmt::format("{{:{}}}", number);
  return visit_component(table.values.type, table.values.bits[index],
                         [&](auto value) { return fmt::format(fmt::runtime(format), value); });
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

/// The lanes of one LaneTable, each spelled once.
class Printer {
 public:
  Printer(const LaneTable& table, const PrintStyle& style)
      : elements_(table.elements), active_(style.active) {
    for (std::size_t i = 0; i < table.count; ++i)
      texts_.push_back(is_active(i) ? lane_to_string(table, i, style.number) : ".");
  }

  std::string print() const {
    const std::string list = fmt::format("{{{}}}", joined(texts_, ", "));
    if (texts_.size() <= 16 && list.size() <= most_columns) return list;
    if (!elements_) {
      const std::string grouped = groups();
      if (grouped.size() <= most_columns) return grouped;
    }
    return rows();
  }

 private:
  bool is_active(std::size_t i) const {
    return elements_ || (i < 128 && active_.test(static_cast<int>(i)));
  }

  /// Lanes with equal values together, in the order of their first lanes.
  std::string groups() const {
    std::string text;
    const LaneSet existing = LaneSet::first_n(static_cast<int>(texts_.size()));
    for (LaneSet rest = existing & active_; rest.any_lane();) {
      const std::string& value = texts_[static_cast<std::size_t>(rest.first())];
      LaneSet same;
      for_each_lane(rest, [&](int i) {
        if (texts_[static_cast<std::size_t>(i)] == value) same = same | LaneSet::lane(i);
      });
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", to_string(same), value);
      rest = rest.without(same);
    }
    const LaneSet inactive = existing.without(active_);
    if (inactive.any_lane())
      text += fmt::format("{}inactive: {}", text.empty() ? "" : "; ", to_string(inactive));
    return fmt::format("{{{}}}", text);
  }

  /// Rows of a power of two of values in columns, below each other.
  std::string rows() const {
    std::size_t widest = 1;
    for (const std::string& text : texts_) widest = std::max(widest, text.size());
    const std::size_t number = std::to_string(texts_.size() - 1).size();
    const std::size_t fitting = (most_columns - number - 3) / (widest + 2);
    const std::size_t in_row = std::bit_floor(std::clamp<std::size_t>(fitting, 1, 32));
    std::string text;
    for (std::size_t first = 0; first < texts_.size(); first += in_row) {
      text += fmt::format("\n  {:>{}}:", first, number);
      for (std::size_t i = first; i < std::min(first + in_row, texts_.size()); ++i)
        text += fmt::format(" {:>{}}", texts_[i], widest);
    }
    return text;
  }

  bool elements_;
  LaneSet active_;
  std::vector<std::string> texts_;
};

std::string ballot_to_string(std::uint64_t low, std::uint64_t high) {
  return high == 0 ? fmt::format("0x{:x}", low) : fmt::format("0x{:x}{:016x}", high, low);
}

std::string braced(LaneSet lanes) {
  return lanes.any_lane() ? fmt::format("{{{}}}", to_string(lanes)) : "{}";
}

}  // namespace

std::string lane_to_string(const LaneTable& table, std::size_t lane, std::string_view number) {
  const auto components = static_cast<std::size_t>(table.values.components);
  const std::uint64_t* bits = table.values.bits.data() + lane * components;
  const auto sequence = [&](std::size_t first, std::size_t count) {
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < count; ++k)
      parts.push_back(component_text(table, lane * components + first + k, number));
    return fmt::format("({})", joined(parts, ", "));
  };
  switch (table.spelling) {
    case LaneTable::Spelling::number:
      return component_text(table, lane, number);
    case LaneTable::Spelling::vector:
      return sequence(0, components);
    case LaneTable::Spelling::ballot:
      return ballot_to_string(bits[0] | bits[1] << 32, bits[2] | bits[3] << 32);
    case LaneTable::Spelling::matrix:
      break;
  }
  std::vector<std::string> columns;
  const auto rows = static_cast<std::size_t>(table.rows);
  for (std::size_t first = 0; first < components; first += rows)
    columns.push_back(sequence(first, rows));
  return fmt::format("({})", joined(columns, ", "));
}

std::string to_string(const LaneTable& table, const PrintStyle& style) {
  return Printer(table, style).print();
}

void print(std::ostream& to, const LaneTable& table, const PrintStyle& style) {
  to << to_string(table, style);
}
void print_lanes(std::ostream& to, LaneSet lanes, int size) {
  to << braced(lanes) << " of " << size;
}
void print_ballot(std::ostream& to, std::uint64_t low, std::uint64_t high) {
  to << ballot_to_string(low, high) << ' ' << braced({low, high});
}

}  // namespace lockstep
