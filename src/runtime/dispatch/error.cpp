#include <lockstep/dispatch/error.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <lockstep/exec/event.hpp>

#include "runtime/exec/gdb_printers.hpp"

namespace lockstep {
namespace {

std::string place(SourceLocation where) { return fmt::format("{}:{}", where.file, where.line); }

std::string text_of(const FaultLog& log) {
  const auto& all = log.findings();
  const auto error = std::ranges::find(all, Severity::error, &Finding::severity);
  const Finding& first = error == all.end() ? log.first() : *error;
  std::string text = to_string(first);
  if (log.count() > first.count)
    text += fmt::format("; {} more in other places", log.count() - first.count);
  return text + "; a Device with .faults = Faults::counted returns them instead of throwing";
}

}  // namespace

bool has_errors(const FaultLog& log) {
  std::uint64_t others = log.count();
  for (const Finding& finding : log.findings()) {
    if (finding.severity == Severity::error) return true;
    others -= finding.count;
  }
  return others > 0;
}

FaultError::FaultError(const FaultLog& log) : Error(text_of(log)), faults(log) {}

void fail::faults(const FaultLog& log) { throw FaultError(log); }

void fail::lost_barrier(SourceLocation where) {
  throw Error(
      fmt::format("{}: a function that waits at this barrier() was called without co_await: say "
                  "`co_await function()` in a main() that returns Barriers",
                  place(where)));
}

void fail::no_coroutine(std::string_view kernel) {
  throw Error(
      fmt::format("Barriers main() of kernel {} contains neither co_await nor co_return: end it "
                  "with co_return;",
                  kernel));
}

void fail::subgroup_size(int size, int widest) {
  throw Error(
      fmt::format("subgroup size {} does not fit the widths this dispatch was compiled for: use 1 "
                  "to {}, or name a wider one",
                  size, widest));
}

void fail::poison() {
  throw Error(
      "Undefined::poison needs kernels that are compiled with -DLOCKSTEP_POISON=1, the default "
      "without optimization, or a dispatch with a Convergence");
}
void fail::local_size() {
  throw Error("a kernel's local_size is zero in some dimension: each must be at least 1");
}

void fail::unless_arrays_fit(std::string_view kernel, std::span<const ArgumentArray> arrays) {
  for (const ArgumentArray& array : arrays) {
    if (array.elements > 0xffffffff) {
      throw Error(fmt::format(
          "argument {} of kernel {}: a buffer has more than 2^32 - 1 elements: split it",
          array.number, kernel));
    }
  }
  const auto address = [](const ArgumentArray& array) {
    return reinterpret_cast<std::uintptr_t>(array.data);
  };
  for (std::size_t k = 1; k < arrays.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      const ArgumentArray &a = arrays[j], &b = arrays[k];
      if (a.bytes != 0 && address(a) == address(b) && (a.is_summed || b.is_summed)) {
        throw Error(
            fmt::format("arguments {} and {} of kernel {} are the same array, but the kernel's "
                        "member for argument {} is a Summed, to which nothing else may refer: "
                        "make it a Buffer, or pass separate arrays",
                        a.number, b.number, kernel, a.is_summed ? a.number : b.number));
      }
      const bool apart = a.bytes == 0 || b.bytes == 0 || address(a) == address(b) ||
                         address(a) + a.bytes <= address(b) || address(b) + b.bytes <= address(a);
      if (apart || !(a.is_written || b.is_written)) continue;
      throw Error(
          fmt::format("arguments {} and {} of kernel {} overlap, but start at different elements, "
                      "and the kernel writes to "
                      "argument {}: pass separate arrays, or the same one twice",
                      a.number, b.number, kernel, a.is_written ? a.number : b.number));
    }
  }
}

void fail::integer_argument(std::string_view kernel, int number, bool is_negative,
                            std::uint64_t magnitude, bool is_signed, std::size_t bits) {
  throw Error(fmt::format(
      "argument {} of kernel {} is {}{}, which the kernel's member, {} of {} bits, cannot hold",
      number, kernel, is_negative ? "-" : "", magnitude, is_signed ? "an int" : "a uint", bits));
}

void fail::shared_memory(std::uint64_t most) {
  throw Error(
      fmt::format("a kernel's shared arrays take more than the device's maxComputeSharedMemorySize "
                  "of {} bytes: "
                  "make them smaller or use another profile",
                  most));
}

void fail::pixels(std::string_view kernel, int subgroup_size, std::uint32_t width,
                  std::uint32_t height) {
  if (subgroup_size < 4) {
    throw Error(
        fmt::format("kernel {} runs on pixels, which come in quads: subgroup size {} has no "
                    "room for one; use at least 4",
                    kernel, subgroup_size));
  }
  throw Error(
      fmt::format("kernel {} is to run on {} x {} pixels, more than 2^34 in quads: split them",
                  kernel, width, height));
}

void fail::unless_checkable(std::string_view dispatch, Checks wanted, Checks possible) {
  Checks others;
  bool checked = true;
  for (const CheckInfo& info : all_checks()) {
    if (!wanted.has(info.check) || possible.has(info.check)) continue;
    others = others.with(info.check);
    checked = checked && kernel_checks().has(info.check);
  }
  if (!others.any()) return;
  throw Error(fmt::format(
      "{} does not check kernels for {}; {}", dispatch, to_string(others),
      checked ? "dispatch_checked of <lockstep/checked.hpp> does"
              : fmt::format("kernels in C++ can be checked for {}", to_string(kernel_checks()))));
}

void fail::pixels_under_core(std::string_view kernel) {
  throw Error(fmt::format(
      "kernel {} runs on pixels, but rule core makes promises to invocation groups only, "
      "and implementations of Vulkan choose which pixels form one: use subgroup-uniform "
      "or maximal",
      kernel));
}

}  // namespace lockstep
