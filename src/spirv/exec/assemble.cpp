#include "spirv/exec/assemble.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/intern.hpp>

#include "spirv/exec/branches.hpp"
#include "spirv/exec/ops/find.hpp"
#include "spirv/exec/ops/find_run.hpp"
#include "spirv/exec/register_places.hpp"
#include "spirv/ir/analyse.hpp"
#include "spirv/ir/built_ins.hpp"
#include "spirv/ir/consecutive.hpp"
#include "spirv/ir/names.hpp"
#include "spirv/ir/regions.hpp"

namespace lockstep::spirv {
namespace {

/// The reduction or scan that a partitioned one runs once for each subset.
spec::Name without_partition(const Op& op) {
  const Code code = op.code == Code::partitioned_reduce           ? Code::reduce
                    : op.code == Code::partitioned_inclusive_scan ? Code::inclusive_scan
                                                                  : Code::exclusive_scan;
  return name_of(code, op.as<Reduction>().op);
}

/// Inst::imm of an operation between lanes.
std::uint64_t lanes_immediate(const Op& op) {
  if (const auto* reduction = std::get_if<Reduction>(&op.detail)) return reduction->cluster;
  if (const auto* cluster = std::get_if<Cluster>(&op.detail)) return cluster->lanes;
  return 0;
}

/// Whether the operation's memory is found by a pointer.
bool has_pointer(const Op& op) {
  switch (op.code) {
    case Code::load_address:
    case Code::store_address:
    case Code::atomic_address:
      return true;
    case Code::array_length:
      return !op.src.empty();
    default:
      return false;
  }
}

bool takes_list(const Op& op) {
  return is_subgroup(op.code) && (op.src.size() > 3 || op.dst.size() > 1);
}

class Assembler {
 public:
  /// once: how many operations at the beginning give what a whole dispatch has one value of.
  Assembler(const Ir& ir, Program& program, std::uint32_t once, bool linear)
      : ir_(ir),
        program_(program),
        once_(once),
        places_(ir, program, once),
        branches_(ir, program.tangled),
        consecutive_(find_consecutive(ir, linear)) {}

  void run() {
    places_.place_fixed(program_);
    for (std::uint32_t k = 0; k < ir_.ops.size(); ++k) {
      at_ = k;
      start_.push_back(static_cast<std::uint32_t>(program_.insts.size()));
      for (const Reg r : ir_.ops[k].dst) slot(r);
      if (k == once_) program_.first = program_.insts.size();
      tell_line(ir_.ops[k]);
      emit(ir_.ops[k]);
      note_last_uses();
    }
    start_.push_back(static_cast<std::uint32_t>(program_.insts.size()));
    program_.register_bytes = places_.bytes();
    branches_.set_targets(program_, start_);
    note_loop_locals();
  }

 private:
  Slot slot(Reg r) { return places_.slot(r); }

  /// Records the values whose last use is the instruction.
  void note_last_uses() {
    for (const Reg r : places_.free_last_used(at_)) dying_.push_back(r);
    // A comparison's operands are used by the following test.
    if (tested_ == at_ || program_.insts.empty()) return;
    for (const Reg r : dying_)
      program_.last_uses.push_back({program_.insts.size() - 1, slot(r).at, places_.bytes_of(r)});
    dying_.clear();
  }

  /// Variables that only one loop reads, and no enclosing one.
  void note_loop_locals() {
    const Regions regions(ir_.ops);
    const auto none = static_cast<std::uint32_t>(ir_.ops.size());
    constexpr std::uint32_t several = ~0u;
    std::vector<std::uint32_t> loop(ir_.regs.size(), none);  // by its end
    std::vector<bool> read(ir_.regs.size());
    const auto reads = [&](Reg r, std::uint32_t end) {
      if (r == no_reg) return;
      loop[r] = !read[r] || loop[r] == end ? end : several;
      read[r] = true;
    };
    for (std::uint32_t k = 0; k < none; ++k) {
      for (const Reg r : ir_.ops[k].src) reads(r, regions.loop_end[k]);
    }
    for (const IndexedVariable& v : ir_.indexed) {
      for (const Reg r : v.regs) reads(r, none);
    }
    for (std::uint32_t k = 0; k < none; ++k) {
      const std::uint32_t end = regions.loop_end[k];
      if (end == none || regions.loop_end[end] != none || start_[k] == start_[k + 1]) continue;
      if (program_.rules[start_[k]].kind != EmitRule::Kind::iterate) continue;
      for (Reg r = 0; r < ir_.regs.size(); ++r) {
        if (ir_.regs[r].variable && read[r] && loop[r] == end)
          program_.loop_locals.push_back({start_[k], slot(r).at});
      }
    }
  }

