// Makes spirv.hpp11 say which instructions have a result and a type.
#define SPV_ENABLE_UTILITY_CODE
#include "support/walker/module.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstring>

#include <lockstep/exec/error.hpp>

#include "support/walker/arithmetic.hpp"
#include "support/walker/number.hpp"

namespace lockstep::walker {

namespace {

/// The characters of a literal string, and the words that it takes.
std::string literal_string(std::span<const std::uint32_t> words, std::size_t& at) {
  std::string text;
  for (;; ++at)
    for (int k = 0; k < 4; ++k) {
      const auto c = static_cast<char>(words[at] >> (8 * k) & 0xff);
      if (c == 0) {
        ++at;
        return text;
      }
      text += c;
    }
}

std::vector<Instruction> instructions_of(std::span<const std::uint32_t> words) {
  std::vector<Instruction> all;
  for (std::size_t at = 5; at < words.size();) {
    const std::size_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size()) throw Error("the module ends in an instruction");
    Instruction i;
    i.op = static_cast<spv::Op>(words[at] & 0xffff);
    bool has_result = false, has_type = false;
    spv::HasResultAndType(i.op, &has_result, &has_type);
    if (i.op == OpGroupNonUniformQuadAllKHR || i.op == OpGroupNonUniformQuadAnyKHR ||
        i.op == OpConstantCompositeReplicateEXT || i.op == OpSpecConstantCompositeReplicateEXT ||
        i.op == OpCompositeConstructReplicateEXT)
      has_result = has_type = true;
    if (i.op == OpTypeVectorIdEXT) has_result = true;
    std::size_t next = at + 1;
    if (has_type) i.type = words[next++];
    if (has_result) i.result = words[next++];
    i.operands.assign(words.begin() + static_cast<std::ptrdiff_t>(next),
                      words.begin() + static_cast<std::ptrdiff_t>(at + length));
    all.push_back(std::move(i));
    at += length;
  }
  return all;
}

/// The blocks that a block's last instruction may go to.
std::vector<Id> successors(const Block& block) {
  const Instruction& last = block.body.back();
  switch (last.op) {
    case spv::Op::OpBranch:
      return {last.operands[0]};
    case spv::Op::OpBranchConditional:
      return {last.operands[1], last.operands[2]};
    case spv::Op::OpSwitch: {
      // The literals of a 64-bit selector have two words; this reference switches on 32 bits.
      std::vector<Id> all{last.operands[1]};
      for (std::size_t k = 3; k < last.operands.size(); k += 2) all.push_back(last.operands[k]);
      return all;
    }
    default:
      return {};
  }
}

/// The merge block of the loop that a block heads; 0 if it heads none.
Id loop_merge(const Block& block) {
  for (const Instruction& i : block.body)
    if (i.op == spv::Op::OpLoopMerge) return i.operands[0];
  return 0;
}

/// Finds the loops around each block and the order of the blocks.
class Structure {
 public:
  explicit Structure(Function& function) : function_(function) {
    for (auto& [label, block] : function.blocks)
      if (const Id merge = loop_merge(block)) {
        std::set<Id> inside;
        collect(label, merge, inside);
        loops_.push_back({label, merge, std::move(inside)});
      }
    std::sort(loops_.begin(), loops_.end(),
              [](const Loop& a, const Loop& b) { return a.blocks.size() > b.blocks.size(); });
    for (const Loop& loop : loops_)
      for (const Id label : loop.blocks) function.blocks.at(label).loops.push_back(loop.header);
    visit(function.entry);
    std::uint64_t order = finished_.size();
    for (const Id label : finished_) function.blocks.at(label).order = order--;
  }

 private:
  struct Loop {
    Id header, merge;
    std::set<Id> blocks;
  };

  void collect(Id label, Id merge, std::set<Id>& inside) {
    if (label == merge || !inside.insert(label).second) return;
    for (const Id next : successors(function_.blocks.at(label))) collect(next, merge, inside);
  }

