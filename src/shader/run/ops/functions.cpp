#include "shader/run/ops/functions.hpp"

#include <type_traits>

#include "runtime/dispatch/instruction_set.hpp"

namespace lockstep::spirv {

// What the engine shares with these functions holds masks, which are the same integers for each instruction set.
// Lanes, which are not, are in registers alone.
static_assert(sizeof(Mask<128>) == sizeof(detail::Uint128) &&
              alignof(Mask<128>) == alignof(detail::Uint128) &&
              std::is_trivially_copyable_v<Mask<128>>);

extern "C" {
extern const Functions LOCKSTEP_OF_THIS_PART(lockstep_functions);
// A constant: where another part is chosen, no code of this one runs, not even to initialize it.
constexpr Functions LOCKSTEP_OF_THIS_PART(lockstep_functions) = {
#define LOCKSTEP_ENGINE_FUNCTION(name) name,
    LOCKSTEP_ENGINE_FUNCTIONS(LOCKSTEP_ENGINE_FUNCTION)
#undef LOCKSTEP_ENGINE_FUNCTION
};
}

}  // namespace lockstep::spirv
