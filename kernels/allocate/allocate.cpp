#include "allocate/allocate.hpp"

#include "registry/allocation.hpp"

namespace lockstep::kernels {

Entry allocate_entry() {
  return {.name = "allocate",
          .summary = "even values stored without gaps, with one atomic per subgroup",
          .source = source::sample,
          .undefined_at = defined_everywhere,
          .make_input = allocation_input,
          .make_case =
              [](std::vector<Argument> inputs, int subgroup_size) {
                return allocation_case<Allocate>("allocate/allocate.comp", std::move(inputs),
                                                 subgroup_size);
              },
          .verify = verify_allocation};
}

}  // namespace lockstep::kernels
