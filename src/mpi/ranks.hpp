#pragma once

/// \file
/// What the program and its library for MPI know of each other. The library is loaded under mpirun alone.

#include <functional>

#include "explore/ranks.hpp"

namespace lockstep::mpi {

/// The processes that mpirun has started. While this one waits for others, it asks `is_over`: once that says so, they
/// count as lost. The caller owns the result. The library exports such a function, lockstep_mpi_ranks.
using OpenRanks = explore::Ranks*(std::function<bool()> is_over);

}  // namespace lockstep::mpi
