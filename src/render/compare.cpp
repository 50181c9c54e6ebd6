#include "render/compare.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/variable_observer.hpp>

#include "runtime/trace/excerpt.hpp"

namespace lockstep::render {
namespace {

using trace::Step;
using trace::Timeline;

/// How far apart the next steps at the same place may be.
constexpr std::size_t farthest = 256;
/// Rows that are compared value by value, where they are not equal at once.
constexpr std::size_t most_compared = 10000;

/// Where a step is. Lines of different files are the same if their texts are.
struct Place {
  Step::Kind kind;
  int line;
  std::size_t depth;
  std::string text;
  friend bool operator==(const Place&, const Place&) = default;
};

class Places {
 public:
  explicit Places(bool by_text) : by_text_(by_text) {}

  std::vector<Place> of(const Timeline& timeline) {
    std::vector<Place> places;
    for (const Step& step : timeline.steps) {
      Place place{step.kind, step.where.line, step.stack.size(), ""};
      if (by_text_) {
        place.text = text_of(step.where);
        if (!place.text.empty()) place.line = 0;
      }
      places.push_back(std::move(place));
    }
    return places;
  }

 private:
  std::string text_of(SourceLocation where) {
    const std::string line = sources_.line(where).value_or("");
    return line.substr(trace::indentation(line));
  }

  bool by_text_;
  trace::Sources sources_;
};

bool same_file(const Timeline& a, const Timeline& b) {
  return !a.steps.empty() && !b.steps.empty() &&
         std::strcmp(a.steps[0].where.file, b.steps[0].where.file) == 0;
}

std::vector<Comparison::Row> aligned(const std::vector<Place>& a, const std::vector<Place>& b) {
  constexpr std::size_t none = Comparison::none;
  std::vector<Comparison::Row> rows;
  std::size_t i = 0, j = 0;
  /// How many steps to skip in each run until both are at the same place again: as few as possible.
  const auto skips = [&]() -> std::pair<std::size_t, std::size_t> {
    for (std::size_t sum = 1; sum <= farthest; ++sum) {
      for (std::size_t k = 0; k <= sum; ++k) {
        if (i + k < a.size() && j + sum - k < b.size() && a[i + k] == b[j + sum - k])
          return {k, sum - k};
      }
    }
    return {std::min(farthest, a.size() - i), std::min(farthest, b.size() - j)};
  };
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) {
      rows.push_back({i++, j++});
      continue;
    }
    const auto [of_a, of_b] = skips();
    for (std::size_t k = 0; k < of_a; ++k) rows.push_back({i++, none});
    for (std::size_t k = 0; k < of_b; ++k) rows.push_back({none, j++});
  }
  while (i < a.size()) rows.push_back({i++, none});
  while (j < b.size()) rows.push_back({none, j++});
  return rows;
}

/// The lanes that execute together with each lane, of the lanes that both runs have.
bool same_tangles(const Step& a, const Step& b, LaneSet common) {
  const auto cut = [&](const std::vector<LaneSet>& sets) {
    std::vector<LaneSet> parts;
    for (const LaneSet set : sets) {
      if ((set & common).any_lane()) parts.push_back(set & common);
    }
    std::ranges::sort(parts, {}, [](LaneSet set) { return set.first(); });
    return parts;
  };
  return cut(a.tangles) == cut(b.tangles);
}

/// What each lane gets from the operations and assignments of a step, in their order.
class LaneResults {
 public:
  LaneResults(const trace::SubgroupTrace& trace, const Step& step) {
    std::vector<std::size_t> events = step.operations;
    events.insert(events.end(), step.assignments.begin(), step.assignments.end());
    std::ranges::sort(events);
    for (const std::size_t number : events) add(trace.events[number]);
  }

  /// By lane, what it is of, and how often that has come already.
  using Key = std::tuple<int, std::size_t, std::string, int>;
  /// In the order of lanes, and for each in the order of events.
  const std::vector<std::pair<Key, std::string>>& list() const { return list_; }
  const std::string* find(const Key& key) const {
    const auto& [lane, order, what, times] = key;
    const auto found = values_.find({lane, what, times});
    return found == values_.end() ? nullptr : &found->second;
  }

 private:
  void add(const Event& event) {
    const bool is_built_in = event.kind == Event::Kind::built_in;
    const bool writes = event.kind == Event::Kind::write;
    const LaneValues* values = !writes                  ? &event.result
                               : event.operands.empty() ? nullptr
                                                        : &event.operands.back();
    const std::string what = is_built_in            ? std::string(event.name)
                             : is_assignment(event) ? std::string(event.access.object.name)
                                                    : fmt::format("{} of {}", to_string(event.kind),
                                                                  to_string(event.access.object));
    for_each_lane(is_built_in ? event.tangles[0].lanes : event.others, [&](int lane) {
      std::string text;
      if (values != nullptr && values->type != LaneValues::Type::none)
        text = to_string(*values, lane);
      if (is_access(event.kind) && !is_assignment(event)) text += place(event, lane);
      const int times = seen_[{lane, what}]++;
      values_[{lane, what, times}] = text;
      list_.push_back({{lane, list_.size(), what, times}, std::move(text)});
    });
  }

