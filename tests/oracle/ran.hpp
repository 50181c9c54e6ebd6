#pragma once

#include <deque>
#include <string>
#include <utility>

#include <lockstep/spirv/pipeline.hpp>

#include "judgement/elements.hpp"
#include "oracle/bounds.hpp"
#include "registry/kernel_case.hpp"
#include "support/ports/bind.hpp"
#include "support/ports/engine_port.hpp"

namespace lockstep::oracle_test {

/// A job after its port has run for the oracle.
struct Ran {
  kernels::KernelCase job;
  oracle::Bounds bounds = {};
};

inline Ran run_for_oracle(const kernels::KernelCase& job, int size) {
  Ran ran{job};
  for (const kernels::Pass& pass : ran.job.passes) {
    const Module module = Module::load(std::string(LOCKSTEP_KERNELS_DIR) + "/" + pass.shader);
    std::deque<Image> images;
    const DescriptorTable table = ports::bind(ran.job, pass, images);
    const Pipeline pipeline(module, {.subgroup_size = size});
    pipeline.dispatch(table, {.workgroups = pass.workgroups,
                              .push_constants = pass.push_constants,
                              .bounds = &ran.bounds});
  }
  return ran;
}

inline npy::Dtype type_of(const kernels::Argument& argument) {
  constexpr npy::Dtype types[] = {npy::Dtype::uint32, npy::Dtype::int32, npy::Dtype::float32,
                                  npy::Dtype::float16};
  return types[argument.values.index()];
}

/// Checks that no element of another run of the job is wrong.
inline void check_allowed(const Ran& ran, const kernels::KernelCase& other) {
  for (std::size_t k = 0; k < other.arguments.size(); ++k) {
    const auto mine = ports::bytes_of(std::as_const(ran.job).arguments[k]);
    const auto theirs = ports::bytes_of(std::as_const(other).arguments[k]);
    const judgement::Elements judged =
        judgement::judge(type_of(other.arguments[k]), {mine.data(), mine, theirs, {}}, ran.bounds);
    INFO(other.arguments[k].name << "[" << judged.worst.index << "] " << judged.worst.reference
                                 << " " << judged.worst.device << " " << judged.worst.reason);
    CHECK(judged.count(judgement::Verdict::wrong) == 0);
  }
}

}  // namespace lockstep::oracle_test
