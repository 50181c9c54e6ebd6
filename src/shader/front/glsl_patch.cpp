#include "shader/front/glsl_patch.hpp"

#include <array>
#include <cctype>
#include <string_view>

#include "shader/front/without_comments.hpp"

namespace lockstep::spirv {
namespace {

constexpr std::string_view rotate_extension = "GL_KHR_shader_subgroup_rotate";
constexpr std::string_view quad_extension = "GL_EXT_shader_quad_control";
constexpr std::string_view reconvergence_extension = "GL_EXT_maximal_reconvergence";
constexpr std::string_view uniform_extension = "GL_EXT_subgroupuniform_qualifier";
constexpr std::string_view scope_extension = "GL_KHR_memory_scope_semantics";
constexpr std::string_view memory_model = "use_vulkan_memory_model";

/// Types of one kind of number, as a scalar and as vectors.
using TypeFamily = std::array<std::string_view, 4>;

/// Types that only extensions declare.
struct ExtendedFamily {
  std::string_view name;
  TypeFamily types;
  std::array<std::string_view, 4> extensions;
};
constexpr std::string_view all_types = "GL_EXT_shader_explicit_arithmetic_types";
constexpr std::array<ExtendedFamily, 7> extended_families = {{
    {"int8",
     {"int8_t", "i8vec2", "i8vec3", "i8vec4"},
     {all_types, "GL_EXT_shader_explicit_arithmetic_types_int8"}},
    {"uint8",
     {"uint8_t", "u8vec2", "u8vec3", "u8vec4"},
     {all_types, "GL_EXT_shader_explicit_arithmetic_types_int8"}},
    {"int16",
     {"int16_t", "i16vec2", "i16vec3", "i16vec4"},
     {all_types, "GL_EXT_shader_explicit_arithmetic_types_int16", "GL_AMD_gpu_shader_int16"}},
    {"uint16",
     {"uint16_t", "u16vec2", "u16vec3", "u16vec4"},
     {all_types, "GL_EXT_shader_explicit_arithmetic_types_int16", "GL_AMD_gpu_shader_int16"}},
    {"int64",
     {"int64_t", "i64vec2", "i64vec3", "i64vec4"},
     {all_types, "GL_EXT_shader_explicit_arithmetic_types_int64", "GL_ARB_gpu_shader_int64"}},
    {"uint64",
     {"uint64_t", "u64vec2", "u64vec3", "u64vec4"},
     {all_types, "GL_EXT_shader_explicit_arithmetic_types_int64", "GL_ARB_gpu_shader_int64"}},
    {"float16",
     {"float16_t", "f16vec2", "f16vec3", "f16vec4"},
     {all_types, "GL_EXT_shader_explicit_arithmetic_types_float16",
      "GL_AMD_gpu_shader_half_float"}},
}};

/// The functions as SPIR-V instructions for the types of a family.
std::string rotate_overloads(const TypeFamily& family) {
  std::string out;
  for (const std::string_view type : family) {
    for (const std::string_view cluster : {"", ", uint"}) {
      out +=
          "spirv_instruction(extensions = [\"SPV_KHR_subgroup_rotate\"], "
          "capabilities = [6026], id = 4431) ";
      out.append(type).append(" lockstep_rotate(uint, ").append(type).append(", uint");
      out.append(cluster).append(");\n");
    }
  }
  return out;
}

/// Declares the functions for the types that some extension has declared so far, each family once. Types and
/// functions may come in any order and in different files, so the preprocessor decides.
std::string extended_overloads() {
  std::string out;
  for (const ExtendedFamily& family : extended_families) {
    out += "#if defined(LOCKSTEP_ROTATES) && defined(LOCKSTEP_HAS_" + std::string(family.name) +
           ") && !defined(LOCKSTEP_ROTATES_" + std::string(family.name) + ")\n" +
           "#extension GL_EXT_spirv_intrinsics : require\n" + rotate_overloads(family.types) +
           "#define LOCKSTEP_ROTATES_" + std::string(family.name) + " 1\n#endif\n";
  }
  return out;
}

std::string rotate_declarations() {
  static constexpr std::array<TypeFamily, 5> types = {{
      {"float", "vec2", "vec3", "vec4"},
      {"int", "ivec2", "ivec3", "ivec4"},
      {"uint", "uvec2", "uvec3", "uvec4"},
      {"bool", "bvec2", "bvec3", "bvec4"},
      {"double", "dvec2", "dvec3", "dvec4"},
  }};
  std::string out =
      "#extension GL_EXT_spirv_intrinsics : require\n#ifndef LOCKSTEP_ROTATES\n#define "
      "LOCKSTEP_ROTATES 1\n";
  for (const TypeFamily& family : types) out += rotate_overloads(family);
  out +=
      "#define subgroupRotate(value, delta) lockstep_rotate(3u, value, delta)\n"
      "#define subgroupClusteredRotate(value, delta, size) "
      "lockstep_rotate(3u, value, delta, size)\n"
      "#define GL_KHR_shader_subgroup_rotate 1\n#endif\n";
  return out + extended_overloads();
}

constexpr std::string_view quad_declarations =
    "#extension GL_EXT_spirv_intrinsics : require\n"
    "spirv_instruction(extensions = [\"SPV_KHR_quad_control\"], capabilities = [5087], id = 5110) "
    "bool lockstep_quad_all(bool);\n"
    "spirv_instruction(extensions = [\"SPV_KHR_quad_control\"], capabilities = [5087], id = 5111) "
    "bool lockstep_quad_any(bool);\n"
    "#define subgroupQuadAll(value) lockstep_quad_all(value)\n"
    "#define subgroupQuadAny(value) lockstep_quad_any(value)\n"
    "#define GL_EXT_shader_quad_control 1\n";

/// The qualifier is the decoration Uniform on the variable.
constexpr std::string_view uniform_declarations =
    "#extension GL_EXT_spirv_intrinsics : require\n"
    "#define subgroupuniformEXT spirv_decorate(26)\n"
    "#define GL_EXT_subgroupuniform_qualifier 1\n";

/// Without the Vulkan memory model a module can only say that memory is coherent, without a scope. glslang says nothing
/// at all for blocks with these qualifiers.
constexpr std::string_view scope_declarations =
    "#ifndef LOCKSTEP_SCOPES\n#define LOCKSTEP_SCOPES 1\n"
    "#define devicecoherent coherent\n#define queuefamilycoherent coherent\n"
    "#define workgroupcoherent coherent\n#define subgroupcoherent coherent\n#endif\n";

bool names_extension(std::string_view line, std::string_view extension) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string_view::npos || line[hash] != '#') return false;
  const std::size_t word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string_view::npos || line.substr(word, 9) != "extension") return false;
  return line.find(extension) != std::string_view::npos;
}

