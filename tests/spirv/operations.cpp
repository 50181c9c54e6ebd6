#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "shader/ir/operations.hpp"
#include "shader/run/ops/functions.hpp"

/// \file
/// The table of operations: every row has its function, and little else names the operation.

using namespace lockstep;
using namespace lockstep::spirv;

namespace {

constexpr Scalar scalars[] = {Scalar::boolean, Scalar::i8,  Scalar::i16, Scalar::i32,
                              Scalar::i64,     Scalar::u8,  Scalar::u16, Scalar::u32,
                              Scalar::u64,     Scalar::f16, Scalar::f32, Scalar::f64};

std::vector<Code> all_codes() {
  std::vector<Code> codes;
  for (int k = 0; k <= static_cast<int>(Code::end); ++k) codes.push_back(static_cast<Code>(k));
  return codes;
}

bool has_function(Code code) {
  for (const Scalar type : scalars) {
    for (const Scalar from : scalars) {
      Op op;
      op.code = code;
      op.type = type;
      op.from = from;
      if (functions().find_pure(op) != nullptr) return true;
    }
  }
  return false;
}

/// The sources of the engine, but for the table itself, by their path.
std::map<std::string, std::string> sources() {
  namespace fs = std::filesystem;
  const fs::path root = LOCKSTEP_SOURCE_DIR "/src/shader";
  std::map<std::string, std::string> texts;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".cpp" && path.extension() != ".hpp") continue;
    if (path.filename() == "operations.def.hpp") continue;
    std::ifstream in(path);
    texts[fs::relative(path, root).string()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return texts;
}

/// A place that has to be looked at when an operation changes: a label, a comparison, or its function.
const std::regex place(
    R"((?:case |[=!]= |row\()Code::(\w+)|\{Code::(\w+), \[|(?:LOCKSTEP_(?:COMPUTE|PACK|UNPACK)|_OF_ONE|_OF_THREE)\((\w+),|Compute<Code::(\w+)>)");

/// The files of the places, by operation.
std::map<std::string, std::vector<std::string>> find_places() {
  std::map<std::string, std::vector<std::string>> places;
  for (const auto& [file, text] : sources()) {
    for (std::sregex_iterator at(text.begin(), text.end(), place), end; at != end; ++at) {
      for (std::size_t k = 1; k < at->size(); ++k)
        if ((*at)[k].matched) places[(*at)[k].str()].push_back(file);
    }
  }
  return places;
}

/// The most places of an operation.
std::size_t limit_of(Code code) {
  // Its function, its machine code, and one more.
  constexpr std::size_t plain = 3;
  // What passes rewrite, or machine code treats in its own way.
  static const std::map<std::string_view, std::size_t> special = {
      {"copy", 16}, {"select", 11}, {"convert", 11}, {"div", 7}, {"bnot", 8}, {"equal", 5},
      {"band", 7},  {"bor", 6},     {"bxor", 5},     {"shl", 6}, {"less", 5}, {"not_equal", 5},
      {"add", 6},   {"sub", 5},     {"neg", 4},      {"mul", 5}, {"chain", 5}};
  // Each pass that follows variables and memory, or control flow, has code for each of their operations.
  constexpr std::size_t effect = 25, flow = 28;
  if (is_control(code)) return flow;
  if (is_subgroup(code)) return effect;
  if (!is_pure(code)) return effect;
  const auto found = special.find(operation_of(code).name);
  return found == special.end() ? plain : found->second;
}

}  // namespace

TEST_CASE("rows are in the order of their operations") {
  CHECK(std::string_view(operation_of(Code::copy).name) == "copy");
  CHECK(std::string_view(operation_of(Code::move).name) == "move");
  CHECK(std::string_view(operation_of(Code::elect).name) == "elect");
  CHECK(std::string_view(operation_of(Code::if_begin).name) == "if_begin");
  CHECK(std::string_view(operation_of(Code::end).name) == "end");
}

TEST_CASE("each component-wise operation has a function and a text") {
  for (const Code code : all_codes()) {
    if (!is_pure(code)) continue;
    INFO(operation_of(code).name);
    CHECK(has_function(code));
    CHECK_FALSE(std::string_view(operation_of(code).text).empty());
    CHECK(operation_of(code).operands.count > 0);
  }
}

TEST_CASE("few places name an operation") {
  const auto places = find_places();
  for (const Code code : all_codes()) {
    const auto found = places.find(operation_of(code).name);
    if (found == places.end()) continue;
    std::string files = operation_of(code).name;
    for (const std::string& file : found->second) files += " " + file;
    INFO(files);
    CHECK(found->second.size() <= limit_of(code));
  }
  // The pattern still finds what it should.
  CHECK(places.at("add_sat") == std::vector<std::string>{"run/ops/integer.cpp"});
}

TEST_CASE("few labels name operations") {
  std::size_t labels = 0;
  for (const auto& [file, text] : sources()) {
    for (std::size_t at = 0; (at = text.find("case Code::", at)) != std::string::npos; ++at)
      ++labels;
  }
  CHECK(labels < 240);
}
