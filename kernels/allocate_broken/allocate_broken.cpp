#include "allocate_broken/allocate_broken.hpp"

#include "registry/allocation.hpp"

namespace lockstep::kernels {

Entry allocate_broken_entry() {
  return {.name = "allocate_broken",
          .summary = "allocate before its repair: relies on lanes rejoining by luck",
          .source = source::sample,
          .undefined_at = defined_everywhere,
          .make_input = allocation_input,
          .make_case =
              [](std::vector<Argument> inputs, int subgroup_size) {
                return allocation_case<AllocateBroken>("allocate_broken/allocate_broken.comp",
                                                       std::move(inputs), subgroup_size);
              },
          .verify = verify_allocation};
}

}  // namespace lockstep::kernels
