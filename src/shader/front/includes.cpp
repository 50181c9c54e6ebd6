#include "shader/front/includes.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep::spirv {
namespace {

namespace fs = std::filesystem;
using Result = glslang::TShader::Includer::IncludeResult;

constexpr std::size_t deepest_include = 64;

/// glslang's form of a message about a text without a file name.
Result* too_deep() {
  auto* text = new std::string("includes are nested more than 64 deep");
  return new Result("", text->data(), text->size(), text);
}

bool is_there(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none);
}

/// The folders around a file, the innermost first: up to the repository's, or a few.
std::vector<fs::path> folders_around(const std::string& file) {
  constexpr std::size_t most = 8, most_without_repository = 4;
  std::error_code none;
  std::vector<fs::path> found;
  for (fs::path folder = fs::absolute(file, none).lexically_normal().parent_path();
       found.size() < most; folder = folder.parent_path()) {
    found.push_back(folder);
    if (is_there(folder / ".git")) return found;
    if (folder == folder.root_path()) break;
  }
  if (found.size() > most_without_repository) found.resize(most_without_repository);
  return found;
}

/// A file of the folder whose path ends like that; empty if there is none among the first files.
std::string find_below(const fs::path& folder, const fs::path& wanted) {
  constexpr int most_files = 20'000;
  int files = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                           error);
       !error && at != fs::recursive_directory_iterator() && ++files < most_files;
       at.increment(error)) {
    if (at->path().filename() == wanted.filename() && at->is_regular_file(error))
      return at->path().string();
  }
  return {};
}

}  // namespace

Result* Includer::includeLocal(const char* header, const char* from, std::size_t depth) {
  if (depth > deepest_include) return too_deep();
  if (Result* found = open((fs::path(from).parent_path() / header).string())) return found;
  return includeSystem(header, from, depth);
}

Result* Includer::includeSystem(const char* header, const char* from, std::size_t depth) {
  if (depth > deepest_include) return too_deep();
  for (const std::string& directory : directories_) {
    if (Result* found = open((fs::path(directory) / header).string())) return found;
  }
  if (Result* found = find_around(header, from)) return found;
  if (missing_.empty()) {
    missing_ = header;
    missed_by_ = from;
  }
  return nullptr;
}

void Includer::releaseInclude(Result* result) {
  if (result == nullptr) return;
  delete static_cast<std::string*>(result->userData);
  delete result;
}

Result* Includer::find_around(const char* header, const char* from) {
  for (const fs::path& folder : folders_around(from)) {
    for (const char* const inside :
         {"", "include", "common", "shaders", "shaders/include", "shaders/common"}) {
      if (Result* found = open((folder / inside / header).string())) return found;
    }
  }
  return nullptr;
}

std::string Includer::advice() const {
  if (missing_.empty()) return {};
  const std::vector<fs::path> around = folders_around(missed_by_);
  std::string candidate;
  for (std::size_t k = 0; k < around.size() && candidate.empty(); ++k) {
    // Without a repository the outer folders may be anything.
    if (k == 0 || is_there(around.back() / ".git")) candidate = find_below(around[k], missing_);
  }
  if (candidate.empty())
    return fmt::format(
        "name the folder that has {} with -I; it is neither beside {} nor in a folder above",
        missing_, missed_by_);
  return fmt::format("if {} is the right {}, name its folder with -I", candidate, missing_);
}

Result* Includer::open(const std::string& given) {
  const std::string path = fs::path(given).lexically_normal().string();
  std::error_code error;
  looked_for.push_back({path});
  if (!fs::is_regular_file(path, error)) return nullptr;
  std::ifstream in(path, std::ios::binary);
  const std::string contents(std::istreambuf_iterator<char>(in), {});
  if (!in || in.bad()) throw Error(fmt::format("{}: cannot be read", path));
  looked_for.back().exists = true;
  looked_for.back().hash = hash_of(contents);
  PatchedGlsl patched = patch_(contents);
  maximally_reconverges |= patched.maximally_reconverges;
  auto* text = new std::string(std::move(patched.text));
  return new Result(path, text->data(), text->size(), text);
}

}  // namespace lockstep::spirv
