#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "amber/parser.hpp"

namespace lockstep::amber {
namespace {

struct NamedKind {
  std::string_view name;
  Binding::Kind kind;
  bool dynamic = false;
};
constexpr std::array kinds{
    NamedKind{"storage", Binding::Kind::storage},
    NamedKind{"uniform", Binding::Kind::uniform},
    NamedKind{"storage_dynamic", Binding::Kind::storage, true},
    NamedKind{"uniform_dynamic", Binding::Kind::uniform, true},
    NamedKind{"storage_texel_buffer", Binding::Kind::storage_texel_buffer},
    NamedKind{"uniform_texel_buffer", Binding::Kind::uniform_texel_buffer},
    NamedKind{"storage_image", Binding::Kind::storage_image},
    NamedKind{"sampled_image", Binding::Kind::sampled_image},
    NamedKind{"combined_image_sampler", Binding::Kind::combined_image_sampler},
};

// Uses of a buffer that AmberScript has and Lockstep does not support.
constexpr std::array<std::string_view, 3> graphics_only{"color", "depth_stencil", "resolve"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

}  // namespace

// ---- Pipelines ----

std::size_t Parser::pipeline_named(const std::string& name) const {
  const auto found = pipelines_.find(name);
  if (found == pipelines_.end())
    fail(fmt::format("there is no PIPELINE {}; declare it before it is used", name));
  return found->second;
}

void Parser::add_pipeline_name(const std::string& name) {
  if (!pipelines_.emplace(name, script_.pipelines.size()).second)
    fail(fmt::format("PIPELINE {} already exists; choose another name", name));
}

void Parser::parse_pipeline() {
  Pipeline pipeline;
  pipeline.line = line_;
  const std::string type = word("the type of PIPELINE");
  pipeline.name = word("the name of PIPELINE");
  if (type == "graphics" || type == "raytracing") {
    script_.skip = fmt::format("PIPELINE {} is a {} pipeline", pipeline.name,
                               type == "graphics" ? "graphics" : "ray tracing");
    return;
  }
  if (type != "compute") fail(fmt::format("'{}' is not a type of pipeline; write compute", type));
  end_statement("PIPELINE");
  add_pipeline_name(pipeline.name);
  parse_pipeline_body(pipeline);
}

void Parser::parse_derived_pipeline() {
  const std::uint32_t line = line_;
  const std::string name = word("the name of DERIVE_PIPELINE");
  expect("FROM", "DERIVE_PIPELINE");
  Pipeline pipeline = script_.pipelines[pipeline_named(word("the pipeline to derive from"))];
  end_statement("DERIVE_PIPELINE");
  pipeline.name = name;
  pipeline.line = line;
  add_pipeline_name(name);
  parse_pipeline_body(pipeline);
}

void Parser::parse_pipeline_body(Pipeline& pipeline) {
  for (Token token; next_in_block(token, fmt::format("PIPELINE {}", pipeline.name));) {
    const std::string& name = token.text;
    if (name == "ATTACH")
      parse_attach(pipeline);
    else if (name == "BIND")
      parse_bind(pipeline);
    else if (name == "SUBGROUP")
      parse_subgroup(pipeline);
    else if (name == "FRAMEBUFFER_SIZE")
      skip_framebuffer_size();
    else if (name == "SHADER_OPTIMIZATION")
      skip_block(name);  // only one pass changes results
    else if (name == "SET")
      fail(
          "SET KERNEL sets arguments of OPENCL-C, which is not supported; use a push_constant "
          "buffer");
    else if (name == "COMPILE_OPTIONS")
      fail("COMPILE_OPTIONS are for OPENCL-C, which is not supported; remove them");
    else
      fail(fmt::format(
          "'{}' does not belong in a compute PIPELINE; write ATTACH, BIND, SUBGROUP or END", name));
  }
  end_statement("PIPELINE");
  if (!pipeline.shader)
    throw ScriptError(pipeline.line,
                      fmt::format("PIPELINE {} has no shader; ATTACH one", pipeline.name));
  script_.pipelines.push_back(std::move(pipeline));
}

// Any pipeline may have one; a compute pipeline has no framebuffer.
void Parser::skip_framebuffer_size() {
  number("width of FRAMEBUFFER_SIZE");
  number("height of FRAMEBUFFER_SIZE");
  end_statement("FRAMEBUFFER_SIZE");
}

void Parser::skip_block(std::string_view block) {
  shader_named(word(fmt::format("the shader of {}", block)));
  for (Token token; next_in_block(token, block);)
    if (token.text == "--graphics-robust-access")
      fail(
          "--graphics-robust-access changes what shaders do and is not applied; require "
          "robustBufferAccess");
  end_statement(block);
}

// ---- Shaders of a pipeline ----

void Parser::parse_attach(Pipeline& pipeline) {
  const std::size_t index = shader_named(word("the shader of ATTACH"));
  const Shader& shader = script_.shaders[index];
  if (!shader.compute)
    fail(fmt::format("SHADER {} is not a compute shader; attach one", shader.name));
  if (!shader.unsupported.empty())
    fail(fmt::format("SHADER {} {}", shader.name, shader.unsupported));
  pipeline.shader = index;
  pipeline.entry = "main";
  pipeline.spec.clear();
  if (accept("TYPE")) {
    const std::string type = word("the type of ATTACH");
    if (type != "compute") fail(fmt::format("TYPE {} in a compute pipeline; write compute", type));
  }
  if (accept("ENTRY_POINT")) pipeline.entry = word("the name of ENTRY_POINT");
  while (accept("SPECIALIZE")) parse_specialization(pipeline);
  end_statement("ATTACH");
}

void Parser::parse_specialization(Pipeline& pipeline) {
  const std::uint32_t id = number("constant id of SPECIALIZE");
  expect("AS", "SPECIALIZE");
  const std::string type = word("the type of SPECIALIZE");
  const auto known = parse_type(type);
  if (!known || known->rows > 1 || known->array || known->format || known->number.bits != 32)
    fail(fmt::format("SPECIALIZE AS {}; write uint32, int32 or float", type));
  const Literal value = literal("value of SPECIALIZE");
  if (!fits(value, known->number))
    fail(fmt::format("the value of SPECIALIZE {} is not of type {}; write one that is", id, type));
  pipeline.spec.emplace_back(id, value.real);
}

// ---- Subgroups ----

void Parser::parse_subgroup(Pipeline& pipeline) {
  const std::size_t shader = shader_named(word("the shader of SUBGROUP"));
  if (pipeline.shader != shader)
    fail(fmt::format("SUBGROUP {} names a shader that the pipeline does not have; ATTACH it first",
                     script_.shaders[shader].name));
  for (Token token; next_in_block(token, "SUBGROUP");) {
    if (token.text == "FULLY_POPULATED") {
      require_feature("SubgroupSizeControl.computeFullSubgroups");
      pipeline.full_subgroups = parse_switch(token.text);
    } else if (token.text == "VARYING_SIZE") {  // allows what never happens here
      require_feature("SubgroupSizeControl.subgroupSizeControl");
      parse_switch(token.text);
    } else if (token.text == "REQUIRED_SIZE") {
      require_feature("SubgroupSizeControl.subgroupSizeControl");
      parse_required_size(pipeline);
    } else {
      fail(
          fmt::format("'{}' is not an option of SUBGROUP; write FULLY_POPULATED, VARYING_SIZE, "
                      "REQUIRED_SIZE or END",
                      token.text));
    }
  }
  end_statement("SUBGROUP");
}

bool Parser::parse_switch(std::string_view option) {
  const std::string value = word("on or off");
  if (value != "on" && value != "off") fail(fmt::format("{} {}; write on or off", option, value));
  return value == "on";
}

void Parser::parse_required_size(Pipeline& pipeline) {
  if (accept("MIN")) {
    pipeline.size = Pipeline::Size::smallest;
  } else if (accept("MAX")) {
    pipeline.size = Pipeline::Size::largest;
  } else {
    pipeline.size = Pipeline::Size::number;
    pipeline.required_size = number("REQUIRED_SIZE");
    if (!std::has_single_bit(pipeline.required_size) || pipeline.required_size > 128)
      fail(fmt::format("REQUIRED_SIZE {}; write a power of two from 1 to 128, MIN or MAX",
                       pipeline.required_size));
  }
}

void Parser::require_feature(std::string_view feature) const {
  if (std::ranges::find(script_.requirements, feature, &Requirement::name) ==
      script_.requirements.end())
    fail(fmt::format("this needs the line DEVICE_FEATURE {}; add it above", feature));
}

// ---- Bindings ----

void Parser::parse_bind(Pipeline& pipeline) {
  const std::string what = word("BUFFER or BUFFER_ARRAY");
  if (what == "BUFFER" || what == "BUFFER_ARRAY")
    parse_bind_buffer(pipeline, what == "BUFFER_ARRAY");
  else if (what == "SAMPLER" || what == "SAMPLER_ARRAY")
    parse_bind_sampler(pipeline, what == "SAMPLER_ARRAY");
  else
    fail(fmt::format("'{}' cannot be bound; write BUFFER, BUFFER_ARRAY, SAMPLER or SAMPLER_ARRAY",
                     what));
}

void Parser::parse_bind_sampler(Pipeline& pipeline, bool array) {
  std::vector<Binding> bindings;
  do {
    Binding next;
    next.line = line_;
    next.kind = Binding::Kind::sampler;
    next.element = static_cast<std::uint32_t>(bindings.size());
    next.sampler = sampler_named(word("the sampler of BIND"));
    bindings.push_back(next);
  } while (array && reader_.peek().is_word() && !reader_.peek().is("DESCRIPTOR_SET"));
  if (array && bindings.size() < 2)
    fail("SAMPLER_ARRAY of one sampler; name several or write SAMPLER");
  parse_slot(pipeline, bindings, false);
}

// Of a combined_image_sampler: one for each buffer.
void Parser::parse_samplers(std::vector<Binding>& bindings) {
  expect("SAMPLER", "BIND AS combined_image_sampler");
  for (Binding& binding : bindings) binding.sampler = sampler_named(word("the sampler of BIND"));
}

void Parser::parse_bind_buffer(Pipeline& pipeline, bool array) {
  Binding first;
  first.line = line_;
  first.buffer = buffer_named(word("the buffer of BIND"));
  std::vector<Binding> bindings{first};
  while (array && reader_.peek().is_word() && !reader_.peek().is("AS")) {
    Binding next = first;
    next.element = static_cast<std::uint32_t>(bindings.size());
    next.buffer = buffer_named(word("a buffer of BIND"));
    bindings.push_back(next);
  }
  if (array && bindings.size() < 2)
    fail("BUFFER_ARRAY of one buffer; name several or write BUFFER");
  if (reader_.peek().is("KERNEL"))
    fail("BIND KERNEL is for OPENCL-C, which is not supported; write AS and DESCRIPTOR_SET");
  expect("AS", "BIND BUFFER");
  const std::string kind = word("the kind of BIND");
  if (kind == "push_constant") {
    pipeline.push_constants = first.buffer;
    end_statement("BIND");
    return;
  }
  if (contains(graphics_only, kind))
    fail(fmt::format("BIND AS {} is for graphics pipelines; remove it", kind));
  const auto* known = std::ranges::find(kinds, kind, &NamedKind::name);
  if (known == kinds.end())
    fail(
        fmt::format("'{}' is not a kind of buffer; write storage, uniform, push_constant, "
                    "storage_texel_buffer, uniform_texel_buffer, storage_image, sampled_image or "
                    "combined_image_sampler",
                    kind));
  for (Binding& binding : bindings) binding.kind = known->kind;
  if (known->kind == Binding::Kind::combined_image_sampler) parse_samplers(bindings);
  parse_slot(pipeline, bindings, known->dynamic);
}

void Parser::parse_base_level(std::vector<Binding>& bindings) {
  const std::uint32_t level = number("BASE_MIP_LEVEL");
  for (Binding& binding : bindings) {
    const Buffer& image = script_.buffers[binding.buffer];
    if (level >= image.levels)
      fail(fmt::format("BASE_MIP_LEVEL {} of {}, whose last level is {}; write that or less", level,
                       image.name, image.levels - 1));
    binding.base_level = level;
  }
}

void Parser::parse_slot(Pipeline& pipeline, std::vector<Binding>& bindings, bool dynamic) {
  expect("DESCRIPTOR_SET", "BIND BUFFER");
  const std::uint32_t set = number("DESCRIPTOR_SET");
  expect("BINDING", "BIND BUFFER");
  const std::uint32_t slot = number("BINDING");
  for (Binding& binding : bindings) {
    binding.set = set;
    binding.binding = slot;
  }
  const Binding::Kind kind = bindings.front().kind;
  const bool is_buffer = kind == Binding::Kind::storage || kind == Binding::Kind::uniform;
  const bool is_image = kind == Binding::Kind::storage_image ||
                        kind == Binding::Kind::sampled_image ||
                        kind == Binding::Kind::combined_image_sampler;
  if (is_image && accept("BASE_MIP_LEVEL")) parse_base_level(bindings);
  if (dynamic) {
    expect("OFFSET", "BIND of a dynamic buffer");
    for (Binding& binding : bindings) binding.offset += number("OFFSET");
  }
  if (is_buffer && accept("DESCRIPTOR_OFFSET"))
    for (Binding& binding : bindings) binding.offset += number("DESCRIPTOR_OFFSET");
  if (is_buffer && accept("DESCRIPTOR_RANGE"))
    for (Binding& binding : bindings)
      if (!accept("-1")) binding.range = number("DESCRIPTOR_RANGE");
  end_statement("BIND");
  std::erase_if(pipeline.bindings,
                [&](const Binding& old) { return old.set == set && old.binding == slot; });
  pipeline.bindings.insert(pipeline.bindings.end(), bindings.begin(), bindings.end());
}

}  // namespace lockstep::amber
