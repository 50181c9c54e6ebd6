#include "shader/run/ops/functions.hpp"
#include "runtime/dispatch/instruction_set.hpp"

namespace lockstep::spirv {

extern "C" {
extern const Functions lockstep_functions_baseline, lockstep_functions_avx2,
    lockstep_functions_avx512;
}

const Functions& functions() {
#ifdef LOCKSTEP_HAS_PARTS
  static const Functions& chosen = for_this_processor(
      lockstep_functions_baseline, lockstep_functions_avx2, lockstep_functions_avx512);
  return chosen;
#else
  return lockstep_functions_baseline;
#endif
}

}  // namespace lockstep::spirv
