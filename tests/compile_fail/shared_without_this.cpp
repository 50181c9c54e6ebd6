// A shared array needs to know its kernel.
// expect-error: members without a value (wanted), which for Shared arrays is {this}
// expect-line: 4
// expect-errors: 1
#include <vector>

#include <lockstep/lockstep.hpp>

template <class S>
struct Reverse : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;
#ifdef MUST_FAIL
  Shared<uint, 8> tile;
#else
  Shared<uint, 8> tile{this};
#endif

  Barriers main() {
    tile[gl_LocalInvocationIndex] = data[gl_LocalInvocationIndex];
    co_await barrier();
    data[gl_LocalInvocationIndex] = tile[7u - gl_LocalInvocationIndex];
  }
};

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Reverse, 8>({1}, data); }
