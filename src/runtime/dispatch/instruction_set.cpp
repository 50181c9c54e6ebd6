#include "runtime/dispatch/instruction_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace lockstep {
namespace {

#if defined(__x86_64__)
/// F16C, MOVBE and LZCNT, for which clang has no __builtin_cpu_supports.
bool has_other_instructions_of_v3() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_F16C) == 0 || (c & bit_MOVBE) == 0)
    return false;
  return __get_cpuid(0x80000001, &a, &b, &c, &d) != 0 && (c & bit_LZCNT) != 0;
}

InstructionSet widest() {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
                    has_other_instructions_of_v3();
  if (!avx2) return InstructionSet::baseline;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  return avx512 ? InstructionSet::avx512 : InstructionSet::avx2;
}
#else
InstructionSet widest() { return InstructionSet::baseline; }
#endif

InstructionSet limit() {
  const char* const given = std::getenv("LOCKSTEP_NATIVE");
  const std::string_view name = given == nullptr ? "" : given;
  return name == "calls"  ? InstructionSet::baseline
         : name == "avx2" ? InstructionSet::avx2
                          : InstructionSet::avx512;
}

}  // namespace

InstructionSet instruction_set() {
  static const InstructionSet chosen = std::min(widest(), limit());
  return chosen;
}

}  // namespace lockstep
