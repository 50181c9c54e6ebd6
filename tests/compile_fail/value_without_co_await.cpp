// A function that waits and returns a value must be awaited.
// expect-warning: a function with barriers continues only with co_await
#include <vector>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;

  BarriersThen<Uint> total(Uint part) {
    co_await barrier();
    co_return part;
  }

  Barriers main() {
    const Uint i = gl_GlobalInvocationID.x;
#ifdef MUST_FAIL
    total(i);
#else
    data[i] = co_await total(i);
#endif
    co_return;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
