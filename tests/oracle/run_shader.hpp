#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "judgement/elements.hpp"
#include "oracle/bounds.hpp"

/// \file
/// Runs a shader for the oracle and judges results.

namespace lockstep::oracle_test {

/// A shader with buffers of floats at bindings 0, 1, ..., of which the last is judged.
class BoundedRun {
 public:
  BoundedRun(const std::string& glsl, std::vector<std::vector<float>> buffers,
             int subgroup_size = 8, Size3 groups = {1, 1, 1})
      : buffers_(std::move(buffers)) {
    const Module module = Module::from_glsl(glsl);
    const Pipeline pipeline(module, {.subgroup_size = subgroup_size});
    DescriptorTable table;
    for (std::uint32_t k = 0; k < buffers_.size(); ++k) table.bind(k, buffers_[k]);
    pipeline.dispatch(table, {.workgroups = groups, .bounds = &bounds_});
  }

  const std::vector<float>& values(std::size_t buffer) const { return buffers_[buffer]; }
  const std::vector<float>& values() const { return buffers_.back(); }
  oracle::Allowed allowed(std::size_t index) const {
    return bounds_.memory.load(reinterpret_cast<const std::byte*>(buffers_.back().data() + index),
                               sizeof(float));
  }
  std::string explain(std::size_t index) const { return bounds_.explain(allowed(index)); }

  judgement::Elements judge(const std::vector<float>& device) const {
    const auto bytes = std::as_bytes(std::span(buffers_.back()));
    return judgement::judge(npy::Dtype::float32,
                            {bytes.data(), bytes, std::as_bytes(std::span(device)), {}}, bounds_);
  }
  /// The verdict if one element were another number.
  judgement::Verdict verdict(std::size_t index, float value) const {
    std::vector<float> device = values();
    device[index] = value;
    for (std::size_t k = 0, n = 0; const auto& [verdict, count] : judge(device).runs) {
      n += count;
      if (index < n && index >= k) return verdict;
      k = n;
    }
    return judgement::Verdict::wrong;
  }

 private:
  std::vector<std::vector<float>> buffers_;
  oracle::Bounds bounds_;
};

}  // namespace lockstep::oracle_test
