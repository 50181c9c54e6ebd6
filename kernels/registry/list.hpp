#pragma once

#include <array>

#include "registry/kernel_case.hpp"

// The kernels of kernels/ in the order of listings; <name>/<name>.cpp defines each
// entry.
// clang-format off
#define LOCKSTEP_KERNELS(X) \
  X(max_reduce) X(prefix_sum) X(allocate) X(allocate_broken) X(allocate_nonuniform) X(collatz) \
  X(mandelbrot) X(small_workgroup) X(dynamic_branch) X(vote) X(quarter_ballot) X(broadcast_load) \
  X(subgroup_scan) X(cull_triangles) X(shuffle_blend) X(xor_reduce) X(strided_scan) \
  X(reverse_scan) X(compact) X(rotate) X(clustered_rotate) X(prefix_sum_lookback) X(radix_sort) \
  X(histogram) X(butterfly) X(bitonic_sort) X(match_any) X(matrix_product) X(saxpy) \
  X(max_pool) X(mip)
// clang-format on

namespace lockstep::kernels {

#define LOCKSTEP_DECLARE_ENTRY(name) Entry name##_entry();
LOCKSTEP_KERNELS(LOCKSTEP_DECLARE_ENTRY)
#undef LOCKSTEP_DECLARE_ENTRY

#define LOCKSTEP_COUNT_ENTRY(name) +1
/// The functions that make the entries.
using EntryList = std::array<Entry (*)(), LOCKSTEP_KERNELS(LOCKSTEP_COUNT_ENTRY)>;
#undef LOCKSTEP_COUNT_ENTRY

// Of kernels compiled for each instruction set of a binary; the baseline's are in every binary.
extern "C" {
extern const EntryList lockstep_kernels_baseline, lockstep_kernels_avx2, lockstep_kernels_avx512;
}

}  // namespace lockstep::kernels
