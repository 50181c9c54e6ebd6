#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Compute programs in SSA form: blocks with phis, printed as SPIR-V assembly and interpreted one
/// invocation at a time. Knows nothing of Lockstep.

namespace lockstep::test::ssa {

/// The type of a value.
enum class Kind { number, real, flag };

/// What every program starts with: constants and inputs, each of a kind.
enum Given : int {
  zero,
  one,
  three,
  golden,
  half,
  nineteen,  ///< 19.5
  yes,
  no,
  index,   ///< the local invocation index
  own,     ///< in[index]
  common,  ///< in[0]: the same for all
  given_count
};

inline constexpr std::array<Kind, given_count> given_kinds{
    Kind::number, Kind::number, Kind::number, Kind::number, Kind::real,  Kind::real,
    Kind::flag,   Kind::flag,   Kind::number, Kind::number, Kind::number};

enum class What {
  add,       ///< numbers
  multiply,  ///< numbers
  flip,      ///< numbers: exclusive or
  low_bits,  ///< a number & 3
  low_real,  ///< a number & 1023 as a real
  bits,      ///< a real's bits
  middle,    ///< of two reals
  less,      ///< numbers
  equal,     ///< numbers
  negate,    ///< a flag
  choose,    ///< a flag and two numbers
  store      ///< a number, to a slot
};

struct Instruction {
  What what{};
  int result = -1;
  std::array<int, 3> operands{};
  int slot = 0;  ///< of a store
};

struct Phi {
  int result = -1;
  std::vector<std::pair<int, int>> sources;  ///< value, block
};

enum class End { branch, conditional, choice, done };

struct Block {
  std::vector<Phi> phis;
  std::vector<Instruction> body;
  End end = End::done;
  int condition = -1;              ///< or the selector
  std::vector<int> targets;        ///< conditional: if true, if false; choice: default, then cases
  int merge = -1, continued = -1;  ///< a merge instruction's blocks
};

/// Slots that each invocation may store to.
inline constexpr int slots = 24;
inline constexpr int invocations = 100;

struct Program {
  std::vector<Kind> kinds{given_kinds.begin(), given_kinds.end()};  ///< of each value
  std::vector<Block> blocks;
  std::vector<int> order;  ///< in which the blocks are printed
};

/// What one invocation stores.
class Interpreter {
 public:
  explicit Interpreter(const Program& program) : program_(program) {}

  std::array<std::uint32_t, slots> run(std::uint32_t number, const std::vector<std::uint32_t>& in) {
    values_.assign(program_.kinds.size(), 0);
    values_[one] = 1;
    values_[three] = 3;
    values_[golden] = 2654435769u;
    values_[half] = std::bit_cast<std::uint32_t>(0.5f);
    values_[nineteen] = std::bit_cast<std::uint32_t>(19.5f);
    values_[yes] = 1;
    values_[index] = number;
    values_[own] = in[number];
    values_[common] = in[0];
    stored_ = {};
    int from = -1;
    for (int at = program_.order.front(), steps = 0; at >= 0; ++steps) {
      if (steps > 100'000) throw std::logic_error("the generator made a loop without an end");
      const Block& block = program_.blocks[static_cast<std::size_t>(at)];
      take_phis(block, from);
      for (const Instruction& i : block.body) execute(i);
      from = std::exchange(at, next(block));
    }
    return stored_;
  }

 private:
  std::uint32_t& value(int id) { return values_[static_cast<std::size_t>(id)]; }
  float real(int id) { return std::bit_cast<float>(value(id)); }

  /// All phis of a block read before the first of them is written.
  void take_phis(const Block& block, int from) {
    std::vector<std::uint32_t> taken;
    for (const Phi& phi : block.phis) {
      for (const auto& [source, pred] : phi.sources)
        if (pred == from) taken.push_back(value(source));
    }
    if (taken.size() != block.phis.size()) throw std::logic_error("a phi lacks a predecessor");
    for (std::size_t k = 0; k < taken.size(); ++k) value(block.phis[k].result) = taken[k];
  }

  int next(const Block& block) {
    switch (block.end) {
      case End::branch:
        return block.targets[0];
      case End::conditional:
        return block.targets[value(block.condition) != 0 ? 0 : 1];
      case End::choice: {
        // The labels are 0, 1, ... in the order of the cases.
        const std::uint32_t selector = value(block.condition);
        return block.targets[selector + 1 < block.targets.size() ? selector + 1 : 0];
      }
      case End::done:
        break;
    }
    return -1;
  }

  void execute(const Instruction& i) {
    const auto [a, b, c] = i.operands;
    const auto give = [&](std::uint32_t result) { value(i.result) = result; };
    switch (i.what) {
      case What::add:
        return give(value(a) + value(b));
      case What::multiply:
        return give(value(a) * value(b));
      case What::flip:
        return give(value(a) ^ value(b));
      case What::low_bits:
        return give(value(a) & 3u);
      case What::low_real:
        return give(std::bit_cast<std::uint32_t>(static_cast<float>(value(a) & 1023u)));
      case What::bits:
        return give(value(a));
      case What::middle: {
        const float sum = real(a) + real(b);
        return give(std::bit_cast<std::uint32_t>(sum * 0.5f));
      }
      case What::less:
        return give(value(a) < value(b) ? 1 : 0);
      case What::equal:
        return give(value(a) == value(b) ? 1 : 0);
      case What::negate:
        return give(value(a) != 0 ? 0 : 1);
      case What::choose:
        return give(value(a) != 0 ? value(b) : value(c));
      case What::store:
        stored_[static_cast<std::size_t>(i.slot)] = value(a);
        return;
    }
  }

  const Program& program_;
  std::vector<std::uint32_t> values_;
  std::array<std::uint32_t, slots> stored_{};
};

/// SPIR-V assembly of a program.
class Printer {
 public:
  static std::string text(const Program& program) {
    Printer printer(program);
    for (const int number : program.order) printer.block(number);
    return head() + printer.body_ + "OpFunctionEnd\n";
  }

