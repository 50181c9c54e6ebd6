#include "runtime/trace/open_source.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace lockstep::trace {
namespace {

std::filesystem::path& source_folder() {
  static std::filesystem::path folder;
  return folder;
}

std::map<std::string, std::string>& source_texts() {
  static std::map<std::string, std::string> texts;
  return texts;
}

}  // namespace

void set_source_folder(std::string folder) { source_folder() = std::move(folder); }

void set_source_texts(std::map<std::string, std::string> texts) {
  source_texts() = std::move(texts);
}

std::unique_ptr<std::istream> open_source(const std::string& name) {
  const auto text = source_texts().find(name);
  if (text != source_texts().end()) return std::make_unique<std::istringstream>(text->second);
  auto file = std::make_unique<std::ifstream>(name);
  // The folder and an absolute name are that name.
  if (!*file && !source_folder().empty()) file->open(source_folder() / name);
  if (!*file) return nullptr;
  return file;
}

}  // namespace lockstep::trace
