#pragma once

#include <new>

#include <lockstep/config.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// std::construct_at without <memory>: gives an object without assignment another value.
template <class V, class Value>
LOCKSTEP_INLINE void rebuild(V* object, const Value& value) {
  ::new (static_cast<void*>(object)) V(value);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
