#include "shader/ir/written_resources.hpp"

#include <algorithm>
#include <cstdint>

namespace lockstep::spirv {

std::vector<bool> written_resources(const Ir& ir) {
  std::vector<bool> written(ir.resources.size());
  for (const Op& op : ir.ops) {
    switch (op.code) {
      case Code::store:
      case Code::atomic:
        written[place_of(op).resource] = true;
        break;
      case Code::image_store: {
        // Any element of an array, if the index is not constant.
        const auto& image = op.as<ImageOp>();
        for (std::uint64_t k = 0; k < std::max<std::uint64_t>(image.choices, 1); ++k)
          written[image.resource + k] = true;
        break;
      }
      case Code::store_address:
      case Code::atomic_address:
        return std::vector<bool>(written.size(), true);
      default:
        break;
    }
  }
  return written;
}

}  // namespace lockstep::spirv
