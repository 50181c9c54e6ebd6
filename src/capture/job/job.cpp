#include "capture/job/job.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <span>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/mapping.hpp>

#include "io/error.hpp"
#include "io/files.hpp"
#include "io/types.hpp"

namespace lockstep::job {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using io::InputError;

constexpr std::string_view format_name = "lockstep job";

struct NamedKind {
  Binding::Kind kind;
  const char* name;
};
constexpr std::array kinds{
    NamedKind{Binding::Kind::uniform_buffer, "uniform_buffer"},
    NamedKind{Binding::Kind::storage_buffer, "storage_buffer"},
    NamedKind{Binding::Kind::storage_image, "storage_image"},
    NamedKind{Binding::Kind::sampled_image, "sampled_image"},
    NamedKind{Binding::Kind::combined_image_sampler, "combined_image_sampler"},
    NamedKind{Binding::Kind::sampler, "sampler"},
    NamedKind{Binding::Kind::uniform_texel_buffer, "uniform_texel_buffer"},
    NamedKind{Binding::Kind::storage_texel_buffer, "storage_texel_buffer"},
};

bool all_zero(const std::vector<std::byte>& bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

// ---- Writing ----

/// Bytes as an array of one dimension; as bytes if they are no whole numbers of the type.
void write_array(const fs::path& path, npy::Dtype type, const std::vector<std::byte>& bytes) {
  const std::size_t size = io::bytes_of(type);
  if (bytes.size() % size == 0)
    npy::write(path, npy::Array{type, {bytes.size() / size}, bytes});
  else
    npy::write(path, npy::Array{npy::Dtype::uint8, {bytes.size()}, bytes});
}

Json json_of(const io::ImageShape& image) {
  Json json{{"format", to_string(image.format)},
            {"size", {image.size().x, image.size().y, image.size().z}}};
  if (image.levels.count > 1) {
    json["levels"] = image.levels.count;
    json["halved"] = image.levels.axes;
  }
  if (image.samples > 1) json["samples"] = image.samples;
  return json;
}

/// Writes the binding's files and says which.
Json write_binding(const fs::path& folder, const Binding& binding) {
  Json json{{"set", binding.set}, {"binding", binding.binding}};
  if (binding.element != 0) json["element"] = binding.element;
  json["kind"] = name_of(binding.kind);
  json["name"] = binding.name;
  if (!binding.sampler.empty()) json["sampler"] = binding.sampler;
  if (binding.kind == Binding::Kind::sampler) return json;
  json["type"] = io::name_of(binding.type);
  json["bytes"] = binding.input.size();
  if (binding.image) json["image"] = json_of(*binding.image);
  const std::string stem =
      fmt::format("{}_{}{}", binding.set, binding.binding,
                  binding.element == 0 ? "" : fmt::format("_{}", binding.element));
  const auto add = [&](const char* member, const std::vector<std::byte>& bytes) {
    const std::string file = fmt::format("{}.{}.npy", stem, member);
    write_array(folder / file, binding.type, bytes);
    json[member] = file;
  };
  if (!all_zero(binding.input)) add("input", binding.input);
  json["writable"] = binding.writable;
  if (!binding.output.empty()) add("output", binding.output);
  return json;
}

Json json_of(const Job& job, const fs::path& folder) {
  Json json{{"format", format_name}, {"version", version}, {"name", job.name}};
  if (!job.command.empty()) json["command"] = job.command;
  json["shader"] = {{"file", "shader.spv"},
                    {"source", job.source},
                    {"stage", "compute"},
                    {"entry_point", job.entry}};
  json["specialization"] = Json::array();
  for (const Constant& constant : job.constants)
    json["specialization"].push_back(
        {{"id", constant.id}, {"bits", constant.bits}, {"bytes", constant.bytes}});
  if (!job.push_constants.empty()) {
    write_array(folder / "push_constants.npy", npy::Dtype::uint8, job.push_constants);
    json["push_constants"] = "push_constants.npy";
  }
  json["groups"] = {job.groups.x, job.groups.y, job.groups.z};
  json["subgroup_size"] = job.subgroup_size;
  json["required_size"] = job.required_size;
  if (!job.lanes.empty()) {
    const auto size = static_cast<std::size_t>(job.subgroup_size);
    const std::size_t shape[] = {job.lanes.size() / size, size};
    npy::write<std::uint32_t>(folder / "lanes.npy", job.lanes, shape);
    json["lanes"] = "lanes.npy";
  }
  json["bindings"] = Json::array();
  for (const Binding& binding : job.bindings)
    json["bindings"].push_back(write_binding(folder, binding));
  if (!job.device.is_null()) json["device"] = "device.json";
  return json;
}

void write_words(const fs::path& path, const std::vector<std::uint32_t>& words) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(words.data()),
             static_cast<std::streamsize>(words.size() * sizeof words[0]));
  if (!file.flush()) throw InputError(fmt::format("{}: cannot be written", path.string()));
}

