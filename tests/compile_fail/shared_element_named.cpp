// As an element of a buffer, one of a shared array has no name.
// expect-error: an element cannot be named by auto
#include <vector>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;
  Shared<uint, 8> totals{this};

  Barriers main() {
    const Uint i = gl_GlobalInvocationID.x;
#ifdef MUST_FAIL
    auto e = totals[i];
    data[i] = e + 1u;
#else
    const Uint e = totals[i];
    data[i] = e + 1u;
#endif
    co_return;
  }
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
