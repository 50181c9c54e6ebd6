#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <lockstep/spirv/descriptor_table.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "io/types.hpp"
#include "judgement/elements.hpp"
#include "oracle/bounds.hpp"
#include "support/walker/walker.hpp"

/// \file
/// One shader in three ways: the engine, what the oracle allows beside its results, and the walk of each invocation.

namespace lockstep::walker_test {

/// A shader with buffers at bindings 0, 1, ..., of which the last gets results of one type.
struct Shader {
  std::string text;  ///< GLSL, or assembly
  npy::Dtype type = npy::Dtype::uint32;
  std::vector<std::vector<std::byte>> buffers = {};
  std::map<std::uint32_t, std::uint32_t> spec = {};
  int subgroup_size = 32;
  std::uint32_t workgroups = 1;
};

/// What a comparison saw.
struct Seen {
  std::size_t equal = 0, allowed = 0, undefined = 0;
};

/// Runs and walks the shader and checks that the walked results are what the oracle allows: for integers and bools the
/// engine's bits. What the walk finds undefined must not be exact for the oracle.
inline Seen compare(const Shader& shader) {
  INFO(shader.text << "\nsubgroup size " << shader.subgroup_size);
  const Module module = shader.text.starts_with("#version") ? Module::from_glsl(shader.text)
                                                            : Module::from_assembly(shader.text);
  std::vector<std::vector<std::byte>> mine = shader.buffers, other = shader.buffers;
  oracle::Bounds bounds;
  PipelineOptions options{.subgroup_size = shader.subgroup_size};
  walker::Job job{.words = module.words(), .subgroup_size = shader.subgroup_size};
  for (const auto& [id, value] : shader.spec) {
    options.specialization.emplace(id, SpecConstant::from_bits(value));
    job.spec[id] = value;
  }
  DescriptorTable table;
  std::vector<std::uint8_t> undefined(other.back().size());
  for (std::uint32_t k = 0; k < mine.size(); ++k) {
    table.bind(k, mine[k]);
    job.bindings.push_back({.binding = k, .bytes = other[k]});
  }
  job.bindings.back().undefined = undefined;
  job.workgroups = {shader.workgroups, 1, 1};
  const Pipeline pipeline(module, options);
  pipeline.dispatch(table, {.workgroups = {shader.workgroups, 1, 1}, .bounds = &bounds});
  walker::walk(job);

  Seen seen;
  const std::size_t size = io::bytes_of(shader.type);
  auto& walked = other.back();
  for (std::size_t at = 0; at < walked.size(); at += size) {
    if (undefined[at] == 0) continue;
    INFO("element " << at / size << ", which is undefined");
    CHECK(bounds.memory.load(mine.back().data() + at, size).kind ==
          oracle::Allowed::Kind::undefined);
    std::memcpy(walked.data() + at, mine.back().data() + at, size);
    ++seen.undefined;
  }
  const auto bytes = std::span<const std::byte>(mine.back());
  const judgement::Elements judged =
      judgement::judge(shader.type, {bytes.data(), bytes, walked, {}}, bounds);
  INFO("element " << judged.worst.index << ": engine " << judged.worst.reference << ", walked "
                  << judged.worst.device << ", between " << judged.worst.low << " and "
                  << judged.worst.high << ' ' << judged.worst.reason);
  CHECK(judged.count(judgement::Verdict::wrong) == 0);
  seen.equal = judged.count(judgement::Verdict::equal) +
               judged.count(judgement::Verdict::undefined) - seen.undefined;
  seen.allowed = judged.count(judgement::Verdict::allowed);
  return seen;
}

}  // namespace lockstep::walker_test
