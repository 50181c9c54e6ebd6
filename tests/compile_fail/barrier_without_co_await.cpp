// barrier() alone waits for nothing.
// expect-warning: barrier() only waits with co_await
#include <vector>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;

  Barriers main() {
    const Uint i = gl_GlobalInvocationID.x;
#ifdef MUST_FAIL
    barrier();
#else
    co_await barrier();
#endif
    data[i] = 1u;
    co_return;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
