#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "amber/parser.hpp"

namespace lockstep::amber {
namespace {

constexpr std::array<std::string_view, 13> stages{"vertex",
                                                  "fragment",
                                                  "geometry",
                                                  "tessellation_evaluation",
                                                  "tessellation_control",
                                                  "compute",
                                                  "multi",
                                                  "any_hit",
                                                  "closest_hit",
                                                  "miss",
                                                  "ray_generation",
                                                  "callable",
                                                  "intersection"};

struct NamedFormat {
  std::string_view name;
  Shader::Format format;
};
constexpr std::array formats{NamedFormat{"GLSL", Shader::Format::glsl},
                             NamedFormat{"SPIRV-ASM", Shader::Format::spirv_asm},
                             NamedFormat{"SPIRV-HEX", Shader::Format::spirv_hex},
                             NamedFormat{"SPIRV-BIN", Shader::Format::spirv_bin}};

// Languages of AmberScript that cannot be compiled here.
constexpr std::array<std::string_view, 3> foreign{"PASSTHROUGH", "HLSL", "OPENCL-C"};

}  // namespace

void Parser::parse_shader() {
  Shader shader;
  shader.line = line_;
  const std::string stage = word("the type of SHADER");
  if (std::ranges::find(stages, stage) == stages.end())
    fail(fmt::format("'{}' is not a type of shader; write compute", stage));
  shader.compute = stage == "compute" || stage == "multi";
  shader.name = word("the name of SHADER");
  if (shaders_.contains(shader.name))
    fail(fmt::format("SHADER {} already exists; choose another name", shader.name));
  const std::string format = word("the format of SHADER");
  const auto* known = std::ranges::find(formats, format, &NamedFormat::name);
  if (std::ranges::find(foreign, format) != foreign.end())
    shader.unsupported = fmt::format(
        "is {}, which is not supported; give it as GLSL, SPIRV-ASM or SPIRV-HEX", format);
  else if (known == formats.end())
    fail(fmt::format(
        "'{}' is not a format of shader; write GLSL, SPIRV-ASM, SPIRV-HEX or SPIRV-BIN", format));
  else
    shader.format = known->format;
  if (format == "PASSTHROUGH")
    end_statement("SHADER");
  else
    parse_shader_source(shader);
  shaders_[shader.name] = script_.shaders.size();
  script_.shaders.push_back(std::move(shader));
}

void Parser::parse_shader_source(Shader& shader) {
  if (accept("TARGET_ENV")) shader.target = word("the environment of TARGET_ENV");
  if (accept("VIRTUAL_FILE")) {
    const std::string path = word("the path of VIRTUAL_FILE");
    const auto found = virtual_files_.find(path);
    if (found == virtual_files_.end())
      fail(fmt::format("there is no VIRTUAL_FILE {}; declare it before the shader", path));
    shader.source = found->second;
    shader.first_line = virtual_file_lines_[path];
    end_statement("SHADER");
  } else if (accept("FILE")) {
    shader.file = word("the path of FILE");
    end_statement("SHADER");
    return;
  } else {
    end_statement("SHADER");
    shader.first_line = reader_.line();
    if (!reader_.read_block(shader.source))
      fail(fmt::format("SHADER {} has no END; add one", shader.name));
    end_statement("SHADER");
  }
  if (shader.format == Shader::Format::spirv_bin)
    fail(fmt::format("SHADER {} is SPIRV-BIN, which only a FILE can hold; name one", shader.name));
  if (shader.source.find_first_not_of(" \t\r\n") == std::string::npos)
    fail(fmt::format("SHADER {} is empty; write its source", shader.name));
}

std::size_t Parser::shader_named(const std::string& name) const {
  const auto found = shaders_.find(name);
  if (found == shaders_.end())
    fail(fmt::format("there is no SHADER {}; declare it before it is used", name));
  return found->second;
}

}  // namespace lockstep::amber
