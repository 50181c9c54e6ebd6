#include <lockstep/testing/comparison.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <type_traits>

#include <fmt/format.h>

#include "runtime/exec/component.hpp"

namespace lockstep {
namespace {

struct FloatLayout {
  int exponent_bits = 0;
  int fraction_bits = 0;
};
FloatLayout layout_of(LaneValues::Type type) {
  switch (type) {
    case LaneValues::Type::float16:
      return {5, 10};
    case LaneValues::Type::float32:
      return {8, 23};
    case LaneValues::Type::float64:
      return {11, 52};
    default:
      return {};
  }
}
bool is_float(LaneValues::Type type) { return layout_of(type).exponent_bits != 0; }

constexpr std::uint64_t infinitely_far = std::numeric_limits<std::uint64_t>::max();

/// Units in the last place between two numbers; infinitely far for a NaN.
std::uint64_t ulp_between(LaneValues::Type type, std::uint64_t a, std::uint64_t b) {
  const FloatLayout layout = layout_of(type);
  const int sign_bit = layout.exponent_bits + layout.fraction_bits;
  const std::uint64_t magnitude = (std::uint64_t{1} << sign_bit) - 1;
  const std::uint64_t infinity = magnitude >> layout.fraction_bits << layout.fraction_bits;
  const std::uint64_t of_a = a & magnitude, of_b = b & magnitude;
  if (of_a > infinity || of_b > infinity) return infinitely_far;
  const bool opposite = ((a ^ b) >> sign_bit & 1) != 0;
  return opposite ? of_a + of_b : std::max(of_a, of_b) - std::min(of_a, of_b);
}

bool equal(LaneValues::Type type, std::uint64_t a, std::uint64_t b, Tolerance tolerance) {
  if (tolerance.kind == Tolerance::Kind::bits || !is_float(type)) return a == b;
  // 0.0 and -0.0 are no unit apart.
  return ulp_between(type, a, b) <= (tolerance.kind == Tolerance::Kind::ulp ? tolerance.ulp : 0) &&
         ulp_between(type, a, b) != infinitely_far;
}

/// Two tables of one type.
class Comparer {
 public:
  Comparer(const LaneTable& got, const LaneTable& expected, Tolerance tolerance)
      : got_(got), expected_(expected), tolerance_(tolerance) {}

  bool equal_at(std::size_t lane) const {
    bool all = true;
    for_each_component(lane, [&](std::uint64_t a, std::uint64_t b) {
      all = all && equal(got_.values.type, a, b, tolerance_);
    });
    return all;
  }

  Comparison::Difference difference_at(std::size_t lane) const {
    Comparison::Difference difference{lane, lane_to_string(got_, lane),
                                      lane_to_string(expected_, lane)};
    if (difference.got == difference.expected) {
      difference.got += bits_text(got_, lane);
      difference.expected += bits_text(expected_, lane);
    }
    if (tolerance_.kind == Tolerance::Kind::ulp) {
      std::uint64_t worst = 0;
      for_each_component(lane, [&](std::uint64_t a, std::uint64_t b) {
        worst = std::max(worst, ulp_between(got_.values.type, a, b));
      });
      if (worst != infinitely_far) difference.expected += fmt::format(" ({} ulp apart)", worst);
    }
    return difference;
  }

 private:
  template <class F>
  void for_each_component(std::size_t lane, const F& f) const {
    const auto components = static_cast<std::size_t>(got_.values.components);
    for (std::size_t k = lane * components; k < (lane + 1) * components; ++k)
      f(got_.values.bits[k], expected_.values.bits[k]);
  }
  static std::string bits_text(const LaneTable& table, std::size_t lane) {
    const auto components = static_cast<std::size_t>(table.values.components);
    std::string text;
    for (std::size_t k = lane * components; k < (lane + 1) * components; ++k)
      text += fmt::format("{}0x{:x}", text.empty() ? " [bits " : " ", table.values.bits[k]);
    return text + "]";
  }

  const LaneTable& got_;
  const LaneTable& expected_;
  Tolerance tolerance_;
};

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// The numbers as a list of ranges, cut where it gets long.
std::string ranges_text(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size();) {
    std::size_t last = k;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (text.size() > 40) return text + ",...";
    text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[k]);
    if (last > k) text += fmt::format("-{}", numbers[last]);
    k = last + 1;
  }
  return text;
}

}  // namespace

Comparison compare(const LaneTable& got, const LaneTable& expected, Tolerance tolerance,
                   LaneSet active) {
  Comparison result;
  const std::string noun = got.elements ? "element" : "lane";
  result.noun_ = noun;
  if (got.count != expected.count) {
    result.same_size_ = false;
    result.summary_ = fmt::format("the sizes differ: got {}, expected {}", counted(got.count, noun),
                                  expected.count);
    return result;
  }
  const Comparer comparer(got, expected, tolerance);
  std::size_t compared = 0;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < got.count; ++i) {
    if (!got.elements && !active.test(static_cast<int>(i))) continue;
    ++compared;
    if (comparer.equal_at(i)) continue;
    if (++result.count_ <= Comparison::most_named)
      result.differences_.push_back(comparer.difference_at(i));
    else
      others.push_back(i);
  }
  const std::string all = counted(compared, compared == got.count ? noun : "active " + noun);
  std::string more;
  if (tolerance.kind == Tolerance::Kind::ulp)
    more = fmt::format(" by more than {} ulp", tolerance.ulp);
  if (tolerance.kind == Tolerance::Kind::bits) more = " in their bits";
  if (result.count_ == 0)
    result.summary_ = fmt::format("all {} are equal", all);
  else
    result.summary_ = fmt::format("{} of {} {}{}:", result.count_, all,
                                  compared == 1 ? "differs" : "differ", more);
  if (!others.empty())
    result.others_ = fmt::format("and {} more: {}s {}", others.size(), noun, ranges_text(others));
  return result;
}

std::string to_string(const Comparison& comparison) {
  std::string text = comparison.summary_;
  std::size_t number = 0, got = 0;
  for (const auto& difference : comparison.differences_) {
    number = std::max(number, std::to_string(difference.lane).size());
    got = std::max(got, difference.got.size());
  }
  for (const auto& difference : comparison.differences_)
    text += fmt::format("\n  {} {:>{}}: got {:>{}}, expected {}", comparison.noun_, difference.lane,
                        number, difference.got, got, difference.expected);
  if (!comparison.others_.empty()) text += "\n  " + comparison.others_;
  return text;
}

std::ostream& operator<<(std::ostream& to, const Comparison& comparison) {
  return to << to_string(comparison);
}

}  // namespace lockstep
