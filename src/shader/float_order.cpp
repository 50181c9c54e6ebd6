#include <lockstep/spirv/float_order.hpp>

#include <cstddef>

namespace lockstep {

std::string_view to_string(FloatOrder order) {
  constexpr std::string_view names[] = {"tree", "left_fold", "hillis_steele", "butterfly"};
  return names[static_cast<std::size_t>(order)];
}

}  // namespace lockstep
