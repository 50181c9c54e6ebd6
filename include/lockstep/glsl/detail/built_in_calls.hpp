#pragma once

#include <string_view>

#include <lockstep/subgroup.hpp>
#include <lockstep/subgroup/built_ins.hpp>

/// \file
/// Each built-in of a kernel as a type whose objects are functions of (active lanes, arguments), so
/// that a machine can tell by the type which one it runs, and its operation and operator.

namespace lockstep::inline LOCKSTEP_ABI::built_in {

#define LOCKSTEP_CALL_plain(name, ...)                                     \
  struct name {                                                            \
    __VA_ARGS__                                                            \
    template <int W, class... A>                                           \
    LOCKSTEP_INLINE auto operator()(Mask<W> active, const A&... a) const { \
      return lockstep::name(active, a...);                                 \
    }                                                                      \
  };
#define LOCKSTEP_CALL_sized(name, ...)                                     \
  struct name {                                                            \
    int size;                                                              \
    __VA_ARGS__                                                            \
    template <int W, class... A>                                           \
    LOCKSTEP_INLINE auto operator()(Mask<W> active, const A&... a) const { \
      return lockstep::name(active, a..., size);                           \
    }                                                                      \
  };
#define LOCKSTEP_ROW(name, family, types, operation_, op_, form, size, ...)     \
  LOCKSTEP_CALL_##size(name, static constexpr spec::Name id = spec::Name::name; \
                       static constexpr std::string_view op = #op_;             \
                       static constexpr std::string_view operation = #operation_;)
LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_ROW)
LOCKSTEP_DERIVATIVES(LOCKSTEP_CALL_plain)
#undef LOCKSTEP_ROW
#undef LOCKSTEP_CALL_sized
#undef LOCKSTEP_CALL_plain

}  // namespace lockstep::inline LOCKSTEP_ABI::built_in
