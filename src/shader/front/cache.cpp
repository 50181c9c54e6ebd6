#include "shader/front/cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <glslang/Public/ShaderLang.h>
#include <spirv-tools/libspirv.h>

#include <lockstep/config.hpp>

namespace lockstep::spirv {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "lockstep compiled GLSL 2\n";
constexpr std::string_view valid_magic = "lockstep valid SPIR-V 1\n";
constexpr std::size_t most_entries = 1024;

fs::path directory() {
  const auto given = [](const char* name) -> std::string_view {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (given("LOCKSTEP_CACHE") == "off") return {};
  if (const auto cache = given("XDG_CACHE_HOME"); !cache.empty())
    return fs::path(cache) / "lockstep";
  if (const auto home = given("HOME"); !home.empty()) return fs::path(home) / ".cache" / "lockstep";
  return {};
}

std::optional<std::string> read_whole(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || text.fail()) return {};
  return std::move(text).str();
}

// Numbers and texts one after another, each text after its length.

void put(std::string& to, std::uint64_t value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void put(std::string& to, std::string_view text) {
  put(to, std::uint64_t{text.size()});
  to += text;
}

/// Reads them back; `good` is false from the first missing one on.
class Reader {
 public:
  explicit Reader(std::string_view text) : left_(text) {}

  std::string_view bytes(std::uint64_t count) {
    good = good && count <= left_.size();
    if (!good) return {};
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    const std::string_view from = bytes(sizeof value);
    if (good) std::copy(from.begin(), from.end(), reinterpret_cast<char*>(&value));
    return value;
  }
  std::string_view text() { return bytes(number()); }

  bool good = true;

 private:
  std::string_view left_;
};

bool is_unchanged(const Included& file) {
  const std::optional<std::string> now = read_whole(file.path);
  return now.has_value() == file.exists && (!now || hash_of(*now) == file.hash);
}

/// Makes room for one more entry: removes the older half.
void make_room(const fs::path& where) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(where, error))
    entries.emplace_back(entry.last_write_time(error), entry.path());
  if (entries.size() < most_entries) return;
  std::sort(entries.begin(), entries.end());
  for (std::size_t k = 0; k < entries.size() / 2; ++k) fs::remove(entries[k].second, error);
}

/// Written under another name first, so that readers find a whole entry or none.
void write_entry(const std::string& path, const std::string& entry) {
  static std::atomic<unsigned> number = 0;
  const fs::path where = fs::path(path).parent_path();
  std::error_code error;
  fs::create_directories(where, error);
  make_room(where);
  const std::string unfinished = fmt::format("{}.{}.{}", path, getpid(), number++);
  std::ofstream out(unfinished, std::ios::binary);
  out << entry;
  out.close();
  if (out)
    fs::rename(unfinished, path, error);
  else
    fs::remove(unfinished, error);
}

}  // namespace

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

Cache::Cache(const std::string& text, const std::string& name, const CompileOptions& options,
             const std::string& compiler) {
  const fs::path where = directory();
  if (where.empty()) return;
  const glslang::Version version = glslang::GetVersion();
  put(key_, fmt::format("{}.{}.{} {}.{}.{}", version.major, version.minor, version.patch,
                        LOCKSTEP_VERSION_MAJOR, LOCKSTEP_VERSION_MINOR, LOCKSTEP_VERSION_PATCH));
  for (const std::string* part : {&text, &name, &options.entry, &options.target, &compiler})
    put(key_, std::string_view(*part));
  put(key_, std::uint64_t{options.validate});
  put(key_, std::uint64_t{options.defines.size()});
  for (const auto& [define, value] : options.defines) {
    put(key_, std::string_view(define));
    put(key_, std::string_view(value));
  }
  for (const std::string& include : options.include_dirs) put(key_, std::string_view(include));
  const RegisterShifts& r = options.registers;
  for (const std::uint32_t shift : {r.b, r.t, r.s, r.u}) put(key_, std::uint64_t{shift});
  path_ = (where / fmt::format("{:016x}.spv", hash_of(key_))).string();
}

std::optional<Binary> Cache::find() const {
  if (path_.empty()) return {};
  const std::optional<std::string> entry = read_whole(path_);
  if (!entry || entry->size() < magic.size() + sizeof(std::uint64_t)) return {};
  const std::size_t end = entry->size() - sizeof(std::uint64_t);
  Reader in(*entry);
  if (in.bytes(magic.size()) != magic) return {};
  if (Reader(std::string_view(*entry).substr(end)).number() != hash_of(entry->substr(0, end)))
    return {};
  if (in.text() != key_) return {};
  for (std::uint64_t files = in.number(); files > 0 && in.good; --files) {
    Included file;
    file.path = in.text();
    file.exists = in.number() != 0;
    file.hash = in.number();
    if (!in.good || !is_unchanged(file)) return {};
  }
  Binary binary;
  binary.maximally_reconverges = in.number() != 0;
  binary.subgroup_uniform_control_flow = in.number() != 0;
  const std::string_view words = in.text();
  if (!in.good || words.size() % sizeof(std::uint32_t) != 0) return {};
  binary.words.resize(words.size() / sizeof(std::uint32_t));
  std::copy(words.begin(), words.end(), reinterpret_cast<char*>(binary.words.data()));
  return binary;
}

void Cache::store(const Binary& binary, const std::vector<Included>& included) const {
  if (path_.empty()) return;
  std::string entry(magic);
  put(entry, std::string_view(key_));
  put(entry, std::uint64_t{included.size()});
  for (const Included& file : included) {
    put(entry, std::string_view(file.path));
    put(entry, std::uint64_t{file.exists});
    put(entry, file.hash);
  }
  put(entry, std::uint64_t{binary.maximally_reconverges});
  put(entry, std::uint64_t{binary.subgroup_uniform_control_flow});
  put(entry, std::string_view(reinterpret_cast<const char*>(binary.words.data()),
                              binary.words.size() * sizeof(std::uint32_t)));
  put(entry, hash_of(entry));

  write_entry(path_, entry);
}

Validated::Validated(const std::vector<std::uint32_t>& words, int environment) {
  const fs::path where = directory();
  if (where.empty()) return;
  entry_ = valid_magic;
  put(entry_, fmt::format("{} {}.{}.{}", spvSoftwareVersionDetailsString(), LOCKSTEP_VERSION_MAJOR,
                          LOCKSTEP_VERSION_MINOR, LOCKSTEP_VERSION_PATCH));
  put(entry_, static_cast<std::uint64_t>(environment));
  put(entry_, std::string_view(reinterpret_cast<const char*>(words.data()),
                               words.size() * sizeof(std::uint32_t)));
  const std::uint64_t hash = hash_of(entry_);
  put(entry_, hash);
  path_ = (where / fmt::format("{:016x}.valid", hash)).string();
}

bool Validated::find() const { return !path_.empty() && read_whole(path_) == entry_; }

void Validated::store() const {
  if (!path_.empty()) write_entry(path_, entry_);
}

}  // namespace lockstep::spirv
