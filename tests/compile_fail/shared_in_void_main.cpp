// With void main() each subgroup runs alone, so nothing would be shared.
// expect-error: a kernel with Shared arrays needs Barriers main()
#include <vector>

#include <lockstep/glsl/keywords.hpp>

template <class S>
struct Misused : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{8};
  Buffer<uint> data;
  Shared<uint, 8> totals{this};

#ifdef MUST_FAIL
  void main() { data[0] = totals[0]; }
#else
  Barriers main() {
    data[0] = totals[0];
    co_return;
  }
#endif
};

#include <lockstep/glsl/keywords_off.hpp>

void run(std::vector<std::uint32_t>& data) { lockstep::Device{}.dispatch<Misused, 8>({1}, data); }
