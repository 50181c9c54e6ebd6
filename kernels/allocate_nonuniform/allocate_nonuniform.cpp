#include "allocate_nonuniform/allocate_nonuniform.hpp"

#include "registry/allocation.hpp"

namespace lockstep::kernels {

Entry allocate_nonuniform_entry() {
  return {.name = "allocate_nonuniform",
          .summary = "allocate inside another divergent selection, which undoes the repair",
          .source = source::sample,
          .undefined_at = defined_everywhere,
          .make_input = allocation_input,
          .make_case =
              [](std::vector<Argument> inputs, int subgroup_size) {
                return allocation_case<AllocateNonuniform>(
                    "allocate_nonuniform/allocate_nonuniform.comp", std::move(inputs),
                    subgroup_size);
              },
          .verify = verify_allocation};
}

}  // namespace lockstep::kernels