  std::uint32_t line(const SourceLocation& where) {
    const auto [found, added] = lines_.try_emplace(
        {where.file, where.line}, static_cast<std::uint32_t>(program_.lines.size()));
    if (added) program_.lines.push_back(where);
    return found->second;
  }
  std::uint8_t chunks_of(Reg r) const {
    return ir_.regs[r].uniform ? std::uint8_t{1} : program_.chunks;
  }
  Inst start(const Op& op) {
    Inst inst;
    inst.line = line(op.where);
    if (construct_of(op) != no_construct)
      inst.number = static_cast<std::uint16_t>(construct_of(op));
    if (!op.dst.empty()) {
      const Slot dst = slot(op.dst[0]);
      inst.dst = dst.at;
      inst.chunks = chunks_of(op.dst[0]);
      if (dst.varying) inst.steps |= 0x80;
    }
    return inst;
  }
  void operand(Inst& inst, std::size_t k, Reg r) {
    const Slot s = slot(r);
    if (k == 3)
      inst.imm = s.at;
    else
      (k == 0 ? inst.a : k == 1 ? inst.b : inst.c) = s.at;
    if (s.varying) inst.steps = static_cast<std::uint8_t>(inst.steps | 1u << k);
  }
  void operands(Inst& inst, const Op& op) {
    for (std::size_t k = 0; k < op.src.size(); ++k) operand(inst, k, op.src[k]);
  }
  [[noreturn]] void no_function(const Op& op) const {
    std::string where;
    if (op.where.line > 0) where = fmt::format("{}:{}: ", op.where.file, op.where.line);
    throw Error(fmt::format("{}an operation on {} is not supported (number {}, from {})", where,
                            name_of(op.type), static_cast<int>(op.code), name_of(op.from)));
  }
  void add(const Op& op, Inst inst, Run function, const EmitRule& rule = {}) {
    if (function == nullptr) no_function(op);
    inst.run = function;
    program_.insts.push_back(inst);
    program_.rules.push_back(rule);
    program_.op_of.push_back(at_);
  }
  /// Control flow of a kind.
  void add_flow(const Op& op, const Inst& inst, Run function, EmitRule::Kind kind) {
    add(op, inst, function, {kind, op.code, op.type});
  }
  /// Bools and 32-bit numbers, for which machine code implements the commonest operations.
  EmitRule arithmetic(const Op& op, const Inst& inst) const {
    EmitRule rule;
    if (is_arithmetic(op.code, op.type, inst)) rule.kind = EmitRule::Kind::arithmetic;
    rule.code = op.code == Code::move ? Code::copy : op.code;
    rule.type = op.type;
    rule.variable = ir_.regs[op.dst[0]].variable;
    return rule;
  }

  /// With observers, each line is reported; control flow reports itself.
  void tell_line(const Op& op) {
    if (is_control(op.code)) {
      told_ = {"", 0};
      return;
    }
    if (!program_.tangled || op.where.line == 0) return;
    if (told_.file == op.where.file && told_.line == op.where.line) return;
    told_ = op.where;
    Inst inst;
    inst.line = line(op.where);
    add(op, inst, find_tell_line());
  }

