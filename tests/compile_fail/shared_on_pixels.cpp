// Pixels have no workgroup, and therefore no shared memory.
// expect-error: shared memory belongs to workgroups, and pixels have none
#include <lockstep/lockstep.hpp>

using namespace lockstep;

#ifdef MUST_FAIL
using S = PixelMachine<8>;
#else
using S = FastMachine<8>;
#endif

std::uint32_t lengths() {
  return Shared<std::uint32_t, 4, S>::length() + Shared<Vec<float, 3, 8>, 4, S>::length();
}
