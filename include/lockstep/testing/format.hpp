#pragma once

#include <sstream>
#include <string>

#include <fmt/format.h>

#include <lockstep/testing/print.hpp>

/// \file
/// Values of lanes for {fmt}.
///
/// `{}` is what operator<< prints. A format specification after a second colon is that of each number, as for
/// {fmt}'s ranges: `fmt::format("{::.2f}", lanes)`.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// The format specification of each number, without the colon in front of it.
class NumberFormat {
 public:
  constexpr auto parse(fmt::format_parse_context& context) {
    auto at = context.begin();
    if (at == context.end() || *at == '}') return at;
    if (*at++ != ':') throw fmt::format_error("lanes take a format specification as {::.2f}");
    const auto begin = at;
    while (at != context.end() && *at != '}') ++at;
    number_ = {begin, static_cast<std::size_t>(at - begin)};
    return at;
  }

 protected:
  std::string_view number_;
};

/// What only operator<< prints.
class StreamFormat {
 public:
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class V, class Context>
  auto format(const V& value, Context& context) const {
    std::ostringstream text;
    text << value;
    return fmt::format_to(context.out(), "{}", text.str());
  }
};

}  // namespace lockstep::inline LOCKSTEP_ABI::detail

template <lockstep::InLanes V>
struct fmt::formatter<V> : lockstep::detail::NumberFormat {
  template <class Context>
  auto format(const V& value, Context& context) const {
    return fmt::format_to(context.out(), "{}", lockstep::to_string(value, {.number = number_}));
  }
};
template <>
struct fmt::formatter<lockstep::PrintedInActive> : lockstep::detail::NumberFormat {
  template <class Context>
  auto format(const lockstep::PrintedInActive& printed, Context& context) const {
    return fmt::format_to(
        context.out(), "{}",
        lockstep::to_string(printed.table, {.active = printed.active, .number = number_}));
  }
};
template <int W>
struct fmt::formatter<lockstep::Mask<W>> : lockstep::detail::StreamFormat {};
template <>
struct fmt::formatter<lockstep::Ballot> : lockstep::detail::StreamFormat {};
