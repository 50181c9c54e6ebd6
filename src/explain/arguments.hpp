#pragma once

#include <string>
#include <vector>

#include "explain/experiment.hpp"

namespace lockstep::explain {

/// The arguments before a cluster size as columns; what the user left out shows something.
///
/// Requires      The row of a function.
/// Active lanes  None: lanes that are not active have values, too.
/// Errors        Throws Error for a word that is no value of the parameter.
/// Cost          None.
/// Spec          None.
/// Example       tests/explain/experiment.cpp
std::vector<Column> columns_of(const Row& row, int size, const Arguments& arguments);

}  // namespace lockstep::explain
