#pragma once

#include <string>
#include <utility>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/trace/trace.hpp>

/// \file
/// The trace of a kernel, in one line of a test.

namespace lockstep::inline LOCKSTEP_ABI::trace_of_kernels {

/// Dispatches a kernel as device.dispatch does, and records a subgroup of it:
///
///     lockstep::trace::dispatch<DoubleEven>({4}, data).print();
///     lockstep::trace::dispatch<DoubleEven>(device, {.subgroup = 1}, {4}, data).save("subgroup1.txt");
///
/// Requires      As Device::dispatch with a Convergence. Without a device, subgroups have 8 lanes.
/// Active lanes  As Device::dispatch.
/// Errors        As trace::record. Errors of the run, and accesses outside arrays, are part of the trace.
/// Cost          That of a dispatch under a rule. K is compiled once, for a width that holds all sizes.
/// Spec          vkCmdDispatch
/// Example       tests/trace/dispatch.cpp
template <template <class> class K, class... A>
[[nodiscard]] trace::Trace dispatch(Device device, trace::Request request, Size3 workgroups,
                                    A&&... arguments) {
  device.faults = Faults::counted;
  return trace::record(std::string(kernel_name(detail::pretty_kernel<K>())), device.subgroup_size,
                       std::move(request), [&](const Convergence& convergence) {
                         return device.dispatch<K, max_subgroup_size>(convergence, workgroups,
                                                                      arguments...);
                       });
}
template <template <class> class K, class... A>
[[nodiscard]] trace::Trace dispatch(const Device& device, Size3 workgroups, A&&... arguments) {
  return trace_of_kernels::dispatch<K>(device, trace::Request{}, workgroups, arguments...);
}
template <template <class> class K, class... A>
[[nodiscard]] trace::Trace dispatch(Size3 workgroups, A&&... arguments) {
  return trace_of_kernels::dispatch<K>(Device{.subgroup_size = 8}, trace::Request{}, workgroups,
                                       arguments...);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::trace_of_kernels

namespace lockstep::trace {
using trace_of_kernels::dispatch;
}
