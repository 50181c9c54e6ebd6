#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/fault_log.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/spirv/float_order.hpp>

/// \file
/// One run of a shader of a topic.

namespace lockstep::explain {

/// How it runs: one workgroup, and lanes that need not rejoin do not.
struct Setting {
  int subgroup_size = 8;
  Rule rule = Rule::maximal;
  Checks checks = {};
  FloatOrder float_order = FloatOrder::tree;
};

struct Result {
  std::vector<std::uint32_t> out;  ///< binding 0
  FaultLog findings;
};

/// The `main` of a shader after a heading that declares `out_`, at binding 0, with that many words.
struct Scene {
  std::string_view declarations;
  std::string_view main;
  std::size_t words = 0;
};

Result run(const Scene& scene, const Setting& setting);

}  // namespace lockstep::explain
