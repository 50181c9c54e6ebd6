#include "shader/front/mutants.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "shader/front/encoded.hpp"

namespace lockstep::spirv {
namespace {

using Kind = Mutant::Kind;

/// Some words of the module, and what stands there instead.
struct Edit {
  std::size_t at = 0, removed = 0;
  std::vector<std::uint32_t> inserted;
};

/// A mutant, and how to make it.
struct Planned {
  Mutant mutant;
  std::vector<Edit> edits;
  Id bound = 0;
};

// ---- Scopes ----

constexpr std::uint32_t storage_semantics = 0xfc0;  ///< UniformMemory to ImageMemory
constexpr auto workgroup_memory =
    static_cast<std::uint32_t>(spv::MemorySemanticsMask::WorkgroupMemory);

/// How many invocations a scope includes, from few to many.
int extent_of(std::uint32_t scope) {
  switch (static_cast<spv::Scope>(scope)) {
    case spv::Scope::Invocation:
      return 0;
    case spv::Scope::Subgroup:
      return 1;
    case spv::Scope::Workgroup:
      return 2;
    case spv::Scope::QueueFamily:
      return 3;
    case spv::Scope::Device:
      return 4;
    default:
      return 5;
  }
}

std::string_view text_of(std::uint32_t scope) {
  constexpr std::array<std::string_view, 6> texts{"invocation",   "subgroup", "workgroup",
                                                  "queue family", "device",   "all devices"};
  return texts[static_cast<std::size_t>(extent_of(scope))];
}

/// The next smaller scope that makes a difference; none for a subgroup. `shared`: for memory that only a workgroup sees.
std::optional<std::uint32_t> weaker(std::uint32_t scope, bool shared) {
  const int extent = shared ? std::min(extent_of(scope), 2) : extent_of(scope);
  if (extent < 2) return {};
  return static_cast<std::uint32_t>(extent > 2 ? spv::Scope::Workgroup : spv::Scope::Subgroup);
}

// ---- Comparisons ----

struct Comparison {
  spv::Op op, instead;
  std::string_view change;
};
constexpr Comparison comparisons[] = {
    {spv::Op::OpULessThan, spv::Op::OpULessThanEqual, "<= instead of <"},
    {spv::Op::OpSLessThan, spv::Op::OpSLessThanEqual, "<= instead of <"},
    {spv::Op::OpFOrdLessThan, spv::Op::OpFOrdLessThanEqual, "<= instead of <"},
    {spv::Op::OpFUnordLessThan, spv::Op::OpFUnordLessThanEqual, "<= instead of <"},
    {spv::Op::OpULessThanEqual, spv::Op::OpULessThan, "< instead of <="},
    {spv::Op::OpSLessThanEqual, spv::Op::OpSLessThan, "< instead of <="},
    {spv::Op::OpFOrdLessThanEqual, spv::Op::OpFOrdLessThan, "< instead of <="},
    {spv::Op::OpFUnordLessThanEqual, spv::Op::OpFUnordLessThan, "< instead of <="},
    {spv::Op::OpUGreaterThan, spv::Op::OpUGreaterThanEqual, ">= instead of >"},
    {spv::Op::OpSGreaterThan, spv::Op::OpSGreaterThanEqual, ">= instead of >"},
    {spv::Op::OpFOrdGreaterThan, spv::Op::OpFOrdGreaterThanEqual, ">= instead of >"},
    {spv::Op::OpFUnordGreaterThan, spv::Op::OpFUnordGreaterThanEqual, ">= instead of >"},
    {spv::Op::OpUGreaterThanEqual, spv::Op::OpUGreaterThan, "> instead of >="},
    {spv::Op::OpSGreaterThanEqual, spv::Op::OpSGreaterThan, "> instead of >="},
    {spv::Op::OpFOrdGreaterThanEqual, spv::Op::OpFOrdGreaterThan, "> instead of >="},
    {spv::Op::OpFUnordGreaterThanEqual, spv::Op::OpFUnordGreaterThan, "> instead of >="},
};

// ---- Instructions ----

bool is_atomic(spv::Op op) {
  return (op >= spv::Op::OpAtomicLoad && op <= spv::Op::OpAtomicXor) ||
         op == spv::Op::OpAtomicFAddEXT || op == spv::Op::OpAtomicFMinEXT ||
         op == spv::Op::OpAtomicFMaxEXT || op == spv::Op::OpAtomicFlagTestAndSet ||
         op == spv::Op::OpAtomicFlagClear;
}

std::uint32_t bit(spv::MemoryAccessMask mask) { return static_cast<std::uint32_t>(mask); }

/// Memory operands of a load or store: where their mask is among its operands, and the ids of scopes.
struct MemoryOperands {
  std::size_t mask_at = 0;
  std::uint32_t mask = 0;
  std::vector<std::size_t> scopes_at;

