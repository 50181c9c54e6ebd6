#include "shader/run/ops/reduction_list.hpp"

namespace lockstep::spirv {

Run find_reduction_float16(spec::Name name, int width) {
  return for_width(width, [&]<int P>() {
    return find_reduction_on<is_reduction_of_floats, float16_t, P>(name);
  });
}

}  // namespace lockstep::spirv
