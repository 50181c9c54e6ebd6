#include "shader/front/compile.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <span>
#include <sstream>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <spirv-tools/libspirv.hpp>

#include <lockstep/exec/error.hpp>

#include "shader/front/assembly_places.hpp"
#include "shader/front/branch_lines.hpp"
#include "shader/front/cache.hpp"
#include "shader/front/encoded.hpp"
#include "shader/front/glsl_patch.hpp"
#include "shader/front/hlsl.hpp"
#include "shader/front/hlsl_entry_points.hpp"
#include "shader/front/hlsl_patch.hpp"
#include "shader/front/includes.hpp"
#include "shader/front/module.hpp"
#include "shader/front/newer_features.hpp"
#include "shader/front/newer_operations.hpp"
#include "shader/front/other_compiler.hpp"
#include "shader/front/source_language.hpp"
#include "shader/front/types.hpp"
#include "shader/front/without_comments.hpp"

namespace lockstep::spirv {
namespace {

namespace fs = std::filesystem;

struct Target {
  std::string_view name;
  glslang::EShTargetClientVersion client;
  glslang::EShTargetLanguageVersion language;
  spv_target_env environment;
};

const Target& find_target(const std::string& name) {
  static constexpr Target targets[] = {
      {"vulkan1.0", glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0, SPV_ENV_VULKAN_1_0},
      {"vulkan1.1", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3, SPV_ENV_VULKAN_1_1},
      {"vulkan1.2", glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5, SPV_ENV_VULKAN_1_2},
      {"vulkan1.3", glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6, SPV_ENV_VULKAN_1_3},
      {"spv1.0", glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0, SPV_ENV_VULKAN_1_0},
      {"spv1.1", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_1, SPV_ENV_VULKAN_1_1},
      {"spv1.2", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_2, SPV_ENV_VULKAN_1_1},
      {"spv1.3", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3, SPV_ENV_VULKAN_1_1},
      {"spv1.4", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_4,
       SPV_ENV_VULKAN_1_1_SPIRV_1_4},
      {"spv1.5", glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5, SPV_ENV_VULKAN_1_2},
      {"spv1.6", glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6, SPV_ENV_VULKAN_1_3},
  };
  for (const Target& t : targets) {
    if (t.name == name || (name.empty() && t.environment == SPV_ENV_VULKAN_1_3)) return t;
  }
  throw Error(fmt::format(
      "'{}' is not a target: write vulkan1.0 to vulkan1.3, spv1.0 to spv1.6, or for GLSL opengl",
      name));
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(fmt::format("{}: cannot be read", path));
  if (fs::is_directory(path)) throw Error(fmt::format("{}: is a directory", path));
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw Error(fmt::format("{}: cannot be read", path));
  return text;
}

void start_glslang() {
  static std::once_flag started;
  std::call_once(started, [] { glslang::InitializeProcess(); });
}

/// What a compiler has said, with advice at the end of its first line.
Error with_advice(const Error& error, const std::string& advice) {
  std::string text = error.what();
  std::size_t end = std::min(text.find('\n'), text.size());
  for (; end > 0 && text[end - 1] == '.'; --end) text.erase(end - 1, 1);
  return Error(text.insert(end, "; " + advice));
}

enum class Language { glsl, hlsl };

std::string preamble_of(Language language, const CompileOptions& options) {
  std::string text;
  if (language == Language::glsl) text = "#extension GL_GOOGLE_include_directive : enable\n";
  for (const auto& [name, value] : options.defines)
    text.append("#define ").append(name).append(" ").append(value).append("\n");
  return text;
}

/// What to do about an entry point that HLSL lacks.
std::string other_entry_points(const std::string& text) {
  const std::vector<std::string> names = hlsl_entry_points(text);
  if (names.empty()) return "name its entry point (--entry)";
  return fmt::format("functions with [numthreads] are {}: name one of them (--entry)",
                     fmt::join(names, ", "));
}

/// The target that is meant: glslang decorates HLSL's buffers as SPIR-V had it until 1.3, and OpenGL's GLSL becomes Vulkan's
/// SPIR-V.
CompileOptions with_target(const CompileOptions& options, bool hlsl) {
  CompileOptions made = options;
  if (hlsl && made.target.empty()) made.target = "vulkan1.1";
  if (!hlsl && made.target == opengl_target) made.target.clear();
  return made;
}

/// OpenGL's rules: bindings are optional, and uniforms outside of blocks become a block.
void take_opengl_rules(glslang::TShader& shader) {
  shader.setEnvInputVulkanRulesRelaxed();
  shader.setGlobalUniformBlockName(default_uniform_block);
}

Binary compile(Language language, const std::string& text, const std::string& name,
               const CompileOptions& given) {
  const bool hlsl = language == Language::hlsl;
  const bool opengl = !hlsl && given.target == opengl_target;
  const CompileOptions options = with_target(given, hlsl);
  const Target& target = find_target(options.target);
  const Cache cache(text, name, given);
  if (std::optional<Binary> found = cache.find()) return std::move(*found);
  start_glslang();
  const auto patch = [&](const std::string& original) {
    return hlsl ? PatchedGlsl{patch_hlsl(original, options.registers)} : patch_glsl(original);
  };
  const PatchedGlsl patched = patch(text);
  const std::string entry = hlsl ? hlsl_entry_point(text, options.entry) : options.entry;
  glslang::TShader shader(EShLangCompute);
  const char* source = patched.text.c_str();
  const auto length = static_cast<int>(patched.text.size());
  const char* file = name.c_str();
  shader.setStringsWithLengthsAndNames(&source, &length, &file, 1);
  const std::string preamble = preamble_of(language, options);
  shader.setPreamble(preamble.c_str());
  shader.setEnvInput(hlsl ? glslang::EShSourceHlsl : glslang::EShSourceGlsl, EShLangCompute,
                     glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, target.client);
  shader.setEnvTarget(glslang::EShTargetSpv, target.language);
  shader.setEntryPoint(entry.c_str());
  shader.setAutoMapBindings(hlsl || opengl);
  if (opengl) take_opengl_rules(shader);
  const auto rules = static_cast<EShMessages>(
      EShMsgSpvRules | EShMsgVulkanRules | EShMsgDebugInfo |
      (hlsl ? EShMsgReadHlsl | EShMsgHlslOffsets | EShMsgHlslLegalization : 0));
  Includer includer(options.include_dirs, patch);
  if (!shader.parse(GetDefaultResources(), 450, false, rules, includer))
    fail_compile(name, shader.getInfoLog(), includer.advice());
  glslang::TProgram program;
  program.addShader(&shader);
  const bool linked = program.link(rules);
  // For HLSL only a warning says so.
  if (std::string(program.getInfoLog()).find("Entry point not found") != std::string::npos)
    throw Error(
        fmt::format("{}: has no entry point '{}'; {}", name, entry, other_entry_points(text)));
  if (!linked || ((hlsl || opengl) && !program.mapIO())) fail_compile(name, program.getInfoLog());
  // Lines as OpLine. TShader::setDebugInfo without emitNonSemanticShaderDebugInfo crashes glslang 12.
  glslang::SpvOptions spv;
  spv.generateDebugInfo = true;
  spv.stripDebugInfo = false;
  spv.disableOptimizer = true;
  std::vector<std::uint32_t> words;
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), words, &spv);
  // Before functions are inlined.
  if (hlsl)
    words =
        legalized(with_exclusive_prefixes(with_branch_lines(std::move(words))), target.environment);
  Binary binary = validate(std::move(words), name, options);
  binary.maximally_reconverges |= patched.maximally_reconverges || includer.maximally_reconverges;
  cache.store(binary, includer.looked_for);
  return binary;
}

}  // namespace

