#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/subgroup/spec.hpp>

/// \file
/// Everything that is known of a built-in without running it.

namespace lockstep::explain {

/// Its counterparts; empty where a language has none.
struct OtherNames {
  std::string_view hlsl, cuda, wgsl, metal;
};

/// A row of the table of built-ins.
struct Row {
  enum class Kind { function, variable, barrier };

  const spec::BuiltIn* built_in = nullptr;
  Kind kind = Kind::function;
  std::string_view operation, op;  ///< of functions: as in LOCKSTEP_BUILT_INS
  OtherNames names;

  std::string_view name() const { return built_in->name; }
  bool takes_cluster() const {
    return built_in->form == spec::Form::value_cluster ||
           built_in->form == spec::Form::value_index_cluster;
  }
};

/// All of them: variables, barriers, then functions, in the order of the table.
std::span<const Row> rows();

/// The row of that name in GLSL, or null.
const Row* find_row(std::string_view name);

/// The rows of which that is the name in HLSL, CUDA, WGSL or Metal.
std::vector<const Row*> rows_named_elsewhere(std::string_view name);

/// As GLSL declares it: "T subgroupShuffle(T value, uint id)".
std::string signature(const Row& row);
/// The types that T stands for in words; empty if there is no T.
std::string types_of_value(const Row& row);
/// The extensions that a shader needs to call it.
std::vector<std::string_view> extensions_of(const Row& row);
/// What each active lane gets, in a sentence.
std::string meaning(const Row& row);
/// Where its result is undefined, in a sentence.
std::string undefined_where(const Row& row);

/// Something that is often done wrong.
struct Mistake {
  std::string_view what;
  std::string_view rule;  ///< of docs/reference/rules.md that finds it; empty if none does
};
std::vector<Mistake> mistakes(const Row& row);

/// Names of built-ins and topics that look like the text, the nearest first.
std::vector<std::string> nearest(std::string_view text, std::span<const std::string> names);

}  // namespace lockstep::explain
