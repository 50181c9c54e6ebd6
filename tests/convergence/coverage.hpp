#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

/// \file
/// What the programs so far have exercised, counted in lanes.

namespace lockstep::test {

enum class Construct {
  selection,
  else_if,
  for_loop,
  while_loop,
  do_while,
  endless_loop,
  switch_statement,
  short_circuit,
  function,
};
inline constexpr std::array<std::string_view, 9> construct_names{
    "if", "else if", "for", "while", "do", "endless loop", "switch", "short circuit", "function"};

/// The ways in which a lane leaves a construct other than through its end.
enum class Escape { leave_loop, leave_trip, leave_function, fall_through };
inline constexpr std::array<std::string_view, 4> escape_names{"break", "continue", "return",
                                                              "fallthrough"};
inline constexpr std::size_t escapes = escape_names.size();

enum class Feature {
  else_side,
  zero_trips,
  several_labels,
  label_of_default,
  no_case,
  default_first,
  default_between,
  default_last,
  log_in_continue_construct,
  call_in_continue_construct,
  log_in_right_side,
  call_in_right_side,
  tangle_asked_in_switch,
  nested_call,
};
inline constexpr std::array<std::string_view, 14> feature_names{
    "else",
    "loop without a trip",
    "case of several labels",
    "label of the default case",
    "switch without a case for it",
    "default first",
    "default between",
    "default last",
    "log in a continue construct",
    "call in a continue construct",
    "log in a right side",
    "call in a right side",
    "tangle asked in a switch",
    "nested call",
};

/// Counts of constructs by escape, and of features.
class Coverage {
 public:
  void count(Feature f) { ++features_[static_cast<std::size_t>(f)]; }
  /// A lane escaped a construct, while others in it did not escape this way.
  void escaped_alone(Construct c, Escape e) {
    ++escapes_[static_cast<std::size_t>(c)][static_cast<std::size_t>(e)];
  }
  /// A lane calls a function, `depth` functions inside main.
  void called(int function, int site, int depth) {
    sites_[function].insert(site);
    if (depth > 1) count(Feature::nested_call);
  }
  /// Called before each program, whose functions are different ones.
  void end_program() {
    for (const auto& [function, sites] : sites_) called_from_several_ += sites.size() > 1;
    sites_.clear();
  }

  std::uint64_t of(Feature f) const { return features_[static_cast<std::size_t>(f)]; }
  std::uint64_t of(Construct c, Escape e) const {
    return escapes_[static_cast<std::size_t>(c)][static_cast<std::size_t>(e)];
  }
  std::uint64_t called_from_several() const { return called_from_several_; }

 private:
  std::array<std::uint64_t, feature_names.size()> features_{};
  std::array<std::array<std::uint64_t, escapes>, construct_names.size()> escapes_{};
  std::map<int, std::set<int>> sites_;
  std::uint64_t called_from_several_ = 0;
};

}  // namespace lockstep::test
