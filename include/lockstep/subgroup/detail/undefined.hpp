#pragma once

#include <lockstep/subgroup.hpp>
#include <lockstep/subgroup/built_ins.hpp>

/// \file
/// The functions of namespace undefined, by the name of their built-in.

namespace lockstep::inline LOCKSTEP_ABI {
namespace undefined {

/// call(active, arguments) gives the lanes in which the function of that name has no defined result, if such lanes may
/// exist. Names are looked up from here: the functions of namespace undefined come first.
template <spec::Name>
struct FunctionOf;

#define LOCKSTEP_ROW(name, ...)                                                                 \
  template <>                                                                                   \
  struct FunctionOf<spec::Name::name> {                                                         \
    template <class... A>                                                                       \
    LOCKSTEP_INLINE static auto call(const A&... arguments) -> decltype((name)(arguments...)) { \
      return (name)(arguments...);                                                              \
    }                                                                                           \
  };
LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_ROW)
#undef LOCKSTEP_ROW

}  // namespace undefined
}  // namespace lockstep::inline LOCKSTEP_ABI
