#pragma once

#include <string>
#include <vector>

namespace lockstep::explore {

/// Processes that explore together. Each makes the same decisions from the same runs, of which it does a part.
///
/// Requires      All of them call exchange equally often.
/// Active lanes  None.
/// Errors        None.
/// Cost          As the processes' network.
/// Spec          MPI_Allgatherv
/// Example       src/mpi/mpi_ranks.hpp
class Ranks {
 public:
  virtual ~Ranks() = default;
  /// This one, of 0 to count() - 1.
  virtual int rank() const = 0;
  virtual int count() const = 0;
  /// Every rank's bytes, in their order, for all; nothing once one of them is lost.
  virtual std::vector<std::string> exchange(const std::string& mine) = 0;
};

}  // namespace lockstep::explore
