#include "cli/serve/wgsl.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include <lockstep/spirv/module.hpp>

#include "shader/front/source_language.hpp"
#include "shader/front/temporary_folder.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The module of a shader, which is called shader.wgsl in messages and for the compiler.
std::vector<std::uint32_t> module_of(const std::string& source) {
  const TemporaryFolder folder;
  fs::current_path(folder.path());
  std::ofstream("shader.wgsl", std::ios::binary) << source;
  setenv("LOCKSTEP_CACHE", "off", 1);  // it would keep a module for each change of the text
  const Module module = Module::load("shader.wgsl");
  return {module.words().begin(), module.words().end()};
}

bool is(const Json& message, const char* member, const char* text) {
  return message.contains(member) && message.at(member) == text;
}

}  // namespace

bool has_wgsl_compiler() { return !spirv::find_compiler(spirv::SourceLanguage::wgsl).empty(); }

std::string with_wgsl(const std::string& message) {
  Json json = Json::parse(message, nullptr, false);
  if (!json.is_object()) return message;
  const bool is_shader =
      is(json, "language", "wgsl") && json.contains("source") && json.at("source").is_string();
  if ((!is_shader && !is(json, "ask", "choices")) || !has_wgsl_compiler()) return message;
  if (is_shader)
    json["module"] = module_of(json.at("source"));
  else
    json["wgsl"] = true;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lockstep::cli