  static std::string place(const Event& event, int lane) {
    const auto at = static_cast<std::size_t>(lane);
    if (at >= event.access.byte.size()) return "";
    if (event.access.byte[at] == Access::outside) return " outside";
    return fmt::format(" at byte {}", event.access.byte[at]);
  }

  std::map<std::pair<int, std::string>, int> seen_;
  std::map<std::tuple<int, std::string, int>, std::string> values_;
  std::vector<std::pair<Key, std::string>> list_;
};

/// Whether the events say the same of the same lanes, which is quicker to find out than a difference.
bool are_alike(const Event& a, const Event& b) {
  return a.kind == b.kind && a.name == b.name && a.others == b.others &&
         (a.kind != Event::Kind::built_in || a.tangles == b.tangles) && a.operands == b.operands &&
         a.result == b.result && (!is_access(a.kind) || a.access == b.access);
}

/// The steps of one run and their events.
struct Run {
  const trace::SubgroupTrace& trace;
  Timeline timeline;

  bool is_like(std::size_t i, const Run& other, std::size_t j) const {
    const auto alike = [&](const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
      return std::ranges::equal(a, b, [&](std::size_t x, std::size_t y) {
        return are_alike(trace.events[x], other.trace.events[y]);
      });
    };
    const Step& a = timeline.steps[i];
    const Step& b = other.timeline.steps[j];
    return alike(a.operations, b.operations) && alike(a.assignments, b.assignments);
  }
};

/// The lowest lane with another value, and its first one.
std::optional<Comparison::Value> different_value(const LaneResults& a, const LaneResults& b) {
  std::optional<Comparison::Value> found;
  for (const auto& [key, value] : a.list()) {
    const std::string* other = b.find(key);
    const int lane = std::get<0>(key);
    if (other == nullptr || *other == value || (found && found->lane <= lane)) continue;
    found = Comparison::Value{0, lane, std::get<2>(key), value, *other};
  }
  return found;
}

}  // namespace

Comparison compare(const trace::Trace& first, const trace::SubgroupTrace& of_first,
                   const trace::Trace& second, const trace::SubgroupTrace& of_second) {
  const Run a{of_first, first.timeline(of_first)}, b{of_second, second.timeline(of_second)};
  Places places(!same_file(a.timeline, b.timeline));
  Comparison comparison;
  comparison.rows = aligned(places.of(a.timeline), places.of(b.timeline));
  const LaneSet common = a.timeline.existing & b.timeline.existing;
  std::size_t compared = 0;
  for (std::size_t k = 0; k < comparison.rows.size(); ++k) {
    const auto [i, j] = comparison.rows[k];
    const bool in_both = i != Comparison::none && j != Comparison::none;
    const bool other_tangles =
        !in_both || !same_tangles(a.timeline.steps[i], b.timeline.steps[j], common);
    if (other_tangles && !comparison.tangles) comparison.tangles = k;
    std::optional<Comparison::Value> value;
    if (in_both && !a.is_like(i, b, j) && compared++ < most_compared)
      value = different_value(LaneResults(of_first, a.timeline.steps[i]),
                              LaneResults(of_second, b.timeline.steps[j]));
    if (other_tangles || value) comparison.different.push_back(k);
    if (!value || comparison.value) continue;
    comparison.value = std::move(value);
    comparison.value->row = k;
  }
  return comparison;
}

std::string to_string(const Comparison& comparison, const Timeline& first, const Timeline& second) {
  if (!comparison.tangles && !comparison.value) return "no difference";
  const auto place = [&](std::size_t row) {
    const auto [i, j] = comparison.rows[row];
    if (i == Comparison::none)
      return fmt::format("line {}, step {} beside", second.steps[j].where.line, j + 1);
    return fmt::format("line {}, step {}", first.steps[i].where.line, i + 1);
  };
  std::string text;
  if (comparison.tangles)
    text += fmt::format("first different lanes  {}", place(*comparison.tangles));
  if (comparison.value) {
    const Comparison::Value& value = *comparison.value;
    text += fmt::format("{}first different value  {}: lane {}, {}: {}, beside {}",
                        text.empty() ? "" : "\n", place(value.row), value.lane, value.what,
                        value.first, value.second);
  }
  return text;
}

}  // namespace lockstep::render
