#include <lockstep/subgroup/spec.hpp>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "support/settings.hpp"

using namespace lockstep;

namespace {

const std::filesystem::path root =
    std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();

/// The text of a file of the project; none if there is no such file.
std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(root / path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Whether the text contains the name as a whole word.
bool mentions(const std::string& text, std::string_view name) {
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end])))
      return true;
  }
  return false;
}

/// All rows of the table.
std::vector<spec::BuiltIn> all_built_ins() {
  std::vector<spec::BuiltIn> all;
  for (const auto part : {spec::variables(), spec::barriers(), spec::functions()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// The built-ins whose file below `folder` does not mention them, one per line.
std::string unnamed(const char* folder, std::string_view spec::Place::*file) {
  std::string missing;
  for (const spec::BuiltIn& b : all_built_ins()) {
    const std::string_view path = b.place.*file;
    if (path.empty() || mentions(text_of(std::filesystem::path(folder) / path), b.name)) continue;
    missing.append(b.name).append(" in ").append(folder).append("/").append(path).append("\n");
  }
  return missing;
}

}  // namespace

TEST_CASE("The list of built-ins: each is named by its header, its test and its benchmark") {
  CHECK(unnamed("include/lockstep", &spec::Place::header) == "");
  CHECK(unnamed("tests", &spec::Place::test) == "");
  CHECK(unnamed("bench", &spec::Place::bench) == "");
}

TEST_CASE("The list of built-ins: no name twice, and none of the headers' functions left out") {
  std::set<std::string, std::less<>> names;
  for (const spec::BuiltIn& b : all_built_ins()) {
    INFO(b.name);
    CHECK(names.emplace(b.name).second);
    CHECK(b.opcodes[0].number > 0);
  }
  const std::regex function(
      R"(\b(subgroup[A-Z]\w*|\w+ARB|\w+Invocations?|\w+InvocationsEqual)\(Mask<W>)");
  int found = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(root / "include/lockstep/subgroup")) {
    if (entry.path().extension() != ".hpp") continue;
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator match(text.begin(), text.end(), function), end; match != end;
         ++match) {
      INFO((*match)[1]);
      CHECK(names.count((*match)[1].str()) == 1);
      ++found;
    }
  }
  // Variables and barriers belong to kernels.
  CHECK(found >= static_cast<int>(spec::functions().size()));
}

TEST_CASE(
    "The list of built-ins: undefined results are described where there is a function for them") {
  for (const spec::BuiltIn& b : spec::functions()) {
    INFO(b.name);
    const std::string text =
        text_of(std::filesystem::path("include/lockstep") / std::string(b.place.header));
    const auto at = text.find("namespace undefined {");
    const bool has_function = at != std::string::npos &&
                              text.find(" " + std::string(b.name) + "(", at) != std::string::npos;
    CHECK(has_function == !b.undefined.empty());
  }
}

TEST_CASE("The list of built-ins: families are named as their extensions") {
  for (std::size_t k = 0; k < spec::families().size(); ++k) {
    const spec::Place& place = spec::families()[k];
    INFO(place.extension);
    CHECK((place.extension.starts_with("GL_") || place.extension.starts_with("GLSL")));
    CHECK(place.capability.number > 0);
  }
  CHECK(spec::functions().size() == std::size(all_built_ins()) - 14);
  CHECK(spec::function(spec::Name::subgroupElect).name == "subgroupElect");
  CHECK(spec::function(spec::Name::allInvocationsEqual).name == "allInvocationsEqual");
}

namespace {

/// The table, with links from the folder below docs that has the page.
std::string reference_page() {
  std::string page = spec::to_markdown();
  const std::string_view link = "](../";
  for (std::size_t at = 0; (at = page.find(link, at)) != std::string::npos; at += link.size())
    page.insert(at + link.size(), "../");
  return page;
}

}  // namespace

TEST_CASE("docs/reference/built-ins.md is the list of built-ins") {
  const std::filesystem::path path = root / "docs/reference/built-ins.md";
  if (const char* update = std::getenv("LOCKSTEP_UPDATE_DOCS");
      update != nullptr && *update == '1') {
    std::ofstream(path, std::ios::binary) << reference_page();
  }
  INFO("to regenerate it: LOCKSTEP_UPDATE_DOCS=1 ctest -R subgroup/spec");
  CHECK((text_of("docs/reference/built-ins.md") == reference_page()));
}