/// Where a line uses subgroupuniformEXT as a constructor; npos if it does not.
std::size_t constructor_in(std::string_view line) {
  constexpr std::string_view word = "subgroupuniformEXT";
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const std::size_t next = line.find_first_not_of(" \t", at + word.size());
    if (next != std::string_view::npos && line[next] == '(') return at;
  }
  return std::string_view::npos;
}

/// What follows an #extension line that declares types: the functions for them.
std::string after_types(std::string_view line) {
  std::string out;
  for (const ExtendedFamily& family : extended_families) {
    for (const std::string_view extension : family.extensions) {
      if (extension.empty() || !names_extension(line, extension)) continue;
      // The name without a suffix stands for all types.
      const std::size_t end = line.find(extension) + extension.size();
      const char next = end < line.size() ? line[end] : ' ';
      if (std::isalnum(static_cast<unsigned char>(next)) != 0 || next == '_') continue;
      out += "#define LOCKSTEP_HAS_" + std::string(family.name) + " 1\n";
      break;
    }
  }
  return out.empty() ? out : "\n" + out + extended_overloads();
}

/// Blanks `[[ maximally_reconverges ]]` everywhere.
bool blank_attribute(std::string& text, const std::string& code) {
  bool found = false;
  for (std::size_t open = code.find("[["); open != std::string::npos;
       open = code.find("[[", open + 2)) {
    const std::size_t close = code.find("]]", open);
    if (close == std::string::npos) break;
    std::string inside;
    for (const char c : code.substr(open + 2, close - open - 2)) {
      if (std::isspace(static_cast<unsigned char>(c)) == 0) inside += c;
    }
    if (inside != "maximally_reconverges") continue;
    for (std::size_t i = open; i < close + 2; ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
    found = true;
  }
  return found;
}

bool may_declare_types(const std::string& text) {
  for (const ExtendedFamily& family : extended_families) {
    for (const std::string_view extension : family.extensions) {
      if (!extension.empty() && text.find(extension) != std::string::npos) return true;
    }
  }
  return false;
}

}  // namespace

PatchedGlsl patch_glsl(const std::string& text) {
  PatchedGlsl patched{text, false};
  if (text.find(rotate_extension) == std::string::npos &&
      text.find(quad_extension) == std::string::npos &&
      text.find("maximally_reconverges") == std::string::npos && !may_declare_types(text) &&
      text.find(reconvergence_extension) == std::string::npos &&
      text.find(uniform_extension) == std::string::npos &&
      text.find(scope_extension) == std::string::npos)
    return patched;
  const std::string code = without_comments(text);
  const bool has_model = code.find(memory_model) != std::string::npos;
  patched.maximally_reconverges = blank_attribute(patched.text, code);
  std::string out;
  int line_number = 1;
  for (std::size_t start = 0; start < patched.text.size(); ++line_number) {
    std::size_t end = patched.text.find('\n', start);
    if (end == std::string::npos) end = patched.text.size();
    const std::string_view in_code(code.data() + start, end - start);
    if (names_extension(in_code, rotate_extension)) {
      out += rotate_declarations() + "#line " + std::to_string(line_number + 1);
    } else if (names_extension(in_code, quad_extension)) {
      out.append(quad_declarations).append("#line ").append(std::to_string(line_number + 1));
    } else if (names_extension(in_code, uniform_extension)) {
      out.append(uniform_declarations).append("#line ").append(std::to_string(line_number + 1));
    } else if (constructor_in(in_code) != std::string_view::npos) {
      // Decorations are for variables only.
      out +=
          "#error subgroupuniformEXT(...) is not supported; declare a variable subgroupuniformEXT";
    } else if (names_extension(in_code, reconvergence_extension)) {
      // Names with GL_ may be defined if that extension is on.
      out +=
          "#extension GL_EXT_spirv_intrinsics : enable\n#define GL_EXT_maximal_reconvergence "
          "1\n#line " +
          std::to_string(line_number + 1);
    } else {
      out.append(patched.text, start, end - start);
      std::string more = after_types(in_code);
      if (!has_model && names_extension(in_code, scope_extension))
        more.append(more.empty() ? "\n" : "").append(scope_declarations);
      if (!more.empty()) out.append(more).append("#line ").append(std::to_string(line_number + 1));
    }
    if (end < patched.text.size()) out += '\n';
    start = end + 1;
  }
  patched.text = std::move(out);
  return patched;
}

}  // namespace lockstep::spirv
