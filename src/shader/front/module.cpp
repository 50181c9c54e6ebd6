#include "shader/front/module.hpp"

#include <cstring>

#include <fmt/format.h>
#include <spirv-tools/libspirv.h>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/intern.hpp>

#include "shader/front/encoded.hpp"
#include "shader/front/newer_features.hpp"
#include "shader/front/newer_operations.hpp"

namespace lockstep::spirv {
namespace {

constexpr std::uint32_t most_ids = 1u << 22;  // the universal limit of SPIR-V

bool is_line(spv::Op op) { return op == spv::Op::OpLine || op == spv::Op::OpNoLine; }

bool is_terminator(spv::Op op) {
  switch (op) {
    case spv::Op::OpBranch:
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
    case spv::Op::OpKill:
    case spv::Op::OpUnreachable:
    case spv::Op::OpTerminateInvocation:
      return true;
    default:
      return false;
  }
}

/// The number of a line or column.
int as_place(std::uint32_t number) { return static_cast<int>(number & 0x7fffffff); }

std::uint64_t member_key(Id type, std::uint32_t member) {
  return std::uint64_t{type} << 32 | member;
}

/// Throws Error for a feature that is not supported and whose instructions might not be understood.
void check_capability(const Instruction& i) {
  const std::string_view newer = newer_feature(static_cast<spv::Capability>(i[0]));
  if (!newer.empty()) fail_at(i, fmt::format("{} (capability {}) are not supported", newer, i[0]));
}

}  // namespace

void fail_at(const SourceLocation& where, const std::string& what) {
  if (where.line > 0) throw Error(fmt::format("{}:{}: {}", where.file, where.line, what));
  throw Error(*where.file != 0 ? fmt::format("{}: {}", where.file, what) : what);
}
void fail_at(const Instruction& instruction, const std::string& what) {
  fail_at(instruction.where, fmt::format("{}: {}", name_of(instruction.opcode), what));
}

std::string name_of(spv::Op opcode) {
  if (const std::string_view name = newer_name(opcode); !name.empty()) return std::string(name);
  const char* name = spvOpcodeString(static_cast<std::uint32_t>(opcode));
  if (std::strcmp(name, "unknown") == 0 || *name == 0)
    return fmt::format("opcode {}", static_cast<unsigned>(opcode));
  return fmt::format("Op{}", name);
}

std::uint32_t Instruction::operator[](std::size_t index) const {
  if (index >= operands.size()) fail_at(*this, "has too few operands: the module is damaged");
  return operands[index];
}

std::size_t Instruction::text_words(std::size_t index) const {
  for (std::size_t i = index; i < operands.size(); ++i) {
    const std::uint32_t word = operands[i];
    if ((word & 0xff) == 0 || (word & 0xff00) == 0 || (word & 0xff0000) == 0 || word >> 24 == 0)
      return i - index + 1;
  }
  fail_at(*this, "has an unterminated string: the module is damaged");
}

std::string Instruction::text(std::size_t index) const {
  const std::size_t count = text_words(index);
  const auto* first = reinterpret_cast<const char*>(operands.data() + index);
  return std::string(first, strnlen(first, count * 4));
}

const Block& Function::block(Id label) const {
  const auto found = block_of.find(label);
  if (found == block_of.end()) fail_at(*start, fmt::format("the function has no block %{}", label));
  return blocks[found->second];
}

const std::uint32_t* Decorations::find(spv::Decoration decoration) const {
  for (const auto& entry : list) {
    if (entry.first == decoration) return &entry.second;
  }
  return nullptr;
}

Module::Module(std::vector<std::uint32_t> words, std::string file)
    : words_(std::move(words)), file_(std::move(file)) {
  parse();
  build_functions();
}

const char* Module::keep(std::string text) {
  const auto found = files_.find(text);
  if (found != files_.end()) return found->second;
  const char* const kept = intern(text);
  files_.emplace(std::move(text), kept);
  return kept;
}

void Module::parse() {
  const SourceLocation whole{keep(file_), 0};
  if (words_.size() < 5) fail_at(whole, "is not a SPIR-V module: it is shorter than a header");
  if (words_[0] != spv::MagicNumber)
    fail_at(whole, "is not a SPIR-V module: the magic number differs");
  if (words_[3] == 0 || words_[3] > most_ids)
    fail_at(whole, fmt::format("has {} ids; at most {} are supported", words_[3], most_ids));
  std::size_t count = 0, end = header_words;
  for (const Encoded i : EncodedInstructions(words_)) {
    ++count;
    end = i.at + i.words.size();
  }
  if (end != words_.size()) fail_at(whole, fmt::format("the module is cut off at word {}", end));
  instructions_.reserve(count);  // pointers to its elements are kept
  by_id_.assign(words_[3], nullptr);
  SourceLocation current = whole;
  for (const Encoded i : EncodedInstructions(words_)) {
    Instruction next;
    next.opcode = i.opcode();
    bool has_result = false, has_type = false;
    spv::HasResultAndType(next.opcode, &has_result, &has_type);
    has_result_and_type(next.opcode, &has_result, &has_type);
    std::size_t used = 1;
    next.where = current;
    const auto take = [&]() -> Id {
      if (used >= i.words.size()) fail_at(next, "has too few operands: the module is damaged");
      return i.words[used++];
    };
    if (has_type) next.type = take();
    if (has_result) next.result = take();
    next.operands = i.words.subspan(used);
    take_lines(next, current);
    instructions_.push_back(next);
    note(instructions_.back());
  }
}

void Module::take_lines(Instruction& instruction, SourceLocation& current) {
  const auto start_over = [&] { current = {keep(file_), 0}; };
  if (instruction.opcode == spv::Op::OpLine) {
    const auto name = strings_.find(instruction[0]);
    const std::string file = name == strings_.end() || name->second.empty() ? file_ : name->second;
    current = {keep(file), as_place(instruction[1]), as_place(instruction[2])};
  } else if (instruction.opcode == spv::Op::OpNoLine) {
    start_over();
  } else if (instruction.opcode == spv::Op::OpExtInst && instruction.operands.size() >= 4) {
    const auto set = sets_.find(instruction.operands[0]);
    if (set == sets_.end() || set->second != "NonSemantic.Shader.DebugInfo.100") return;
    constexpr std::uint32_t debug_source = 35, debug_line = 103, debug_no_line = 104;
    if (instruction.operands[1] == debug_source) {
      debug_source_file_[instruction.result] = instruction.operands[2];
    } else if (instruction.operands[1] == debug_line) {
      const auto source = debug_source_file_.find(instruction.operands[2]);
      const auto name =
          source == debug_source_file_.end() ? strings_.end() : strings_.find(source->second);
      const auto constant = [&](std::size_t operand) {
        const Instruction* definition = operand < instruction.operands.size()
                                            ? find_definition(instruction.operands[operand])
                                            : nullptr;
        return definition == nullptr || definition->operands.empty()
                   ? 0
                   : as_place(definition->operands[0]);
      };
      if (const int line = constant(3); line > 0) {
        current = {keep(name == strings_.end() || name->second.empty() ? file_ : name->second),
                   line, constant(5)};
      }
    } else if (instruction.operands[1] == debug_no_line) {
      start_over();
    }
  }
  instruction.where = current;
}

void Module::note(const Instruction& i) {
  if (i.result != 0) {
    if (i.result >= by_id_.size())
      fail_at(i, fmt::format("defines id {}, which is not below the module's bound", i.result));
    if (by_id_[i.result] != nullptr)
      fail_at(i, fmt::format("defines id {} a second time", i.result));
    by_id_[i.result] = &i;
  }
  switch (i.opcode) {
    case spv::Op::OpName:
      names_[i[0]] = i.text(1);
      break;
    case spv::Op::OpMemberName:
      member_names_[member_key(i[0], i[1])] = i.text(2);
      break;
    case spv::Op::OpSource:
      is_hlsl_ = static_cast<spv::SourceLanguage>(i[0]) == spv::SourceLanguage::HLSL;
      break;
    case spv::Op::OpString:
      strings_[i.result] = i.text(0);
      break;
    case spv::Op::OpExtInstImport:
      sets_[i.result] = i.text(0);
      break;
    case spv::Op::OpCapability:
      check_capability(i);
      capabilities_.push_back(static_cast<spv::Capability>(i[0]));
      break;
    case spv::Op::OpEntryPoint:
      entry_points_.push_back({static_cast<spv::ExecutionModel>(i[0]), i[1], i.text(2)});
      break;
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      modes_.push_back(&i);
      break;
    case spv::Op::OpDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpMemberDecorate:
      note_decoration(i);
      break;
    case spv::Op::OpGroupDecorate:
      for (std::size_t k = 1; k < i.operands.size(); ++k) {
        const auto& from = decorations_[i[0]].list;
        auto& to = decorations_[i[k]].list;
        to.insert(to.end(), from.begin(), from.end());
      }
      break;
    default:
      break;
  }
}

void Module::note_decoration(const Instruction& i) {
  const bool member = i.opcode == spv::Op::OpMemberDecorate;
  auto& list = member ? member_decorations_[member_key(i[0], i[1])].list : decorations_[i[0]].list;
  const std::size_t at = member ? 2 : 1;
  list.emplace_back(static_cast<spv::Decoration>(i[at]),
                    i.operands.size() > at + 1 ? i[at + 1] : 0);
}

void Module::build_functions() {
  Function* function = nullptr;
  Block* block = nullptr;
  for (const Instruction& i : instructions_) {
    if (is_line(i.opcode)) continue;
    if (i.opcode == spv::Op::OpFunction) {
      if (function != nullptr) fail_at(i, "a function starts inside another");
      function = &functions_[i.result];
      function->start = &i;
    } else if (function == nullptr) {
      globals_.push_back(&i);
    } else if (i.opcode == spv::Op::OpFunctionEnd) {
      if (block != nullptr) fail_at(i, "the last block has no terminator");
      function = nullptr;
    } else if (i.opcode == spv::Op::OpFunctionParameter) {
      function->parameters.push_back(&i);
    } else if (i.opcode == spv::Op::OpLabel) {
      if (block != nullptr) fail_at(i, "the previous block has no terminator");
      function->block_of[i.result] = function->blocks.size();
      block = &function->blocks.emplace_back();
      block->label = i.result;
      block->position = function->blocks.size() - 1;
    } else if (block == nullptr) {
      if (i.opcode != spv::Op::OpExtInst) fail_at(i, "is outside all blocks");
    } else if (is_terminator(i.opcode)) {
      block->terminator = &i;
      block = nullptr;
    } else if (i.opcode == spv::Op::OpPhi) {
      block->phis.push_back(&i);
    } else if (i.opcode == spv::Op::OpSelectionMerge || i.opcode == spv::Op::OpLoopMerge) {
      block->merge = &i;
    } else {
      block->body.push_back(&i);
    }
  }
  if (function != nullptr) fail_at(*function->start, "the function has no end");
}

const Instruction& Module::definition(Id id) const {
  const Instruction* found = find_definition(id);
  if (found == nullptr)
    fail_at({file_.c_str(), 0}, fmt::format("no instruction defines the id %{}", id));
  return *found;
}
const Instruction* Module::find_definition(Id id) const {
  return id < by_id_.size() ? by_id_[id] : nullptr;
}

const Decorations& Module::decorations(Id id) const {
  static const Decorations none;
  const auto found = decorations_.find(id);
  return found == decorations_.end() ? none : found->second;
}
const Decorations& Module::member_decorations(Id type, std::uint32_t member) const {
  static const Decorations none;
  const auto found = member_decorations_.find(member_key(type, member));
  return found == member_decorations_.end() ? none : found->second;
}

std::string Module::name(Id id) const {
  const auto found = names_.find(id);
  if (found != names_.end() && !found->second.empty()) return found->second;
  return fmt::format("%{}", id);
}

std::string Module::member_name(Id type, std::uint32_t member) const {
  const auto found = member_names_.find(member_key(type, member));
  return found == member_names_.end() ? "" : found->second;
}

std::string Module::compute_entry(const std::string& wanted) const {
  const EntryPoint* only = nullptr;
  for (const EntryPoint& entry : entry_points_) {
    if (entry.model != spv::ExecutionModel::GLCompute) continue;
    if (entry.name == wanted || only != nullptr) return wanted;
    only = &entry;
  }
  return wanted == "main" && only != nullptr ? only->name : wanted;
}

const Function& Module::function(Id id) const {
  const auto found = functions_.find(id);
  if (found == functions_.end())
    fail_at({file_.c_str(), 0}, fmt::format("%{} is not a function", id));
  return found->second;
}

const Instruction* Module::execution_mode(Id function, spv::ExecutionMode mode) const {
  for (const Instruction* i : modes_) {
    if ((*i)[0] == function && (*i)[1] == static_cast<std::uint32_t>(mode)) return i;
  }
  return nullptr;
}

std::string_view Module::extended_set(Id id) const {
  const auto found = sets_.find(id);
  return found == sets_.end() ? std::string_view() : std::string_view(found->second);
}
std::string_view Module::string(Id id) const {
  const auto found = strings_.find(id);
  return found == strings_.end() ? std::string_view() : std::string_view(found->second);
}
bool Module::has_capability(spv::Capability capability) const {
  for (const spv::Capability c : capabilities_) {
    if (c == capability) return true;
  }
  return false;
}

}  // namespace lockstep::spirv
