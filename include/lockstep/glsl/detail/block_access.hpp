#pragma once

#include <lockstep/workgroup/place.hpp>

/// \file
/// What accesses to parts of elements have in common.

namespace lockstep::inline LOCKSTEP_ABI::detail {

template <class P>
inline constexpr bool can_write = !P::is_const;

template <class P>
Access access_at(const P& place, const TouchedNumbers& numbers) {
  return place.access_of(numbers, [&](int i) { return place.byte_of(i); });
}

/// Reports a read or write of these numbers at `place` to observers. Values are computed only for them.
template <class P, class Values>
LOCKSTEP_INLINE void tell_read([[maybe_unused]] const P& place,
                               [[maybe_unused]] const TouchedNumbers& numbers,
                               [[maybe_unused]] const Values& values) {
  if constexpr (P::traced)
    place.tell(
        AccessKind::read, [&] { return access_at(place, numbers); },
        [&] { return AccessValues{.result = values()}; });
}
template <class P, class Values>
LOCKSTEP_INLINE void tell_write([[maybe_unused]] const P& place,
                                [[maybe_unused]] const TouchedNumbers& numbers,
                                [[maybe_unused]] const Values& values) {
  if constexpr (P::traced)
    place.tell(
        AccessKind::write, [&] { return access_at(place, numbers); },
        [&] { return AccessValues{.operands = {values()}}; });
}

/// The initial value of a +=: only of lanes that will write it.
template <class V, class Ref, class P>
LOCKSTEP_INLINE V read_to_change(const P& place) {
  if constexpr (requires { place.without_helpers(); })
    return Ref(place.without_helpers());
  else
    return Ref(place);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
