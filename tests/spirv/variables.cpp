#include <lockstep/exec/variable_observer.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

using namespace lockstep;
using Uint = std::uint32_t;

namespace {

/// What each lane writes to each variable, in order, as text.
struct Writes : VariableObserver {
  explicit Writes(VariableNames names) : wanted(std::move(names)) {}
  void on(const Event& event) override {
    others += is_assignment(event) ? 0 : 1;
    if (!is_assignment(event)) return;
    REQUIRE(event.operands.size() == 1);
    CHECK(event.access.object.kind == MemoryObject::Kind::private_memory);
    lines.push_back(event.where.line);
    for_each_lane(event.others, [&](int lane) {
      of[{event.access.object.name, lane}].push_back(to_string(event.operands[0], lane));
    });
  }
  VariableNames variables() const override { return wanted; }
  std::vector<std::string> of_lane(const std::string& name, int lane) const {
    const auto found = of.find({name, lane});
    return found == of.end() ? std::vector<std::string>{} : found->second;
  }

  VariableNames wanted;
  std::map<std::pair<std::string, int>, std::vector<std::string>> of;
  std::vector<int> lines;
  int others = 0;
};

/// Counts events, and asks for no variables.
struct Counter : Observer {
  void on(const Event& event) override { (is_assignment(event) ? assignments : others) += 1; }
  int assignments = 0, others = 0;
};

constexpr int size = 8;

std::vector<Uint> run(Shader& shader, Observer& observer) {
  std::vector<Uint> data(size);
  shader.bind(0, data);
  const Convergence convergence{.observer = &observer};
  shader.dispatch({1}, {.subgroup_size = size, .convergence = &convergence});
  return data;
}

constexpr const char* loop = R"(#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint data[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint sum = 0u;
  for (uint n = 0u; n < i; ++n)
    sum += n * n;
  vec2 v = vec2(0.5, float(i));
  if (i % 2u == 0u) v.y = 3.0;
  uint unused = sum + 1u;
  uint list[3] = uint[](i, 0u, 1u);
  list[1] = sum;
  data[i] = sum;
}
)";

}  // namespace

TEST_CASE(
    "an observer of variables is told each write, with the value of each lane that makes it") {
  Shader shader = Shader::from_glsl(loop);
  Writes writes({.all = true});
  const std::vector<Uint> data = run(shader, writes);
  for (int lane = 0; lane < size; ++lane) {
    INFO("lane " << lane);
    const auto i = static_cast<Uint>(lane);
    std::vector<std::string> n{"0"}, sum{"0"};
    Uint total = 0;
    for (Uint k = 0; k < i; ++k) {
      sum.push_back(std::to_string(total += k * k));
      n.push_back(std::to_string(k + 1));
    }
    CHECK(data[i] == total);
    CHECK(writes.of_lane("i", lane) == std::vector<std::string>{std::to_string(i)});
    CHECK(writes.of_lane("n", lane) == n);
    CHECK(writes.of_lane("sum", lane) == sum);
    CHECK(writes.of_lane("unused", lane) == std::vector<std::string>{std::to_string(total + 1)});
    const std::vector<std::string> v = writes.of_lane("v", lane);
    REQUIRE(v.size() == (lane % 2 == 0 ? 2u : 1u));
    CHECK(v.back() ==
          (lane % 2 == 0 ? std::string("(0.5, 3)") : "(0.5, " + std::to_string(i) + ")"));
    CHECK(writes.of_lane("list[0]", lane) == std::vector<std::string>{std::to_string(i)});
    CHECK(writes.of_lane("list[1]", lane) == std::vector<std::string>{"0", std::to_string(total)});
  }
}

TEST_CASE("only wanted variables are told, at the lines that write them") {
  Shader shader = Shader::from_glsl(loop);
  Writes writes({.names = {"sum"}});
  run(shader, writes);
  for (const auto& [key, values] : writes.of) CHECK(key.first == "sum");
  REQUIRE(!writes.lines.empty());
  CHECK(writes.lines[0] == 6);
  for (std::size_t k = 1; k < writes.lines.size(); ++k) CHECK(writes.lines[k] == 8);
}

TEST_CASE("a name that no variable has is an error that lists those there are") {
  Shader shader = Shader::from_glsl(loop);
  Writes writes({.names = {"sum", "total"}});
  CHECK_THROWS_AS(run(shader, writes), UnknownVariable);
  CHECK_THROWS_WITH(run(shader, writes),
                    "no variable is named 'total'; there are i, list, n, sum, unused, v");
}

TEST_CASE("without an observer of variables nothing of them is left") {
  Shader shader = Shader::from_glsl(loop);
  Counter counter;
  const std::vector<Uint> data = run(shader, counter);
  CHECK(counter.assignments == 0);
  CHECK(counter.others > 0);
  Writes writes({.all = true});
  CHECK(run(shader, writes) == data);
}

TEST_CASE("results of instructions and phis with names are told, too") {
  // Of lanes below 4 chosen is their number, of others 7.
  Shader shader = Shader::from_assembly(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %index
               OpExecutionMode %main LocalSize 8 1 1
               OpName %number "number"
               OpName %chosen "chosen"
               OpDecorate %index BuiltIn LocalInvocationIndex
               OpDecorate %array ArrayStride 4
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %block Block
               OpDecorate %data DescriptorSet 0
               OpDecorate %data Binding 0
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %uint = OpTypeInt 32 0
       %bool = OpTypeBool
  %input_ptr = OpTypePointer Input %uint
      %array = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %array
  %block_ptr = OpTypePointer StorageBuffer %block
   %uint_ptr = OpTypePointer StorageBuffer %uint
          %zero = OpConstant %uint 0
          %four = OpConstant %uint 4
          %seven = OpConstant %uint 7
      %index = OpVariable %input_ptr Input
       %data = OpVariable %block_ptr StorageBuffer
       %main = OpFunction %void None %function
      %entry = OpLabel
     %number = OpLoad %uint %index
      %below = OpULessThan %bool %number %four
               OpSelectionMerge %merge None
               OpBranchConditional %below %few %merge
        %few = OpLabel
               OpBranch %merge
      %merge = OpLabel
     %chosen = OpPhi %uint %seven %entry %number %few
      %place = OpAccessChain %uint_ptr %data %zero %number
               OpStore %place %chosen
               OpReturn
               OpFunctionEnd
)");
  Writes writes({.all = true});
  const std::vector<Uint> data = run(shader, writes);
  for (int lane = 0; lane < size; ++lane) {
    INFO("lane " << lane);
    const auto i = static_cast<Uint>(lane);
    CHECK(data[i] == (i < 4 ? i : 7));
    CHECK(writes.of_lane("number", lane) == std::vector<std::string>{std::to_string(i)});
    REQUIRE(!writes.of_lane("chosen", lane).empty());
    CHECK(writes.of_lane("chosen", lane).back() == std::to_string(i < 4 ? i : 7));
  }
}