  void emit(const Op& op) {
    if (is_pure(op.code)) return emit_pure(op);
    if (is_subgroup(op.code)) return emit_subgroup(op);
    if (is_control(op.code)) return emit_flow(op);
    switch (op.code) {
      case Code::move: {
        Inst inst = start(op);
        operands(inst, op);
        const Run hot = find_hot(op.code, op.type, {inst.chunks, inst.varying_result()});
        if (hot == nullptr) return add(op, inst, find_memory(op.code, op.type));
        if (inst.varying_result()) inst.steps |= 0x40;
        return add(op, inst, hot, arithmetic(op, inst));
      }
      case Code::load_indexed:
      case Code::store_indexed: {
        Inst inst = start(op);
        operands(inst, op);
        if (op.code == Code::store_indexed) inst.chunks = program_.chunks;
        const auto& place = op.as<IndexedPlace>();
        inst.imm = place.component;
        const IndexedArgs* const variable = indexed(place.variable);
        inst.args = variable;
        const bool word = op.type != Scalar::boolean && size_of(op.type) == 4;
        const bool is_short = word && is_short_indexed(*variable, inst);
        add(op, inst, find_memory(op.code, op.type),
            {is_short ? EmitRule::Kind::indexed : EmitRule::Kind::call, op.code, op.type});
        if (program_.tangled) tell_indexed(op, *variable, program_.insts.back());
        return;
      }
      case Code::print:
        return emit_print(op);
      case Code::image_texel:
      case Code::image_load:
      case Code::image_store:
      case Code::image_size:
        return emit_image(op);
      case Code::image_sample:
        return emit_sample(op);
      default:
        return emit_memory(op);
    }
  }

  void emit_pure(const Op& op) {
    if (is_tested_next()) {
      tested_ = at_;
      return;
    }
    Inst inst = start(op);
    if (op.masked) inst.steps |= 0x40;
    inst.imm = immediate_of(op);
    operands(inst, op);
    if (const Run hot = hot_function(op, inst)) return add(op, inst, hot, arithmetic(op, inst));
    if (op.code == Code::chain) {
      auto limit = std::make_unique<MemoryArgs>();
      limit->offset = op.as<Chain>().limit;
      inst.args = &limit->offset;
      program_.memory_args.push_back(std::move(limit));
    }
    const bool in_place = op.code == Code::chain
                              ? is_place(op)
                              : op.type == Scalar::boolean && op.code != Code::convert;
    add(op, inst, find_pure(op), in_place ? arithmetic(op, inst) : EmitRule());
  }

  /// Whether a chain is only an index times a stride.
  bool is_place(const Op& op) const {
    const RegInfo& before = ir_.regs[op.src[0]];
    return before.constant && before.value == 0 && !op.masked;
  }
  /// The function compiled for the instruction's form, if its operation has one.
  Run hot_function(const Op& op, Inst& inst) const {
    const HotForm form{inst.chunks, op.masked};
    if ((op.code == Code::div || op.code == Code::mod) && op.type == Scalar::u32) {
      const RegInfo& divisor = ir_.regs[op.src[1]];
      const auto value = static_cast<std::uint32_t>(divisor.value);
      if (!divisor.constant || !std::has_single_bit(value)) return nullptr;
      inst.imm =
          op.code == Code::div ? static_cast<std::uint32_t>(std::countr_zero(value)) : value - 1;
      return find_power_of_two(op.code, form);
    }
    return find_hot(op.code, op.type, form);
  }

  /// Whether the operation is a comparison, or an election, whose only use is a test directly after
  /// it: they become one instruction.
  bool is_tested_next() const {
    if (program_.tangled || at_ + 1 >= ir_.ops.size()) return false;
    const Op& op = ir_.ops[at_];
    const Op& next = ir_.ops[at_ + 1];
    if (next.code != Code::if_begin && next.code != Code::loop_test) return false;
    if (op.code == Code::elect)
      return next.code == Code::if_begin && next.src[0] == op.dst[0] &&
             places_.uses(op.dst[0]) == 1 && !ir_.regs[op.dst[0]].variable &&
             !branches_.is_break(at_ + 1);
    return op.src.size() == 2 && next.src[0] == op.dst[0] && places_.uses(op.dst[0]) == 1 &&
           !ir_.regs[op.dst[0]].variable && find_test(op.code, op.type, Test::enter, 1) != nullptr;
  }
  /// A test of the operation's condition, fused with the comparison that computes it if there is one.
  void add_test(const Op& op, Test kind, Run alone) {
    Inst inst = start(op);
    if (at_ > 0 && tested_ == at_ - 1) {
      const Op& comparison = ir_.ops[tested_];
      if (comparison.code == Code::elect)
        return add_flow(op, inst, find_enter_elected(program_.width), EmitRule::Kind::branch);
      inst.chunks = chunks_of(comparison.dst[0]);
      operands(inst, comparison);
      if (!ir_.regs[comparison.dst[0]].uniform) inst.steps |= 0x80;
      const bool whole = comparison.type == Scalar::u32 || comparison.type == Scalar::i32;
      EmitRule rule{EmitRule::Kind::branch, comparison.code, comparison.type, kind};
      if (kind == Test::jump && whole) rule.kind = EmitRule::Kind::jump_if;
      if (kind != Test::jump && is_test(comparison.code, comparison.type, inst, program_.chunks))
        rule.kind = EmitRule::Kind::test;
      return add(op, inst, find_test(comparison.code, comparison.type, kind, inst.chunks), rule);
    }
    operand(inst, 0, op.src[0]);
    EmitRule rule{EmitRule::Kind::branch, op.code, op.type, kind};
    if (kind == Test::jump)
      rule.kind = EmitRule::Kind::jump_if;
    else if (is_test(op.code, op.type, inst, program_.chunks))
      rule.kind = EmitRule::Kind::test;
    add(op, inst, alone, rule);
  }