  explicit MemoryOperands(const Instruction& i) {
    if (i.opcode != spv::Op::OpLoad && i.opcode != spv::Op::OpStore) return;
    mask_at = i.opcode == spv::Op::OpLoad ? 1 : 2;
    if (mask_at >= i.operands.size()) return;
    mask = i.operands[mask_at];
    std::size_t next = mask_at + 1;
    if ((mask & bit(spv::MemoryAccessMask::Aligned)) != 0) ++next;
    for (const auto makes :
         {spv::MemoryAccessMask::MakePointerAvailable, spv::MemoryAccessMask::MakePointerVisible}) {
      if ((mask & bit(makes)) != 0 && next < i.operands.size()) scopes_at.push_back(next++);
    }
  }
  bool is_coherent() const { return !scopes_at.empty(); }
};

/// Finds the mutants of an entry point, in the order of the module's words.
class Planner {
 public:
  explicit Planner(const Module& module) : module_(module) {}

  std::vector<Planned> plan(const std::string& entry) {
    add_function(function_of(entry));
    std::ranges::sort(instructions_, {}, [&](const Instruction* i) { return first_word(*i); });
    plan_decorations();
    for (const Instruction* i : instructions_) plan_instruction(*i);
    plan_coherent_memory();
    return std::move(plans_);
  }

 private:
  // ---- What runs ----

  Id function_of(const std::string& entry) const {
    const std::string name = module_.compute_entry(entry);
    for (const EntryPoint& one : module_.entry_points()) {
      if (one.model == spv::ExecutionModel::GLCompute && one.name == name) return one.function;
    }
    throw Error(fmt::format("{}: has no entry point '{}'", module_.file(), name));
  }

  void add_function(Id id) {
    if (!functions_.insert(id).second) return;
    for (const Block& block : module_.function(id).blocks) {
      for (const Instruction* i : block.body) {
        instructions_.push_back(i);
        if (i->opcode == spv::Op::OpFunctionCall) add_function((*i)[0]);
      }
      for (std::size_t k = 0; k < block.body.size(); ++k) note_covered(block, k);
    }
  }

  /// Notes a memory barrier beside a barrier that orders as much.
  void note_covered(const Block& block, std::size_t k) {
    const Instruction& barrier = *block.body[k];
    if (barrier.opcode != spv::Op::OpControlBarrier) return;
    for (const std::size_t other : {k - 1, k + 1}) {
      if (other >= block.body.size()) continue;  // also where k - 1 wraps around
      const Instruction& one = *block.body[other];
      if (one.opcode == spv::Op::OpMemoryBarrier && orders(barrier, 1, one)) covered_.insert(&one);
    }
  }
  bool orders(const Instruction& barrier, std::size_t scope_at, const Instruction& memory) const {
    const auto semantics = constant(barrier[scope_at + 1]), wanted = constant(memory[1]);
    const auto scope = constant(barrier[scope_at]), wanted_scope = constant(memory[0]);
    if (!semantics || !wanted || !scope || !wanted_scope) return false;
    const bool shared = (*wanted & storage_semantics) == workgroup_memory;
    const int extent = shared ? std::min(extent_of(*wanted_scope), 2) : extent_of(*wanted_scope);
    return (*wanted & ~*semantics & storage_semantics) == 0 && extent_of(*scope) >= extent;
  }

  // ---- Mutants ----

