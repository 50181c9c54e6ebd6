#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_fixture.hpp"

/// \file
/// The search for inputs of `lockstep inspect`, `verify --find-inputs` and `survey`.

namespace {

using Json = nlohmann::ordered_json;

/// Sums rows of a matrix through shared memory; with zeros for its sizes it returns at once.
const std::string row_sums =
    "#version 450\n"
    "layout(local_size_x = 16) in;\n"
    "layout(push_constant) uniform P { uint width; uint height; uint scaled; } p;\n"
    "layout(binding = 0) readonly buffer In { float v[]; };\n"
    "layout(binding = 1) buffer Out { float o[]; };\n"
    "shared float s[16];\n"
    "void main() {\n"
    "  const uint i = gl_LocalInvocationID.x, row = gl_WorkGroupID.x;\n"
    "  if (row >= p.height)\n"
    "    return;\n"
    "  float sum = 0.0;\n"
    "  for (uint k = i; k < p.width; k += 16u)\n"
    "    sum += v[row * p.width + k];\n"
    "  s[i] = sum;\n"
    "  barrier();\n"
    "  if (i == 0u) {\n"
    "    for (uint k = 1u; k < 16u; ++k)\n"
    "      sum += s[k];\n"
    "    if (p.scaled == 37u)\n"
    "      sum /= float(p.width);\n"
    "    o[row] = sum;\n"
    "  }\n"
    "}\n";

struct SearchFixture : RunFixture {
  SearchFixture() { directory.write("row_sums.comp", row_sums); }
  const std::string file = directory / "row_sums.comp";
};

Json inspected(const std::string& arguments) {
  const Outcome outcome = run_program("inspect --json " + arguments);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return Json::parse(outcome.out);
}

}  // namespace

TEST_CASE_METHOD(RunFixture, "a local size that is specialized becomes more than one invocation") {
  directory.write("reversed.comp",
                  "#version 450\n"
                  "layout(local_size_x_id = 7) in;\n"
                  "layout(constant_id = 3) const uint step = 1u;\n"
                  "layout(binding = 0) buffer Out { uint o[]; };\n"
                  "shared uint s[1024];\n"
                  "void main() {\n"
                  "  const uint i = gl_LocalInvocationIndex, n = gl_WorkGroupSize.x;\n"
                  "  s[i] = i * step;\n"
                  "  barrier();\n"
                  "  o[i] = s[n - 1u - i];\n"
                  "}\n");
  const std::string command = inspected(directory / "reversed.comp")["command"].get<std::string>();
  CHECK(contains(command, "--spec 7=32"));
  CHECK_FALSE(contains(command, "--spec 3="));
}

TEST_CASE_METHOD(SearchFixture, "inspect proposes inputs that make the shader run") {
  const Json zeros = inspected(file + " --search-runs 0");
  CHECK(contains(zeros["command"].get<std::string>(), "--push zeros:u32:3"));
  CHECK(zeros["search"]["runs"] == 0);
  const Json found = inspected(file + " --sets 4");
  INFO(found.dump(2));
  CHECK(found["search"]["lines"] == 12);
  CHECK(found["search"]["never_ran"] == 0);
  CHECK(found["search"]["never_taken"] == 0);
  CHECK(found["search"]["runs"] <= 200);
  CHECK(found["inputs"][0] == found["arguments"]);
  CHECK(found["inputs"].size() > 1);  // no run takes both sides of `p.scaled == 37u`
  CHECK(contains(found["inputs"].dump(), "scaled=37"));
  for (const Json& words : found["inputs"]) {
    std::string command = "run --check --json";
    for (const auto& word : words.get<std::vector<std::string>>()) command += " '" + word + "'";
    const Outcome run = run_program(command);
    INFO(command << "\n" << run.out);
    CHECK(run.exit_code == 0);  // and no access outside the buffers
  }
}

TEST_CASE_METHOD(SearchFixture,
                 "a search gives the same for a seed, and takes other numbers for another") {
  directory.write("product.comp",
                  "#version 450\n"
                  "layout(push_constant) uniform P { uint a; uint b; } p;\n"
                  "layout(binding = 0) buffer B { uint o[]; };\n"
                  "void main() {\n"
                  "  if (p.a * p.b == 8u)\n"
                  "    o[0] = 7u;\n"
                  "}\n");
  const std::string words = (directory / "product.comp") + " --search-runs 2000 --sets 4";
  const Json first = inspected(words);
  CHECK(first["search"]["never_ran"] == 0);
  CHECK(inspected(words) == first);
  CHECK(inspected(words + " --seed 2")["search"] != first["search"]);
  CHECK(inspected(words)["search"]["runs"] <= 2000);
}

TEST_CASE_METHOD(SearchFixture, "a shader that zeros run wholly keeps zeros") {
  directory.write("plain.comp",
                  "#version 450\n"
                  "layout(local_size_x = 4) in;\n"
                  "layout(push_constant) uniform P { uint by; } p;\n"
                  "layout(binding = 0) buffer B { uint o[]; };\n"
                  "void main() { o[gl_GlobalInvocationID.x] *= p.by; }\n");
  const Json found = inspected(directory / "plain.comp");
  CHECK(found["search"]["runs"] == 1);
  CHECK(contains(found["command"].get<std::string>(),
                 "--groups 1 --buffer 0=zeros:u32:1024 --push zeros:u32:1"));
}

