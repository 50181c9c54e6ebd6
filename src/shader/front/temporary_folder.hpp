#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <lockstep/exec/error.hpp>

/// \file
/// A folder for what other programs read and write.

namespace lockstep {

/// A new folder among the system's temporary ones, removed at the end with all that it holds.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        Throws Error if it cannot be created.
/// Cost          A folder.
/// Spec          None.
/// Example       src/cli/vulkan.cpp
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lockstep-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(name + ": the folder cannot be created: " +
                  std::generic_category().message(errno) + "; TMPDIR names another place");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The path of a file in it.
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace lockstep
