#include "shader/front/other_compiler.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "shader/front/hlsl.hpp"
#include "shader/front/hlsl_entry_points.hpp"
#include "shader/front/hlsl_patch.hpp"
#include "shader/front/naga.hpp"
#include "shader/front/temporary_folder.hpp"

namespace lockstep::spirv {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

/// A path that no program parses as an option.
std::string plain(const std::string& path) { return path.starts_with("-") ? "./" + path : path; }

/// "-DNAME=VALUE" for each macro, and the directories of #include.
void add_common(Arguments& arguments, const CompileOptions& options, bool joined) {
  for (const auto& [name, value] : options.defines) {
    const std::string macro = value.empty() ? name : fmt::format("{}={}", name, value);
    if (joined)
      arguments.push_back("-D" + macro);
    else
      arguments.insert(arguments.end(), {"-D", macro});
  }
  for (const std::string& directory : options.include_dirs) {
    if (joined)
      arguments.push_back("-I" + directory);
    else
      arguments.insert(arguments.end(), {"-I", directory});
  }
}

/// As dxc and slangc take them.
void add_shifts(Arguments& arguments, const RegisterShifts& shifts) {
  for (const auto& [option, shift] : {std::pair("-fvk-b-shift", shifts.b),
                                      {"-fvk-t-shift", shifts.t},
                                      {"-fvk-s-shift", shifts.s},
                                      {"-fvk-u-shift", shifts.u}}) {
    if (shift != 0) arguments.insert(arguments.end(), {option, std::to_string(shift), "all"});
  }
}

Arguments for_glslang(const std::string& path, const std::string& target,
                      const CompileOptions& options) {
  Arguments arguments{"-V", "-g", "-S", "comp"};
  const bool opengl = target == opengl_target;
  if (opengl) arguments.insert(arguments.end(), {"-R", "--amb"});
  arguments.insert(arguments.end(),
                   {"--target-env", opengl                      ? "vulkan1.3"
                                    : target.starts_with("spv") ? "spirv" + target.substr(3)
                                                                : target});
  if (is_hlsl(path)) arguments.insert(arguments.end(), {"-D", "--amb", "-e", options.entry});
  add_common(arguments, options, true);
  return arguments;
}

Arguments for_glslc(const std::string& path, const std::string& target,
                    const CompileOptions& options) {
  Arguments arguments{"-g", "-fshader-stage=compute"};
  arguments.push_back(target.starts_with("spv") ? "--target-spv=" + target
                                                : "--target-env=" + target);
  if (is_hlsl(path))
    arguments.insert(arguments.end(),
                     {"-x", "hlsl", "-fauto-bind-uniforms", "-fentry-point=" + options.entry});
  add_common(arguments, options, true);
  return arguments;
}

Arguments for_dxc(const std::string& path, const std::string& target,
                  const CompileOptions& options) {
  if (!is_hlsl(path))
    throw Error(fmt::format("{}: dxc compiles HLSL only: name glslc or glslangValidator", path));
  Arguments arguments{"-spirv", "-T", "cs_6_6", "-E", options.entry, "-fspv-debug=line"};
  if (!target.starts_with("spv")) arguments.push_back("-fspv-target-env=" + target);
  add_shifts(arguments, options.registers);
  add_common(arguments, options, false);
  return arguments;
}

/// All its entry points, by their names.
Arguments for_slangc(const std::string& target, const CompileOptions& options) {
  Arguments arguments{"-target", "spirv", "-g1", "-fvk-use-entrypoint-name"};
  if (target.starts_with("spv"))
    arguments.insert(arguments.end(),
                     {"-profile", "spirv_" + std::string(1, target[3]) + "_" + target.substr(5)});
  add_shifts(arguments, options.registers);
  add_common(arguments, options, true);
  return arguments;
}

Arguments for_clspv(const CompileOptions& options) {
  Arguments arguments{"--spv-version=1.5", "-g"};
  add_common(arguments, options, true);
  return arguments;
}

bool is_named(const std::string& compiler, std::string_view part) {
  return fs::path(compiler).filename().string().find(part) != std::string::npos;
}

/// The arguments of the compiler without input and output.
Arguments arguments_of(const std::string& compiler, const std::string& path,
                       const CompileOptions& options) {
  const auto is = [&](std::string_view part) { return is_named(compiler, part); };
  // glslang, which glslc contains, decorates HLSL's buffers as SPIR-V had it until 1.3.
  const char* const usual = is_hlsl(path) && !is("dxc") ? "vulkan1.1" : "vulkan1.3";
  const std::string target = options.target.empty() ? usual : options.target;
  if (is("glslang")) return for_glslang(path, target, options);
  if (is("glslc")) return for_glslc(path, target, options);
  if (is("dxc")) return for_dxc(path, target, options);
  if (is("slangc")) return for_slangc(target, options);
  if (is("clspv")) return for_clspv(options);
  if (is("tint")) return {"--format", "spirv"};
  throw Error(
      fmt::format("{}: is an unknown compiler: its name must contain glslang, glslc, dxc, slangc, "
                  "naga, tint or clspv",
                  compiler));
}

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A file with what patch_hlsl makes of the shader, in a directory of its own. Compilers that contain glslang need it; their
/// own options for shifts would also move what has a [[vk::binding]].
std::string patched_file(const std::string& path, const TemporaryFolder& scratch,
                         CompileOptions& options) {
  const std::string patched = scratch.file(fs::path(path).filename().c_str());
  std::ofstream(patched, std::ios::binary) << patch_hlsl(text_of(path), options.registers);
  const fs::path folder = fs::path(path).parent_path();
  options.include_dirs.insert(options.include_dirs.begin(), folder.empty() ? "." : folder.string());
  return patched;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// How a program has ended.
struct Ended {
  int status = 0;
  std::string said;
};

/// Twice the limit of processor time, in seconds; 0 without one. It also ends a program that only waits.
unsigned longest_wait() {
  rlimit processor{};
  if (getrlimit(RLIMIT_CPU, &processor) != 0 || processor.rlim_cur == RLIM_INFINITY) return 0;
  return static_cast<unsigned>(std::min<rlim_t>(2 * processor.rlim_cur, 1 << 20));
}

[[noreturn]] void become(const std::string& program, const Arguments& arguments, int output) {
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  std::vector<char*> pointers{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments)
    pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  alarm(longest_wait());
  execvp(program.c_str(), pointers.data());
  const std::string why = std::strerror(errno);
  if (write(output, why.data(), why.size()) < 0) _exit(126);
  _exit(127);
}

Ended run(const std::string& program, const Arguments& arguments) {
  const auto fail = [&] {
    throw Error(fmt::format("{}: cannot be run: {}", program, std::strerror(errno)));
  };
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail();
  const pid_t child = fork();
  if (child < 0) fail();
  if (child == 0) become(program, arguments, ends[1]);
  close(ends[1]);
  Ended ended;
  char part[1 << 12];
  constexpr std::size_t most = 1 << 20;
  for (;;) {
    const ssize_t count = read(ends[0], part, sizeof part);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    if (ended.said.size() < most) ended.said.append(part, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  while (waitpid(child, &ended.status, 0) < 0 && errno == EINTR) {
  }
  return ended;
}

/// Throws Error unless the compiler has ended well.
void check(const Ended& ended, const std::string& compiler, const std::string& path) {
  if (WIFSIGNALED(ended.status)) {
    const int signal = WTERMSIG(ended.status);
    const bool is_time = signal == SIGXCPU || signal == SIGKILL || signal == SIGALRM;
    throw Error(is_time ? fmt::format("{}: {} takes longer than the limit", path, compiler)
                        : fmt::format("{}: {} has ended with signal {}", path, compiler, signal));
  }
  const int code = WEXITSTATUS(ended.status);
  if (code == 127) throw Error(fmt::format("{}: cannot be run: {}", compiler, ended.said));
  if (code != 0) fail_compile(path, ended.said);
}

std::vector<std::uint32_t> read_words(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
  return words;
}

bool failed(const Ended& ended) {
  return !WIFEXITED(ended.status) || WEXITSTATUS(ended.status) != 0;
}

/// The module that naga makes of a file. It takes the two files, -g for lines unless it is old, and nothing else.
std::vector<std::uint32_t> compile_by_naga(const std::string& naga, const std::string& path,
                                           const TemporaryFolder& scratch) {
  const std::string made = scratch.file("made.spv");
  std::string source = plain(path);
  Arguments options{"-g"};
  const auto compile = [&] {
    Arguments arguments = options;
    arguments.insert(arguments.end(), {source, made});
    return run(naga, arguments);
  };
  Ended ended = compile();
  if (failed(ended) && ended.said.find("nrecognized argument") != std::string::npos) {
    options.clear();
    ended = compile();
  }
  if (failed(ended) && refuses_subgroups(ended.said)) {
    source = scratch.file(fs::path(path).filename().c_str());
    std::ofstream(source, std::ios::binary) << without_enable_subgroups(text_of(path));
    ended = compile();
  }
  ended.said = message_of_naga(ended.said, path);
  check(ended, naga, path);
  std::vector<std::uint32_t> words = with_file_name(read_words(made), source, path);
  raise_version(words);
  return words;
}

}  // namespace

std::vector<std::uint32_t> compile_by(const std::string& compiler, const std::string& path,
                                      const CompileOptions& given) {
  const TemporaryFolder scratch;
  const std::string made = scratch.file("made.spv");
  CompileOptions options = given;
  const bool is_dxc = is_named(compiler, "dxc");
  const bool patches = is_hlsl(path) && !is_dxc;
  if (is_hlsl(path)) options.entry = hlsl_entry_point(text_of(path), options.entry);
  const std::string source = patches ? patched_file(path, scratch, options) : plain(path);
  std::vector<std::uint32_t> words;
  if (is_named(compiler, "naga")) {
    words = compile_by_naga(compiler, path, scratch);
  } else {
    Arguments arguments = arguments_of(compiler, path, options);
    arguments.insert(arguments.end(), {is_dxc ? "-Fo" : "-o", made, source});
    Ended ended = run(compiler, arguments);
    if (patches) ended.said = replaced(std::move(ended.said), source, path);
    check(ended, compiler, path);
    words = read_words(made);
  }
  if (words.empty())
    throw Error(fmt::format("{}: {} succeeded without writing a module", path, compiler));
  return patches ? with_exclusive_prefixes(std::move(words)) : words;
}

}  // namespace lockstep::spirv