void fail_compile(const std::string& name, const std::string& log, const std::string& advice) {
  std::istringstream lines(log);
  std::string out, extension;
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view unknown = "extension not supported: ";
    if (const std::size_t at = line.find(unknown);
        line.rfind("WARNING: ", 0) == 0 && at != line.npos)
      extension = line.substr(at + unknown.size());
    constexpr std::string_view error = "ERROR: ";
    if (line.rfind(error, 0) == 0) line.erase(0, error.size());
    if (line.empty() || line == name || line.find("compilation error") != std::string::npos ||
        line.rfind("WARNING: ", 0) == 0)
      continue;
    if (!out.empty()) out += '\n';
    out.append(line, 0, line.find_last_not_of(" \r") + 1);
  }
  if (out.empty()) throw Error(fmt::format("{}: does not compile", name));
  // Errors about the whole shader have no place.
  const bool has_place = out.find(':') < out.find(' ');
  const Error error(has_place ? out : fmt::format("{}: {}", name, out));
  if (!advice.empty()) throw with_advice(error, advice);
  // What follows from it may be the error.
  if (!extension.empty())
    throw with_advice(error,
                      fmt::format("the compiler does not know {}; a newer one may (--compiler)",
                                  extension.substr(0, extension.find_last_not_of(" \r") + 1)));
  throw error;
}