  void plan_decorations() {
    for (const Encoded i : EncodedInstructions(module_.words())) {
      const bool is_member = i.opcode() == spv::Op::OpMemberDecorate;
      const std::size_t at = is_member ? 3 : 2;
      if (i.opcode() == spv::Op::OpFunction) return;
      if ((!is_member && i.opcode() != spv::Op::OpDecorate) || i.words.size() != at + 1 ||
          static_cast<spv::Decoration>(i.words[at]) != spv::Decoration::Coherent)
        continue;
      std::string name = module_.name(i.words[1]);
      if (is_member) name += "." + module_.member_name(i.words[1], i.words[2]);
      const Instruction* declared = module_.find_definition(i.words[1]);
      add({Kind::coherent, declared != nullptr ? declared->where : SourceLocation{"", 0},
           fmt::format("coherent of {} deleted", name)},
          {{i.at, i.words.size(), {}}});
    }
  }

  void plan_instruction(const Instruction& i) {
    switch (i.opcode) {
      case spv::Op::OpControlBarrier:
        return plan_barrier(i);
      case spv::Op::OpMemoryBarrier:
        if (covered_.contains(&i)) return;
        add({Kind::memory_barrier, i.where, "memory barrier deleted"},
            {{first_word(i), length(i), {}}});
        return plan_scope(i, 0, "memory barrier's scope", is_shared(i[1]));
      case spv::Op::OpIEqual:
      case spv::Op::OpINotEqual:
        return plan_equality(i);
      default:
        break;
    }
    if (is_atomic(i.opcode)) plan_scope(i, 1, "atomic's scope", is_workgroup_pointer(i[0]));
    const auto* const found = std::ranges::find(comparisons, i.opcode, &Comparison::op);
    if (found == std::end(comparisons)) return;
    const std::size_t at = first_word(i);
    const auto words = static_cast<std::uint32_t>(length(i));
    add({Kind::comparison, i.where, std::string(found->change)},
        {{at, 1, {words << 16 | static_cast<std::uint32_t>(found->instead)}}});
  }

  void plan_barrier(const Instruction& i) {
    const bool is_subgroups =
        constant(i[0]) == std::optional(static_cast<std::uint32_t>(spv::Scope::Subgroup));
    add({Kind::barrier, i.where,
         fmt::format("{} deleted", is_subgroups ? "subgroupBarrier()" : "barrier()")},
        {{first_word(i), length(i), {}}});
    plan_scope(i, 0, "barrier's scope of execution", true);
    const auto semantics = constant(i[2]);
    if (semantics && (*semantics & storage_semantics) != 0)
      plan_scope(i, 1, "barrier's scope of memory", is_shared(i[2]));
  }

  void plan_scope(const Instruction& i, std::size_t operand, std::string_view what, bool shared) {
    const auto scope = constant(i[operand]);
    if (!scope) return;
    const auto less = weaker(*scope, shared);
    if (!less) return;
    const Id type = module_.definition(i[operand]).type;
    add({Kind::scope, i.where, changed(what, *scope, *less)},
        {{word_of(i, operand), 1, {constant_of(type, {*less})}}});
  }
  static std::string changed(std::string_view what, std::uint32_t scope, std::uint32_t less) {
    return fmt::format("{} {} instead of {}", what, text_of(less), text_of(scope));
  }

  /// x == y + 1 instead of x == y, for single integers.
  void plan_equality(const Instruction& i) {
    const Instruction* right = module_.find_definition(i[1]);
    const Instruction* type = right != nullptr ? module_.find_definition(right->type) : nullptr;
    if (type == nullptr || type->opcode != spv::Op::OpTypeInt) return;
    std::vector<std::uint32_t> one{1};
    if ((*type)[0] == 64) one.push_back(0);
    const Id constant_one = constant_of(type->result, one), sum = next_id();
    const std::string_view sign = i.opcode == spv::Op::OpIEqual ? "==" : "!=";
    add({Kind::comparison, i.where, fmt::format("{} to one more", sign)},
        {{first_word(i),
          0,
          {5u << 16 | static_cast<std::uint32_t>(spv::Op::OpIAdd), type->result, sum, i[1],
           constant_one}},
         {word_of(i, 1), 1, {sum}}});
  }

