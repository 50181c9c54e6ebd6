#include <charconv>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "explain/experiment.hpp"

namespace lockstep::explain {
namespace {

Error wrong(std::string_view text) {
  return Error(fmt::format(
      "'{}' names no lanes; write all, even, odd, first:N, a list such as 0-3,6 or a mask such as "
      "0x4f or 0b1001111",
      text));
}

int number(std::string_view word, std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) throw wrong(text);
  return value;
}

LaneSet each(int from, int step, int size) {
  LaneSet lanes;
  for (int lane = from; lane < size; lane += step) lanes = lanes | LaneSet::lane(lane);
  return lanes;
}

/// Digits from the highest down.
LaneSet mask(std::string_view digits, int base, std::string_view text) {
  const int bits = base == 16 ? 4 : 1;
  LaneSet lanes;
  int lane = 0;
  if (digits.empty()) throw wrong(text);
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, lane += bits) {
    int value = 0;
    const auto [end, error] = std::from_chars(&*digit, &*digit + 1, value, base);
    if (error != std::errc() || end != &*digit + 1) throw wrong(text);
    for (int bit = 0; bit < bits; ++bit) {
      if ((value >> bit & 1) == 0) continue;
      if (lane + bit >= 128) throw wrong(text);
      lanes = lanes | LaneSet::lane(lane + bit);
    }
  }
  return lanes;
}

LaneSet list(std::string_view text) {
  LaneSet lanes;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const std::size_t dash = part.find('-');
    const int first = number(part.substr(0, dash), text);
    const int last = dash == std::string_view::npos ? first : number(part.substr(dash + 1), text);
    if (first < 0 || last < first || last > 127) throw wrong(text);
    for (int lane = first; lane <= last; ++lane) lanes = lanes | LaneSet::lane(lane);
    if (comma == std::string_view::npos) return lanes;
    rest.remove_prefix(comma + 1);
  }
}

LaneSet lanes_of(std::string_view text, int size) {
  if (text == "all") return LaneSet::first_n(size);
  if (text == "none") return {};
  if (text == "even") return each(0, 2, size);
  if (text == "odd") return each(1, 2, size);
  if (text.starts_with("first:")) return LaneSet::first_n(number(text.substr(6), text));
  if (text.starts_with("0x")) return mask(text.substr(2), 16, text);
  if (text.starts_with("0b")) return mask(text.substr(2), 2, text);
  return list(text);
}

}  // namespace

LaneSet parse_lanes(std::string_view text, int size) {
  const LaneSet lanes = lanes_of(text, size);
  if (!lanes.within(LaneSet::first_n(size)))
    throw Error(fmt::format("'{}' names lane {}, but a subgroup of size {} has lanes 0 to {}", text,
                            lanes.last(), size, size - 1));
  return lanes;
}

}  // namespace lockstep::explain
