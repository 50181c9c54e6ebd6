#include "shader/front/source_language.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "shader/front/without_comments.hpp"

namespace lockstep::spirv {
namespace {

constexpr std::pair<std::string_view, SourceLanguage> endings[] = {
    {".asm.comp", SourceLanguage::assembly}, {".spvasm", SourceLanguage::assembly},
    {".comp", SourceLanguage::glsl},         {".glsl", SourceLanguage::glsl},
    {".hlsl", SourceLanguage::hlsl},         {".slang", SourceLanguage::slang},
    {".wgsl", SourceLanguage::wgsl},         {".cl", SourceLanguage::opencl},
    {".spv", SourceLanguage::module},
};

constexpr std::array<std::string_view, 1> hlsl_compilers{"dxc"}, slang_compilers{"slangc"},
    opencl_compilers{"clspv"};
constexpr std::array<std::string_view, 2> wgsl_compilers{"naga", "tint"};

std::span<const std::string_view> programs(SourceLanguage language) {
  switch (language) {
    case SourceLanguage::hlsl:
      return hlsl_compilers;
    case SourceLanguage::slang:
      return slang_compilers;
    case SourceLanguage::wgsl:
      return wgsl_compilers;
    case SourceLanguage::opencl:
      return opencl_compilers;
    default:
      return {};
  }
}

std::string find_program(std::string_view name) {
  const char* const variable = std::getenv("PATH");
  for (std::string_view rest = variable != nullptr ? variable : ""; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    const std::string path = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
    std::error_code none;
    if (std::filesystem::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0)
      return path;
  }
  return {};
}

/// Words that a language has and the others have not.
struct Sign {
  std::string_view word, name, ending;
  SourceLanguage language;
};
constexpr Sign signs[] = {
    {"[numthreads", "HLSL", ".hlsl", SourceLanguage::hlsl},
    {"@compute", "WGSL", ".wgsl", SourceLanguage::wgsl},
    {"__kernel", "OpenCL C", ".cl", SourceLanguage::opencl},
    {"#version", "GLSL", ".comp", SourceLanguage::glsl},
};

}  // namespace

SourceLanguage language_of(std::string_view path) {
  for (const auto& [ending, language] : endings) {
    if (path.ends_with(ending)) return language;
  }
  return SourceLanguage::unknown;
}

std::string compilers_of(SourceLanguage language) {
  return fmt::format("{}", fmt::join(programs(language), " or "));
}

std::string find_compiler(SourceLanguage language) {
  for (const std::string_view program : programs(language)) {
    if (std::string path = find_program(program); !path.empty()) return path;
  }
  return {};
}

std::string compiler_identity(const std::string& compiler) {
  namespace fs = std::filesystem;
  const bool is_path = compiler.find('/') != std::string::npos;
  std::error_code error;
  const fs::path path = fs::canonical(is_path ? compiler : find_program(compiler), error);
  if (error) return {};
  const auto size = fs::file_size(path, error);
  const auto time = fs::last_write_time(path, error);
  if (error) return {};
  return fmt::format("{} {} {}", path.string(), size, time.time_since_epoch().count());
}

std::string mistaken_language(const std::string& text, SourceLanguage language) {
  const std::string code = without_comments(text);
  for (const Sign& sign : signs) {
    if (code.find(sign.word) == std::string::npos) continue;
    // Slang has HLSL's attributes.
    const bool fits = sign.language == language ||
                      (sign.language == SourceLanguage::hlsl && language == SourceLanguage::slang);
    return fits ? std::string()
                : fmt::format("looks like {} ({}): give it the extension {}", sign.name, sign.word,
                              sign.ending);
  }
  return {};
}

}  // namespace lockstep::spirv
