#include "capture/job/job.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/mapping.hpp>

#include "io/error.hpp"
#include "support/directory.hpp"

namespace {

using lockstep::job::Binding;
using lockstep::job::Job;
using lockstep::test::Directory;
namespace fs = std::filesystem;
namespace job = lockstep::job;

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// A job that uses every member.
Job some_job() {
  Job made;
  made.name = "some";
  made.source = "some.comp";
  made.command = "lockstep capture some.comp";
  made.words = {0x07230203, 0x10000, 0, 5, 0};
  made.entry = "entry";
  made.constants = {{3, 0x3ff0000000000000, 8}, {7, 1, 4}};
  made.push_constants = bytes_of<std::uint16_t>({1, 2, 3});
  made.groups = {2, 3, 4};
  made.subgroup_size = 4;
  made.required_size = true;
  made.lanes = {0, 1, 2, lockstep::no_invocation, 3, 4, 5, lockstep::no_invocation};
  Binding in;
  in.name = "In";
  in.type = lockstep::npy::Dtype::float32;
  in.input = bytes_of<float>({1.5f, -2.0f});
  Binding out;
  out.set = 1;
  out.binding = 2;
  out.element = 3;
  out.writable = true;
  out.type = lockstep::npy::Dtype::uint32;
  out.input.resize(8);
  out.output = bytes_of<std::uint32_t>({8, 9});
  Binding texels;
  texels.kind = Binding::Kind::storage_image;
  texels.binding = 5;
  texels.writable = true;
  texels.image.emplace();
  texels.image->format = lockstep::ImageFormat::rgba8;
  texels.image->levels.size = {2, 3, 1};
  texels.input = std::vector<std::byte>(24, std::byte{7});
  texels.output = std::vector<std::byte>(24, std::byte{9});
  Binding sampler;
  sampler.kind = Binding::Kind::sampler;
  sampler.binding = 6;
  sampler.sampler = "linear,repeat";
  made.bindings = {in, out, texels, sampler};
  made.device = {{"name", "A device"}};
  return made;
}

std::string message(const fs::path& folder) {
  try {
    job::read(folder);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a job comes back from its folder as it was") {
  const Directory directory;
  const Job made = some_job();
  const fs::path folder = directory / "deep/some";
  job::write(folder, made);
  job::write(folder, made);  // in its place
  CHECK(std::distance(fs::directory_iterator(folder.parent_path()), {}) == 1);

  const Job read = job::read(folder);
  CHECK(read.name == made.name);
  CHECK(read.source == made.source);
  CHECK(read.command == made.command);
  CHECK(read.words == made.words);
  CHECK(read.entry == made.entry);
  CHECK(read.push_constants == made.push_constants);
  CHECK(read.groups == made.groups);
  CHECK(read.subgroup_size == 4);
  CHECK(read.required_size);
  CHECK(read.lanes == made.lanes);
  CHECK(read.device == made.device);
  REQUIRE(read.constants.size() == 2);
  CHECK(read.constants[0].bits == 0x3ff0000000000000);
  CHECK(read.specialization().at(3) == lockstep::SpecConstant::from_bits(0x3ff0000000000000));
  REQUIRE(read.bindings.size() == made.bindings.size());
  for (std::size_t k = 0; k < read.bindings.size(); ++k) {
    const Binding &a = read.bindings[k], &b = made.bindings[k];
    CAPTURE(k);
    CHECK(a.kind == b.kind);
    CHECK(a.set == b.set);
    CHECK(a.binding == b.binding);
    CHECK(a.element == b.element);
    CHECK(a.name == b.name);
    CHECK(a.writable == b.writable);
    CHECK(a.type == b.type);
    CHECK(a.input == b.input);
    CHECK(a.output == b.output);
    CHECK(a.sampler == b.sampler);
    REQUIRE(a.image.has_value() == b.image.has_value());
    if (!a.image) continue;
    CHECK(a.image->format == b.image->format);
    CHECK(a.image->size() == b.image->size());
  }
}

TEST_CASE("what is wrong with a folder is named") {
  const Directory directory;
  const fs::path folder = directory / "some";
  CHECK(message(folder) == folder.string() + ": is not a job: it has no job.json");
  job::write(folder, some_job());
  const fs::path file = folder / "job.json";
  const std::string whole = text_of(file);

  /// The message about a job.json in which one text stands for another.
  const auto with = [&](const std::string& old, const std::string& text) {
    std::string changed = whole;
    const std::size_t at = changed.find(old);
    REQUIRE(at != std::string::npos);
    changed.replace(at, old.size(), text);
    std::ofstream(file) << changed;
    const std::string all = message(folder);
    CAPTURE(all);
    REQUIRE(all.starts_with(folder.string() + "/"));
    return all.substr(folder.string().size() + 1);
  };
  CHECK(with("lockstep job", "a job") == "job.json: is not a Lockstep job");
  CHECK(with("\"version\": 1", "\"version\": 9") ==
        "job.json: has version 9, but this program reads 1 to 1; use a newer Lockstep");
  CHECK(with("\"groups\"", "\"group\"") == "job.json: groups is missing");
  CHECK(with("\"required_size\": true", "\"required_size\": 3") ==
        "job.json: required_size has a value of the wrong type");
  CHECK(with("\"subgroup_size\": 4", "\"subgroup_size\": 0") ==
        "job.json: subgroup_size is not 1 to 128");
  CHECK(with("\"subgroup_size\": 4", "\"subgroup_size\": 8") ==
        "lanes.npy: is not a uint32 array of subgroups x 8 lanes");
  CHECK(with("shader.spv", "../shader.spv") ==
        "job.json: ../shader.spv is not a file in the folder");
  CHECK(with("\"bytes\": 24", "\"bytes\": 28") ==
        "0_5.input.npy: has 24 bytes of values, but job.json says 28");
  CHECK(with("storage_image", "picture") == "job.json: bindings has an unknown kind picture");
  CHECK(with("{", "").starts_with("job.json: is not JSON: "));
  std::ofstream(file) << whole;
  std::ofstream(folder / "shader.spv") << "abc";
  CHECK(message(folder) == folder.string() + "/shader.spv: has 3 bytes, which is not SPIR-V");
  fs::remove(folder / "1_2_3.output.npy");
  job::write(folder, some_job());
  fs::remove(folder / "1_2_3.output.npy");
  CHECK(message(folder).find("1_2_3.output.npy") != std::string::npos);
}

TEST_CASE("a folder of something else is not replaced") {
  const Directory directory;
  const fs::path folder = directory / "mine";
  fs::create_directory(folder);
  std::ofstream(folder / "letter.txt") << "dear";
  CHECK_THROWS_AS(job::write(folder, some_job()), lockstep::io::InputError);
  CHECK(text_of(folder / "letter.txt") == "dear");
  CHECK(std::distance(fs::directory_iterator(folder.parent_path()), {}) == 1);
}