Binary compile_glsl(const std::string& text, const std::string& name,
                    const CompileOptions& options) {
  return compile(Language::glsl, text, name, options);
}
Binary compile_hlsl(const std::string& text, const std::string& name,
                    const CompileOptions& options) {
  return compile(Language::hlsl, text, name, options);
}

namespace {

struct AssemblyEnvironment {
  std::string_view version;
  spv_target_env environment;
};
constexpr AssemblyEnvironment assembly_environments[] = {
    {"1.0", SPV_ENV_UNIVERSAL_1_0}, {"1.1", SPV_ENV_UNIVERSAL_1_1}, {"1.2", SPV_ENV_UNIVERSAL_1_2},
    {"1.3", SPV_ENV_UNIVERSAL_1_3}, {"1.4", SPV_ENV_UNIVERSAL_1_4}, {"1.5", SPV_ENV_UNIVERSAL_1_5},
    {"1.6", SPV_ENV_UNIVERSAL_1_6},
};

/// The version of SPIR-V that the comment at the start of disassembly names; nothing without one.
std::optional<spv_target_env> version_in_comment(const std::string& text) {
  constexpr std::string_view label = "Version:";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line(text.data() + at, end - at);
    at = end + 1;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) continue;
    if (line[first] != ';') return {};
    const std::size_t found = line.find(label);
    if (found == std::string_view::npos) continue;
    const std::size_t number = line.find_first_not_of(' ', found + label.size());
    if (number == std::string_view::npos) continue;
    for (const auto& [version, environment] : assembly_environments) {
      if (line.substr(number, version.size()) == version) return environment;
    }
  }
  return {};
}

std::vector<std::uint32_t> assemble_for(spv_target_env environment, const std::string& text,
                                        const std::string& name) {
  std::string message;
  spvtools::SpirvTools assembler(environment);
  assembler.SetMessageConsumer(
      [&](spv_message_level_t level, const char*, const spv_position_t& at, const char* what) {
        if (level <= SPV_MSG_ERROR && message.empty())
          message = fmt::format("{}:{}: {}", name, at.line + 1, what);
      });
  std::vector<std::uint32_t> words;
  const std::string known = for_assembler(text);
  if (!assembler.Assemble(known, &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS))
    throw Error(message.empty() ? fmt::format("{}: does not assemble", name) : message);
  return with_places(known, std::move(words));
}

}  // namespace

