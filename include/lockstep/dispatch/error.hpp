#pragma once

#include <cstdint>
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

namespace fail {

/// Throws FaultError.
[[noreturn]] void faults(const FaultLog& log);

/// A function with barriers that was called without co_await.
[[noreturn]] void lost_barrier(SourceLocation where);
/// A subgroup size that no compiled width holds.
[[noreturn]] void subgroup_size(int size, int widest);
/// The kernel has no invocations.
[[noreturn]] void local_size();
/// An array has more elements than a 32-bit index reaches.
[[noreturn]] void buffer_size();
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
