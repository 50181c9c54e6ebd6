#include "radix_sort/radix_sort.hpp"

#include "registry/inputs.hpp"
#include "registry/passes.hpp"
#include "registry/verify.hpp"

namespace lockstep::kernels {
namespace {
namespace radix_sort_case {

using Uint = std::uint32_t;

// The places of the case's arrays.
enum : Uint { keys, sorted, between, counts };

std::vector<Argument> make_input(std::size_t n, std::uint64_t seed) {
  return {input("keys", random_values(n, seed))};
}

KernelCase make_case(std::vector<Argument> inputs, int subgroup_size) {
  const std::size_t n = size(inputs[0]);
  const Size3 workgroups{static_cast<Uint>((n + radix_tile - 1) / radix_tile)};
  inputs.push_back(output<Uint>("sorted", n));
  inputs.push_back(scratch<Uint>("between", n));
  inputs.push_back(scratch<Uint>("counts", std::size_t{workgroups.x} * radix_digits));
  KernelCase job{.subgroup_size = subgroup_size, .arguments = std::move(inputs), .passes = {}};
  Uint from = keys;
  for (Uint shift = 0; shift < 32; shift += 4) {
    const Uint to = shift % 8 == 0 ? between : sorted;
    const RadixRound round{shift};
    job.passes.push_back(pass<CountDigits, Uint, Uint>("radix_sort/radix_sort_count.comp",
                                                       workgroups, {from, counts}, round));
    job.passes.push_back(pass<ScanCounts, Uint>("radix_sort/radix_sort_scan.comp", {1}, {counts}));
    job.passes.push_back(pass<MoveKeys, Uint, Uint, Uint>("radix_sort/radix_sort.comp", workgroups,
                                                          {from, counts, to}, round));
    from = to;
  }
  return job;
}

std::string verify(const KernelCase& before, const KernelCase& after) {
  const auto in = values<Uint>(before.arguments[keys]);
  std::vector<Uint> want(in.begin(), in.end());
  std::sort(want.begin(), want.end());
  return difference("sorted", want, values<Uint>(after.arguments[sorted]));
}

}  // namespace radix_sort_case
}  // namespace

Entry radix_sort_entry() {
  using namespace radix_sort_case;
  return {.name = "radix_sort",
          .summary = "sorts an array by digits of four bits",
          .source = source::none,
          .undefined_at = defined_everywhere,
          .make_input = make_input,
          .make_case = make_case,
          .verify = verify};
}

}  // namespace lockstep::kernels
