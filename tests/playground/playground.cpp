#include "playground/playground.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include <lockstep/spirv/module.hpp>

#include "lessons/lesson.hpp"

namespace {

using Message = nlohmann::json;

Message answer_to(const Message& message) {
  return Message::parse(lockstep::playground::answer(message.dump()));
}

/// What it is refused with.
std::string refusal_of(const Message& message) {
  const Message answer = answer_to(message);
  INFO(answer.dump().substr(0, 300));
  REQUIRE(answer.size() == 1);
  REQUIRE(answer.contains("error"));
  CHECK(answer.at("error").at("line").is_number_integer());
  return answer.at("error").at("message");
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A workgroup of eight whose body uses `i` and the buffer `data`; the body starts in line 6.
std::string eight(const std::string& body) {
  return "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
         "layout(local_size_x = 8) in; layout(binding = 0) buffer B { uint data[]; };\n"
         "void main() {\n  uint i = gl_LocalInvocationIndex;\n" +
         body + "\n}\n";
}

/// One of seven lanes is elected, and gives the others a value: what they get depends on rejoining in line 7.
const std::string parted =
    "#version 450\n#extension GL_KHR_shader_subgroup_ballot : enable\n"
    "layout(local_size_x = 8) in; layout(binding = 0) buffer B { uint data[]; };\n"
    "void main() {\n"
    "  uint i = gl_LocalInvocationIndex, base = 0u;\n"
    "  if (i != 7u) {\n"
    "    if (subgroupElect())\n"
    "      base = 5u;\n"
    "    base = subgroupBroadcastFirst(base);\n"
    "  }\n"
    "  data[i] = base;\n"
    "}\n";
/// What it stores where the seven lanes are together.
const std::vector<std::string> together{"5", "5", "5", "5", "5", "5", "5", "0"};

std::vector<std::string> numbers_after(const Message& run) {
  return run.at("buffers").at(0).at("after").get<std::vector<std::string>>();
}

}  // namespace

TEST_CASE("a trace has the results of its run, and those of the run beside it") {
  const Message answer = answer_to({{"ask", "trace"},
                                    {"source", parted},
                                    {"size", 8},
                                    {"beside", {{"rule", "core"}, {"choose", "rejoin-none"}}}});
  const Message& run = answer.at("run");
  CHECK(numbers_after(run) == together);
  // Apart, only the elected lane broadcasts its own base; the first of the others has none.
  std::vector<std::string> apart(8, "0");
  apart[0] = "5";
  CHECK(numbers_after(run.at("beside")) == apart);
  CHECK(answer.at("inputs") == Message({"0=zeros:u32:8"}));
}

TEST_CASE("WGSL comes with the module that a compiler has made of it") {
  const std::string source = "// line 1\n// line 2\n// line 3\n";
  const Message without{{"ask", "trace"}, {"language", "wgsl"}, {"source", source}};
  CHECK(has(refusal_of(without), "WGSL needs a compiler that is not here"));
  const lockstep::Module module = lockstep::Module::from_glsl(eight("  data[i] = i * i;"));
  Message message = without;
  message["module"] = std::vector<std::uint32_t>(module.words().begin(), module.words().end());
  const Message run = answer_to(message).at("run");
  std::vector<std::string> squares;
  for (int i = 0; i < 8; ++i) squares.push_back(std::to_string(i * i));
  CHECK(numbers_after(run) == squares);
  message["module"][0] = 1;
  CHECK(has(refusal_of(message), "shader.wgsl: is not a SPIR-V module"));
  // The page offers it where whatever carries the messages compiles it.
  CHECK(answer_to({{"ask", "choices"}}).at("languages") == Message({"glsl", "hlsl"}));
  CHECK(answer_to({{"ask", "choices"}, {"wgsl", true}}).at("languages") ==
        Message({"glsl", "hlsl", "wgsl"}));
  CHECK(answer_to({{"ask", "choices"}, {"wgsl", false}}).at("languages") ==
        Message({"glsl", "hlsl"}));
}

TEST_CASE("a trace takes the mapping, the order and the workgroup of an experiment") {
  const std::string source =
      "#version 450\n#extension GL_KHR_shader_subgroup_basic : enable\n"
      "layout(local_size_x = 8) in; layout(binding = 0) buffer B { uint data[]; };\n"
      "void main() { data[gl_GlobalInvocationID.x] = gl_SubgroupInvocationID; }\n";
  const Message answer = answer_to({{"ask", "trace"},
                                    {"source", source},
                                    {"size", 4},
                                    {"groups", "2"},
                                    {"workgroup", {1}},
                                    {"subgroup", "all"},
                                    {"mapping", "reversed"}});
  // Invocation 7 of each workgroup is lane 0 of subgroup 0.
  std::vector<std::string> lanes;
  for (int invocation = 0; invocation < 16; ++invocation)
    lanes.push_back(std::to_string((7 - invocation % 8) % 4));
  CHECK(numbers_after(answer.at("run")) == lanes);
  const Message& subgroups = answer.at("run").at("subgroups");
  REQUIRE(subgroups.size() == 2);
  CHECK(subgroups.at(0).at("workgroup") == Message({1, 0, 0}));
}

TEST_CASE("a lane is shown at lines that it executes") {
  const std::string source =
      "#version 450\n"
      "layout(local_size_x = 3) in; layout(binding = 0) buffer B { uint data[]; };\n"
      "void main() {\n"
      "  uint i = gl_LocalInvocationIndex;\n"
      "  switch (i) {\n"
      "    default:\n"
      "      data[i] = 7u;\n"
      "      break;\n"
      "    case 0u:\n"
      "      data[i] = 8u;\n"
      "      break;\n"
      "    case 1u:\n"
      "      data[i] = 9u;\n"
      "  }\n"
      "}\n";
  const Message run = answer_to({{"ask", "trace"}, {"source", source}, {"size", 3}}).at("run");
  std::vector<std::set<int>> lines(3);
  for (const Message& step : run.at("subgroups").at(0).at("steps")) {
    const Message& place = run.at("places").at(step.at(0).get<std::size_t>());
    const Message& tangles = run.at("states").at(step.at(1).get<std::size_t>()).at(0);
    for (const Message& tangle : tangles) {
      const std::string mask = run.at("masks").at(tangle.get<std::size_t>());
      for (std::size_t lane = 0; lane < 3; ++lane) {
        if ((std::stoul(mask, nullptr, 16) >> lane & 1) != 0)
          lines[lane].insert(place.at(2).get<int>());
      }
    }
  }
  CHECK(lines[0] == std::set{4, 5, 10, 11});
  CHECK(lines[1] == std::set{4, 5, 13});
  CHECK(lines[2] == std::set{4, 5, 7, 8});
}

TEST_CASE("push constants and members of blocks have names, and no file is read for them") {
  const std::string source =
      "#version 450\nlayout(local_size_x = 4) in; layout(binding = 0) buffer B { uint data[]; };\n"
      "layout(push_constant) uniform P { uint a; uint b; };\n"
      "void main() { data[gl_LocalInvocationIndex] = 10u * a + b; }\n";
  const Message answer =
      answer_to({{"ask", "trace"}, {"source", source}, {"size", 4}, {"push", "a=3 b=4"}});
  CHECK(numbers_after(answer.at("run")) == std::vector<std::string>(4, "34"));
  // Those that are not given are zeros, as the answer says.
  const Message zeros = answer_to({{"ask", "trace"}, {"source", source}, {"size", 4}});
  CHECK(numbers_after(zeros.at("run")) == std::vector<std::string>(4, "0"));
  CHECK(zeros.at("push") == "zeros:u8:8");
  for (const std::string file : {"/etc/passwd", "x.npy", "/dev/zero"}) {
    const std::string refusal =
        refusal_of({{"ask", "trace"}, {"source", source}, {"size", 4}, {"push", file + ".bin"}});
    CHECK(has(refusal, "files cannot be read here"));
  }
}

TEST_CASE("members of a buffer are set, and the rest of it is as without them") {
  const std::string source =
      "#version 450\nlayout(local_size_x = 2) in; layout(binding = 0) buffer B { uint data[]; };\n"
      "layout(binding = 3) uniform U { uint a; uint b; };\n"
      "void main() { data[gl_LocalInvocationIndex] = 10u * a + b; }\n";
  const auto sums = [&](const std::vector<std::string>& buffers) {
    return numbers_after(
        answer_to({{"ask", "trace"}, {"source", source}, {"size", 2}, {"buffers", buffers}})
            .at("run"));
  };
  // Numbers from 0, as the shader only reads it.
  CHECK(sums({"3.a=4"}) == std::vector<std::string>(2, "41"));
  CHECK(sums({"3.b=2", "U.a=1", "3=zeros:u32:2"}) == std::vector<std::string>(2, "12"));
}

TEST_CASE("specialization constants have values, which other shaders ignore") {
  const std::string source =
      "#version 450\nlayout(local_size_x_id = 1) in; layout(constant_id = 5) const uint n = 3u;\n"
      "layout(binding = 0) buffer B { uint data[]; };\n"
      "void main() { data[gl_LocalInvocationIndex] = n; }\n";
  const auto numbers = [](const std::string& shader, const std::vector<std::string>& constants) {
    const Message message{
        {"ask", "trace"}, {"source", shader}, {"size", 2}, {"constants", constants}};
    return numbers_after(answer_to(message).at("run"));
  };
  // The buffer has an element for each invocation.
  CHECK(numbers(source, {"1=2", "5=9"}) == std::vector<std::string>(2, "9"));
  CHECK(numbers(source, {"1=4"}) == std::vector<std::string>(4, "3"));
  CHECK(numbers(eight("  data[i] = 1u;"), {"5=9"}) == std::vector<std::string>(8, "1"));
}

TEST_CASE("a page of a run needs no server, and nothing in it ends its script") {
  const std::string mark = "</script><b>";
  const Message answer = answer_to({{"ask", "page"},
                                    {"source", eight("  data[i] = 41u;  // " + mark)},
                                    {"beside", {{"rule", "core"}}}});
  const std::string html = answer.at("html");
  CHECK(html.starts_with("<!DOCTYPE html>"));
  CHECK(has(html, "\"41\""));
  CHECK(has(html, "\"beside\""));
  CHECK(!has(html, mark));
  CHECK(has(refusal_of({{"ask", "page"}, {"source", eight("  data[i] = y;")}}), "undeclared"));
}

TEST_CASE("HLSL is compiled, and its messages have the line") {
  const auto source = [](const std::string& value) {
    return "RWStructuredBuffer<uint> data : register(u0);\n"
           "[numthreads(4, 1, 1)]\nvoid main(uint3 id : SV_DispatchThreadID) {\n  data[id.x] = " +
           value + ";\n}\n";
  };
  const Message answer = answer_to(
      {{"ask", "trace"}, {"language", "hlsl"}, {"source", source("id.x * 3")}, {"size", 4}});
  CHECK(numbers_after(answer.at("run")) == std::vector<std::string>{"0", "3", "6", "9"});
  const Message wrong =
      answer_to({{"ask", "trace"}, {"language", "hlsl"}, {"source", source("nonsense")}});
  CHECK(wrong.at("error").at("line") == 4);
  CHECK(has(refusal_of({{"ask", "trace"}, {"language", "c"}, {"source", ""}}),
            "write glsl, hlsl or wgsl"));
}

TEST_CASE("a check finds what is wrong in any workgroup, at its line") {
  // The last lane of each workgroup reads what the first one of the next has not written.
  const Message message{
      {"ask", "check"}, {"source", eight("  data[i & 3u] = i;")}, {"groups", "2"}, {"size", 4}};
  const Message answer = answer_to(message);
  INFO(answer.dump());
  REQUIRE(!answer.at("findings").empty());
  CHECK(answer.at("findings").at(0).at("rule") == "data-race");
  CHECK(answer.at("findings").at(0).at("line") == 6);
  CHECK(answer.at("ended") == "");
  Message allowed = message;
  allowed["source"] = eight("  data[i & 3u] = i;  // lockstep: allow");
  CHECK(answer_to(allowed).at("findings").empty());
  Message fine = message;
  fine["source"] = eight("  data[gl_GlobalInvocationID.x] = i;");
  CHECK(answer_to(fine).at("findings").empty());
  Message endless = message;
  endless["source"] = eight("  for (;;) data[gl_GlobalInvocationID.x] += 1u;");
  const Message ended = answer_to(endless);
  INFO(ended.dump());
  const Message& loop = ended.at("findings").back();
  CHECK(loop.at("rule") == "no-progress");
  CHECK(loop.at("severity") == "error");
  CHECK(loop.at("line") == 6);
}

TEST_CASE("explore tells what a result depends on, and its smallest choice shows it") {
  const Message answer =
      answer_to({{"ask", "explore"}, {"source", parted}, {"size", 8}, {"vary", "convergence"}});
  INFO(answer.dump());
  CHECK(answer.at("verdict") == "depends");
  CHECK(answer.at("on") == Message({"convergence"}));
  CHECK(answer.at("where").at(0).at("line") == 7);
  CHECK(answer.at("difference").at("first") == "5");
  CHECK(answer.at("difference").at("now") == "0");
  // The trace of both, as the page asks for it.
  Message shown{{"ask", "trace"}, {"source", parted}, {"beside", answer.at("first")}};
  shown.update(answer.at("smallest"));
  const Message run = answer_to(shown).at("run");
  CHECK(numbers_after(run) != numbers_after(run.at("beside")));
  CHECK(numbers_after(run.at("beside")) == together);
}

TEST_CASE("explore says independent where every run gives the same") {
  const Message answer = answer_to(
      {{"ask", "explore"}, {"source", eight("  data[i] = i * 3u;")}, {"size", 4}, {"runs", 100}});
  INFO(answer.dump());
  CHECK(answer.at("verdict") == "independent");
  CHECK(!answer.contains("smallest"));
  CHECK(answer.at("runs").get<int>() > 1);
  // Sums of floats in another order are rounded otherwise, which devices may do.
  const Message sums =
      answer_to({{"ask", "explore"},
                 {"source",
                  "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
                  "layout(local_size_x = 8) in; layout(binding = 0) buffer B { float data[]; };\n"
                  "void main() { float x = 1.0 / float(gl_LocalInvocationIndex + 3u);\n"
                  "  data[gl_LocalInvocationIndex] = subgroupAdd(x); }\n"},
                 {"size", 8},
                 {"vary", "reduction-order"}});
  CHECK(sums.at("verdict") == "independent");
  CHECK(has(refusal_of({{"ask", "explore"}, {"source", parted}, {"runs", 0}}), "1 to 2000"));
  CHECK(has(refusal_of({{"ask", "explore"}, {"source", parted}, {"vary", "moods"}}), "moods"));
}

TEST_CASE("inspect lists what a form needs") {
  const Message answer = answer_to({{"ask", "inspect"}, {"source", eight("  data[i] = i;")}});
  CHECK(answer.at("local_size") == Message({8, 1, 1}));
  REQUIRE(answer.at("bindings").size() == 1);
  CHECK(answer.at("bindings").at(0).at("name") == "B");
  CHECK(answer.at("bindings").at(0).at("writable") == true);
  CHECK(
      answer_to({{"ask", "inspect"}, {"source", eight("  data[i] = y;")}}).at("error").at("line") ==
      6);
}

TEST_CASE("explain runs a built-in, tells topics, and lists both") {
  const Message list = answer_to({{"ask", "explain"}});
  CHECK(list.at("built_ins").size() > 50);
  CHECK(list.at("topics").size() > 5);
  const Message add = answer_to({{"ask", "explain"},
                                 {"name", "subgroupInclusiveAdd"},
                                 {"size", 4},
                                 {"active", "all"},
                                 {"values", {"1", "2", "3", "4"}}});
  INFO(add.dump());
  std::int64_t sum = 0;
  Message sums = Message::array();
  for (const std::int64_t value : {1, 2, 3, 4}) sums.push_back(sum += value);
  CHECK(add.dump().find(sums.dump()) != std::string::npos);
  CHECK(answer_to({{"ask", "explain"}, {"name", "WaveActiveSum"}}).at("name") == "subgroupAdd");
  for (const Message& topic : list.at("topics")) {
    const Message told = answer_to({{"ask", "explain"}, {"name", topic.at("name")}});
    INFO(topic.dump());
    CHECK(!told.contains("error"));
  }
  CHECK(has(refusal_of({{"ask", "explain"}, {"name", "subgroupAdd"}, {"size", 129}}), "1 to 128"));
  CHECK(has(refusal_of({{"ask", "explain"}, {"name", "subgroupAd"}}), "subgroupAdd"));
}

TEST_CASE("lessons have their chapters, and their exercises are checked") {
  const Message list = answer_to({{"ask", "lesson"}}).at("lessons");
  REQUIRE(list.size() == lockstep::lessons::all_lessons().size());
  for (const Message& entry : list) {
    const Message lesson = answer_to({{"ask", "lesson"}, {"number", entry.at("number")}});
    CHECK(lesson.at("title") == entry.at("title"));
    CHECK(lesson.at("chapter").get<std::string>().size() > 500);
    // An exercise's start is not its answer.
    const Message verdict = answer_to(
        {{"ask", "lesson"}, {"number", entry.at("number")}, {"answer", lesson.at("exercise")}});
    INFO(verdict.dump());
    CHECK(verdict.at("right") == false);
    CHECK(!verdict.at("lines").empty());
    CHECK(!verdict.at("hint").get<std::string>().empty());
  }
  CHECK(has(refusal_of({{"ask", "lesson"}, {"number", 99}}), "lesson 99 does not exist"));
  const Message broken = answer_to({{"ask", "lesson"}, {"number", 1}, {"answer", "void"}});
  CHECK(broken.at("right") == false);
}

TEST_CASE("choices are what the menus offer") {
  const Message choices = answer_to({{"ask", "choices"}});
  CHECK(choices.at("rules") == Message({"maximal", "subgroup-uniform", "core"}));
  CHECK(choices.at("devices").size() > 5);
  CHECK(choices.at("examples").size() >= 25);
}

TEST_CASE("messages that mean nothing are refused with a reason") {
  const auto refused = [](const std::string& text) {
    const Message answer = Message::parse(lockstep::playground::answer(text));
    return answer.at("error").at("message").get<std::string>();
  };
  CHECK(refused("") == "the message is not JSON");
  CHECK(refused("{\"ask\": \"trace\"") == "the message is not JSON");
  CHECK(refused(std::string(200'000, '[')) == "the message is not JSON");
  CHECK(refused("[1]") == "the message is not a JSON object");
  CHECK(refused("null") == "the message is not a JSON object");
  CHECK(has(refused("{}"), "'' cannot be asked"));
  CHECK(has(refused(R"({"ask": 7})"), "'ask' has another type"));
  CHECK(has(refused(R"({"ask": "delete"})"), "'delete' cannot be asked: it is trace, page, check"));
  CHECK(has(refused(R"({"ask": "choices", "source": ""})"), "unknown field 'source'"));
  CHECK(has(refused(R"({"ask": "lesson", "number": "one"})"), "'number' has another type"));
  CHECK(has(refused(R"({"ask": "explain", "name": "subgroupAdd", "values": 3})"),
            "'values' has another type"));
  CHECK(has(refused(R"({"ask": "lesson", "number": 17})"),
            "lesson 17 does not exist: choose 1 to 16"));
  CHECK(has(refused(R"({"ask": "explain", "name": "subgroupAdd", "size": 0})"), "write 1 to 128"));
  CHECK(!refused("{\"ask\": \"explain\", \"name\": \"\xff\xfe\"}").empty());
  for (const std::string ask : {"trace", "check", "explore", "inspect"}) {
    const auto problem = [&](Message message) {
      message["ask"] = ask;
      if (!message.contains("source")) message["source"] = eight("  data[i] = i;");
      return refusal_of(message);
    };
    INFO(ask);
    CHECK(has(problem({{"sauce", 1}}), "unknown field 'sauce'"));
    CHECK(has(problem({{"source", 5}}), "'source' has another type"));
    CHECK(has(problem({{"size", 129}}), "1 to 128"));
    CHECK(has(problem({{"size", -1}}), "1 to 128"));
    CHECK(has(problem({{"size", 2.5}}), "must be a whole number"));
    CHECK(has(problem({{"size", (1ll << 32) + 8}}), "must be a whole number"));
    CHECK(has(problem({{"size", ~0ull}}), "must be a whole number"));
    CHECK(has(problem({{"rule", "none"}}), "Rule none: write maximal"));
    CHECK(has(problem({{"choose", "never"}}), "Chooser: "));
    CHECK(has(problem({{"buffers", "0=iota:u32:8"}}), "another type"));
    CHECK(has(problem({{"buffers", {"0=/etc/passwd.bin"}}}), "files cannot be read here"));
    CHECK(has(problem({{"buffers", {"0=zeros:u32:900000000"}}}), "more than 16 MiB"));
    CHECK(has(problem({{"images", {"0=r32f:x.png"}}}), "files cannot be read here"));
    if (ask == "inspect") continue;
    CHECK(has(problem({{"groups", "99999"}}), "too many"));
    CHECK(has(problem({{"device", "pocket"}}), "pocket"));
    CHECK(has(problem({{"mapping", "upside-down"}}), "Mapping"));
  }
  CHECK(
      has(refusal_of({{"ask", "trace"}, {"source", parted}, {"subgroup", "x"}}), "Watch subgroup"));
  CHECK(has(refusal_of({{"ask", "trace"}, {"source", parted}, {"workgroup", {0, 0, 0, 0}}}),
            "three"));
  CHECK(
      has(refusal_of({{"ask", "trace"}, {"source", parted}, {"beside", 3}}), "not a JSON object"));
}
