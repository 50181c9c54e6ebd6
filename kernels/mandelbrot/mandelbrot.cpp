#include "mandelbrot/mandelbrot.hpp"

#include <cmath>

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace mandelbrot_case {

using Uint = std::uint32_t;

MandelbrotView view_of(const Pass& pass) {
  MandelbrotView view;
  std::memcpy(&view, pass.push_constants.data(), sizeof view);
  return view;
}

// The size determines the picture. It is passed as an array of one element, so that there is an
// input as everywhere else.
std::vector<Argument> make_input(std::size_t n, std::uint64_t) {
  const auto side = static_cast<Uint>(std::sqrt(static_cast<double>(n)));
  return {input("side", std::vector<Uint>{side})};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  constexpr Uint largest = 1 << 14;
  if (size(inputs[0]) != 1 || values<Uint>(inputs[0])[0] > largest)
    throw InputError(fmt::format(
        "the input side must be one number, the picture's width and height; use at most {}",
        largest));
  const Uint side = values<Uint>(inputs[0])[0];
  const MandelbrotView view{.width = side,
                            .height = side,
                            .left = -2.0f,
                            .bottom = -1.25f,
                            .step = 2.5f / static_cast<float>(std::max(side, 1u)),
                            .max_iterations = 256};
  inputs.push_back(output<Uint>("iterations", std::size_t{side} * side));
  return {
      .subgroup_size = subgroup_size,
      .arguments = std::move(inputs),
      .passes = {pass<Mandelbrot, Uint>("mandelbrot/mandelbrot.comp",
                                        {workgroups_for<Mandelbrot>(side).x, side}, {1}, view)}};
}

Uint iterations_at(const MandelbrotView& view, Uint px, Uint py) {
  const float cx = view.left + static_cast<float>(px) * view.step;
  const float cy = view.bottom + static_cast<float>(py) * view.step;
  float x = 0, y = 0;
  Uint count = 0;
  for (; count < view.max_iterations && x * x + y * y <= 4.0f; ++count) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
  }
  return count;
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const MandelbrotView view = view_of(before.passes[0]);
  std::vector<Uint> want;
  for (Uint py = 0; py < view.height; ++py) {
    for (Uint px = 0; px < view.width; ++px) want.push_back(iterations_at(view, px, py));
  }
  return difference("iterations", want, values<Uint>(after.arguments[1]));
}

}  // namespace mandelbrot_case
}  // namespace

Entry mandelbrot_entry() {
  using namespace mandelbrot_case;
  return {.name = "mandelbrot",
          .summary = "a picture of the Mandelbrot set: lanes leave the loop one after another",
          .source = source::none,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
