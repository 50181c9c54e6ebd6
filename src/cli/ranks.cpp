#include "cli/ranks.hpp"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "cli/own_library.hpp"
#include "mpi/ranks.hpp"

namespace lockstep::cli {

std::unique_ptr<explore::Ranks> ranks(std::function<bool()> is_over) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const count = std::getenv(name);
    if (count == nullptr) continue;
    if (void* const open = function_of_library("mpi", "lockstep_mpi_ranks"))
      return std::unique_ptr<explore::Ranks>(
          reinterpret_cast<mpi::OpenRanks*>(open)(std::move(is_over)));
    if (std::atoi(count) > 1)
      throw Error(fmt::format(
          "one of {} processes of mpirun, but lockstep was built without MPI; install "
          "it (Debian: libopenmpi-dev) and build again, or run one process without mpirun",
          count));
  }
  return nullptr;
}

}  // namespace lockstep::cli
