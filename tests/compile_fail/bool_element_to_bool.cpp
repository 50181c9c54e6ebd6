// An element of a shared array is one value per lane, so an ordinary while cannot branch on it.
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
  Shared<bool, 8> done{this};

  Barriers main() {
    const Uint i = gl_LocalInvocationIndex;
    done[i] = data[i] > 3u;
    co_await barrier();
#ifdef MUST_FAIL
    while (done[i]) {
      done[i] = false;
    }
#else
    While (done[i]) {
      done[i] = false;
    }
#endif
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) {
  lockstep::Device{}.dispatch<Misused, 8>({1}, data);
  lockstep::Device{}.dispatch_checked<Misused, 8>({1}, data);
}
