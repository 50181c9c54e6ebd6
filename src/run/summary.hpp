#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "npy/npy.hpp"

namespace lockstep::run {

/// A buffer in a few words.
struct Summary {
  std::size_t elements = 0;
  std::size_t nans = 0;            ///< among floats
  std::string smallest, largest;   ///< of those that are numbers; empty if none is
  std::vector<std::string> first;  ///< elements, 8 at most
};

/// What is in an array.
Summary summarise(const npy::Array& array);

}  // namespace lockstep::run