 private:
  explicit Printer(const Program& program) : program_(program) {}

  static std::string head() {
    std::string places;
    for (int k = 0; k < slots; ++k)
      places += "%slot" + std::to_string(k) + " = OpConstant %uint " + std::to_string(k) + "\n";
    return R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %input_index %in %out
OpExecutionMode %main LocalSize )" +
           std::to_string(invocations) + R"( 1 1
OpDecorate %input_index BuiltIn LocalInvocationIndex
OpDecorate %numbers ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%bool = OpTypeBool
%numbers = OpTypeRuntimeArray %uint
%block = OpTypeStruct %numbers
%to_block = OpTypePointer StorageBuffer %block
%to_uint = OpTypePointer StorageBuffer %uint
%to_input = OpTypePointer Input %uint
%input_index = OpVariable %to_input Input
%in = OpVariable %to_block StorageBuffer
%out = OpVariable %to_block StorageBuffer
%v0 = OpConstant %uint 0
%v1 = OpConstant %uint 1
%v2 = OpConstant %uint 3
%v3 = OpConstant %uint 2654435769
%v4 = OpConstant %float 0.5
%v5 = OpConstant %float 19.5
%v6 = OpConstantTrue %bool
%v7 = OpConstantFalse %bool
%many = OpConstant %uint 1023
%slots = OpConstant %uint )" +
           std::to_string(slots) + "\n" + places + R"(%main = OpFunction %void None %main_type
%entry = OpLabel
%v8 = OpLoad %uint %input_index
%own_place = OpAccessChain %to_uint %in %v0 %v8
%v9 = OpLoad %uint %own_place
%common_place = OpAccessChain %to_uint %in %v0 %v0
%v10 = OpLoad %uint %common_place
%row = OpIMul %uint %v8 %slots
OpBranch %b0
)";
  }

  static std::string v(int id) { return "%v" + std::to_string(id); }
  static std::string b(int block) { return "%b" + std::to_string(block); }
  std::string type(int id) const {
    switch (program_.kinds[static_cast<std::size_t>(id)]) {
      case Kind::number:
        return "%uint";
      case Kind::real:
        return "%float";
      case Kind::flag:
        break;
    }
    return "%bool";
  }
  void line(const std::string& text) { body_ += text + "\n"; }
  std::string fresh() { return "%t" + std::to_string(temporaries_++); }

  void block(int number) {
    const Block& block = program_.blocks[static_cast<std::size_t>(number)];
    line(b(number) + " = OpLabel");
    for (const Phi& phi : block.phis) {
      std::string sources;
      for (const auto& [value, pred] : phi.sources) sources += " " + v(value) + " " + b(pred);
      line(v(phi.result) + " = OpPhi " + type(phi.result) + sources);
    }
    for (const Instruction& i : block.body) instruction(i);
    if (block.continued >= 0)
      line("OpLoopMerge " + b(block.merge) + " " + b(block.continued) + " None");
    else if (block.merge >= 0)
      line("OpSelectionMerge " + b(block.merge) + " None");
    end(block);
  }

  void end(const Block& block) {
    switch (block.end) {
      case End::branch:
        return line("OpBranch " + b(block.targets[0]));
      case End::conditional:
        return line("OpBranchConditional " + v(block.condition) + " " + b(block.targets[0]) + " " +
                    b(block.targets[1]));
      case End::choice: {
        std::string cases;
        for (std::size_t k = 1; k < block.targets.size(); ++k)
          cases += " " + std::to_string(k - 1) + " " + b(block.targets[k]);
        return line("OpSwitch " + v(block.condition) + " " + b(block.targets[0]) + cases);
      }
      case End::done:
        return line("OpReturn");
    }
  }

  void instruction(const Instruction& i) {
    const auto [a, b, c] = i.operands;
    const auto give = [&](const std::string& what) { line(v(i.result) + " = " + what); };
    switch (i.what) {
      case What::add:
        return give("OpIAdd %uint " + v(a) + " " + v(b));
      case What::multiply:
        return give("OpIMul %uint " + v(a) + " " + v(b));
      case What::flip:
        return give("OpBitwiseXor %uint " + v(a) + " " + v(b));
      case What::low_bits:
        return give("OpBitwiseAnd %uint " + v(a) + " " + v(three));
      case What::low_real: {
        const std::string low = fresh();
        line(low + " = OpBitwiseAnd %uint " + v(a) + " %many");
        return give("OpConvertUToF %float " + low);
      }
      case What::bits:
        return give("OpBitcast %uint " + v(a));
      case What::middle: {
        const std::string sum = fresh();
        line(sum + " = OpFAdd %float " + v(a) + " " + v(b));
        return give("OpFMul %float " + sum + " " + v(half));
      }
      case What::less:
        return give("OpULessThan %bool " + v(a) + " " + v(b));
      case What::equal:
        return give("OpIEqual %bool " + v(a) + " " + v(b));
      case What::negate:
        return give("OpLogicalNot %bool " + v(a));
      case What::choose:
        return give("OpSelect %uint " + v(a) + " " + v(b) + " " + v(c));
      case What::store: {
        const std::string place = fresh(), pointer = fresh();
        line(place + " = OpIAdd %uint %row %slot" + std::to_string(i.slot));
        line(pointer + " = OpAccessChain %to_uint %out %v0 " + place);
        return line("OpStore " + pointer + " " + v(a));
      }
    }
  }

  const Program& program_;
  std::string body_;
  int temporaries_ = 0;
};

}  // namespace lockstep::test::ssa
