#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_fixture.hpp"

/// \file
/// `lockstep survey`: a folder of shaders as it lies.

namespace {

const std::string head = "#version 450\nlayout(local_size_x = 4) in;\n";

/// A module's header and an entry point of that execution model.
std::string module_of(std::uint32_t model) {
  const std::uint32_t words[] = {0x07230203, 0x10000,       0,     2, 0,          2u << 16 | 17,
                                 1,          5u << 16 | 15, model, 1, 0x6e69616d, 0};
  return {reinterpret_cast<const char*>(words), sizeof words};
}

/// One shader of each kind, and files that are none.
void write_shaders(const Directory& directory) {
  directory.write("a/clean.comp", head +
                                      "layout(binding = 0) buffer B { uint o[]; };\n"
                                      "void main() { o[gl_GlobalInvocationID.x] = ONE; }\n");
  directory.write("a/racy.comp", head +
                                     "layout(binding = 0) buffer B { uint o[]; };\n"
                                     "void main() { o[0] = gl_GlobalInvocationID.x; }\n");
  directory.write("a/wrong.comp", head + "void main() { nothing(); }\n");
  directory.write("b/endless.comp",
                  head +
                      "layout(binding = 0) buffer B { uint o[]; };\n"
                      "void main() { while (gl_LocalInvocationIndex < 100u) o[2] += 1u; }\n");
  directory.write(
      "b/clean.hlsl",
      "RWStructuredBuffer<uint> o : register(u0);\n"
      "[numthreads(4, 1, 1)] void any(uint3 i : SV_DispatchThreadID) { o[i.x] = 1; }\n");
  directory.write("b/pixel.hlsl", "float4 main() : SV_Target { return 1; }\n");
  directory.write("b/pixel.spv", module_of(4));
  directory.write("b/pixel.spvasm", "OpEntryPoint Fragment %main \"main\"\n");
  directory.write("b/part.glsl", "uint twice(uint x) { return 2u * x; }\n");
  directory.write("b/readme.txt", "local_size numthreads\n");
}

}  // namespace

TEST_CASE("survey runs and checks each compute shader of a folder") {
  const Directory directory;
  write_shaders(directory);
  const std::string folder = directory.path().string();
  const Outcome outcome =
      run_program("survey " + folder + " -D ONE=1u --threads 2 --seconds 3 --json");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  const auto json = nlohmann::json::parse(outcome.out);
  REQUIRE(json["shaders"].size() == 5);
  const auto shader = [&](std::size_t k) { return json["shaders"][k]; };
  CHECK(shader(0)["file"] == folder + "/a/clean.comp");
  CHECK(shader(0)["result"] == "clean");
  CHECK(shader(1)["result"] == "findings");
  CHECK(contains(shader(1)["why"].get<std::string>(), "lockstep-exchange 1"));
  CHECK(contains(shader(1)["command"].get<std::string>(),
                 "lockstep run " + folder +
                     "/a/racy.comp --groups 1 -D ONE=1u --buffer 0=zeros:u32:1024 --check"));
  CHECK(shader(2)["result"] == "does not compile");
  CHECK(contains(shader(2)["why"].get<std::string>(),
                 "line 3: 'nothing' : no matching overloaded function found"));
  CHECK(shader(3)["file"] == folder + "/b/clean.hlsl");
  CHECK(shader(3)["result"] == "clean");
  CHECK(shader(4)["file"] == folder + "/b/endless.comp");
  CHECK(shader(4)["result"] != "clean");
  CHECK(json["counts"]["clean"] == 2);
}

TEST_CASE(
    "survey looks at modules with a compute entry point, and at files that should be modules") {
  const Directory directory;
  directory.write("compute.spv", module_of(5));
  directory.write("vertex.spv", module_of(0));
  directory.write("cut.spv", module_of(4) + "x");
  directory.write("text.spv", "not a module");
  const auto json =
      nlohmann::json::parse(run_program("survey " + directory.path().string() + " --json").out);
  REQUIRE(json["shaders"].size() == 2);
  CHECK(contains(json["shaders"][0]["file"].get<std::string>(), "/compute.spv"));
  CHECK(contains(json["shaders"][1]["file"].get<std::string>(), "/text.spv"));
  CHECK(contains(json["shaders"][1]["why"].get<std::string>(), "is not a SPIR-V module"));
}

TEST_CASE("survey prints a line for each shader and the counts") {
  const Directory directory;
  write_shaders(directory);
  const std::string folder = (directory.path() / "a").string();
  const Outcome outcome = run_program("survey " + folder);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, folder + "/clean.comp  does not compile: line 4: 'ONE'"));
  CHECK(contains(outcome.out, folder + "/racy.comp   findings: lockstep-exchange 1\n"));
  CHECK(contains(outcome.out, "3 shaders: 1 with findings, 2 do not compile\n"));
  CHECK(outcome.err.empty());
  const Outcome clean = run_program("survey -D ONE=1u " + folder + "/clean.comp");
  CHECK(clean.exit_code == 0);
  CHECK(clean.out == folder + "/clean.comp  clean\n1 shader: 1 clean\n");
}

TEST_CASE("survey looks at each entry point of a file without a main") {
  const Directory directory;
  directory.write("two.hlsl",
                  "RWStructuredBuffer<uint> o : register(u0);\n"
                  "[numthreads(4, 1, 1)] void fill(uint i : SV_DispatchThreadID) { o[i] = i; }\n"
                  "[numthreads(4, 1, 1)] void race(uint i : SV_DispatchThreadID) { o[0] = i; }\n");
  const std::string file = directory / "two.hlsl";
  const Outcome outcome = run_program("survey " + file);
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out == file + " (fill)  clean\n" + file +
                           " (race)  findings: lockstep-exchange 1\n"
                           "2 shaders: 1 clean, 1 with findings\n");
  const auto json = nlohmann::json::parse(run_program("survey --json " + file).out);
  CHECK(json["shaders"][1]["entry"] == "race");
  CHECK(contains(json["shaders"][1]["command"].get<std::string>(), "--entry race"));
}

TEST_CASE("survey says what of a clean shader never ran") {
  const Directory directory;
  directory.write("sized.comp", head +
                                    "layout(binding = 0) buffer B { uint n; uint o[]; };\n"
                                    "void main() {\n"
                                    "  if (gl_GlobalInvocationID.x >= n)\n"
                                    "    return;\n"
                                    "  uint i = gl_GlobalInvocationID.x;\n"
                                    "  o[i] = i;\n"
                                    "}\n");
  const std::string file = directory / "sized.comp";
  CHECK(run_program("survey --search-runs 0 " + file).out ==
        file + "  clean, 2 of 3 lines never ran: 7-8; conditions that were always true: 5\n" +
            "1 shader: 1 clean\n");
}

TEST_CASE("survey ends a shader that takes too long, and goes on") {
  const Directory directory;
  directory.write("endless.comp",
                  head +
                      "layout(binding = 0) buffer B { uint o[]; };\n"
                      "void main() { while (gl_LocalInvocationIndex < 100u) o[2] += 1u; }\n");
  directory.write("short.comp", head + "void main() {}\n");
  const Outcome outcome =
      run_program("survey " + directory.path().string() + " --seconds 0.05 --threads 1");
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "endless.comp  takes too long: more than 0.05 s"));
}

TEST_CASE("survey says what it cannot look at") {
  const Directory directory;
  check_error("survey " + directory.path().string(), 2,
              directory.path().string() + ": has no compute shader");
  check_error("survey /nowhere", 2,
              "/nowhere: does not exist: name a shader, or a folder of shaders");
}
