#include "driver/module_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <spirv-tools/libspirv.hpp>
#include <string_view>

#include <unistd.h>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "shader/front/assembly_places.hpp"

namespace lockstep::driver {
namespace {

namespace fs = std::filesystem;

/// Of the words, for a name that another module does not have (FNV-1a).
std::uint64_t hash_of(const std::vector<std::uint32_t>& words) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint32_t word : words) hash = (hash ^ word) * 0x100000001b3;
  return hash;
}

/// The module in assembly, an instruction in each line; empty if it cannot be had.
std::string disassembled(const std::vector<std::uint32_t>& words) {
  const spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  std::string text;
  constexpr std::uint32_t options =
      SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
  if (!tools.Disassemble(words, &text, options)) return "";
  return text;
}

bool has_lines(std::string_view text) {
  return text.find("OpLine") != text.npos || text.find("NonSemantic.Shader.DebugInfo") != text.npos;
}

}  // namespace

fs::path module_folder(const std::string& folder) {
  return folder.empty() ? fs::temp_directory_path() / fmt::format("lockstep-modules-{}", getuid())
                        : fs::absolute(folder);
}

ModuleFile::ModuleFile(const std::string& folder, const std::vector<std::uint32_t>& words)
    : text_(disassembled(words)), words_(words) {
  if (has_lines(text_)) text_.clear();
  if (!text_.empty()) words_ = spirv::with_places(text_, words);
  path_ = module_folder(folder) /
          fmt::format("{:016x}.{}", hash_of(words), text_.empty() ? "spv" : "spvasm");
}

std::string ModuleFile::instruction(int line) const {
  std::string_view rest = text_;
  for (int k = 1; k < line && !rest.empty(); ++k)
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  std::string_view found = rest.substr(0, rest.find('\n'));
  found.remove_prefix(std::min(found.find_first_not_of(' '), found.size()));
  return std::string(found);
}

void ModuleFile::write() const {
  std::call_once(writing_, [&] {
    fs::create_directories(fs::path(path_).parent_path());
    const std::string temporary = fmt::format("{}.{}.tmp", path_, getpid());
    std::ofstream file(temporary, std::ios::binary);
    if (text_.empty())
      file.write(reinterpret_cast<const char*>(words_.data()),
                 static_cast<std::streamsize>(words_.size() * sizeof(std::uint32_t)));
    else
      file << text_;
    file.close();
    if (!file) throw Error(fmt::format("{}: the module cannot be written there", path_));
    fs::rename(temporary, path_);
  });
}

}  // namespace lockstep::driver
