#include "driver/entry_points.hpp"

#include <optional>
#include <string>
#include <unordered_map>

#include "driver/cooperative_matrices.hpp"
#include "driver/drawing.hpp"
#include "driver/refused.hpp"

namespace lockstep::driver {
namespace {

/// Where a command comes from.
struct Origin {
  std::optional<std::uint32_t> minor;
  std::string_view extension = {};
};
Origin core(std::uint32_t minor, std::string_view extension = {}) { return {minor, extension}; }
Origin of(std::string_view extension) { return {std::nullopt, extension}; }

using Table = std::unordered_map<std::string, EntryPoint>;

/// Adds a command by all of its names.
void add(Table& table, std::string name, Level level, Origin origin, PFN_vkVoidFunction function) {
  if (origin.minor) {
    table[name] = {function, level, *origin.minor};
    if (origin.extension.empty()) return;
    constexpr std::size_t prefix = 3;  // VK_
    name += origin.extension.substr(prefix, 3);
  }
  table[name] = {function, level, 0, origin.extension};
}

template <class F>
PFN_vkVoidFunction as_void(F function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

Table make_table() {
  Table table;
#define LOCKSTEP_ROW(level, origin, name) add(table, #name, Level::level, origin, as_void(&name));
  LOCKSTEP_ICD_COMMANDS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
  add(table, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR", Level::physical_device,
      of("VK_KHR_cooperative_matrix"), as_void(&cooperative_matrix_properties));
#define LOCKSTEP_REFUSED(level, origin, name) \
  add(table, #name, Level::level, origin, as_void(&Refused<PFN_##name>::call));
  LOCKSTEP_ICD_GRAPHICS_COMMANDS(LOCKSTEP_REFUSED)
#undef LOCKSTEP_REFUSED
#define LOCKSTEP_DRAWING(level, origin, name)   \
  struct Name_##name {                          \
    static const char* text() { return #name; } \
  };                                            \
  add(table, #name, Level::level, origin, as_void(&Drawing<PFN_##name, Name_##name>::call));
  LOCKSTEP_ICD_DRAWING_COMMANDS(LOCKSTEP_DRAWING)
#undef LOCKSTEP_DRAWING
  return table;
}

}  // namespace

EntryPoint find_entry_point(std::string_view name) {
  static const Table table = make_table();
  const auto found = table.find(std::string(name));
  return found == table.end() ? EntryPoint{} : found->second;
}

}  // namespace lockstep::driver
