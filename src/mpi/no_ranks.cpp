#include <cstdlib>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "mpi/mpi_ranks.hpp"

/// \file
/// Builds without MPI.

namespace lockstep::mpi {

std::unique_ptr<explore::Ranks> ranks(std::function<bool()>) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const count = std::getenv(name);
    if (count != nullptr && std::atoi(count) > 1)
      throw Error(fmt::format(
          "one of {} processes of mpirun, but lockstep was built without MPI; install "
          "it (Debian: libopenmpi-dev) and build again, or run one process without mpirun",
          count));
  }
  return nullptr;
}

}  // namespace lockstep::mpi
