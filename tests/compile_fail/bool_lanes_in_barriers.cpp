// One mistake is one error, with each machine that the kernel is compiled for, and also before a barrier.
// expect-error: Bool is one value per lane: If, While, Choose; && is AndAlso or &, || is OrElse or |
// expect-errors: 1
#include <vector>

#include <lockstep/checked.hpp>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;

  Barriers main() {
    const Uint i = gl_GlobalInvocationID.x;
#ifdef MUST_FAIL
    If (i > 3u && data[i] > 5u) {
      data[i] = 1u;
    }
#else
    If (AndAlso(i > 3u, data[i] > 5u)) {
      data[i] = 1u;
    }
#endif
    co_await barrier();
    data[i] = data[i] + 1u;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) {
  lockstep::Device{}.dispatch<Misused, 8, 32>({1}, data);
  lockstep::Device{}.dispatch_checked<Misused, 8, 32>({1}, data);
}
