// Pixels have no workgroup to wait for.
// expect-error: barrier() waits for a workgroup, and pixels have none
// expect-error: pixels have no workgroup: main() returns void and has no barrier()
// expect-line: 8
#include <vector>

#include <lockstep/glsl/keywords.hpp>
#include <lockstep/glsl/pixels.hpp>

template <class S>
struct Misused : lockstep::Pixels<S> {
  LOCKSTEP_PIXELS(S);
  Buffer<uint> data;

#ifdef MUST_FAIL
  Barriers main() { co_await barrier(); }
#else
  void main() { subgroupBarrier(); }
#endif
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) {
  lockstep::Device{}.dispatch_pixels<Misused, 8>(4, 2, data);
}
