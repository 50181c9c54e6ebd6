#include <mandelbrot/mandelbrot.hpp>

#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;

std::vector<std::uint32_t> picture(const kernels::MandelbrotView& view) {
  std::vector<std::uint32_t> iterations;
  for (std::uint32_t py = 0; py < view.height; ++py) {
    for (std::uint32_t px = 0; px < view.width; ++px) {
      const float cx = view.left + static_cast<float>(px) * view.step;
      const float cy = view.bottom + static_cast<float>(py) * view.step;
      float x = 0, y = 0;
      std::uint32_t count = 0;
      while (count < view.max_iterations && x * x + y * y <= 4.0f) {
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        ++count;
      }
      iterations.push_back(count);
    }
  }
  return iterations;
}

TEST_CASE("mandelbrot draws what one lane after the other would, to the last bit") {
  const kernels::MandelbrotView view{.width = 100, .height = 40, .step = 2.5f / 100};
  const auto want = picture(view);
  for (const int size : {1, 8, 24, 32, 128}) {
    std::vector<std::uint32_t> got(view.width * view.height, 999);
    kernels::mandelbrot<1, 24, 32, 128>(view, got, Device{.subgroup_size = size});
    INFO("subgroup size " << size);
    CHECK(got == want);
  }
  CHECK(*std::max_element(want.begin(), want.end()) == 256);
}

}  // namespace
