#include "io/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>

#include "io/error.hpp"
#include "io/npy.hpp"

namespace lockstep::io {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

std::string why(int error) { return std::generic_category().message(error); }

template <class Container>
Container read_all(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    throw InputError(path + ": does not exist; give the path of a file");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw InputError(path + ": is not a regular file; give the path of a file");
  const File file(std::fopen(path.c_str(), "rb"));
  const auto size = file ? fs::file_size(path, error) : 0;
  if (!file || error)
    throw InputError(fmt::format("{}: cannot be read: {}; check its permissions", path,
                                 file ? error.message() : why(errno)));
  Container content(static_cast<std::size_t>(size), {});
  if (size != 0 && std::fread(content.data(), 1, content.size(), file.get()) != content.size())
    throw InputError(path + ": cannot be read to its end; copy it again");
  return content;
}

// Removes the file unless it got its final name.
struct Temporary {
  std::string name;
  ~Temporary() {
    if (!name.empty()) std::remove(name.c_str());
  }
};

[[noreturn]] void fail_writing(const std::string& path, int error) {
  throw InputError(fmt::format("{}: cannot be written: {}; check the directory", path, why(error)));
}

}  // namespace

std::vector<std::byte> read_bytes(const std::string& path) {
  return read_all<std::vector<std::byte>>(path);
}

std::string read_text(const std::string& path) { return read_all<std::string>(path); }

void write_text(const std::string& path, std::string_view text) {
  npy::check_writable(path);
  Temporary temporary{fmt::format("{}.{}.tmp", path, getpid())};
  File file(std::fopen(temporary.name.c_str(), "wb"));
  if (!file) {
    temporary.name.clear();
    fail_writing(path, errno);
  }
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size())
    fail_writing(path, errno);
  if (std::fclose(file.release()) != 0) fail_writing(path, errno);
  if (std::rename(temporary.name.c_str(), path.c_str()) != 0) fail_writing(path, errno);
  temporary.name.clear();
}

std::filesystem::path written_file(const std::filesystem::path& path) {
  constexpr int most_links = 40;
  std::error_code error;
  fs::path file = path;
  for (int k = 0; k < most_links && fs::is_symlink(file, error); ++k) {
    const fs::path target = fs::read_symlink(file, error);
    if (error) return file;
    file = file.parent_path() / target;
  }
  const fs::path canonical = fs::weakly_canonical(fs::absolute(file, error), error);
  return error ? file : canonical;
}

}  // namespace lockstep::io
