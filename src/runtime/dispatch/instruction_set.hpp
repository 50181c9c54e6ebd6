#pragma once

#include <cstdint>

/// \file
/// Code on lanes that one binary has for several instruction sets (LOCKSTEP_ISA=all), and the choice between them.

// The name of the symbol that a part is used by: name_baseline, name_avx2 or name_avx512. LOCKSTEP_PART is the
// instruction set of a source that is compiled for several, but for the baseline.
#define LOCKSTEP_JOIN_NAMES(name, part) name##_##part
#define LOCKSTEP_NAME_OF_PART(name, part) LOCKSTEP_JOIN_NAMES(name, part)
#ifdef LOCKSTEP_PART
#define LOCKSTEP_OF_THIS_PART(name) LOCKSTEP_NAME_OF_PART(name, LOCKSTEP_PART)
#else
#define LOCKSTEP_OF_THIS_PART(name) LOCKSTEP_NAME_OF_PART(name, baseline)
#endif

namespace lockstep {

/// The instruction sets of a binary that has several, ascending.
enum class InstructionSet : std::uint8_t {
  baseline,  ///< every processor that it runs on
  avx2,      ///< x86-64-v3
  avx512,    ///< x86-64-v4
};

/// The widest that this processor has, up to the one in the environment variable LOCKSTEP_NATIVE: avx2 for that, calls
/// for the baseline. It is chosen once.
InstructionSet instruction_set();

constexpr const char* name_of(InstructionSet set) {
  return set == InstructionSet::avx512 ? "avx512"
         : set == InstructionSet::avx2 ? "avx2"
                                       : "baseline";
}

/// The part for that instruction set.
template <class Part>
const Part& for_this_processor(const Part& baseline, const Part& avx2, const Part& avx512) {
  const InstructionSet set = instruction_set();
  return set == InstructionSet::avx512 ? avx512 : set == InstructionSet::avx2 ? avx2 : baseline;
}

}  // namespace lockstep
