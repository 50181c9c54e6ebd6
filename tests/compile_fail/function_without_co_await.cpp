// A function that waits must be awaited.
// expect-warning: a function with barriers continues only with co_await
#include <vector>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;

  Barriers wait() { co_await barrier(); }

  Barriers main() {
    const Uint i = gl_GlobalInvocationID.x;
#ifdef MUST_FAIL
    wait();
#else
    co_await wait();
#endif
    data[i] = 1u;
    co_return;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
