#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "driver/entry_points.def.hpp"
#include "driver/vulkan.hpp"

/// \file
/// The commands by name. Each is defined in the file of its domain.

namespace lockstep::driver {

#define LOCKSTEP_DECLARE(level, origin, name) std::remove_pointer_t<PFN_##name> name;
LOCKSTEP_ICD_COMMANDS(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE

/// What the first argument of a command is.
enum class Level { global, instance, physical_device, device };

/// A command by one of its names.
struct EntryPoint {
  PFN_vkVoidFunction function = nullptr;
  Level level = Level::global;
  std::uint32_t minor = 0;          ///< the first version of Vulkan 1 that has the name
  std::string_view extension = {};  ///< that has the name instead, if there is one
};

/// Finds a command by one of its names. The function is null if no command has the name.
EntryPoint find_entry_point(std::string_view name);

}  // namespace lockstep::driver