Binary assemble(const std::string& text, const std::string& name, const CompileOptions& options) {
  const auto as = [&](spv_target_env environment) {
    return validate(assemble_for(environment, text, name), name, options);
  };
  if (options.target.starts_with("spv")) {
    for (const auto& [version, environment] : assembly_environments) {
      if (options.target.substr(3) == version) return as(environment);
    }
  }
  if (!options.target.empty()) return as(find_target(options.target).environment);
  if (const auto version = version_in_comment(text)) return as(*version);
  // The lowest version in which the module is valid: later ones have stricter rules. The message is that of 1.3, which
  // knows most instructions and asks for few lists, or of the lowest later one that knows all.
  std::optional<Error> wrong;
  bool known = false;
  for (const auto& [version, environment] : assembly_environments) {
    if (environment == SPV_ENV_UNIVERSAL_1_1 || environment == SPV_ENV_UNIVERSAL_1_2) continue;
    std::vector<std::uint32_t> words;
    try {
      words = assemble_for(environment, text, name);
    } catch (const Error& error) {
      if (!known) wrong = error;
      continue;
    }
    try {
      return validate(std::move(words), name, options);
    } catch (const Error& error) {
      if (!known || environment <= SPV_ENV_UNIVERSAL_1_3) wrong = error;
      known = true;
    }
  }
  throw Error(*wrong);
}

namespace {

/// Whether the instruction at `word` names something that the validator does not know but that does
/// not affect the module's code.
bool set_aside(const std::uint32_t* word, std::size_t length, Binary& binary) {
  const auto opcode = static_cast<spv::Op>(word[0] & 0xffff);
  constexpr std::uint32_t maximally_reconverges = 6023;
  if (opcode == spv::Op::OpExecutionMode && length >= 3 && word[2] == maximally_reconverges) {
    binary.maximally_reconverges = true;
    return true;
  }
  if (opcode == spv::Op::OpExecutionMode && length >= 3 &&
      word[2] == static_cast<std::uint32_t>(spv::ExecutionMode::SubgroupUniformControlFlowKHR))
    binary.subgroup_uniform_control_flow = true;
  if (opcode != spv::Op::OpExtension) return false;
  const std::string name(reinterpret_cast<const char*>(word + 1),
                         strnlen(reinterpret_cast<const char*>(word + 1), (length - 1) * 4));
  constexpr std::string_view newer[] = {"SPV_KHR_maximal_reconvergence", "SPV_KHR_quad_control",
                                        "SPV_EXT_long_vector", "SPV_EXT_replicated_composites",
                                        "SPV_KHR_cooperative_matrix"};
  return std::ranges::find(newer, name) != std::end(newer);
}

/// Throws Error if constructs are nested too deeply: those whose merge block has not come yet.
void check_nesting(const std::vector<std::uint32_t>& words, const std::string& name) {
  std::vector<std::uint32_t> merges;
  std::uint32_t line = 0;
  for (const Encoded i : EncodedInstructions(words)) {
    const std::size_t length = i.words.size();
    switch (i.opcode()) {
      case spv::Op::OpLine:
        if (length >= 3) line = i.words[2];
        break;
      case spv::Op::OpFunction:
        merges.clear();
        break;
      case spv::Op::OpLabel:
        if (length >= 2) std::erase(merges, i.words[1]);
        break;
      case spv::Op::OpSelectionMerge:
      case spv::Op::OpLoopMerge:
        if (length >= 2) merges.push_back(i.words[1]);
        if (merges.size() > deepest_constructs)
          throw Error(fmt::format("{}:{}: control flow is nested more than {} deep", name, line,
                                  deepest_constructs));
        break;
      default:
        break;
    }
  }
}

/// Throws Error if a type has too many parts, counting those of a structure wherever it is a member: SPIRV-Tools looks
/// at each.
void check_parts_of_types(const std::vector<std::uint32_t>& words, const std::string& name) {
  std::unordered_map<std::uint32_t, std::uint64_t> parts;
  for (const Encoded i : EncodedInstructions(words)) {
    const std::span<const std::uint32_t> instruction = i.words;
    const spv::Op opcode = i.opcode();
    if (opcode == spv::Op::OpFunction) return;
    if (opcode != spv::Op::OpTypeStruct && opcode != spv::Op::OpTypeArray &&
        opcode != spv::Op::OpTypeRuntimeArray)
      continue;
    const std::size_t end = opcode == spv::Op::OpTypeStruct ? instruction.size() : 3;
    std::uint64_t all = 1;
    for (std::size_t k = 2; k < end && k < instruction.size(); ++k) {
      const auto known = parts.find(instruction[k]);
      all += known != parts.end() ? known->second : 1;
      if (all > most_of_variable)
        throw Error(fmt::format("{}: a type has more than {} parts", name, most_of_variable));
    }
    if (instruction.size() > 1) parts[instruction[1]] = all;
  }
}

/// A module written on a machine of the other byte order.
void swap_bytes(std::vector<std::uint32_t>& words) {
  for (std::uint32_t& w : words) w = __builtin_bswap32(w);
}

spv_target_env environment_of(const CompileOptions& options) {
  return options.target.empty() ? SPV_ENV_VULKAN_1_3 : find_target(options.target).environment;
}

}  // namespace

