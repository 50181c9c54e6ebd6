#include "driver/cooperative_matrices.hpp"

#include <vector>

#include "driver/handle.hpp"

namespace lockstep::driver {
namespace {

struct Types {
  ComponentType ab, result;
};
using enum ComponentType;
constexpr Types types[] = {
    {float16, float16}, {float16, float32}, {float32, float32}, {float64, float64},
    {sint8, sint32},    {uint8, uint32},    {sint16, sint32},   {uint16, uint32},
    {sint32, sint32},   {uint32, uint32},   {sint8, sint8},     {uint8, uint8},
};

struct Shape {
  std::uint32_t m, n, k;
};
// Each of the three matrices has an element for each of 128 lanes, the largest subgroup. The engine takes other shapes as
// well.
constexpr Shape shapes[] = {{16, 16, 16}, {16, 8, 16}, {8, 16, 16}, {16, 16, 8}, {32, 32, 16}};

std::vector<CooperativeMatrixProperties> all_properties() {
  constexpr auto type = VkStructureType(1000506001);
  constexpr std::uint32_t subgroup = 3;
  std::vector<CooperativeMatrixProperties> all;
  for (const auto& [ab, result] : types) {
    for (const auto& [m, n, k] : shapes)
      all.push_back({type, nullptr, m, n, k, ab, ab, result, result, VK_FALSE, subgroup});
  }
  // What saturates is listed on its own, as its operand is then required.
  for (std::size_t at = 0, count = all.size(); at < count; ++at) {
    CooperativeMatrixProperties saturating = all[at];
    saturating.saturating_accumulation = VK_TRUE;
    const ComponentType result = saturating.result;
    if (result != float16 && result != float32 && result != float64) all.push_back(saturating);
  }
  return all;
}

}  // namespace

VkResult cooperative_matrix_properties(VkPhysicalDevice, std::uint32_t* count,
                                       CooperativeMatrixProperties* properties) {
  static const std::vector<CooperativeMatrixProperties> all = all_properties();
  if (properties == nullptr) {
    *count = static_cast<std::uint32_t>(all.size());
    return VK_SUCCESS;
  }
  // A caller's chains stay.
  const std::uint32_t room = *count;
  std::uint32_t k = 0;
  for (; k < all.size() && k < room; ++k) {
    void* const next = properties[k].pNext;
    properties[k] = all[k];
    properties[k].pNext = next;
  }
  *count = k;
  return k < all.size() ? VK_INCOMPLETE : VK_SUCCESS;
}

}  // namespace lockstep::driver
