#include "shader/front/newer_features.hpp"

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep::spirv {

std::string_view newer_feature(spv::Capability capability) {
  switch (static_cast<std::uint32_t>(capability)) {
    case 4174:  // TensorsARM
      return "tensors";
    case 4495:  // TileShadingQCOM
      return "tiles of an image";
    case 5120:  // AbortKHR
      return "aborts";
    case 5128:  // DescriptorHeapEXT
      return "descriptor heaps";
    case 5394:  // CooperativeVectorNV
      return "cooperative vectors";
    default:
      return "";
  }
}

void check_newer_features(const std::vector<std::uint32_t>& words, const std::string& name) {
  constexpr std::size_t header = 5;
  constexpr auto capability = 2u << 16 | static_cast<std::uint32_t>(spv::Op::OpCapability);
  for (std::size_t at = header; at + 1 < words.size() && words[at] == capability; at += 2) {
    const std::string_view newer = newer_feature(static_cast<spv::Capability>(words[at + 1]));
    if (!newer.empty())
      throw Error(fmt::format("{}: OpCapability: {} (capability {}) are not supported", name, newer,
                              words[at + 1]));
  }
}

}  // namespace lockstep::spirv