TEST_CASE_METHOD(SearchFixture, "a search varies specialization constants, uniforms and contents") {
  directory.write("varied.comp",
                  "#version 450\n"
                  "layout(local_size_x = 4) in;\n"
                  "layout(constant_id = 3) const int mode = 0;\n"
                  "layout(binding = 0) uniform U { ivec2 size; float low; } u;\n"
                  "layout(binding = 1) buffer B { float v[]; };\n"
                  "void main() {\n"
                  "  const uint i = gl_GlobalInvocationID.x;\n"
                  "  if (mode == 5)\n"
                  "    v[i] += 1.0;\n"
                  "  if (u.size.y > 1000)\n"
                  "    v[i] += 2.0;\n"
                  "  if (v[i] < u.low)\n"
                  "    v[i] = u.low;\n"
                  "}\n");
  const Json found = inspected((directory / "varied.comp") + " --sets 8 --search-runs 400");
  INFO(found["inputs"].dump(2));
  CHECK(found["search"]["never_ran"] == 0);
  CHECK(contains(found["inputs"].dump(), "\"3=5\""));
  CHECK(contains(found["inputs"].dump(), "0.size.y="));
  CHECK(contains(found["inputs"].dump(), "random:f32:1024:1:-1:1"));
}

TEST_CASE_METHOD(SearchFixture, "a search fills buffers with what the shader compares with") {
  directory.write("limits.comp",
                  "#version 450\n"
                  "layout(local_size_x = 16) in;\n"
                  "layout(binding = 0) buffer F { float f[]; };\n"
                  "layout(binding = 1) buffer U { uint u[]; };\n"
                  "void main() {\n"
                  "  const uint i = gl_LocalInvocationID.x;\n"
                  "  if (f[i] > 1000.0)\n"
                  "    f[i] = 3.0;\n"
                  "  if (u[i] == 12345u)\n"
                  "    u[i] = 3u;\n"
                  "  if (f[i] == 2.5)\n"
                  "    f[i] = 4.0;\n"
                  "}\n");
  const std::string shader = directory / "limits.comp", found = directory / "found.json";
  const Outcome outcome =
      run_program("verify --budget 1 '" + shader + "' --find-inputs '" + found + "'");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  const std::string entries = contents_of(found);
  CAPTURE(entries);
  CHECK(contains(entries, "random:f32:1024:1:999:1001"));
  CHECK(contains(entries, "random:u32:1024:1:12344:12346"));
  CHECK(contains(entries, "fill:f32:1024:2.5"));
}

TEST_CASE_METHOD(SearchFixture, "verify --find-inputs writes entries, and verifies them") {
  const std::string suite = directory / "lockstep.json";
  const Outcome outcome =
      run_program("verify " + file + " --find-inputs " + suite + " --budget 20 --json");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  const Json json = Json::parse(outcome.out);
  const Json written = Json::parse(contents_of(suite))["entries"];
  CHECK(json["entries"].size() == written.size());
  CHECK(written.size() > 1);
  CHECK(json["entries"][0]["name"] == suite + ":row_sums");
  CHECK(json["entries"][1]["name"] == suite + ":row_sums.2");
  CHECK(written["row_sums"]["file"] == "row_sums.comp");
  for (const Json& entry : json["entries"]) CHECK(entry["result"] == "clean");
  // The entries go on from there; shaders with an entry of their own are added beside it.
  CHECK(run_program("run " + suite + ":row_sums").exit_code == 0);
  CHECK(run_program("verify " + suite + " --find-inputs " + suite + " --budget 20").exit_code == 0);
  CHECK(Json::parse(contents_of(suite))["entries"] == written);
}

TEST_CASE_METHOD(SearchFixture,
                 "verify --init replaces what was found for a buffer that has contents") {
  directory.write("sized.comp",
                  "#version 450\n"
                  "layout(binding = 0) buffer B { uint n; uint o[]; } b;\n"
                  "void main() {\n"
                  "  for (uint k = 0u; k < b.n; ++k)\n"
                  "    b.o[k] = k;\n"
                  "}\n");
  const std::string suite = directory / "made.json",
                    words = "verify --init " + (directory / "sized.comp");
  REQUIRE(run_program(words + " -o " + suite).exit_code == 0);
  CHECK(Json::parse(contents_of(suite))["entries"]["sized"]["buffers"].contains("0.n"));
  REQUIRE(run_program(words + " --buffer 0=fill:u32:9:8 -o " + suite + "2.json").exit_code == 0);
  CHECK(Json::parse(contents_of(suite + "2.json"))["entries"]["sized"]["buffers"].dump() ==
        R"({"0":"fill:u32:9:8"})");
  REQUIRE(run_program(words + " --buffer b.n=3 -o " + suite + "3.json").exit_code == 0);
  CHECK(run_program("run " + suite + "3.json:sized").exit_code == 0);
}

