#include "registry/registry.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "kernels/sweep.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

const fs::path root = LOCKSTEP_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> names() {
  std::set<std::string> all;
  for (const auto& entry : kernels::all_kernels()) all.emplace(entry.name);
  return all;
}

// A size where every kernel is defined.
constexpr int size_for_all = 32;

TEST_CASE("every folder of kernels/ is registered, and nothing else") {
  std::set<std::string> folders;
  for (const auto& folder : fs::directory_iterator(root / "kernels")) {
    if (!folder.is_directory() || folder.path().filename() == "registry") continue;
    const std::string name = folder.path().filename();
    folders.insert(name);
    INFO(name);
    CHECK(fs::exists(folder.path() / (name + ".hpp")));
    CHECK(fs::exists(root / "tests/kernels" / (name + ".cpp")));
  }
  CHECK(folders == names());
  CHECK(names().size() == kernels::all_kernels().size());
  CHECK(kernels::find_kernel("no_such_kernel") == nullptr);
}

TEST_CASE("kernels/README names every kernel once, in the row of its source, and no other") {
  const std::string readme = text_of(root / "kernels/README.md");
  // The source may be a link.
  const std::regex row(
      R"(\n\| \[?([^|\]\n]+)(?:\]\([^|)]+\))? \| (\[\w+\]\([a-z][^|\n]+) \|(?=\n))");
  const std::regex link(R"(\[(\w+)\]\((\w+)/(\w+)\.hpp\))");
  const std::sregex_iterator end;
  std::vector<std::string> listed;
  for (std::sregex_iterator it(readme.begin(), readme.end(), row); it != end; ++it) {
    const std::string source = (*it)[1];
    const std::string links = (*it)[2];
    INFO(source);
    for (std::sregex_iterator in(links.begin(), links.end(), link); in != end; ++in) {
      const std::string name = (*in)[1];
      INFO(name);
      CHECK((*in)[2] == name);
      CHECK((*in)[3] == name);
      listed.push_back(name);
      const kernels::Entry* entry = kernels::find_kernel(name);
      REQUIRE(entry != nullptr);
      CHECK(entry->source == source);
    }
  }
  std::ranges::sort(listed);
  const std::set<std::string> wanted = names();
  CHECK(listed == std::vector<std::string>(wanted.begin(), wanted.end()));
}

TEST_CASE("ports declare the bindings and the workgroup of the job") {
  for (const auto& entry : kernels::all_kernels()) {
    const auto job = entry.make_case(entry.make_input(64, 1), size_for_all);
    CHECK(job.subgroup_size == size_for_all);
    for (const auto& pass : job.passes) {
      INFO(pass.shader);
      CHECK(fs::path(pass.shader).parent_path() == fs::path(entry.name));
      const std::string port = text_of(root / "kernels" / pass.shader);
      REQUIRE(port != "");
      const std::regex binding(R"(binding = (\d+))");
      std::vector<std::size_t> bindings;
      for (std::sregex_iterator it(port.begin(), port.end(), binding), end; it != end; ++it) {
        bindings.push_back(std::stoul((*it)[1]));
      }
      const bool has_output = port.find("layout(location = 0) out") != std::string::npos;
      CHECK(pass.attachments == (has_output ? 1 : 0));
      CHECK(has_output == (fs::path(pass.shader).extension() == ".frag"));
      std::vector<std::size_t> want(pass.bindings.size() - pass.attachments);
      for (std::size_t k = 0; k < want.size(); ++k) want[k] = k;
      CHECK(bindings == want);
      CHECK((port.find("push_constant") != std::string::npos) == !pass.push_constants.empty());
      for (const auto k : pass.bindings) CHECK(k < job.arguments.size());
    }
  }
}

TEST_CASE("inputs come first among a job's arrays, and follow from the seed") {
  for (const auto& entry : kernels::all_kernels()) {
    INFO(entry.name);
    const auto inputs = entry.make_input(1000, 1);
    const auto again = entry.make_input(1000, 1);
    const auto job = entry.make_case(inputs, size_for_all);
    REQUIRE(inputs.size() == again.size());
    for (std::size_t k = 0; k < job.arguments.size(); ++k) {
      if (k >= inputs.size()) {
        CHECK(job.arguments[k].role != kernels::Role::input);
        continue;
      }
      // What a kernel changes in place is an output of the job.
      CHECK(inputs[k].role == kernels::Role::input);
      CHECK(job.arguments[k].values == again[k].values);
      CHECK(job.arguments[k].values == inputs[k].values);
    }
    CHECK(std::ranges::any_of(job.arguments,
                              [](const auto& a) { return a.role == kernels::Role::output; }));
  }
}

TEST_CASE("every kernel takes empty and odd problems, and its check can fail") {
  for (const auto& entry : kernels::all_kernels()) {
    for (const std::size_t count : {0u, 1u, 1000u}) {
      INFO(entry.name << ", " << count);
      run_checked(entry, entry.make_input(count, seed()), size_for_all);
    }
    check_notices(entry.name, size_for_all, 1024);
  }
}

}  // namespace
