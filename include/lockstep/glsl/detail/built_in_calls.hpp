#pragma once

#include <lockstep/subgroup.hpp>
#include <lockstep/subgroup/built_ins.hpp>

/// \file
/// Each built-in of a kernel as a type whose objects are functions of (active lanes, arguments), so
/// that a machine with numbers of its own can tell by the type which one it runs.

namespace lockstep::inline LOCKSTEP_ABI::built_in {

#define LOCKSTEP_CALL_plain(name)                                          \
  struct name {                                                            \
    template <int W, class... A>                                           \
    LOCKSTEP_INLINE auto operator()(Mask<W> active, const A&... a) const { \
      return lockstep::name(active, a...);                                 \
    }                                                                      \
  };
#define LOCKSTEP_CALL_sized(name)                                          \
  struct name {                                                            \
    int size;                                                              \
                                                                           \
    template <int W, class... A>                                           \
    LOCKSTEP_INLINE auto operator()(Mask<W> active, const A&... a) const { \
      return lockstep::name(active, a..., size);                           \
    }                                                                      \
  };
#define LOCKSTEP_ROW(name, family, types, operation, op, form, size, ...) LOCKSTEP_CALL_##size(name)
LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_ROW)
LOCKSTEP_DERIVATIVES(LOCKSTEP_CALL_plain)
#undef LOCKSTEP_ROW
#undef LOCKSTEP_CALL_sized
#undef LOCKSTEP_CALL_plain

}  // namespace lockstep::inline LOCKSTEP_ABI::built_in