TEST_CASE_METHOD(SearchFixture, "buffers grow until the shader stays inside them") {
  directory.write("far.comp",
                  "#version 450\n"
                  "layout(push_constant) uniform P { uint n; } p;\n"
                  "layout(binding = 0) buffer B { uint o[]; };\n"
                  "void main() {\n"
                  "  for (uint k = 0u; k < p.n; ++k)\n"
                  "    o[5000u + k] = k;\n"
                  "}\n");
  const Json found = inspected(directory / "far.comp");
  CHECK(found["search"]["never_ran"] == 0);
  CHECK(contains(found["command"].get<std::string>(), "--buffer 0=random:u32:16384:1:0:8"));
}

TEST_CASE_METHOD(SearchFixture, "on inputs that were found, a deleted barrier is noticed") {
  const std::string suite = directory / "lockstep.json";
  const Outcome outcome =
      run_program("verify " + file + " --find-inputs " + suite + " --budget 20 --mutate --json");
  INFO(outcome.out << outcome.err);
  const Json json = Json::parse(outcome.out);
  const Json& mutant = json["entries"][0]["mutants"][2];
  CHECK(mutant["change"] == "barrier() deleted");
  CHECK(mutant["noticed_by"] == "check");
}

TEST_CASE_METHOD(SearchFixture, "survey reaches what a search finds") {
  CHECK(contains(run_program("survey --search-runs 0 " + file).out,
                 "clean, 10 of 12 lines never ran"));
  const Outcome outcome = run_program("survey " + file);
  INFO(outcome.out);
  CHECK(outcome.exit_code == 0);
  CHECK(!contains(outcome.out, "10 of 12"));
}

TEST_CASE_METHOD(SearchFixture, "verify --find-inputs is not for mpirun") {
  const Outcome outcome =
      run_program("verify " + file + " --find-inputs " + (directory / "a.json"), "PMI_SIZE=2");
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, "find the inputs without mpirun"));
}

TEST_CASE_METHOD(SearchFixture, "a search whose pipelines take long is cut short, and says so") {
  std::string lines;
  for (int k = 0; k < 1500; ++k) lines += "  x = x * 5u + v[(x >> 3) & 15u];\n";
  directory.write("long.comp",
                  "#version 450\n"
                  "layout(constant_id = 3) const uint mode = 0;\n"
                  "layout(binding = 0) buffer B { uint v[]; };\n"
                  "void main() {\n"
                  "  uint x = mode;\n" +
                      lines +
                      "  if (x * 2u == 7u)\n"  // never
                      "    x = 8u;\n"
                      "  v[0] = x;\n"
                      "}\n");
  const std::string words = (directory / "long.comp") + " --search-runs 40";
  const Json found = inspected(words);
  INFO(found["search"].dump());
  CHECK(found["search"]["cut_short"] == true);
  CHECK(found["search"]["runs"] >= 1);
  CHECK(found["search"]["runs"] < 40);
  CHECK(found["search"]["lines"] > 1500);
  CHECK(found["search"]["never_ran"] == 1);
  CHECK(inspected(words) == found);
  CHECK(contains(run_program("inspect " + words).out,
                 "search for inputs: cut short after " + found["search"]["runs"].dump() + " runs"));
  const Json small = inspected(file + " --search-runs 40");
  CHECK(small["search"]["cut_short"] == false);
  CHECK_FALSE(contains(run_program("inspect " + file + " --search-runs 40").out, "cut short"));
}

TEST_CASE_METHOD(SearchFixture, "a search whose runs take long is cut short") {
  directory.write("loops.comp",
                  "#version 450\n"
                  "layout(binding = 0) buffer B { uint v[]; };\n"
                  "void main() {\n"
                  "  uint x = v[0];\n"
                  "  for (uint k = 0u; k < 4000u; ++k) {\n"
                  "    x ^= x << 13;\n"
                  "    x ^= x >> 17;\n"
                  "    x ^= x << 5;\n"
                  "  }\n"
                  "  if (x * 2u == 7u)\n"  // never
                  "    x = 8u;\n"
                  "  v[0] = x;\n"
                  "}\n");
  const Json found = inspected((directory / "loops.comp") + " --search-runs 40");
  INFO(found["search"].dump());
  CHECK(found["search"]["cut_short"] == true);
  CHECK(found["search"]["runs"] > 1);
  CHECK(found["search"]["runs"] < 40);
}

TEST_CASE_METHOD(SearchFixture, "a search ends on a shader without an end, and proposes zeros") {
  directory.write("endless.comp",
                  "#version 450\nlayout(binding = 0) buffer B { uint o[]; };\n"
                  "void main() { while (true) o[2] += 1u; }\n");
  const Json found = inspected((directory / "endless.comp") + " --search-runs 20");
  CHECK(contains(found["command"].get<std::string>(), "--buffer 0=zeros:u32:1024"));
}
