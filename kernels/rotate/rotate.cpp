#include "rotate/rotate.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace rotate_case {

using Uint = std::uint32_t;

constexpr RotateBy by{5};

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("in", random_values(n, seed))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  inputs.push_back(output<Uint>("out", n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<Rotate, Uint, Uint>("rotate/rotate.comp", workgroups_for<Rotate>(n),
                                              {0, 1}, by)}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto in = values<Uint>(before.arguments[0]);
  const auto size = static_cast<std::size_t>(before.subgroup_size);
  std::vector<Uint> want;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t from = i / size * size + (i % size + by.delta) % size;
    want.push_back(from < in.size() ? in[from] : 0);
  }
  return difference("out", want, values<Uint>(after.arguments[1]));
}

}  // namespace rotate_case
}  // namespace

Entry rotate_entry() {
  using namespace rotate_case;
  return {.name = "rotate",
          .summary = "values rotate by some lanes within the subgroup",
          .source = source::course,
          .undefined_at = needs_full_subgroups,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