  /// Depth first. The edge back to a loop's header counts as one to its merge block.
  void visit(Id label) {
    if (!visited_.insert(label).second) return;
    for (const Id next : successors(function_.blocks.at(label))) {
      const auto loop = std::find_if(loops_.begin(), loops_.end(),
                                     [&](const Loop& l) { return l.header == next; });
      const bool back = loop != loops_.end() && loop->blocks.contains(label);
      visit(back ? loop->merge : next);
    }
    finished_.push_back(label);
  }

  Function& function_;
  std::vector<Loop> loops_;
  std::set<Id> visited_;
  std::vector<Id> finished_;
};

class Reader {
 public:
  Reader(std::span<const std::uint32_t> words, const std::string& entry,
         const std::map<std::uint32_t, std::uint64_t>& spec)
      : spec_(spec) {
    if (words.size() < 5) throw Error("a module has at least five words");
    module_.bound = words[3];
    const std::vector<Instruction> all = instructions_of(words);
    for (const Instruction& i : all) annotation(i);
    for (const Instruction& i : all) declaration(i, entry);
    if (module_.main == 0) throw Error(fmt::format("the module has no entry point {}", entry));
    for (const Instruction& i : all) local_size(i);
    workgroup_size();
    for (auto& named : module_.functions) Structure{named.second};
  }

  Module take() { return std::move(module_); }

 private:
  void annotation(const Instruction& i) {
    const auto& o = i.operands;
    if (i.op == spv::Op::OpDecorate) {
      module_.decorations[o[0]].of[static_cast<spv::Decoration>(o[1])].assign(o.begin() + 2,
                                                                              o.end());
    } else if (i.op == spv::Op::OpMemberDecorate) {
      members_[{o[0], o[1]}].of[static_cast<spv::Decoration>(o[2])].assign(o.begin() + 3, o.end());
    }
  }

  void declaration(const Instruction& i, const std::string& entry) {
    if (i.type != 0) module_.type_of[i.result] = i.type;
    if (i.op == spv::Op::OpEntryPoint) {
      std::size_t at = 2;
      if (literal_string(i.operands, at) == entry) module_.main = i.operands[1];
    } else if (i.op == spv::Op::OpExtInstImport) {
      std::size_t at = 0;
      module_.imports[i.result] = literal_string(i.operands, at);
    } else if (function_ == nullptr && i.op == spv::Op::OpVariable) {
      module_.variables.push_back(variable_of(i));
    } else if (i.op == spv::Op::OpFunction) {
      function_ = &module_.functions[i.result];
    } else if (i.op == spv::Op::OpFunctionParameter) {
      function_->parameters.push_back(i.result);
    } else if (i.op == spv::Op::OpLabel) {
      block_ = &function_->blocks[i.result];
      if (function_->entry == 0) function_->entry = i.result;
    } else if (i.op == spv::Op::OpFunctionEnd) {
      function_ = nullptr, block_ = nullptr;
    } else if (block_ != nullptr) {
      if (i.op != spv::Op::OpLine && i.op != spv::Op::OpNoLine) block_->body.push_back(i);
    } else {
      type(i);
      constant(i);
    }
  }

  static Variable variable_of(const Instruction& i) {
    return {i.result, i.type, i.operands.size() > 1 ? i.operands[1] : 0,
            static_cast<spv::StorageClass>(i.operands[0])};
  }

