#include "shader/run/ops/reduction_list.hpp"

namespace lockstep::spirv {

Run find_reduction_int8(spec::Name name, bool as_signed, int width) {
  return for_width(width, [&]<int P>() {
    return find_integer_reduction<std::int8_t, std::uint8_t, P>(name, as_signed);
  });
}

}  // namespace lockstep::spirv
