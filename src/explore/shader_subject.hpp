#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "explore/explorer.hpp"

/// \file
/// Shaders as what is explored.

namespace lockstep::explore {

/// A shader under one setting after another.
///
/// Requires      Runs depend on nothing but the pipeline and the dispatch. Outlives its use as a Subject.
/// Active lanes  As in the shader.
/// Errors        As Pipeline::dispatch.
/// Cost          A run each; each subgroup size is compiled once, by add_size.
/// Spec          None.
/// Example       tests/explore/shader_subject.cpp
class ShaderSubject {
 public:
  /// Runs a pipeline once on the same input each time, and appends the bytes of each buffer that it may write.
  using RunOnce = std::function<ShaderRun(const Pipeline& pipeline, const Dispatch& how,
                                          std::vector<std::vector<std::byte>>& written)>;

  ShaderSubject(Pipeline first, Dispatch how, RunOnce run);

  /// Makes settings of that size possible.
  void add_size(int size);

  Result operator()(const Setting& setting, Chooser& chooser, Observer* observer) const;

 private:
  Dispatch how_;
  RunOnce run_;
  int first_size_;
  std::map<int, Pipeline> pipelines_;
};

/// The rule of reconvergence that a shader declares.
Rule declared_rule(const ShaderInterface& interface);

/// At which sizes subgroups are promised to be full, and why.
struct FullSubgroups {
  /// `required`: the pipeline requires it of all.
  FullSubgroups(const Module& module, const Size3& local_size, bool required);
  /// Whether those of a size may be partial.
  bool operator()(int size) const { return !required && (!promised || x % size != 0); }

  int x;
  bool required, promised;
  std::string text;
};

}  // namespace lockstep::explore
