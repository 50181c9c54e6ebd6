#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <lockstep/subgroup.hpp>
#include <lockstep/subgroup/detail/undefined.hpp>

#include "shader/ir/built_ins.hpp"
#include "shader/run/program.hpp"

/// \file
/// The functions of the table of built-ins as types, and the choice among them at run time.

namespace lockstep::spirv {

template <spec::Name name>
using UndefinedFunction = undefined::FunctionOf<name>;

/// call(active, arguments) is the function of that name.
template <spec::Name>
struct BuiltInFunction;

#define LOCKSTEP_ROW(name, ...)                               \
  template <>                                                 \
  struct BuiltInFunction<spec::Name::name> {                  \
    template <class... A>                                     \
    LOCKSTEP_INLINE static auto call(const A&... arguments) { \
      return lockstep::name(arguments...);                    \
    }                                                         \
  };
LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_ROW)
#undef LOCKSTEP_ROW

/// The rows that are chosen, without further names of an operation.
template <bool (*is_chosen)(spec::Name)>
inline constexpr auto chosen_names = [] {
  constexpr auto each = [](auto f) {
    for (std::size_t k = 0; k < std::size(built_in_rows); ++k) {
      const auto name = static_cast<spec::Name>(k);
      if (is_chosen(name) && is_first_of_operation(name)) f(name);
    }
  };
  constexpr std::size_t count = [each] {
    std::size_t found = 0;
    each([&](spec::Name) { ++found; });
    return found;
  }();
  std::array<spec::Name, count> names{};
  std::size_t at = 0;
  each([&](spec::Name name) { names[at++] = name; });
  return names;
}();

/// f.template operator()<name>() for a row that is among the chosen; null for others.
template <bool (*is_chosen)(spec::Name), class F>
Run for_name(spec::Name name, F f) {
  Run run = nullptr;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    static_cast<void>(((chosen_names<is_chosen>[k] == name &&
                        (run = f.template operator()<chosen_names<is_chosen>[k]>(), true)) ||
                       ...));
  }
  (std::make_index_sequence<chosen_names<is_chosen>.size()>());
  return run;
}

constexpr spec::Form form_of(spec::Name name) { return spec::function(name).form; }

}  // namespace lockstep::spirv