  /// Long, as it has a case for each instruction that declares a type.
  void type(const Instruction& i) {
    const auto& o = i.operands;
    const auto kind = [](spv::Op op) {
      switch (op) {
        case spv::Op::OpTypeVoid:
          return Type::Kind::nothing;
        case spv::Op::OpTypeBool:
          return Type::Kind::boolean;
        case spv::Op::OpTypeInt:
          return Type::Kind::integer;
        case spv::Op::OpTypeFloat:
          return Type::Kind::real;
        case spv::Op::OpTypeVector:
          return Type::Kind::vector;
        case spv::Op::OpTypeMatrix:
          return Type::Kind::matrix;
        case spv::Op::OpTypeArray:
        case spv::Op::OpTypeRuntimeArray:
          return Type::Kind::array;
        case spv::Op::OpTypeStruct:
          return Type::Kind::structure;
        case spv::Op::OpTypePointer:
          return Type::Kind::pointer;
        case spv::Op::OpTypeImage:
          return Type::Kind::image;
        default:
          return op == OpTypeVectorIdEXT ? Type::Kind::vector : Type::Kind::other;
      }
    };
    Type t;
    t.kind = kind(i.op);
    switch (t.kind) {
      case Type::Kind::integer:
        t.is_signed = o[1] != 0;
        [[fallthrough]];
      case Type::Kind::real:
        t.width = static_cast<int>(o[0]);
        break;
      case Type::Kind::vector:
      case Type::Kind::matrix:
        t.element = o[0], t.count = i.op == OpTypeVectorIdEXT ? length(o[1]) : o[1];
        break;
      case Type::Kind::array:
        t.element = o[0];
        if (i.op == spv::Op::OpTypeArray) t.count = length(o[1]);
        if (const auto d = module_.decorations.find(i.result);
            d != module_.decorations.end() && d->second.has(spv::Decoration::ArrayStride))
          t.stride = d->second.number(spv::Decoration::ArrayStride);
        break;
      case Type::Kind::structure:
        for (std::uint32_t k = 0; k < o.size(); ++k) t.members.push_back(member(i.result, k, o[k]));
        break;
      case Type::Kind::pointer:
        t.storage = static_cast<spv::StorageClass>(o[0]);
        t.element = o[1];
        break;
      case Type::Kind::image:
        t.element = o[0];
        t.format = static_cast<spv::ImageFormat>(o[6]);
        break;
      default:
        break;
    }
    if ((i.op >= spv::Op::OpTypeVoid && i.op <= spv::Op::OpTypeFunction) ||
        i.op == OpTypeVectorIdEXT)
      module_.types[i.result] = t;
  }

  std::uint32_t length(Id constant) const {
    return static_cast<std::uint32_t>(module_.constants.at(constant).parts[0].bits);
  }

  Type::Member member(Id structure, std::uint32_t index, Id type) const {
    Type::Member m{.type = type};
    const auto found = members_.find({structure, index});
    if (found == members_.end()) return m;
    const Decorations& d = found->second;
    if (d.has(spv::Decoration::Offset)) m.offset = d.number(spv::Decoration::Offset);
    if (d.has(spv::Decoration::MatrixStride))
      m.matrix_stride = d.number(spv::Decoration::MatrixStride);
    m.row_major = d.has(spv::Decoration::RowMajor);
    return m;
  }

