#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace lockstep::driver {

/// The folder for modules and jobs with findings, by its name or one of temporary files.
std::filesystem::path module_folder(const std::string& folder);

/// A shader module as a file that other commands of lockstep read. The file is written once something is found in it;
/// the path is known before, since findings have it.
class ModuleFile {
 public:
  /// The folder is empty for one of temporary files.
  ModuleFile(const std::string& folder, const std::vector<std::uint32_t>& words);

  /// A module with lines of its source is kept as it is. Any other is disassembled: its lines are its instructions.
  const std::string& path() const { return path_; }
  bool has_source_lines() const { return text_.empty(); }
  /// The words, with the places of the instructions in the file if the module has no lines.
  const std::vector<std::uint32_t>& words() const { return words_; }
  /// The instruction in a line of the file, as assembly; empty if there is none.
  std::string instruction(int line) const;
  /// Throws Error if it cannot be written.
  void write() const;

 private:
  std::string path_, text_;
  std::vector<std::uint32_t> words_;
  mutable std::once_flag writing_;
};

}  // namespace lockstep::driver
