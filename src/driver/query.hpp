#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/handle.hpp"

namespace lockstep::driver {

/// Times of a queue, or results of draws that there are not. Guarded by the device's SyncHub.
struct QueryPool {
  explicit QueryPool(std::uint32_t count) : results(count) {}

  std::vector<std::optional<std::uint64_t>> results;  ///< nothing: not available
};

LOCKSTEP_ICD_HANDLE(VkQueryPool, QueryPool)

}  // namespace lockstep::driver