void write_json(const fs::path& path, const Json& json) {
  io::write_text(path.string(), json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

/// A folder that is removed unless it gets its name.
class NewFolder {
 public:
  explicit NewFolder(const fs::path& target) : target_(target) {
    std::error_code error;
    if (fs::exists(target, error) && !is_job(target) &&
        !(fs::is_directory(target, error) && fs::is_empty(target, error)))
      throw InputError(
          fmt::format("{}: exists and is not a job; name another folder", target.string()));
    const fs::path parent = target.has_parent_path() ? target.parent_path() : ".";
    fs::create_directories(parent, error);
    path_ = parent / fmt::format(".{}.{}", target.filename().string(), getpid());
    fs::create_directory(path_, error);
    if (error)
      throw InputError(fmt::format("{}: cannot be created: {}", path_.string(), error.message()));
  }
  ~NewFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const fs::path& path() const { return path_; }
  void keep() {
    std::error_code error;
    const fs::path old = path_.string() + ".old";
    if (fs::exists(target_)) fs::rename(target_, old, error);
    if (!error) fs::rename(path_, target_, error);
    if (error)
      throw InputError(fmt::format("{}: cannot be written: {}", target_.string(), error.message()));
    fs::remove_all(old, error);
  }

 private:
  fs::path target_, path_;
};

// ---- Reading ----

/// The files of a folder, with errors that name them.
class Reader {
 public:
  explicit Reader(const fs::path& folder) : folder_(folder) {}

  Job job() {
    const Json json = json_of("job.json");
    file_ = folder_ / "job.json";
    if (!json.is_object() || json.value("format", "") != format_name)
      throw InputError(fmt::format("{}: is not a Lockstep job", file_.string()));
    const int its_version = member<int>(json, "version");
    if (its_version < 1 || its_version > version)
      throw InputError(
          fmt::format("{}: has version {}, but this program reads 1 to {}; use a newer Lockstep",
                      file_.string(), its_version, version));
    Job job;
    job.name = member<std::string>(json, "name");
    job.command = optional<std::string>(json, "command", "");
    take_shader(job, json);
    if (json.contains("push_constants"))
      job.push_constants = array(member<std::string>(json, "push_constants")).bytes;
    job.groups = size3(json, "groups");
    job.subgroup_size = member<int>(json, "subgroup_size");
    if (job.subgroup_size < 1 || job.subgroup_size > 128)
      refuse("subgroup_size", "is not 1 to 128");
    job.required_size = optional(json, "required_size", false);
    if (json.contains("lanes")) job.lanes = lanes(member<std::string>(json, "lanes"), job);
    for (const Json& binding : list(json, "bindings")) job.bindings.push_back(binding_of(binding));
    if (json.contains("device")) job.device = json_of(member<std::string>(json, "device"));
    return job;
  }

 private:
  [[noreturn]] void refuse(std::string_view member, std::string_view what) const {
    throw InputError(fmt::format("{}: {} {}", file_.string(), member, what));
  }

  template <class T>
  T member(const Json& json, const char* name) const {
    if (!json.is_object() || !json.contains(name)) refuse(name, "is missing");
    try {
      return json.at(name).get<T>();
    } catch (const Json::exception&) {
      refuse(name, "has a value of the wrong type");
    }
  }
  template <class T>
  T optional(const Json& json, const char* name, T otherwise) const {
    return json.contains(name) ? member<T>(json, name) : otherwise;
  }
  const Json& list(const Json& json, const char* name) const {
    if (!json.contains(name) || !json.at(name).is_array()) refuse(name, "is not a list");
    return json.at(name);
  }
  Size3 size3(const Json& json, const char* name) const {
    const auto sizes = member<std::vector<std::uint32_t>>(json, name);
    if (sizes.size() != 3) refuse(name, "does not have three numbers");
    return {sizes[0], sizes[1], sizes[2]};
  }

  /// Names in a folder are not paths: a job reads nothing else.
  fs::path path_of(const std::string& file) const {
    if (file.empty() || file.find('/') != std::string::npos || file == "..")
      refuse(file, "is not a file in the folder");
    return folder_ / file;
  }
  Json json_of(const std::string& file) {
    const fs::path path = path_of(file);
    try {
      return Json::parse(io::read_text(path.string()));
    } catch (const Json::parse_error& error) {
      throw InputError(
          fmt::format("{}: is not JSON: it ends or breaks at byte {}", path.string(), error.byte));
    }
  }
  npy::Array array(const std::string& file) const { return npy::read(path_of(file)); }

  void take_shader(Job& job, const Json& json) {
    const Json shader = member<Json>(json, "shader");
    job.source = optional<std::string>(shader, "source", "shader.spv");
    job.entry = member<std::string>(shader, "entry_point");
    if (const auto stage = member<std::string>(shader, "stage"); stage != "compute")
      refuse("stage", fmt::format("is {}: only compute shaders run", stage));
    const fs::path path = path_of(member<std::string>(shader, "file"));
    const std::vector<std::byte> bytes = io::read_bytes(path.string());
    if (bytes.empty() || bytes.size() % 4 != 0)
      throw InputError(
          fmt::format("{}: has {} bytes, which is not SPIR-V", path.string(), bytes.size()));
    job.words.resize(bytes.size() / 4);
    std::memcpy(job.words.data(), bytes.data(), bytes.size());
    if (!json.contains("specialization")) return;
    for (const Json& constant : list(json, "specialization")) {
      const auto size = member<std::uint32_t>(constant, "bytes");
      if (size != 1 && size != 2 && size != 4 && size != 8)
        refuse("specialization", "has a constant that is not 1, 2, 4 or 8 bytes");
      job.constants.push_back(
          {member<std::uint32_t>(constant, "id"), member<std::uint64_t>(constant, "bits"), size});
    }
  }

  std::vector<std::uint32_t> lanes(const std::string& file, const Job& job) const {
    const npy::Array table = array(file);
    const auto size = static_cast<std::size_t>(job.subgroup_size);
    if (table.dtype != npy::Dtype::uint32 || table.shape.size() != 2 || table.shape[1] != size)
      throw InputError(fmt::format("{}: is not a uint32 array of subgroups x {} lanes",
                                   path_of(file).string(), size));
    const auto values = table.values<std::uint32_t>();
    return {values.begin(), values.end()};
  }

  io::ImageShape image_of(const Json& json) const {
    io::ImageShape shape;
    const auto name = member<std::string>(json, "format");
    const auto* found = std::ranges::find(image_formats, name, &ImageFormatInfo::name);
    if (found == std::end(image_formats))
      refuse("image", fmt::format("has an unknown format {}", name));
    shape.format = static_cast<ImageFormat>(found - std::begin(image_formats));
    shape.levels.size = size3(json, "size");
    shape.levels.count = optional(json, "levels", 1u);
    shape.levels.axes = optional(json, "halved", 2u);
    shape.samples = optional(json, "samples", 1u);
    if (shape.levels.count < 1 || shape.levels.count > 32 || shape.levels.axes < 1 ||
        shape.levels.axes > 3 || shape.samples < 1)
      refuse("image", "has an invalid number of levels or samples");
    return shape;
  }

  std::vector<std::byte> bytes_of(const std::string& file, std::uint64_t bytes) const {
    npy::Array read = array(file);
    if (read.bytes.size() != bytes)
      throw InputError(fmt::format("{}: has {} bytes of values, but job.json says {}",
                                   path_of(file).string(), read.bytes.size(), bytes));
    return std::move(read.bytes);
  }

  Binding binding_of(const Json& json) const {
    Binding binding;
    const auto kind = member<std::string>(json, "kind");
    const auto* found = std::ranges::find(kinds, kind, &NamedKind::name);
    if (found == kinds.end()) refuse("bindings", fmt::format("has an unknown kind {}", kind));
    binding.kind = found->kind;
    binding.set = member<std::uint32_t>(json, "set");
    binding.binding = member<std::uint32_t>(json, "binding");
    binding.element = optional(json, "element", 0u);
    binding.name = optional<std::string>(json, "name", "");
    binding.sampler = optional<std::string>(json, "sampler", "");
    if (binding.kind == Binding::Kind::sampler) return binding;
    const auto type = member<std::string>(json, "type");
    const auto dtype = io::find_type(type);
    if (!dtype) refuse("bindings", fmt::format("has an unknown type {}", type));
    binding.type = *dtype;
    binding.writable = optional(json, "writable", false);
    if (json.contains("image")) binding.image = image_of(json.at("image"));
    const auto bytes = member<std::uint64_t>(json, "bytes");
    if (json.contains("input")) {
      binding.input = bytes_of(member<std::string>(json, "input"), bytes);
    } else {
      constexpr std::uint64_t most = std::uint64_t{1} << 32;
      if (bytes > most) refuse("bytes", fmt::format("are more than {}", most));
      binding.input.resize(bytes);
    }
    if (json.contains("output"))
      binding.output = bytes_of(member<std::string>(json, "output"), bytes);
    check_image(binding);
    return binding;
  }
  void check_image(const Binding& binding) const {
    if (!binding.image) return;
    const io::ImageShape& image = *binding.image;
    const std::uint64_t bytes = image.levels.before(image.levels.count) *
                                std::uint64_t{image.samples} * texel_bytes(image.format);
    if (bytes != binding.input.size())
      refuse("image",
             fmt::format("of {} bytes is in a binding of {}", bytes, binding.input.size()));
  }

  fs::path folder_, file_;
};

}  // namespace

std::map<std::uint32_t, SpecConstant> Job::specialization() const {
  std::map<std::uint32_t, SpecConstant> result;
  for (const Constant& constant : constants) {
    std::array<std::byte, 8> bytes{};
    std::memcpy(bytes.data(), &constant.bits, sizeof constant.bits);
    result.emplace(constant.id, SpecConstant::from_bytes(std::span(bytes).first(constant.bytes)));
  }
  return result;
}

const char* name_of(Binding::Kind kind) {
  return std::ranges::find(kinds, kind, &NamedKind::kind)->name;
}

bool is_job(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path / "job.json", error);
}

Job read(const fs::path& folder) {
  if (!is_job(folder))
    throw InputError(fmt::format("{}: is not a job: it has no job.json", folder.string()));
  return Reader(folder).job();
}

void write(const fs::path& folder, const Job& job) {
  NewFolder made(folder.has_filename() ? folder : folder.parent_path());
  write_words(made.path() / "shader.spv", job.words);
  write_json(made.path() / "job.json", json_of(job, made.path()));
  if (!job.device.is_null()) write_json(made.path() / "device.json", job.device);
  made.keep();
}

}  // namespace lockstep::job
