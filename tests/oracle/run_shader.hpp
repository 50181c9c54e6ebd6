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
    return judge(npy::Dtype::float32, std::as_bytes(std::span(device)));
  }
  /// The verdict if one element were another number.
  judgement::Verdict verdict(std::size_t index, float value) const {
    std::vector<float> device = values();
    device[index] = value;
    return verdict_at(index, judge(device));
  }
  /// The element's bits, and the verdict if they were others, of a buffer of unsigned integers.
  std::uint32_t word(std::size_t index) const {
    std::uint32_t bits = 0;
    std::memcpy(&bits, buffers_.back().data() + index, sizeof bits);
    return bits;
  }
  judgement::Verdict verdict_of_word(std::size_t index, std::uint32_t bits) const {
    std::vector<std::uint32_t> device(values().size());
    std::memcpy(device.data(), values().data(), 4 * device.size());
    device[index] = bits;
    return verdict_at(index, judge(npy::Dtype::uint32, std::as_bytes(std::span(device))));
  }

 private:
  judgement::Elements judge(npy::Dtype type, std::span<const std::byte> device) const {
    const auto bytes = std::as_bytes(std::span(buffers_.back()));
    return judgement::judge(type, {bytes.data(), bytes, device, {}}, bounds_);
  }
  static judgement::Verdict verdict_at(std::size_t index, const judgement::Elements& judged) {
    for (std::size_t k = 0, n = 0; const auto& [verdict, count] : judged.runs) {
      n += count;
      if (index < n && index >= k) return verdict;
      k = n;
    }
    return judgement::Verdict::wrong;
  }

  std::vector<std::vector<float>> buffers_;
  oracle::Bounds bounds_;
};

}  // namespace lockstep::oracle_test
