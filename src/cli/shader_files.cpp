#include "cli/shader_files.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spirv/unified1/spirv.hpp11>

#include "cli/command.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

/// Words without which a file of that ending has no compute entry point.
struct Ending {
  std::string_view ending, word;
};
constexpr Ending endings[] = {{".comp", ""},           {".glsl", "local_size"},
                              {".hlsl", "numthreads"}, {".slang", "numthreads"},
                              {".wgsl", "@compute"},   {".cl", "kernel"},
                              {".spvasm", "GLCompute"}};

/// Whether a module has a compute entry point, or is none at all, which is then an error.
bool may_compute(const std::string& bytes) {
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
  constexpr std::size_t header = 5;
  if (words.size() < header || words[0] != spv::MagicNumber) return true;
  for (std::size_t at = header; at + 1 < words.size();) {
    const auto opcode = static_cast<spv::Op>(words[at] & 0xffff);
    const std::size_t length = words[at] >> 16;
    if (length == 0 || opcode == spv::Op::OpFunction) return false;
    const auto model = static_cast<spv::ExecutionModel>(words[at + 1]);
    if (opcode == spv::Op::OpEntryPoint && model == spv::ExecutionModel::GLCompute) return true;
    at += length;
  }
  return false;
}

}  // namespace

bool is_compute_shader(const fs::path& path) {
  const std::string name = path.string();
  const auto contents = [&] {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  if (name.ends_with(".spv")) return may_compute(contents());
  const auto* const ending =
      std::ranges::find_if(endings, [&](const Ending& e) { return name.ends_with(e.ending); });
  if (ending == std::end(endings)) return false;
  if (ending->word.empty()) return true;
  return contents().find(ending->word) != std::string::npos;
}

std::vector<std::string> shaders_at(const std::string& path) {
  if (fs::is_regular_file(path)) return {path};
  if (!fs::is_directory(path))
    throw UsageError(
        fmt::format("{}: does not exist: name a shader, or a folder of shaders", path));
  std::vector<std::string> found;
  const auto skip = fs::directory_options::skip_permission_denied;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, skip)) {
    if (entry.is_regular_file() && is_compute_shader(entry.path()))
      found.push_back(entry.path().string());
  }
  std::ranges::sort(found);
  return found;
}

std::string message_of(const ChildOutcome& outcome, const std::string& file) {
  std::string line = outcome.err.substr(0, outcome.err.find('\n'));
  const auto take = [&](const std::string& prefix) {
    const bool has = line.starts_with(prefix);
    if (has) line.erase(0, prefix.size());
    return has;
  };
  take("lockstep: ");
  if (!take(file + ": ") && take(file + ":")) line.insert(0, "line ");
  return line;
}

std::vector<std::string> entry_points_in(const std::string& message) {
  if (message.find("entry point 'main'; ") == std::string::npos) return {};
  std::vector<std::string> names;
  std::size_t at = std::string::npos, end = message.size();
  for (const std::string_view before : {"[numthreads] are ", "; it has '"}) {
    if (const std::size_t found = message.find(before); found != std::string::npos)
      at = found + before.size();
  }
  if (at == std::string::npos) return {};
  if (const std::size_t colon = message.find(':', at); colon != std::string::npos) end = colon;
  std::string name;
  for (; at < end; ++at) {
    const char c = message[at];
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      name += c;
    } else if (!name.empty()) {
      names.push_back(std::exchange(name, {}));
    }
  }
  if (!name.empty()) names.push_back(name);
  return names;
}

}  // namespace lockstep::cli