  const IndexedArgs* indexed(std::uint32_t number) {
    auto& known = indexed_[number];
    if (known == nullptr) {
      auto args = std::make_unique<IndexedArgs>();
      for (const Reg r : ir_.indexed[number].regs) args->slots.push_back(slot(r).at);
      known = args.get();
      program_.indexed_args.push_back(std::move(args));
    }
    return known;
  }

  void emit_memory(const Op& op) {
    Inst inst = start(op);
    if (op.dst.empty()) inst.chunks = program_.chunks;  // a store reads all lanes' indices
    auto args = std::make_unique<MemoryArgs>();
    const bool by_address = has_pointer(op);
    const bool atomic = op.code == Code::atomic || op.code == Code::atomic_address;
    const MemoryPlace& place = place_of(op);
    args->resource = place.resource;
    args->stride = place.stride;
    args->offset = place.offset;
    args->step = static_cast<std::uint32_t>(place.step);
    if (atomic) args->op = op.as<AtomicOp>().op;
    if (!op.src.empty() && op.src[0] != no_reg) {
      args->has_index = true;
      args->index = slot(op.src[0]);
    }
    args->has_pointer = by_address;
    args->pointer = place.pointer;
    const bool loads =
        op.code == Code::load || op.code == Code::load_address || op.code == Code::array_length;
    const std::size_t first = loads ? 0 : 1;
    const std::vector<Reg>& values = loads ? op.dst : op.src;
    for (std::size_t k = first; k < values.size() && k - first < 4; ++k)
      args->value[k - first] = slot(values[k]);
    args->components = static_cast<std::uint32_t>(values.size() - first);
    if (atomic) {
      args->components = 1;
      args->step = 0;
      if (op.dst.empty() || (places_.uses(op.dst[0]) == 0 && !program_.tangled))
        inst.imm = no_result;
    }
    if (!by_address && op.code != Code::array_length) {
      args->limit = static_cast<std::uint32_t>(program_.limited.size());
      program_.limited.push_back(args.get());
      args->bytes = size_of(op.type);
    }
    inst.args = args.get();
    program_.memory_args.push_back(std::move(args));
    if (!program_.tangled && is_run(op)) {
      inst.imm = static_cast<std::uint64_t>(program_.size);
      inst.chunks = program_.chunks;
      const auto& m = *static_cast<const MemoryArgs*>(inst.args);
      return add(op, inst, find_run(op.code, inst.chunks),
                 {is_short_run(m) ? EmitRule::Kind::run : EmitRule::Kind::call, op.code, op.type});
    }
    add(op, inst,
        atomic ? find_atomic(op.code, op.type, op.as<AtomicOp>().op)
               : find_memory(op.code, op.type));
    if (program_.tangled && op.code != Code::array_length) tell_access(op, program_.insts.back());
  }

  /// The instruction becomes one that also reports its read or write to observers.
  void tell_indexed(const Op& op, const IndexedArgs& variable, Inst& inst) {
    const std::uint32_t number = op.as<IndexedPlace>().variable;
    auto told = std::make_unique<IndexedAccessArgs>();
    told->reads = op.code == Code::load_indexed;
    told->type = op.type;
    told->object = {.kind = MemoryObject::Kind::private_memory,
                    .binding = number,
                    .name = intern(ir_.indexed[number].name)};
    told->variable = &variable;
    std::uint64_t byte = 0;
    for (const Reg r : ir_.indexed[number].regs) {
      told->bytes.push_back(byte);
      byte += size_of(ir_.regs[r].type);
    }
    told->run = inst.run;
    told->value = slot(told->reads ? op.dst[0] : op.src[1]);
    inst.args = told.get();
    inst.run = find_tell_indexed();
    program_.indexed_access_args.push_back(std::move(told));
  }

