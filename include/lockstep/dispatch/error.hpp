#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/fault_log.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// What happens to the faults of a dispatch.
enum class Faults : std::uint8_t {
  thrown,   ///< the dispatch ends with a FaultError if one is an error
  counted,  ///< they are in its result, for whoever asks
};

/// Whether one of the findings is an error. Those that are only counted are taken for errors.
bool has_errors(const FaultLog& log);

/// A dispatch that had faults: the text is that of the first error.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        This is one.
/// Cost          None until it is thrown.
/// Spec          None.
/// Example       tests/dispatch/error.cpp
class FaultError : public Error {
 public:
  explicit FaultError(const FaultLog& log);

  FaultLog faults;
};

/// An array among the arguments of a dispatch.
struct ArgumentArray {
  const void* data = nullptr;
  std::size_t bytes = 0;
  std::size_t elements = 0;
  int number = 0;  ///< among all arguments, from 1
  bool is_written = false;
  bool is_summed = false;  ///< for a Summed member
};

namespace fail {

/// Throws FaultError.
[[noreturn]] void faults(const FaultLog& log);

/// A function with barriers that was called without co_await.
[[noreturn]] void lost_barrier(SourceLocation where);
/// A main() that returns Barriers and is not a coroutine.
[[noreturn]] void no_coroutine(std::string_view kernel);
/// A subgroup size that no compiled width holds.
[[noreturn]] void subgroup_size(int size, int widest);
/// The kernel was compiled without poison.
[[noreturn]] void poison();
/// The kernel has no invocations.
[[noreturn]] void local_size();
/// Throws Error for an array with more elements than a 32-bit index reaches, and for two that overlap without being
/// the same, if one is written.
void unless_arrays_fit(std::string_view kernel, std::span<const ArgumentArray> arrays);
/// An integer that the kernel's member, an integer of so many bits, cannot hold.
[[noreturn]] void integer_argument(std::string_view kernel, int number, bool is_negative,
                                   std::uint64_t magnitude, bool is_signed, std::size_t bits);
/// A kernel needs more shared memory than the device has.
[[noreturn]] void shared_memory(std::uint64_t most);
/// Pixels at a subgroup size without quads, or too many pixels.
[[noreturn]] void pixels(std::string_view kernel, int subgroup_size, std::uint32_t width,
                         std::uint32_t height);
/// Throws Error for rules that a dispatch of a kernel in C++ cannot check for, and names them.
void unless_checkable(std::string_view dispatch, Checks wanted, Checks possible);
/// Pixels under the rule core.
[[noreturn]] void pixels_under_core(std::string_view kernel);

}  // namespace fail
}  // namespace lockstep
