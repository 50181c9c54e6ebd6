#include "cli/inspect/inspection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/load_module.hpp"
#include "io/layouts.hpp"
#include "shader_case/inspection.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;
using Binding = Reflection::Binding;
using shader_case::Inspection;

void print_block(const LayoutType& block) {
  for (const std::string& line : lockstep::io::lines_of(block)) fmt::print("    {}\n", line);
}

std::string described(const Binding& binding) {
  std::string text = fmt::format("{} {} ({}", shader_case::name_of(binding.kind),
                                 shader_case::slot_of(binding), binding.name);
  if (!binding.hlsl_register.empty()) text += ", " + binding.hlsl_register;
  if (binding.elements == 0) text += "[]";
  if (binding.elements > 1) text += fmt::format("[{}]", binding.elements);
  text += ")";
  if (!shader_case::is_buffer(binding)) text += ": " + binding.type;
  if (!binding.format.empty()) text += ", " + binding.format;
  if (!binding.writable && binding.kind == Binding::Kind::storage_buffer) text += ", read-only";
  if (shader_case::is_buffer(binding) && binding.block.size > 0)
    text += fmt::format(", {} bytes", binding.block.size);
  if (!binding.used) text += ", unused";
  return text;
}

void print_list(std::string_view title, const std::vector<std::string>& names,
                std::string_view none) {
  fmt::print("{}: {}\n", title,
             names.empty() ? std::string(none) : fmt::format("{}", fmt::join(names, ", ")));
}

void print(const RunOptions& options, const Inspection& shader,
           const shader_case::FoundInputs& found) {
  const Reflection& declared = shader.declared;
  fmt::print("{}\n", options.files.front());
  print_list("entry points", shader.entry_points, "none");
  fmt::print("local size: {} x {} x {}\n", declared.local_size.x, declared.local_size.y,
             declared.local_size.z);
  for (const Binding& binding : declared.bindings) {
    fmt::print("{}\n", described(binding));
    if (shader_case::is_buffer(binding)) print_block(binding.block);
  }
  if (declared.push_constants) {
    fmt::print("push constants, {} bytes\n", declared.push_constants->size);
    print_block(*declared.push_constants);
  }
  for (const DeclaredConstant& constant : declared.constants)
    fmt::print("specialization constant {}: {}{}{} = {}\n", constant.id, glsl_name(constant.type),
               constant.name.empty() ? "" : " ", constant.name, shader_case::default_of(constant));
  if (shader.needed) {
    if (shader.needed->shared_memory_bytes > 0)
      fmt::print("shared memory: {} bytes\n", shader.needed->shared_memory_bytes);
    const auto& built_ins = shader.needed->built_ins;
    print_list("subgroup built-ins", {built_ins.begin(), built_ins.end()}, "none");
    print_list("features", shader_case::names_of(shader.needed->needs), "none");
    if (!shader.other_features.empty())
      print_list("features that profiles do not have", shader.other_features, "");
    print_list("profiles", shader_case::profiles_of(*shader.needed), "none");
  } else {
    fmt::print("not supported: {}\n", shader.unsupported);
  }
  if (found.is_cut_short)
    fmt::print(
        "search for inputs: cut short after {} runs, as they do much work; a larger --search-runs "
        "lets it go on\n",
        found.runs);
  if (shader.needed) fmt::print("\n{}\n", command_of(options, shader));
}

/// Adds all inputs that were found, and what they reach.
Json with_search(Json json, const RunOptions& options, const Inspection& shader,
                 const shader_case::FoundInputs& found) {
  json["inputs"] = Json::array();
  for (const shader_case::Proposal& one : found.sets)
    json["inputs"].push_back(shader_case::arguments_of(options, shader, one));
  json["search"] = {{"runs", found.runs},   {"cut_short", found.is_cut_short},
                    {"lines", found.lines}, {"never_ran", found.never_ran},
                    {"sides", found.sides}, {"never_taken", found.never_taken}};
  return json;
}

}  // namespace

ExitCode inspect(const RunOptions& options, const shader_case::SearchLimits& limits) {
  const Module module = load_module(options);
  Inspection shader = shader_case::inspection_of(module, options);
  shader_case::FoundInputs found;
  found.sets.emplace_back();
  if (shader.needed && limits.runs > 0)
    found = shader_case::find_inputs(module, options, shader, limits);
  shader.proposal = found.sets.front();
  if (options.json)
    fmt::print("{}\n", with_search(to_json(options, shader), options, shader, found)
                           .dump(2, ' ', false, Json::error_handler_t::replace));
  else
    print(options, shader, found);
  return exit_fine;
}

}  // namespace lockstep::cli