Binary validate(std::vector<std::uint32_t> words, const std::string& name,
                const CompileOptions& options) {
  Binary binary;
  if (words.size() >= 5 && __builtin_bswap32(words[0]) == spv::MagicNumber) swap_bytes(words);
  if (words.size() < 5 || words[0] != spv::MagicNumber)
    throw Error(fmt::format("{}: is not a SPIR-V module: the magic number is missing", name));
  binary.words.assign(words.begin(), words.begin() + 5);
  for (std::size_t at = 5; at < words.size();) {
    const std::size_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size())
      throw Error(fmt::format("{}: the module is cut off at word {}", name, at));
    if (!set_aside(&words[at], length, binary))
      binary.words.insert(binary.words.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                          words.begin() + static_cast<std::ptrdiff_t>(at + length));
    at += length;
  }
  binary.words = with_branch_lines(std::move(binary.words));
  check_nesting(binary.words, name);
  check_parts_of_types(binary.words, name);
  if (!options.validate || is_beyond_validator(binary.words)) return binary;
  const spv_target_env environment = environment_of(options);
  spvtools::SpirvTools tools(environment);
  std::string message;
  tools.SetMessageConsumer(
      [&](spv_message_level_t level, const char*, const spv_position_t&, const char* what) {
        if (level <= SPV_MSG_ERROR && message.empty()) message = what;
      });
  spvtools::ValidatorOptions rules;
  rules.SetScalarBlockLayout(true);
  rules.SetWorkgroupScalarBlockLayout(true);
  rules.SetUniformBufferStandardLayout(true);
  rules.SetRelaxBlockLayout(true);
  rules.SetAllowLocalSizeId(true);
  const std::vector<std::uint32_t> known = for_validator(binary.words);
  std::optional<Validated> kept;
  if (options.keep_valid) kept.emplace(known, environment);
  if (kept && kept->find()) return binary;
  const auto started = std::chrono::steady_clock::now();
  const bool valid = tools.Validate(known.data(), known.size(), rules);
  binary.validator_seconds =
      std::chrono::duration<float>(std::chrono::steady_clock::now() - started).count();
  if (!valid) {
    check_newer_features(binary.words, name);
    throw Error(fmt::format("{}: is not valid: {}", name, message));
  }
  if (kept) kept->store();
  return binary;
}

