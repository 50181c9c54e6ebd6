#include "shader/lower/opcode_table.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace lockstep::spirv;

TEST_CASE("opcodes have one handler, and those that are not supported none") {
  const OpcodeTable& table = opcode_table();
  for (const spv::Op op :
       {spv::Op::OpIAdd, spv::Op::OpFOrdEqual, spv::Op::OpBitcast, spv::Op::OpCompositeExtract,
        spv::Op::OpDot, spv::Op::OpGroupNonUniformElect, spv::Op::OpGroupNonUniformSMin,
        spv::Op::OpExtInst, spv::Op::OpFunctionCall, spv::Op::OpLoad, spv::Op::OpAtomicIAdd,
        spv::Op::OpImageRead, spv::Op::OpImageGather, spv::Op::OpUndef})
    CHECK(table.find(op) != nullptr);
  CHECK(table.find(spv::Op::OpEmitVertex) == nullptr);
  CHECK(table.find(spv::Op::OpImageSparseRead) == nullptr);
  CHECK(table.find(spv::Op::OpIAdd) == table.find(spv::Op::OpFMul));
  CHECK(table.find(spv::Op::OpIAdd) != table.find(spv::Op::OpIEqual));
}

TEST_CASE("an opcode cannot be added twice") {
  OpcodeTable table;
  add_arithmetic(table);
  CHECK_THROWS_AS(add_arithmetic(table), std::logic_error);
  table = {};
  CHECK(table.find(spv::Op::OpIAdd) == nullptr);
}
