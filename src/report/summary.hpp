#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/npy.hpp"

namespace lockstep::report {

/// A short description of a buffer.
struct Summary {
  std::size_t elements = 0;
  std::size_t nans = 0;            ///< among floats
  std::string smallest, largest;   ///< of the numbers; empty if there are none
  std::vector<std::string> first;  ///< elements, 8 at most
};

/// Summarises an array.
Summary summarise(const npy::Array& array);

}  // namespace lockstep::report