  /// In the Vulkan memory model, each load and store is marked coherent: all accesses to a variable change together.
  void plan_coherent_memory() {
    std::map<Id, std::vector<const Instruction*>> by_variable;
    for (const Instruction* i : instructions_) {
      if (MemoryOperands(*i).is_coherent() && !is_workgroup_pointer((*i)[0]))
        by_variable[variable_of((*i)[0])].push_back(i);
    }
    for (const auto& [variable, accesses] : by_variable) {
      const std::string name = name_of_variable(variable);
      plan_incoherent(accesses, name);
      plan_coherent_scope(accesses, name);
    }
  }

  void plan_incoherent(const std::vector<const Instruction*>& accesses, const std::string& name) {
    std::vector<Edit> edits;
    for (const Instruction* i : accesses) {
      const MemoryOperands memory(*i);
      const std::uint32_t kept = memory.mask & (bit(spv::MemoryAccessMask::Volatile) |
                                                bit(spv::MemoryAccessMask::Aligned) |
                                                bit(spv::MemoryAccessMask::Nontemporal));
      const auto removed = static_cast<std::uint32_t>(memory.scopes_at.size());
      edits.push_back({first_word(*i),
                       1,
                       {(static_cast<std::uint32_t>(length(*i)) - removed) << 16 |
                        static_cast<std::uint32_t>(i->opcode)}});
      edits.push_back({word_of(*i, memory.mask_at), 1, {kept}});
      edits.push_back({word_of(*i, memory.scopes_at.front()), removed, {}});
    }
    add({Kind::coherent, accesses.front()->where, fmt::format("coherent of {} deleted", name)},
        std::move(edits));
  }

  void plan_coherent_scope(const std::vector<const Instruction*>& accesses,
                           const std::string& name) {
    std::vector<Edit> edits;
    std::string change;
    for (const Instruction* i : accesses) {
      for (const std::size_t at : MemoryOperands(*i).scopes_at) {
        const auto scope = constant((*i)[at]);
        const auto less = scope ? weaker(*scope, false) : std::nullopt;
        if (!less) continue;
        const Id type = module_.definition((*i)[at]).type;
        edits.push_back({word_of(*i, at), 1, {constant_of(type, {*less})}});
        change = changed(fmt::format("scope of coherent {}", name), *scope, *less);
      }
    }
    if (!edits.empty())
      add({Kind::scope, accesses.front()->where, std::move(change)}, std::move(edits));
    else
      forget_new();
  }

  void add(Mutant mutant, std::vector<Edit> edits) {
    if (!new_constants_.empty())
      edits.push_back({first_function_word(), 0, std::move(new_constants_)});
    std::ranges::stable_sort(edits, {}, &Edit::at);
    plans_.push_back({std::move(mutant), std::move(edits), bound_});
    forget_new();
  }
  void forget_new() {
    new_constants_.clear();
    new_ids_.clear();
    bound_ = module_.bound();
  }

  // ---- Words ----

  static std::size_t words_before(const Instruction& i) {
    return std::size_t{1} + (i.type != 0 ? 1 : 0) + (i.result != 0 ? 1 : 0);
  }
  std::size_t first_word(const Instruction& i) const {
    return static_cast<std::size_t>(i.operands.data() - module_.words().data()) - words_before(i);
  }
  static std::size_t length(const Instruction& i) { return words_before(i) + i.operands.size(); }
  std::size_t word_of(const Instruction& i, std::size_t operand) const {
    return first_word(i) + words_before(i) + operand;
  }
  std::size_t first_function_word() const {
    for (const Encoded i : EncodedInstructions(module_.words())) {
      if (i.opcode() == spv::Op::OpFunction) return i.at;
    }
    return module_.words().size();
  }

  // ---- Ids ----

  Id next_id() { return bound_++; }

