#include "matrix_product/matrix_product.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace matrix_product_case {

// Integers: every product is exact.
std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  const std::size_t numbers = n / 16 * 16;
  return {input("a", random_below<float>(numbers, seed, 100)),
          input("b", random_below<float>(numbers, seed + 1, 100))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  require_same_size(inputs);
  require_multiple(inputs[0], 16, "matrix");
  const std::size_t n = size(inputs[0]);
  inputs.push_back(output<float>("product", n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<MatrixProduct, float, float, float>(
              "matrix_product/matrix_product.comp", workgroups_for<MatrixProduct>(n), {0, 1, 2})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto a = values<float>(before.arguments[0]);
  const auto b = values<float>(before.arguments[1]);
  std::vector<Expected> want;
  for (std::size_t m = 0; m < a.size(); m += 16) {
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t column = 0; column < 4; ++column) {
        double sum = 0, magnitude = 0;
        for (std::size_t k = 0; k < 4; ++k) {
          const double product = double{a[m + 4 * row + k]} * double{b[m + 4 * k + column]};
          sum += product;
          magnitude += std::abs(product);
        }
        want.push_back({sum, 8 * 0x1p-23 * magnitude});
      }
    }
  }
  return difference("product", want, values<float>(after.arguments[2]));
}

}  // namespace matrix_product_case
}  // namespace

Entry matrix_product_entry() {
  using namespace matrix_product_case;
  return {.name = "matrix_product",
          .summary = "products of 4x4 matrices, sixteen lanes each",
          .source = source::none,
          .undefined_at = needs_multiple_of<16>,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
