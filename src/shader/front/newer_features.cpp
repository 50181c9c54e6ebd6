#include "shader/front/newer_features.hpp"

#include <cstdint>

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

}  // namespace lockstep::spirv
