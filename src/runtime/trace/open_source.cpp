#include "runtime/trace/open_source.hpp"

#include <filesystem>
#include <utility>

namespace lockstep::trace {
namespace {

std::filesystem::path& source_folder() {
  static std::filesystem::path folder;
  return folder;
}

}  // namespace

void set_source_folder(std::string folder) { source_folder() = std::move(folder); }

std::ifstream open_source(const std::string& name) {
  std::ifstream file(name);
  // The folder and an absolute name are that name.
  if (!file && !source_folder().empty()) file.open(source_folder() / name);
  return file;
}

}  // namespace lockstep::trace
