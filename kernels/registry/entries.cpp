#include "registry/list.hpp"

#include "runtime/dispatch/instruction_set.hpp"

namespace lockstep::kernels {

extern "C" {
// A constant, as in src/shader/run/ops/functions.cpp.
constexpr EntryList LOCKSTEP_OF_THIS_PART(lockstep_kernels) = {
#define LOCKSTEP_ENTRY(name) name##_entry,
    LOCKSTEP_KERNELS(LOCKSTEP_ENTRY)
#undef LOCKSTEP_ENTRY
};
}

}  // namespace lockstep::kernels