  /// The value of a constant of 32 bits.
  std::optional<std::uint32_t> constant(Id id) const {
    const Instruction* i = module_.find_definition(id);
    if (i == nullptr || i->opcode != spv::Op::OpConstant || i->operands.size() != 1) return {};
    return i->operands[0];
  }
  /// A constant of the module, or a new one.
  Id constant_of(Id type, const std::vector<std::uint32_t>& value) {
    for (const Instruction* i : module_.globals()) {
      if (i->opcode == spv::Op::OpConstant && i->type == type &&
          std::ranges::equal(i->operands, value))
        return i->result;
    }
    const auto known = new_ids_.find({type, value});
    if (known != new_ids_.end()) return known->second;
    const Id id = next_id();
    new_ids_[{type, value}] = id;
    new_constants_.push_back(static_cast<std::uint32_t>(3 + value.size()) << 16 |
                             static_cast<std::uint32_t>(spv::Op::OpConstant));
    new_constants_.push_back(type);
    new_constants_.push_back(id);
    new_constants_.insert(new_constants_.end(), value.begin(), value.end());
    return id;
  }

  bool is_shared(Id semantics) const {
    const auto value = constant(semantics);
    return value && (*value & storage_semantics) == workgroup_memory;
  }
  bool is_workgroup_pointer(Id pointer) const {
    const Instruction* value = module_.find_definition(pointer);
    const Instruction* type = value != nullptr ? module_.find_definition(value->type) : nullptr;
    return type != nullptr && type->opcode == spv::Op::OpTypePointer &&
           static_cast<spv::StorageClass>((*type)[0]) == spv::StorageClass::Workgroup;
  }
  /// What a pointer comes from.
  Id variable_of(Id pointer) const {
    std::set<Id> seen;
    while (seen.insert(pointer).second) {
      const Instruction* i = module_.find_definition(pointer);
      if (i == nullptr || i->operands.empty()) break;
      if (i->opcode != spv::Op::OpAccessChain && i->opcode != spv::Op::OpInBoundsAccessChain &&
          i->opcode != spv::Op::OpPtrAccessChain && i->opcode != spv::Op::OpCopyObject)
        break;
      pointer = (*i)[0];
    }
    return pointer;
  }
  /// Its name, or that of its block.
  std::string name_of_variable(Id variable) const {
    const Instruction* i = module_.find_definition(variable);
    if (module_.has_name(variable) || i == nullptr) return module_.name(variable);
    const Instruction* type = module_.find_definition(i->type);
    return type != nullptr && type->opcode == spv::Op::OpTypePointer ? module_.name((*type)[1])
                                                                     : module_.name(variable);
  }

  const Module& module_;
  std::set<Id> functions_;
  std::vector<const Instruction*> instructions_;  ///< of these functions
  std::set<const Instruction*> covered_;
  std::vector<Planned> plans_;
  // Of the mutant that is being planned:
  std::vector<std::uint32_t> new_constants_;
  std::map<std::pair<Id, std::vector<std::uint32_t>>, Id> new_ids_;
  Id bound_ = module_.bound();
};

}  // namespace

std::string_view name_of(Mutant::Kind kind) {
  constexpr std::array<std::string_view, 5> names{"barrier", "memory barrier", "coherent", "scope",
                                                  "comparison"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<Mutant> mutants_of(const Module& module, const std::string& entry) {
  std::vector<Mutant> all;
  for (Planned& planned : Planner(module).plan(entry)) all.push_back(std::move(planned.mutant));
  return all;
}

std::vector<std::uint32_t> mutated(const Module& module, const std::string& entry,
                                   std::size_t number) {
  const std::vector<Planned> plans = Planner(module).plan(entry);
  if (number == 0 || number > plans.size())
    throw Error(fmt::format("{}: has no mutant {}: it has {}", module.file(), number,
                            plans.empty() ? "none" : fmt::format("1 to {}", plans.size())));
  const Planned& planned = plans[number - 1];
  const std::span<const std::uint32_t> words = module.words();
  std::vector<std::uint32_t> out;
  std::size_t at = 0;
  const auto copy_to = [&](std::size_t end) {
    out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
               words.begin() + static_cast<std::ptrdiff_t>(end));
    at = end;
  };
  for (const Edit& edit : planned.edits) {
    copy_to(edit.at);
    out.insert(out.end(), edit.inserted.begin(), edit.inserted.end());
    at += edit.removed;
  }
  copy_to(words.size());
  constexpr std::size_t bound_at = 3;
  out[bound_at] = std::max(out[bound_at], planned.bound);
  return out;
}

}  // namespace lockstep::spirv
