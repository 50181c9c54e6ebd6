#pragma once

#include <cstring>
#include <vector>

#include "io/npy.hpp"

/// An array that holds the values.
template <class T>
lockstep::npy::Array array_of(const std::vector<T>& values) {
  lockstep::npy::Array array{lockstep::npy::DtypeOf<T>::value, {values.size()}, {}};
  array.bytes.resize(values.size() * sizeof(T));
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}