  /// The instruction becomes one that also reports its reads or writes to observers.
  void tell_access(const Op& op, Inst& inst) {
    const auto kind = op.code == Code::load || op.code == Code::load_address ? AccessKind::read
                      : op.code == Code::atomic || op.code == Code::atomic_address
                          ? AccessKind::atomic
                          : AccessKind::write;
    if (!has_pointer(op) &&
        ir_.resources[place_of(op).resource].kind == ResourceUse::Kind::push_constants)
      return;
    auto access = std::make_unique<AccessArgs>();
    access->kind = kind;
    access->type = op.type;
    access->memory = static_cast<const MemoryArgs*>(inst.args);
    access->run = inst.run;
    access->name = kind == AccessKind::atomic ? atomic_name(op.as<AtomicOp>().op) : "";
    if (kind != AccessKind::write && !op.dst.empty()) access->result = slot(op.dst[0]);
    access->has_result = kind != AccessKind::write && !op.dst.empty();
    inst.args = access.get();
    inst.run = find_tell_access();
    program_.access_args.push_back(std::move(access));
  }

  /// Whether the access is to consecutive 32-bit numbers, one per lane.
  bool is_run(const Op& op) const {
    const std::size_t operands = op.code == Code::load ? 1 : op.code == Code::store ? 2 : 0;
    return operands != 0 && op.src.size() == operands && op.src[0] != no_reg &&
           op.dst.size() == 2 - operands && op.type != Scalar::boolean && size_of(op.type) == 4 &&
           place_of(op).stride == 4 && consecutive_[op.src[0]] && program_.size % chunk_lanes == 0;
  }
  std::unique_ptr<ListArgs> list_of(const Op& op) {
    auto list = std::make_unique<ListArgs>();
    for (const Reg r : op.src) {
      list->slots.push_back(slot(r));
      list->types.push_back(ir_.regs[r].type);
    }
    for (std::size_t k = 0; k < op.dst.size() && k < 4; ++k) list->result[k] = slot(op.dst[k]);
    list->results = static_cast<int>(op.dst.size());
    if (!op.dst.empty()) list->result_type = ir_.regs[op.dst[0]].type;
    return list;
  }

  /// Whether the operation makes or takes a ballot of which only the first word is used.
  bool is_one_word(const Op& op, spec::Name name) const {
    if (program_.tangled || program_.width != 32 || find_one_word(name) == nullptr) return false;
    const bool makes = op.code == Code::ballot;
    const std::vector<Reg>& words = makes ? op.dst : op.src;
    for (std::size_t k = 1; k < words.size(); ++k) {
      const RegInfo& word = ir_.regs[words[k]];
      if (makes ? places_.uses(words[k]) != 0 : !word.constant || word.value != 0) return false;
    }
    return ir_.regs[makes ? op.dst[0] : op.src[0]].uniform;
  }

  /// Dead results get no place.
  void leave_out_unused(const Op& op, ListArgs& list) const {
    if (program_.tangled) return;  // observers receive all of them
    for (std::size_t k = 0; k < op.dst.size(); ++k) {
      if (places_.uses(op.dst[k]) == 0) list.result[k].at = nowhere;
    }
  }