  void constant(const Instruction& i) {
    const auto set = [&](std::vector<Scalar> parts) {
      module_.constants[i.result] = {std::move(parts)};
    };
    if (i.op == OpConstantCompositeReplicateEXT || i.op == OpSpecConstantCompositeReplicateEXT) {
      const auto& of = module_.constants.at(i.operands[0]).parts;
      std::vector<Scalar> parts;
      while (parts.size() < module_.scalars(i.type))
        parts.insert(parts.end(), of.begin(), of.end());
      return set(std::move(parts));
    }
    switch (i.op) {
      case spv::Op::OpConstantTrue:
      case spv::Op::OpSpecConstantTrue:
        return set({{specialized(i.result, 1)}});
      case spv::Op::OpConstantFalse:
      case spv::Op::OpSpecConstantFalse:
        return set({{specialized(i.result, 0)}});
      case spv::Op::OpConstant:
      case spv::Op::OpSpecConstant: {
        std::uint64_t bits = i.operands[0];
        if (i.operands.size() > 1) bits |= std::uint64_t{i.operands[1]} << 32;
        return set({{truncated(specialized(i.result, bits), module_.type(i.type).width)}});
      }
      case spv::Op::OpConstantNull:
        return set(std::vector<Scalar>(module_.scalars(i.type)));
      case spv::Op::OpUndef:
        return set(std::vector<Scalar>(module_.scalars(i.type), Scalar{0, false}));
      case spv::Op::OpConstantComposite:
      case spv::Op::OpSpecConstantComposite: {
        std::vector<Scalar> parts;
        for (const Id id : i.operands) {
          const auto& of = module_.constants.at(id).parts;
          parts.insert(parts.end(), of.begin(), of.end());
        }
        return set(std::move(parts));
      }
      case spv::Op::OpSpecConstantOp: {
        Instruction op{static_cast<spv::Op>(i.operands[0]),
                       i.type,
                       i.result,
                       {i.operands.begin() + 1, i.operands.end()}};
        std::vector<Value> values;
        for (const Id id : op.operands) values.push_back(module_.constants[id]);
        module_.constants[i.result] = arithmetic(module_, op, values);
        return;
      }
      default:
        return;
    }
  }

  /// The bits of a constant: given by its SpecId, or by the module.
  std::uint64_t specialized(Id id, std::uint64_t bits) const {
    const auto d = module_.decorations.find(id);
    if (d == module_.decorations.end() || !d->second.has(spv::Decoration::SpecId)) return bits;
    const auto given = spec_.find(d->second.number(spv::Decoration::SpecId));
    return given == spec_.end() ? bits : given->second;
  }

  void local_size(const Instruction& i) {
    if ((i.op != spv::Op::OpExecutionMode && i.op != spv::Op::OpExecutionModeId) ||
        i.operands[0] != module_.main)
      return;
    const auto mode = static_cast<spv::ExecutionMode>(i.operands[1]);
    for (std::size_t k = 0; k < 3; ++k) {
      if (mode == spv::ExecutionMode::LocalSize)
        module_.local_size[k] = i.operands[2 + k];
      else if (mode == spv::ExecutionMode::LocalSizeId)
        module_.local_size[k] =
            static_cast<std::uint32_t>(module_.constants.at(i.operands[2 + k]).parts[0].bits);
    }
  }

  /// A constant that is gl_WorkGroupSize counts more than the execution mode.
  void workgroup_size() {
    for (const auto& [id, value] : module_.constants) {
      const auto d = module_.decorations.find(id);
      if (d == module_.decorations.end() || !d->second.has(spv::Decoration::BuiltIn)) continue;
      for (std::size_t k = 0; k < 3; ++k)
        module_.local_size[k] = static_cast<std::uint32_t>(value.parts[k].bits);
    }
  }

  Module module_;
  const std::map<std::uint32_t, std::uint64_t>& spec_;
  std::map<std::pair<Id, std::uint32_t>, Decorations> members_;
  Function* function_ = nullptr;
  Block* block_ = nullptr;
};

}  // namespace

std::size_t Module::scalars(Id id) const {
  const Type& t = type(id);
  if (t.kind == Type::Kind::structure) {
    std::size_t sum = 0;
    for (const Type::Member& m : t.members) sum += scalars(m.type);
    return sum;
  }
  const bool many =
      t.kind == Type::Kind::vector || t.kind == Type::Kind::matrix || t.kind == Type::Kind::array;
  return many ? t.count * scalars(t.element) : 1;
}

const Type& Module::scalar_type(Id id) const {
  const Type& t = type(id);
  const bool many =
      t.kind == Type::Kind::vector || t.kind == Type::Kind::matrix || t.kind == Type::Kind::array;
  return many ? scalar_type(t.element) : t;
}

Module read_module(std::span<const std::uint32_t> words, const std::string& entry,
                   const std::map<std::uint32_t, std::uint64_t>& spec) {
  return Reader(words, entry, spec).take();
}

}  // namespace lockstep::walker
