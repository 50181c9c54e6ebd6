#include "driver/entry_points.hpp"

#include <string>
#include <unordered_map>

#include "driver/cooperative_matrices.hpp"
#include "driver/drawing.hpp"
#include "driver/refused.hpp"

namespace lockstep::driver {
namespace {

enum class Version { version_1_0, version_1_1, version_1_2, version_1_3, extension };

struct Row {
  EntryPoint entry;
  Version version;
};

using Table = std::unordered_map<std::string_view, Row>;

template <class F>
PFN_vkVoidFunction as_void(F function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

Table make_table() {
  Table table;
#define LOCKSTEP_ROW(level, version, name) \
  table[#name] = {{as_void(&name), Level::level}, Version::version};
  LOCKSTEP_ICD_COMMANDS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
  table["vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"] = {
      {as_void(&cooperative_matrix_properties), Level::physical_device}, Version::extension};
#define LOCKSTEP_REFUSED(level, version, name) \
  table[#name] = {{as_void(&Refused<PFN_##name>::call), Level::level}, Version::version};
  LOCKSTEP_ICD_GRAPHICS_COMMANDS(LOCKSTEP_REFUSED)
#undef LOCKSTEP_REFUSED
#define LOCKSTEP_DRAWING(level, version, name)                                      \
  struct Name_##name {                                                              \
    static const char* text() { return #name; }                                     \
  };                                                                                \
  table[#name] = {{as_void(&Drawing<PFN_##name, Name_##name>::call), Level::level}, \
                  Version::version};
  LOCKSTEP_ICD_DRAWING_COMMANDS(LOCKSTEP_DRAWING)
#undef LOCKSTEP_DRAWING
  return table;
}

}  // namespace

EntryPoint find_entry_point(std::string_view name) {
  static const Table table = make_table();
  if (const auto found = table.find(name); found != table.end()) return found->second.entry;
  // The name of the extension that a command of 1.1 to 1.3 was promoted from.
  if (!name.ends_with("KHR") && !name.ends_with("EXT")) return {};
  const auto found = table.find(name.substr(0, name.size() - 3));
  if (found == table.end() || found->second.version == Version::version_1_0 ||
      found->second.version == Version::extension)
    return {};
  return found->second.entry;
}

}  // namespace lockstep::driver
