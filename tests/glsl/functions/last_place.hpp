#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"

/// \file
/// Results that are not exact, measured in units of the last place against the C library's functions of double.

namespace lockstep::test {

/// How far `got` is from the true result `want`, in units of the last place of T there. Infinite if one is NaN and the
/// other is not, or a zero has the wrong sign.
template <class T>
double units_off(T got, double want) {
  using Limits = std::numeric_limits<T>;
  const double value = static_cast<double>(static_cast<float>(got));
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(want) || std::isnan(value))
    return std::isnan(want) && std::isnan(value) ? 0 : wrong;
  if (std::isinf(want)) return value == want ? 0 : wrong;
  if (std::signbit(value) != std::signbit(want)) return wrong;
  // An infinity stands for the number that would follow the largest one.
  const double top = std::ldexp(1.0, Limits::max_exponent);
  const double distance = std::fabs(std::clamp(value, -top, top) - std::clamp(want, -top, top));
  const int exponent = std::clamp(want == 0 ? -2000 : std::ilogb(want), Limits::min_exponent - 1,
                                  Limits::max_exponent - 1);
  return distance / std::ldexp(1.0, exponent - (Limits::digits - 1));
}

/// How far results may be off: a float by less than 1.5, a float16, which is rounded from such a float, by hardly more
/// than the rounding.
template <class T>
constexpr double most_units_off = sizeof(T) == 2 ? 0.501 : 1.5;

/// Checks function(lanes...) against truth(value...), a function of doubles, in every lane. Padding holds garbage.
template <int W, class F, class E, class T, class... More>
void check_near(const char* name, F function, E truth, const std::vector<T>& first,
                const std::vector<More>&... more) {
  const Cases<1 + sizeof...(More)> cases{{first.size(), more.size()...}};
  Random random = make_random(W);
  const auto check_lists = [&](const auto&... lists) {
    for (std::size_t start = 0; start < cases.count(); start += W) {
      std::size_t argument = 0;
      const auto fill = [&](const auto& list) {
        std::array<T, max_subgroup_size> values{};
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] =
              i < W ? list[cases.index((start + i) % cases.count(), argument)] : garbage<T>(random);
        ++argument;
        return values;
      };
      const std::array<std::array<T, max_subgroup_size>, sizeof...(lists)> in{fill(lists)...};
      std::apply(
          [&](const auto&... values) {
            std::array<T, max_subgroup_size> got{};
            to_memory<T, W>(got.data(), function(from_memory<T, W>(values.data())...));
            for (std::size_t i = 0; i < W; ++i) {
              const double off =
                  units_off(got[i], truth(static_cast<double>(static_cast<float>(values[i]))...));
              if (off < most_units_off<T>) continue;
              std::string arguments;
              ((arguments += " " + std::to_string(static_cast<float>(values[i]))), ...);
              INFO(name << " of" << arguments << " in lane " << i << " of " << W << " is "
                        << static_cast<float>(got[i]));
              CHECK(off < most_units_off<T>);
            }
          },
          in);
    }
  };
  check_lists(first, more...);
}

}  // namespace lockstep::test
