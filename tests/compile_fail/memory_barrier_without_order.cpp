// A memory barrier must order something.
// expect-error: memoryBarrier needs an order
#include <lockstep/glsl/detail/barrier_semantics.hpp>

#ifdef MUST_FAIL
constexpr int semantics = 0;
#else
constexpr int semantics = 8;
#endif

void barrier() { lockstep::detail::check_barrier_semantics<0x100, semantics, true>(); }