  void emit_subgroup(const Op& op) {
    if (is_tested_next()) {
      tested_ = at_;
      return;
    }
    Inst inst = start(op);
    const spec::Name name = name_of(op);
    if (is_one_word(op, name)) {
      operand(inst, 0, op.src[0]);
      return add(op, inst, find_one_word(name));
    }
    inst.imm = lanes_immediate(op);
    const int width = program_.width;
    const bool partitioned = spec::function(name).form == spec::Form::value_ballot;
    Run function = nullptr;
    auto list = list_of(op);
    if (partitioned) {
      list->inner = find_reduction(without_partition(op), op.type, width);
      if (list->inner == nullptr) no_function(op);
      function = find_partitioned(op.type, width);
    } else if (std::holds_alternative<Reduction>(op.detail)) {
      function = find_reduction(name, op.type, width);
    } else {
      function = find_subgroup(name, op.type, width);
    }
    if (function == nullptr) no_function(op);
    if (op.code == Code::ballot) leave_out_unused(op, *list);
    const bool by_list = partitioned || takes_list(op);
    if (by_list) {
      inst.args = list.get();
    } else {
      for (std::size_t k = 0; k < op.src.size(); ++k) operand(inst, k, op.src[k]);
    }
    if (program_.tangled) {
      auto outer = list_of(op);
      outer->each = function;
      outer->inner_args = inst.args;
      outer->name = spec::function(name).name.data();
      count_operands(spec::function(name).form, *outer);
      inst.args = outer.get();
      program_.list_args.push_back(std::move(outer));
      function = find_each_tangle();
    }
    program_.list_args.push_back(std::move(list));
    add(op, inst, function);
  }
  /// The components of each operand: four of a ballot.
  static void count_operands(spec::Form form, ListArgs& list) {
    switch (form) {
      case spec::Form::nothing:
        return;
      case spec::Form::condition:
      case spec::Form::condition_to_ballot:
      case spec::Form::comparison:
      case spec::Form::value:
      case spec::Form::value_to_ballot:
      case spec::Form::value_cluster:
        list.counts = {1};
        return;
      case spec::Form::value_index:
      case spec::Form::value_index_cluster:
        list.counts = {1, 1};
        return;
      case spec::Form::value_ballot:
        list.counts = {1, 4};
        return;
      case spec::Form::ballot:
        list.counts = {4};
        return;
      case spec::Form::ballot_index:
        list.counts = {4, 1};
        return;
    }
  }

  void emit_print(const Op& op) {
    Inst inst = start(op);
    auto list = list_of(op);
    const auto& print = op.as<Print>();
    list->counts = print.counts;
    inst.imm = print.format;
    inst.args = list.get();
    program_.list_args.push_back(std::move(list));
    add(op, inst, find_print());
  }

  void emit_image(const Op& op) {
    Inst inst = start(op);
    auto list = list_of(op);
    const auto& image = op.as<ImageOp>();
    inst.imm = image.resource;
    if (image.choices > 0) list->counts.push_back(image.choices);
    if (op.code == Code::image_load) leave_out_unused(op, *list);
    inst.args = list.get();
    program_.list_args.push_back(std::move(list));
    add(op, inst, find_image(op.code, op.type));
    if (program_.tangled && (op.code == Code::image_load || op.code == Code::image_store))
      tell_image(op, program_.insts.back());
  }
  void emit_sample(const Op& op) {
    Inst inst = start(op);
    auto args = std::make_unique<SampleArgs>();
    const auto& sample = op.as<Sampling>();
    args->image = sample.image.resource;
    args->image_choices = sample.image.choices;
    args->sampler = sample.sampler;
    args->sampler_choices = sample.sampler_choices;
    args->axes = sample.axes;
    args->arrayed = sample.arrayed;
    args->compares = sample.compares;
    args->gathers = sample.gathers;
    args->component = sample.component;
    args->has_lod = sample.has_lod;
    args->gradients = sample.gradients;
    args->offset_count = sample.offsets;
    std::size_t next = 0;
    const auto take = [&](std::span<Slot> slots, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) slots[k] = slot(op.src[next++]);
    };
    take(args->coordinates, args->axes + (args->arrayed ? 1 : 0));
    take(std::span(&args->reference, 1), args->compares ? 1 : 0);
    take(std::span(&args->lod, 1), args->has_lod ? 1 : 0);
    take(args->gradient, args->gradients);
    take(args->offset, args->offset_count);
    take(std::span(&args->image_element, 1), args->image_choices > 0 ? 1 : 0);
    take(std::span(&args->sampler_element, 1), args->sampler_choices > 0 ? 1 : 0);
    args->results = op.dst.size();
    for (std::size_t k = 0; k < op.dst.size(); ++k) args->result[k] = slot(op.dst[k]);
    inst.args = args.get();
    inst.imm = sample.image.resource;
    const std::size_t coordinates = args->axes + (args->arrayed ? 1 : 0);
    program_.sample_args.push_back(std::move(args));
    add(op, inst, find_sample());
    if (program_.tangled) tell_sample(op, coordinates, program_.insts.back());
  }
  /// The instruction becomes one that also reports coordinates and results to observers.
  void tell_sample(const Op& op, std::size_t coordinates, Inst& inst) {
    auto told = list_of(op);
    told->slots.resize(coordinates);
    told->each = inst.run;
    told->inner_args = inst.args;
    told->name = op.as<Sampling>().gathers ? "textureGather" : "texture";
    inst.args = told.get();
    inst.run = find_tell_sample();
    program_.list_args.push_back(std::move(told));
  }
  /// The instruction becomes one that also reports the texels that it reads or writes.
  void tell_image(const Op& op, Inst& inst) {
    auto told = std::make_unique<ListArgs>();
    told->each = inst.run;
    told->inner_args = inst.args;
    told->name = op.code == Code::image_load ? "imageLoad" : "imageStore";
    inst.args = told.get();
    inst.run = find_tell_image();
    program_.list_args.push_back(std::move(told));
  }

