#include "render/lane_json.hpp"

#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "runtime/exec/component.hpp"

namespace lockstep::render {
namespace {

using Json = nlohmann::ordered_json;

Json number(LaneValues::Type type, std::uint64_t bits) {
  return visit_component(type, bits, [](auto value) -> Json {
    if constexpr (std::is_floating_point_v<decltype(value)>)
      if (!std::isfinite(value)) return fmt::format("{}", value);
    return value;
  });
}

}  // namespace

Json json_of_lane(const LaneValues& values, int lane) {
  const auto components = static_cast<std::size_t>(values.components);
  Json vector = Json::array();
  for (std::size_t k = 0; k < components; ++k) {
    const std::size_t at = static_cast<std::size_t>(lane) * components + k;
    if (at < values.bits.size()) vector.push_back(number(values.type, values.bits[at]));
  }
  return components == 1 && vector.size() == 1 ? vector[0] : vector;
}

}  // namespace lockstep::render
