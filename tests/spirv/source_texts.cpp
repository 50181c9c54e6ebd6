#include "shader/front/source_texts.hpp"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/module.hpp>

#include "support/directory.hpp"

namespace {

using Compiled = lockstep::Module;
using Texts = std::map<std::string, std::string>;

Texts texts_of(const Compiled& module) { return lockstep::spirv::source_texts(module.words()); }

const std::string header =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
    "OpExecutionMode %main LocalSize 1 1 1\n";
const std::string rest =
    "%void = OpTypeVoid\n%type = OpTypeFunction %void\n%main = OpFunction %void None %type\n"
    "%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";

}  // namespace

TEST_CASE("a module has the texts of its shader and of what it includes") {
  const lockstep::test::Directory folder;
  const std::string included = "// A comment.\nvoid f() {}\n";
  const std::string source =
      "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"f.glsl\"\n"
      "void main() { f(); }  // at the end\n";
  folder.write("f.glsl", included);
  folder.write("main.comp", source);
  const Texts texts = texts_of(Compiled::load(folder / "main.comp"));
  CHECK(texts == Texts{{folder / "f.glsl", included}, {folder / "main.comp", source}});
}

TEST_CASE("texts come in pieces, and without a text there is none") {
  const auto assembled = [](const std::string& debug) {
    return texts_of(Compiled::from_assembly(header + debug + rest));
  };
  CHECK(assembled("").empty());
  CHECK(assembled("%file = OpString \"a.comp\"\nOpSource GLSL 450 %file\n").empty());
  CHECK(assembled("OpSource GLSL 450\n").empty());
  CHECK(assembled("%file = OpString \"a.comp\"\nOpSource GLSL 450 %file \"one \"\n"
                  "OpSourceContinued \"two\"\nOpSourceContinued \" three\"\n") ==
        Texts{{"a.comp", "one two three"}});
  // Cut off within the text.
  std::vector<std::uint32_t> words{0x07230203,  0x10000, 0,   9, 0,  //
                                   3 << 16 | 7, 1,       'a',        //
                                   9 << 16 | 3, 2,       450, 1, 'x'};
  CHECK(lockstep::spirv::source_texts(words).empty());
}
