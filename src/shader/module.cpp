#include <lockstep/spirv/module.hpp>

#include <optional>
#include <utility>

#include "shader/front/child.hpp"
#include "shader/front/decoded_module.hpp"
#include "shader/front/hlsl.hpp"
#include "shader/front/source_language.hpp"

namespace lockstep {
namespace {

spirv::CompileOptions compile_options(const ModuleOptions& options) {
  return {.defines = options.defines,
          .include_dirs = options.include_dirs,
          .entry = options.entry,
          .target = options.target,
          .validate = options.validate,
          .compiler = options.compiler,
          .registers = options.registers};
}

std::shared_ptr<spirv::DecodedModule> decoded_from(spirv::Binary binary, const std::string& name,
                                                   const ModuleOptions& options, bool hlsl) {
  auto decoded = std::make_shared<spirv::DecodedModule>(std::move(binary), name);
  if (hlsl) decoded->registers = options.registers;
  return decoded;
}

/// The module that make(compile options) gives, in a child process if the options have limits. `text` is its source if
/// that is no file.
template <class F>
std::shared_ptr<const spirv::DecodedModule> made_by(const std::string& name,
                                                    const ModuleOptions& options, const F& make,
                                                    const std::string* text = nullptr,
                                                    bool hlsl = false) {
  const spirv::CompileOptions how = compile_options(options);
  const auto call = [&] { return make(how); };
  spirv::Binary binary = options.limits ? spirv::in_child(name, *options.limits, call) : call();
  auto decoded = decoded_from(std::move(binary), name, options, hlsl);
  if (text != nullptr) decoded->comments.add(name, *text);
  return decoded;
}

}  // namespace

Module::Module(std::shared_ptr<const spirv::DecodedModule> decoded)
    : decoded_(std::move(decoded)) {}

Module Module::load(const std::string& path, const ModuleOptions& options) {
  // Starting a process for a compiler takes longer than what a small shader needs besides.
  if (std::optional<spirv::Binary> found = spirv::find_compiled(path, compile_options(options)))
    return Module(decoded_from(std::move(*found), path, options, spirv::is_hlsl(path)));
  const auto load_by = [&](const ModuleOptions& with) {
    return Module(made_by(
        path, with, [&](const auto& how) { return spirv::load_file(path, how); }, nullptr,
        spirv::is_hlsl(path)));
  };
  try {
    return load_by(options);
  } catch (const spirv::CompilerCrash&) {
    ModuleOptions other = options;
    other.compiler = spirv::find_compiler(spirv::language_of(path));
    if (!options.compiler.empty() || other.compiler.empty()) throw;
    return load_by(other);
  }
}
Module Module::from_glsl(const std::string& text, const ModuleOptions& options,
                         const std::string& name) {
  return Module(made_by(
      name, options, [&](const auto& how) { return spirv::compile_glsl(text, name, how); }, &text));
}
Module Module::from_hlsl(const std::string& text, const ModuleOptions& options,
                         const std::string& name) {
  return Module(made_by(
      name, options, [&](const auto& how) { return spirv::compile_hlsl(text, name, how); }, &text,
      true));
}
Module Module::from_assembly(const std::string& text, const ModuleOptions& options,
                             const std::string& name) {
  return Module(made_by(
      name, options, [&](const auto& how) { return spirv::assemble(text, name, how); }, &text));
}
Module Module::from_words(std::vector<std::uint32_t> words, const ModuleOptions& options,
                          const std::string& name) {
  return Module(made_by(name, options, [&](const auto& how) {
    return spirv::validate(std::move(words), name, how);
  }));
}

Module Module::with_words(std::vector<std::uint32_t> words, const ModuleOptions& options) const {
  const auto check = [&](const auto& how) {
    spirv::Binary binary = spirv::validate(std::move(words), name(), how);
    binary.maximally_reconverges = decoded_->maximally_reconverges;
    binary.subgroup_uniform_control_flow = decoded_->subgroup_uniform_control_flow;
    return binary;
  };
  spirv::CompileOptions how = compile_options(options);
  spirv::Binary binary = options.limits
                             ? spirv::in_child(name(), *options.limits, [&] { return check(how); })
                             : check(how);
  auto decoded = std::make_shared<spirv::DecodedModule>(std::move(binary), name());
  decoded->comments = decoded_->comments;
  decoded->registers = decoded_->registers;
  return Module(std::move(decoded));
}

const std::string& Module::name() const { return decoded_->module.file(); }

std::span<const std::uint32_t> Module::words() const { return decoded_->module.words(); }

std::vector<std::string> Module::entry_points() const {
  std::vector<std::string> names;
  for (const spirv::EntryPoint& entry : decoded_->module.entry_points()) {
    if (entry.model == spv::ExecutionModel::GLCompute) names.push_back(entry.name);
  }
  return names;
}

}  // namespace lockstep
