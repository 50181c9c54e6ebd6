#include <catch2/catch.hpp>
#include <lockstep/checked.hpp>
#include <lockstep/glsl/keywords.hpp>
#include <lockstep/testing/catch.hpp>

template <class S>  // S: the machine that the kernel runs on
struct DoubleEven : lockstep::Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr lockstep::Size3 local_size{64};
  Buffer<uint> data;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (data[i] % 2u == 0u) data[i] = data[i] * 2u;  // only lanes with an even number
  }
};

TEST_CASE("even numbers are doubled at every subgroup size") {
  lockstep::for_each_size([](int size) {
    std::vector<std::uint32_t> data(256), expected(256);
    for (std::uint32_t i = 0; i < 256; ++i) {
      data[i] = i;
      expected[i] = i % 2 == 0 ? 2 * i : i;
    }
    lockstep::Device{.subgroup_size = size}.dispatch_checked<DoubleEven>({4}, data);
    CHECK(lockstep::compare(data, expected));
  });
}