namespace {

/// Whether a text may have the compiler read other files, which the cache would not know of.
bool includes_files(const std::string& text) {
  const std::string code = without_comments(text);
  for (const std::string_view word : {"include", "import", "module", "implementing"}) {
    if (code.find(word) != std::string::npos) return true;
  }
  return false;
}

/// By a program: the one that the options name, or what PATH has for the language.
Binary compile_by_program(const std::string& path, SourceLanguage language,
                          const CompileOptions& options) {
  const std::string compiler =
      options.compiler.empty() ? find_compiler(language) : options.compiler;
  if (compiler.empty())
    throw Error(fmt::format(
        "{}: is compiled by {}, which is not in PATH: install it, or name it with --compiler", path,
        compilers_of(language)));
  CompileOptions keeping = with_target(options, false);
  keeping.keep_valid = true;
  const std::string text = read_text(path);
  const std::string which = compiler_identity(compiler);
  if (which.empty() || includes_files(text))
    return validate(compile_by(compiler, path, options), path, keeping);
  const Cache cache(text, path, options, which);
  if (std::optional<Binary> found = cache.find()) return std::move(*found);
  Binary binary = validate(compile_by(compiler, path, options), path, keeping);
  cache.store(binary, {});
  return binary;
}

/// Whether GLSL was rejected for what only OpenGL allows.
bool is_of_opengl(const Error& error) {
  const std::string_view text = error.what();
  return text.find("when using GLSL for Vulkan") != text.npos ||
         text.find("layout(binding=X)") != text.npos;
}

bool lacks_entry_point(const Error& error) {
  return std::string_view(error.what()).find(": has no entry point") != std::string_view::npos;
}

/// By glslang's library; newer HLSL than it knows by dxc, if there is one.
Binary compile_by_library(const std::string& path, const std::string& text, SourceLanguage language,
                          const CompileOptions& options) {
  try {
    return language == SourceLanguage::glsl ? compile_glsl(text, path, options)
                                            : compile_hlsl(text, path, options);
  } catch (const Error& error) {
    if (const std::string mistaken = mistaken_language(text, language); !mistaken.empty())
      throw Error(fmt::format("{}: {}", path, mistaken));
    if (language == SourceLanguage::glsl && is_of_opengl(error))
      throw with_advice(error, "--target-env opengl takes OpenGL's GLSL");
    if (language == SourceLanguage::glsl || lacks_entry_point(error)) throw;
    if (!find_compiler(language).empty()) return compile_by_program(path, language, options);
    throw with_advice(error, "dxc compiles newer HLSL, if PATH has it or --compiler names it");
  }
}

}  // namespace

std::optional<Binary> find_compiled(const std::string& path, const CompileOptions& options) {
  constexpr std::uintmax_t most_bytes = 1 << 20;
  const SourceLanguage language = language_of(path);
  const bool by_glslang = language == SourceLanguage::glsl || language == SourceLanguage::hlsl;
  std::error_code error;
  // A pipe can be read only once.
  if (!by_glslang || !options.compiler.empty() || !fs::is_regular_file(path, error) ||
      fs::file_size(path, error) > most_bytes || error)
    return {};
  return Cache(read_text(path), path, options).find();
}

Binary load_file(const std::string& path, const CompileOptions& options) {
  const std::string text = read_text(path);
  if (text.empty()) throw Error(fmt::format("{}: is empty", path));
  CompileOptions keeping = options;
  keeping.keep_valid = true;
  switch (const SourceLanguage language = language_of(path)) {
    case SourceLanguage::glsl:
    case SourceLanguage::hlsl:
      if (options.compiler.empty()) return compile_by_library(path, text, language, options);
      return compile_by_program(path, language, options);
    case SourceLanguage::slang:
    case SourceLanguage::wgsl:
    case SourceLanguage::opencl:
      return compile_by_program(path, language, options);
    case SourceLanguage::assembly:
      return assemble(text, path, keeping);
    case SourceLanguage::module: {
      if (text.size() % 4 != 0)
        throw Error(
            fmt::format("{}: is not a SPIR-V module: its size is not a multiple of 4", path));
      std::vector<std::uint32_t> words(text.size() / 4);
      std::copy(text.begin(), text.end(), reinterpret_cast<char*>(words.data()));
      return validate(std::move(words), path, keeping);
    }
    case SourceLanguage::unknown:
      break;
  }
  throw Error(
      fmt::format("{}: unknown file extension: name it .comp, .glsl, .hlsl, .slang, .wgsl, .cl, "
                  ".spvasm or .spv",
                  path));
}

}  // namespace lockstep::spirv