  // Control flow.

  void emit_flow(const Op& op) {
    Inst inst = start(op);
    switch (op.code) {
      case Code::if_begin: {
        if (branches_.is_jump(op)) return add_test(op, Test::jump, find_jump(true));
        if (branches_.is_break(at_)) return add_test(op, Test::leave, find_leave_loop_if());
        return add_test(op, Test::enter, find_flow(op.code, program_.tangled));
      }
      case Code::retire:
        // Directly before the end no lane continues.
        if (ir_.ops[at_ + 1].code == Code::end) return;
        return add_flow(op, inst, find_flow(op.code, program_.tangled), EmitRule::Kind::branch);
      case Code::leave_loop:
        if (at_ > 0 && branches_.is_break(at_ - 1)) return;
        return add_flow(op, inst, find_flow(op.code, program_.tangled), EmitRule::Kind::branch);
      case Code::if_else:
        if (branches_.is_empty_else(at_)) return;
        if (branches_.is_jump(op))
          return add_flow(op, inst, find_jump(false), EmitRule::Kind::jump);
        return add_flow(op, inst, find_flow(op.code, program_.tangled), EmitRule::Kind::branch);
      case Code::if_end:
        if (branches_.is_jump(op) || (at_ > 2 && branches_.is_break(at_ - 3))) return;
        return add_end_of_selection(op, inst);
      case Code::loop_test:
        // A test that all lanes pass is for the stack's events alone; before the first iteration of a
        // loop whose test comes last there is none.
        if (!program_.tangled && op.as<LoopTest>().kind != LoopTest::Kind::asks) return;
        if (op.as<LoopTest>().kind == LoopTest::Kind::precedes) {
          inst.imm = before_first_iteration;
          return add_flow(op, inst, find_flow(op.code, true), EmitRule::Kind::branch);
        }
        if (branches_.is_jump_out(op)) return add_test(op, Test::jump, find_jump(true));
        return add_test(op, Test::stay, find_flow(op.code, program_.tangled));
      case Code::loop_head:
        return;
      case Code::trip_end:
        return add_end_of_trip(op, inst);
      case Code::loop_back:
        if (branches_.goes_back(at_ - 1)) return;
        inst.imm = branches_.tests_first(op) ? 1 : 0;
        return add_flow(op, inst, find_flow(op.code, program_.tangled), EmitRule::Kind::iterate);
      case Code::switch_case: {
        auto args = std::make_unique<CaseArgs>();
        const auto& one = op.as<Case>();
        args->labels = one.labels;
        args->other = one.is_default;
        args->type = op.type;
        args->selector = slot(op.src[0]);
        inst.args = args.get();
        program_.case_args.push_back(std::move(args));
        return add_flow(op, inst, find_flow(op.code, program_.tangled), EmitRule::Kind::branch);
      }
      case Code::leave_loop_around:
        inst.number = static_cast<std::uint16_t>(op.as<LeaveAround>().outermost);
        return add_flow(op, inst, find_flow(op.code, program_.tangled), EmitRule::Kind::branch);
      case Code::call_begin:
        calls_.push_back(construct_of(op));
        return add_flow(op, inst, find_flow(op.code, program_.tangled), EmitRule::Kind::branch);
      case Code::call_end:
        calls_.pop_back();
        return add_flow(op, inst, find_flow(op.code, program_.tangled), EmitRule::Kind::branch);
      case Code::barrier:
        // Lanes that have returned from the entry point are known to the outermost call.
        inst.imm = calls_.empty() ? 0 : calls_.front() + 1;
        return add_flow(op, inst, find_flow(op.code, program_.tangled), EmitRule::Kind::stop);
      case Code::end:
        return add_flow(op, inst, find_flow(op.code, program_.tangled), EmitRule::Kind::end);
      default:
        return add_flow(op, inst, find_flow(op.code, program_.tangled), EmitRule::Kind::branch);
    }
  }
  void add_end_of_trip(const Op& op, Inst inst) {
    EmitRule rule{EmitRule::Kind::rejoin, op.code, op.type};
    rule.continues = branches_.continues(op);
    if (!branches_.goes_back(at_)) return add(op, inst, find_flow(op.code, program_.tangled), rule);
    rule.kind = EmitRule::Kind::iterate;
    inst.imm = branches_.tests_first(op) ? 1 : 0;
    add(op, inst, find_trip_back(), rule);
  }
  void add_end_of_selection(const Op& op, const Inst& inst) {
    if (at_ > 0 && !branches_.is_empty_else(at_ - 1))
      return add_flow(op, inst, find_end_after_else(program_.tangled), EmitRule::Kind::branch);
    const bool is_short = is_test(op.code, op.type, inst, program_.chunks);
    add_flow(op, inst, find_flow(op.code, program_.tangled),
             is_short ? EmitRule::Kind::rejoin : EmitRule::Kind::branch);
  }
  const Ir& ir_;
  Program& program_;
  std::uint32_t once_;
  RegisterPlaces places_;
  Branches branches_;
  std::vector<bool> consecutive_;  ///< registers that hold base + lane
  std::uint32_t at_ = 0;
  std::vector<Reg> dying_;            ///< values whose last use is the next instruction
  std::uint32_t tested_ = nowhere;    ///< the comparison fused with the next test
  std::vector<std::uint32_t> start_;  ///< first instruction of each operation
  std::map<std::pair<const char*, int>, std::uint32_t> lines_;
  std::map<std::uint32_t, const IndexedArgs*> indexed_;
  SourceLocation told_{"", 0};
  std::vector<std::uint32_t> calls_;  ///< the constructs of those around here
};

/// The narrowest registers that hold a subgroup.
int register_width(int size) {
  return [size]<int... W>(std::integer_sequence<int, W...>) {
    return std::min({(size <= W ? W : 128)...});
  }
  (RegisterWidths());
}

/// What events and findings call the resources. Shared variables have no binding, but a number.
std::vector<MemoryObject> objects_of(const std::vector<ResourceUse>& resources) {
  using Kind = MemoryObject::Kind;
  std::vector<MemoryObject> objects;
  std::uint32_t shared = 0;
  for (const ResourceUse& use : resources) {
    const bool is_shared = use.kind == ResourceUse::Kind::workgroup;
    MemoryObject object{Kind::buffer, use.set, is_shared ? shared++ : use.binding, use.element,
                        intern(use.name)};
    if (is_shared) object.kind = Kind::shared;
    if (use.kind == ResourceUse::Kind::push_constants) object.kind = Kind::push_constants;
    if (use.kind == ResourceUse::Kind::image) object.kind = Kind::image;
    if (use.kind == ResourceUse::Kind::sampler) object.kind = Kind::sampler;
    objects.push_back(object);
  }
  return objects;
}

}  // namespace

std::unique_ptr<Program> assemble(Ir ir, int size, const AssembleOptions& options) {
  const bool tangled = options.tangled;
  const std::uint32_t once = analyse(ir, size, options);
  auto program = std::make_unique<Program>();
  program->size = size;
  program->width = register_width(size);
  program->chunks = static_cast<std::uint8_t>((size + chunk_lanes - 1) / chunk_lanes);
  program->tangled = tangled;
  program->has_barriers = ir.has_barriers;
  program->constructs = ir.constructs;
  if (ir.constructs > 0xffff)
    throw Error(
        "once functions are inlined, the shader has more than 65535 selections, loops and calls: "
        "call functions that hold such from fewer places");
  std::copy(std::begin(ir.local_size), std::end(ir.local_size), program->local_size);
  Assembler(ir, *program, once, options.linear).run();
  NativeResult native = make_native(*program);
  program->native = std::move(native.code);
  program->target = native.target;
  program->no_native = std::move(native.reason);
  program->ops = std::move(ir.ops);
  program->objects = objects_of(ir.resources);
  program->resources = std::move(ir.resources);
  program->formats = std::move(ir.formats);
  return program;
}

}  // namespace lockstep::spirv
