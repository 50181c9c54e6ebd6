#pragma once

#include <string_view>
#include <type_traits>

#include "driver/entry_points.def.hpp"
#include "driver/vulkan.hpp"

/// \file
/// The commands by name. Each is defined in the file of its domain.

namespace lockstep::driver {

#define LOCKSTEP_DECLARE(level, version, name) std::remove_pointer_t<PFN_##name> name;
LOCKSTEP_ICD_COMMANDS(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE

/// What the first argument of a command is.
enum class Level { global, instance, physical_device, device };

struct EntryPoint {
  PFN_vkVoidFunction function = nullptr;
  Level level = Level::global;
};

/// The command of that name, or of the name that it had before it became part of Vulkan. Null if there is none.
EntryPoint find_entry_point(std::string_view name);

}  // namespace lockstep::driver
