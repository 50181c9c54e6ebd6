#include <lockstep/dispatch/device.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "ports/compare.hpp"
#include "registry/registry.hpp"
#include "support/settings.hpp"

/// \file
/// Kernels as HLSL with wave intrinsics, in tests/ports/hlsl, against the C++ kernels.

namespace {

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

const fs::path hlsl_directory = fs::path(LOCKSTEP_KERNELS_DIR).parent_path() / "tests/ports/hlsl";

/// The job with the HLSL form of each pass: saxpy/saxpy.comp is saxpy.hlsl. Of a kernel that has none, with no passes.
kernels::KernelCase in_hlsl(kernels::KernelCase job) {
  for (kernels::Pass& pass : job.passes) {
    pass.shader = fs::path(pass.shader).stem().string() + ".hlsl";
    if (!fs::exists(hlsl_directory / pass.shader)) return {job.subgroup_size, {}, {}};
  }
  return job;
}

void compare_hlsl(const kernels::Entry& entry, ports::EnginePort& port, std::size_t count,
                  int size) {
  const kernels::KernelCase before = entry.make_case(entry.make_input(count, seed()), size);
  INFO(entry.name << ", subgroup size " << size << ", " << count << " elements, seed " << seed());
  kernels::KernelCase want = before, got = in_hlsl(before);
  kernels::run(Device{.subgroup_size = size, .threads = 1}, want);
  CHECK(port.run(got, {.subgroup_size = size, .threads = 1}).count() == 0);
  CHECK(entry.verify(before, got) == "");
  CHECK(first_difference(got, want) == "");
}

}  // namespace

TEST_CASE("kernels in HLSL leave the bits that the C++ kernels leave") {
  int compared = 0;
  for (const kernels::Entry& entry : kernels::all_kernels()) {
    const kernels::KernelCase any = in_hlsl(entry.make_case(entry.make_input(1, 1), 32));
    if (any.passes.empty()) continue;
    ports::EnginePort port(any, hlsl_directory.string());
    for (const int size : {1, 5, 24, 32, 64, 128}) {
      if (!entry.undefined_at(size).empty()) continue;
      for (const std::size_t count : {std::size_t{129}, std::size_t{3000}})
        compare_hlsl(entry, port, count, size);
    }
    ++compared;
  }
  CHECK(compared == 12);
}
