#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_program.hpp"

/// \file
/// Ranks of mpirun that verify a suite together.

TEST_CASE("ranks of mpirun verify the same as one process") {
  const Directory directory;
  const std::string start =
      "#version 450\nlayout(local_size_x = 16) in;\n"
      "layout(binding = 0) buffer B { uint o[]; };\n"
      "void main() {\n  const uint i = gl_GlobalInvocationID.x;\n";
  nlohmann::ordered_json suite;
  for (const auto& [name, body] : {std::pair("ok", "  o[i] = i;\n"),
                                   {"racy", "  o[0] = i;\n"},
                                   {"broken", "  nothing();\n"}}) {
    directory.write(name + std::string(".comp"), start + body + "}\n");
    suite["entries"][name] = {{"file", name + std::string(".comp")},
                              {"groups", 1},
                              {"sizes", {8, 32}},
                              {"buffers", {{"0", "zeros:u32:16"}}}};
  }
  directory.write("lockstep.json", suite.dump());
  const auto verified = [&](const std::string& before) {
    const std::string sarif = directory / "found.sarif";
    const Outcome outcome = run_program(
        "verify --json --budget 8 --sarif " + sarif + " " + (directory / "lockstep.json"), before);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 1);
    auto json = nlohmann::ordered_json::parse(outcome.out);
    for (auto& entry : json["entries"]) entry.erase("seconds");
    json.erase("text");  // has them, too
    json["sarif"] = contents_of(sarif);
    return json;
  };
  const auto expected = verified("");
  REQUIRE(expected["entries"].size() == 3);
  CHECK(expected["entries"][0]["result"] == "clean");
  CHECK(expected["entries"][1]["result"] == "findings");
  CHECK(expected["entries"][2]["result"] == "cannot be run");
  for (const char* ranks : {"2", "4"}) {
    CAPTURE(ranks);
    CHECK(verified("mpirun --allow-run-as-root --oversubscribe -n " + std::string(ranks)) ==
          expected);
  }
}
