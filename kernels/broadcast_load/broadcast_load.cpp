#include "broadcast_load/broadcast_load.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace broadcast_load_case {

// The number of invocations, which is not bound to the kernel.
constexpr std::size_t count_input = 1;

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("table", random_below<float>(4 * 37, seed, 1000)),
          input("count", std::vector<std::uint32_t>{static_cast<std::uint32_t>(n)})};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  constexpr std::size_t most = 1 << 26;
  require_multiple(inputs[0], 4, "vec4");
  if (size(inputs[0]) == 0) throw InputError("the input table is empty; use at least four numbers");
  if (size(inputs[count_input]) != 1 || values<std::uint32_t>(inputs[count_input])[0] > most)
    throw InputError(fmt::format(
        "the input count must be one number, of vectors to write; use at most {}", most));
  const std::size_t n = values<std::uint32_t>(inputs[count_input])[0];
  inputs.push_back(output<float>("out", 4 * n));
  return {.subgroup_size = subgroup_size,
          .arguments = std::move(inputs),
          .passes = {pass<BroadcastLoad, std430::vec4, std430::vec4>(
              "broadcast_load/broadcast_load.comp", workgroups_for<BroadcastLoad>(n), {0, 2})}};
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto table = values<float>(before.arguments[0]);
  const std::size_t n = values<std::uint32_t>(before.arguments[count_input])[0];
  const auto size = static_cast<std::size_t>(before.subgroup_size);
  const std::size_t subgroups_each = (128 + size - 1) / size;
  std::vector<float> want;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t subgroup = i / 128 * subgroups_each + i % 128 / size;
    const std::size_t entry = (subgroup * 7 + 3) % (table.size() / 4);
    for (std::size_t k = 0; k < 4; ++k) want.push_back(table[4 * entry + k]);
  }
  return difference("out", want, values<float>(after.arguments[2]));
}

}  // namespace broadcast_load_case
}  // namespace

Entry broadcast_load_entry() {
  using namespace broadcast_load_case;
  return {.name = "broadcast_load",
          .summary = "one lane loads a vector for its whole subgroup",
          .source = source::tutorial,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
