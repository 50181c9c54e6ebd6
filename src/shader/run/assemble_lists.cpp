#include "shader/run/assembler.hpp"

#include <memory>
#include <span>
#include <utility>

#include "shader/run/bound_args.hpp"
#include "shader/run/judged_operands.hpp"
#include "shader/run/ops/functions.hpp"

/// \file
/// Operations with lists of operands: those between lanes, images and prints.

namespace lockstep::spirv {
namespace {

/// The reduction or scan that a partitioned one runs once for each subset.
spec::Name without_partition(const Op& op) {
  const Code code = op.code == Code::partitioned_reduce           ? Code::reduce
                    : op.code == Code::partitioned_inclusive_scan ? Code::inclusive_scan
                                                                  : Code::exclusive_scan;
  return name_of(code, op.as<Reduction>().op);
}

/// How machine code implements the operation on all lanes at once.
EmitRule rule_between_lanes(const Op& op, const Inst& inst, int size, int chunks) {
  EmitRule rule{EmitRule::Kind::call, op.code, op.type};
  if (is_short_vote(op.code, op.type, inst, size)) {
    rule.kind = EmitRule::Kind::vote;
  } else if (is_short_shuffle(op.code, op.type, inst, size)) {
    rule.kind = EmitRule::Kind::shuffle;
  } else if (is_short_reduction(op, inst, size)) {
    rule.kind = EmitRule::Kind::reduction;
    rule.combine = op.as<Reduction>().op;
  } else if (is_short_broadcast(op.code, op.type, inst, chunks)) {
    rule.kind = EmitRule::Kind::broadcast;
  }
  return rule;
}

/// Whether it is a sum or product of floats.
bool has_float_order(const Op& op) {
  const auto* reduction = std::get_if<Reduction>(&op.detail);
  return reduction != nullptr && is_float(op.type) &&
         (reduction->op == Operator::add || reduction->op == Operator::mul);
}
OrderedReduction ordered_reduction(const Op& op, FloatOrder order) {
  using Kind = OrderedReduction::Kind;
  const auto& reduction = op.as<Reduction>();
  const bool inclusive =
      op.code == Code::inclusive_scan || op.code == Code::partitioned_inclusive_scan;
  const bool exclusive =
      op.code == Code::exclusive_scan || op.code == Code::partitioned_exclusive_scan;
  return {inclusive   ? Kind::inclusive
          : exclusive ? Kind::exclusive
                      : Kind::all,
          reduction.op, order, reduction.cluster};
}

/// Inst::imm of an operation between lanes.
std::uint64_t lanes_immediate(const Op& op) {
  if (const auto* reduction = std::get_if<Reduction>(&op.detail)) return reduction->cluster;
  if (const auto* cluster = std::get_if<Cluster>(&op.detail)) return cluster->lanes;
  // What a lane's number differs by from its partner's.
  if (const auto* quad = std::get_if<Quad>(&op.detail)) return quad->direction + 1;
  return 0;
}

bool takes_list(const Op& op) {
  return is_subgroup(op.code) && (op.src.size() > 3 || op.dst.size() > 1);
}

}  // namespace

std::unique_ptr<ListArgs> Assembler::list_of(const Op& op) {
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

/// Whether the operation runs once per tangle, or tells an observer of it.
bool Assembler::runs_by_tangle(const Op& op) const {
  return program_.on_stack() || is_told(op, Event::Kind::built_in);
}

/// Whether a rule of checks needs the operands of a built-in: they must not differ, are of quads, or are ballots that
/// may have bits of no lane of the subgroup.
bool Assembler::is_judged(const Op& op) const {
  const auto& function = spec::function(name_of(op));
  if (function.form == spec::Form::ballot && op.code != Code::inverse_ballot)
    return !ballots_.is_ballot(op.src);
  if (function.form == spec::Form::ballot_index || function.form == spec::Form::value_to_ballot)
    return false;
  return has_judged_operands(function.name);
}

/// Whether the operation makes or takes a ballot of which only the first word is used.
bool Assembler::is_one_word(const Op& op, spec::Name name) const {
  if (runs_by_tangle(op) || program_.width != 32 || functions().find_one_word(name) == nullptr)
    return false;
  const bool makes = op.code == Code::ballot;
  const std::vector<Reg>& words = makes ? op.dst : op.src;
  for (std::size_t k = 1; k < words.size(); ++k) {
    const RegInfo& word = ir_.regs[words[k]];
    if (makes ? places_.uses(words[k]) != 0 : !word.constant || word.value != 0) return false;
  }
  return ir_.regs[makes ? op.dst[0] : op.src[0]].uniform;
}

/// How machine code implements the operation on a ballot of four words.
EmitRule Assembler::rule_of_ballots(const Op& op, const Inst& inst) const {
  EmitRule rule{EmitRule::Kind::call, op.code, op.type};
  if (op.code != Code::ballot && spec::function(name_of(op)).form != spec::Form::ballot &&
      spec::function(name_of(op)).form != spec::Form::ballot_index)
    return rule;
  const bool only_first =
      op.src.size() >= 4 && ballots_.is_ballot(std::span<const Reg>(op.src).first(4));
  if (is_short_ballots(op.code, inst, program_.size, only_first))
    rule.kind = EmitRule::Kind::ballots;
  return rule;
}

/// Dead results get no place.
void Assembler::leave_out_unused(const Op& op, ListArgs& list) const {
  const auto told = op.code == Code::ballot ? Event::Kind::built_in : Event::Kind::read;
  if (is_told(op, told)) return;  // observers receive all of them
  for (std::size_t k = 0; k < op.dst.size(); ++k) {
    if (places_.uses(op.dst[k]) == 0) list.result[k].at = nowhere;
  }
}

void Assembler::emit_subgroup(const Op& op) {
  if (is_tested_next()) {
    tested_ = at_;
    return;
  }
  Inst inst = start(op);
  const spec::Name name = name_of(op);
  if (is_one_word(op, name)) {
    operand(inst, 0, op.src[0]);
    const auto kind = is_short_ballot(op.code) ? EmitRule::Kind::ballot : EmitRule::Kind::call;
    return add(op, inst, functions().find_one_word(name), {kind, op.code, op.type});
  }
  inst.imm = lanes_immediate(op);
  const int width = program_.width;
  const bool partitioned = spec::function(name).form == spec::Form::value_ballot;
  Run function = nullptr;
  auto list = list_of(op);
  if (partitioned) {
    list->inner = functions().find_reduction(without_partition(op), op.type, width);
    if (list->inner == nullptr) no_function(op);
    function = functions().find_partitioned(op.type, width);
  } else if (std::holds_alternative<Reduction>(op.detail)) {
    function = functions().find_reduction(name, op.type, width);
  } else {
    function = functions().find_subgroup(name, op.type, width);
  }
  if (function == nullptr) no_function(op);
  const bool in_other_order = program_.float_order != FloatOrder::tree && has_float_order(op);
  if (in_other_order) {
    inst.imm = ordered_reduction(op, program_.float_order).bits();
    (partitioned ? list->inner : function) = functions().find_ordered(op.type);
  }
  if (op.code == Code::ballot) leave_out_unused(op, *list);
  const bool by_list = partitioned || takes_list(op);
  if (by_list) {
    inst.args = list.get();
  } else {
    for (std::size_t k = 0; k < op.src.size(); ++k) operand(inst, k, op.src[k]);
  }
  if (runs_by_tangle(op)) {
    auto outer = list_of(op);
    outer->each = function;
    outer->inner_args = inst.args;
    outer->name = spec::function(name).name.data();
    outer->silent = !is_told(op, Event::Kind::built_in);
    count_operands(spec::function(name).form, *outer);
    inst.args = outer.get();
    program_.list_args.push_back(std::move(outer));
    function = functions().find_each_tangle();
  }
  program_.list_args.push_back(std::move(list));
  if (runs_by_tangle(op) || in_other_order || partitioned)
    return add(op, inst, function, EmitRule{EmitRule::Kind::call, op.code, op.type});
  add(op, inst, function,
      by_list ? rule_of_ballots(op, inst)
              : rule_between_lanes(op, inst, program_.size, program_.chunks));
}

void Assembler::emit_undefined_lanes(const Op& op) {
  Inst inst = start(op);
  const auto& built_in = op.as<UndefinedLanes>();
  inst.imm = built_in.cluster;
  inst.c = built_in.outside ? 1 : 0;
  inst.b = built_in.if_agreed ? 1 : 0;
  auto list = list_of(op);
  inst.args = list.get();
  Run function = functions().find_undefined_lanes(op, program_.width);
  if (function == nullptr) no_function(op);
  if (program_.on_stack()) {
    auto outer = list_of(op);
    outer->each = function;
    outer->inner_args = inst.args;
    outer->silent = true;
    inst.args = outer.get();
    program_.list_args.push_back(std::move(outer));
    function = functions().find_each_tangle();
  }
  program_.list_args.push_back(std::move(list));
  add(op, inst, function);
}
void Assembler::emit_report_undefined(const Op& op) {
  Inst inst = start(op);
  operands(inst, op);
  add(op, inst, functions().find_report_undefined());
}

void Assembler::emit_bound(const Op& op) {
  Inst inst = start(op);
  auto args = std::make_shared<BoundArgs>();
  args->bound = op.as<Bound>();
  for (const Reg r : op.src) {
    args->slots.push_back(r == no_reg ? Slot{nowhere, false} : slot(r));
    args->types.push_back(r == no_reg ? Scalar::u32 : ir_.regs[r].type);
  }
  for (const Reg r : op.dst) args->results.push_back(slot(r));
  const bool is_indexed = args->bound.kind == Bound::Kind::load_indexed ||
                          args->bound.kind == Bound::Kind::store_indexed;
  if (is_indexed && args->bound.variable < ir_.indexed.size())
    args->variable = indexed(args->bound.variable);
  // It stands behind the operation.
  if (args->bound.kind == Bound::Kind::sample_texels)
    args->sample = program_.sample_args.back().get();
  inst.args = args.get();
  const bool joins_lanes =
      args->bound.kind == Bound::Kind::gather || args->bound.kind == Bound::Kind::between ||
      args->bound.kind == Bound::Kind::reduce || args->bound.kind == Bound::Kind::spread;
  Run function = find_bound(args->bound.kind);
  program_.bound_args.push_back(std::move(args));
  if (program_.on_stack() && joins_lanes) {
    auto outer = std::make_unique<ListArgs>();
    outer->each = function;
    outer->inner_args = inst.args;
    outer->silent = true;
    inst.args = outer.get();
    program_.list_args.push_back(std::move(outer));
    function = functions().find_each_tangle();
  }
  add(op, inst, function);
}

/// The components of each operand: four of a ballot.
void Assembler::count_operands(spec::Form form, ListArgs& list) {
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

void Assembler::emit_print(const Op& op) {
  Inst inst = start(op);
  auto list = list_of(op);
  const auto& print = op.as<Print>();
  list->counts = print.counts;
  inst.imm = print.format;
  inst.args = list.get();
  program_.list_args.push_back(std::move(list));
  add(op, inst, find_print());
}

void Assembler::emit_count(const Op& op) {
  Inst inst = start(op);
  operands(inst, op);
  const auto& counting = op.as<Counting>();
  inst.imm = counting.counter;
  const bool splits = op.code == Code::count_split;
  const bool has_lanes = op.src.size() == (splits ? 2u : 1u);
  const CountedLanes lanes = !has_lanes          ? CountedLanes::active
                             : counting.inverted ? CountedLanes::that_hold
                                                 : CountedLanes::others;
  inst.c = static_cast<std::uint32_t>(lanes);
  const bool is_short = program_.size <= 64 && !(splits && has_lanes);
  add(op, inst, functions().find_count(op.code),
      {is_short ? EmitRule::Kind::count : EmitRule::Kind::call, op.code, Scalar::boolean});
}

void Assembler::emit_image(const Op& op) {
  Inst inst = start(op);
  auto list = list_of(op);
  const auto& image = op.as<ImageOp>();
  inst.imm = image.resource;
  inst.b = image.has_level ? 1 : 0;
  inst.c = static_cast<std::uint32_t>(image.query);
  if (image.choices > 0) list->counts.push_back(image.choices);
  if (op.code == Code::image_load) leave_out_unused(op, *list);
  inst.args = list.get();
  program_.list_args.push_back(std::move(list));
  add(op, inst, functions().find_image(op.code, op.type));
  if ((op.code == Code::image_load && (is_told(op, Event::Kind::read) || is_ordered(op, false))) ||
      (op.code == Code::image_store && (is_told(op, Event::Kind::write) || is_ordered(op, false))))
    tell_image(op, program_.insts.back());
}

void Assembler::emit_sample(const Op& op) {
  Inst inst = start(op);
  auto args = std::make_unique<SampleArgs>();
  const auto& sample = op.as<Sampling>();
  args->image = sample.image.resource;
  args->image_choices = sample.image.choices;
  args->sampler = sample.sampler;
  args->sampler_choices = sample.sampler_choices;
  args->axes = sample.axes;
  args->coordinate_count = sample.coordinates;
  args->arrayed = sample.arrayed;
  args->compares = sample.compares;
  args->gathers = sample.gathers;
  args->component = sample.component;
  args->has_lod = sample.has_lod;
  args->queries_level = sample.queries_level;
  args->gradients = sample.gradients;
  args->offset_count = sample.offsets;
  std::size_t next = 0;
  const auto take = [&](std::span<Slot> slots, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) slots[k] = slot(op.src[next++]);
  };
  const std::size_t coordinates = args->coordinate_count + (args->arrayed ? 1 : 0);
  take(args->coordinates, coordinates);
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
  program_.sample_args.push_back(std::move(args));
  add(op, inst, functions().find_sample());
  if (is_told(op, Event::Kind::read)) tell_sample(op, coordinates, program_.insts.back());
}

/// The instruction becomes one that also reports coordinates and results to observers.
void Assembler::tell_sample(const Op& op, std::size_t coordinates, Inst& inst) {
  auto told = list_of(op);
  told->slots.resize(coordinates);
  told->each = inst.run;
  told->inner_args = inst.args;
  told->name = op.as<Sampling>().gathers ? "textureGather" : "texture";
  inst.args = told.get();
  inst.run = functions().find_tell_sample();
  program_.list_args.push_back(std::move(told));
}

/// The instruction becomes one that also reports the texels that it reads or writes.
void Assembler::tell_image(const Op& op, Inst& inst) {
  auto told = std::make_unique<ListArgs>();
  told->each = inst.run;
  told->inner_args = inst.args;
  told->name = op.code == Code::image_load ? "imageLoad" : "imageStore";
  inst.args = told.get();
  inst.run = functions().find_tell_image();
  program_.list_args.push_back(std::move(told));
}

}  // namespace lockstep::spirv
