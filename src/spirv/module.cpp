#include <lockstep/spirv/module.hpp>

#include "spirv/front/child.hpp"
#include "spirv/front/decoded_module.hpp"

namespace lockstep {
namespace {

spirv::CompileOptions compile_options(const ModuleOptions& options) {
  return {options.defines, options.include_dirs, options.entry, options.target};
}

std::shared_ptr<const spirv::DecodedModule> decode(spirv::Binary binary, const std::string& name) {
  return std::make_shared<const spirv::DecodedModule>(std::move(binary), name);
}

}  // namespace

Module::Module(std::shared_ptr<const spirv::DecodedModule> decoded)
    : decoded_(std::move(decoded)) {}

Module Module::load(const std::string& path, const ModuleOptions& options) {
  const spirv::CompileOptions compile = compile_options(options);
  const auto load = [&] { return spirv::load_file(path, compile); };
  return Module(
      decode(options.limits ? spirv::in_child(path, *options.limits, load) : load(), path));
}
Module Module::from_glsl(const std::string& text, const ModuleOptions& options,
                         const std::string& name) {
  return Module(decode(spirv::compile_glsl(text, name, compile_options(options)), name));
}
Module Module::from_assembly(const std::string& text, const ModuleOptions& options,
                             const std::string& name) {
  return Module(decode(spirv::assemble(text, name, compile_options(options)), name));
}
Module Module::from_words(std::vector<std::uint32_t> words, const ModuleOptions& options,
                          const std::string& name) {
  return Module(decode(spirv::validate(std::move(words), name, compile_options(options)), name));
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
