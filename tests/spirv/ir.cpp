#include "shader/ir/ir.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "shader/front/compile.hpp"
#include "shader/lower/lower.hpp"
#include "shader/run/assemble.hpp"
#include "spirv/assembly.hpp"

/// \file
/// What the IR says of registers and operations, and which operation an instruction came from.

using namespace lockstep;
using namespace lockstep::spirv;

namespace {

/// The IR of a shader with one buffer of numbers; `body` stores to %place.
Ir lowered(const std::string& body) {
  const std::string text = test::one_buffer({.declarations = R"(%two = OpTypeVector %uint 2
%five = OpConstant %uint 5
%yes = OpConstantTrue %bool
%no = OpConstantFalse %bool
%undefined = OpUndef %uint
)",
                                             .body = body});
  const Module module(spirv::assemble(text, "ir.spvasm", {}).words, "ir.spvasm");
  return lower(module, {});
}

/// The register that the only store stores.
const RegInfo& stored(const Ir& ir) {
  const auto store = std::find_if(ir.ops.begin(), ir.ops.end(),
                                  [](const Op& op) { return op.code == Code::store; });
  REQUIRE(store != ir.ops.end());
  return ir.regs[store->src[1]];
}

}  // namespace

TEST_CASE("results of OpUndef are marked undefined instead of being zero") {
  const Ir zero = lowered("OpStore %place %zero\n");
  CHECK(stored(zero).constant);
  CHECK_FALSE(stored(zero).undefined);
  const Ir global = lowered("OpStore %place %undefined\n");
  CHECK(stored(global).undefined);
  CHECK(stored(global).value == 0);
  const Ir local = lowered("%u = OpUndef %uint\nOpStore %place %u\n");
  CHECK(stored(local).undefined);
  const Ir part = lowered(
      "%u = OpUndef %two\n%x = OpCompositeExtract %uint %u 1\n"
      "OpStore %place %x\n");
  CHECK(stored(part).undefined);
  const Ir shuffled = lowered(
      "%v = OpCompositeConstruct %two %five %five\n"
      "%s = OpVectorShuffle %two %v %v 0xffffffff 1\n"
      "%x = OpCompositeExtract %uint %s 0\nOpStore %place %x\n");
  CHECK(stored(shuffled).undefined);
}

TEST_CASE("constants that depend on an undefined value are undefined") {
  const Ir sum = lowered("%x = OpIAdd %uint %undefined %five\nOpStore %place %x\n");
  CHECK(stored(sum).undefined);
  CHECK(stored(sum).value == 5);
  CHECK_FALSE(stored(lowered("%x = OpIAdd %uint %zero %five\nOpStore %place %x\n")).undefined);
  const Ir taken = lowered("%x = OpSelect %uint %yes %undefined %five\nOpStore %place %x\n");
  CHECK(stored(taken).undefined);
  const Ir left = lowered("%x = OpSelect %uint %no %undefined %five\nOpStore %place %x\n");
  CHECK_FALSE(stored(left).undefined);
  CHECK(stored(left).value == 5);
}

TEST_CASE("visiting an operation passes its registers without missing indices") {
  Op op;
  op.src = {3, no_reg, 5};
  op.dst = {7};
  std::vector<Reg> sources, results;
  visit_sources(op, [&](Reg r) { sources.push_back(r); });
  visit_results(op, [&](Reg r) { results.push_back(r); });
  CHECK(sources == std::vector<Reg>{3, 5});
  CHECK(results == std::vector<Reg>{7});
  visit_sources(op, [](Reg& r) { r += 1; });
  CHECK(op.src == std::vector<Reg>{4, no_reg, 6});
}

TEST_CASE("only operations of control flow have constructs") {
  Op op;
  op.code = Code::loop_test;
  op.detail = LoopTest{4};
  CHECK(construct_of(op) == 4);
  op.code = Code::load;
  op.detail = MemoryPlace{.resource = 4};
  CHECK(construct_of(op) == no_construct);
  CHECK(place_of(op).resource == 4);
  op.code = Code::atomic;
  op.detail = AtomicOp{{.resource = 6}, Operator::max, {}};
  CHECK(place_of(op).resource == 6);
}

TEST_CASE("instructions refer to the operation that they were made of") {
  const std::string body = R"(%x = OpIMul %uint %i %five
%is = OpULessThan %bool %x %five
OpSelectionMerge %merge None
OpBranchConditional %is %then %merge
%then = OpLabel
OpStore %place %x
OpBranch %merge
%merge = OpLabel
)";
  for (const bool tangled : {false, true}) {
    const auto program = spirv::assemble(lowered(body), 8, AssembleOptions{tangled, false});
    REQUIRE(program->op_of.size() == program->insts.size());
    CHECK(std::is_sorted(program->op_of.begin(), program->op_of.end()));
    Context context;
    context.program = program.get();
    std::vector<Code> codes;
    for (const Inst& inst : program->insts) {
      const Op& op = op_of(context, &inst);
      codes.push_back(op.code);
      if (construct_of(op) != no_construct) CHECK(inst.number == construct_of(op));
    }
    for (const Code code : {Code::mul, Code::if_begin, Code::store, Code::if_end, Code::end})
      CHECK(std::count(codes.begin(), codes.end(), code) >= 1);
  }
}
