#pragma once

#include <functional>
#include <memory>

#include "explore/ranks.hpp"

namespace lockstep::cli {

/// The processes that mpirun has started; null if it has not started this one. `is_over` is asked while this process
/// waits for others: once it says so, they count as lost.
/// Throws Error if mpirun has started several, but Lockstep was built without MPI.
std::unique_ptr<explore::Ranks> ranks(std::function<bool()> is_over);

}  // namespace lockstep::cli
