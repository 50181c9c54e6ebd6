#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"

/// \file
/// What a shader tells the compiler about its values (SPV_KHR_expect_assume).

namespace lockstep::spirv {
namespace {

/// The value that is probable does not matter here.
void lower_expect(Lowering& l, const Instruction& i) { l.define_same(i.result, i[0]); }

/// Checked runs report where it does not hold.
void lower_assume(Lowering& l, const Instruction& i) {
  l.emit(Code::expect, Scalar::boolean, {}, {l.scalar_of(i, 0)},
         Expectation{.kind = Expectation::Kind::assumption});
}

}  // namespace

void add_assumptions(OpcodeTable& table) {
  table.add(spv::Op::OpExpectKHR, lower_expect);
  table.add(spv::Op::OpAssumeTrueKHR, lower_assume);
}

}  // namespace lockstep::spirv
