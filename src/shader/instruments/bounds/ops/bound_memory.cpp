#include <algorithm>
#include <map>
#include <optional>

#include "oracle/memory.hpp"
#include "oracle/operations.hpp"
#include "shader/run/bound_args.hpp"
#include "shader/run/ops/memory_access.hpp"

/// \file
/// Values that conforming devices may have: buffers, shared memory, and indexed variables.

namespace lockstep::spirv {
namespace {

using oracle::Allowed;
using oracle::Why;
using Kind = Allowed::Kind;

bool has_address(const Op& op) {
  return op.code == Code::load_address || op.code == Code::store_address ||
         op.code == Code::atomic_address;
}

/// The memory that an operation may reach, and where in it a lane's access starts.
struct Target {
  std::byte* data = nullptr;
  std::uint64_t size = 0, byte = 0;
  std::uint64_t first = 0;  ///< no index is below the member that is accessed
  std::uint64_t index = 0;

  /// The address of some bytes from there on; null outside.
  std::byte* at(std::uint64_t offset, std::uint64_t bytes) const {
    return data != nullptr && byte + offset + bytes <= size ? data + byte + offset : nullptr;
  }
};

Target target_of(const Context& c, const BoundArgs& args, int lane) {
  const Op& op = *args.bound.of;
  const MemoryPlace& place = place_of(op);
  const Slot& slot = args.slots[0];
  const std::uint64_t index = slot.at == nowhere ? 0 : get_bits(c, slot, args.types[0], lane);
  if (has_address(op)) {
    const Pointee pointee = pointee_of(c, place.pointer, index);
    return {pointee.data, pointee.size, pointers::pointer_byte(index) + place.offset, 0, index};
  }
  const Memory& memory = c.memory[place.resource];
  return {memory.data, memory.size, place.offset + index * place.stride,
          std::min(place.offset, memory.size), index};
}

/// An index that may differ: the element may be any value of the kind that the index has.
Allowed of_index(const Allowed& index) {
  if (index.kind == Kind::exact) return {};
  if (index.kind != Kind::within) return index;
  return oracle::any(Kind::open, Why::index, index.origin);
}

std::uint64_t bytes_of(const Op& op) { return size_of(op.type); }
/// Of a store.
std::size_t components(const Op& op) { return op.src.size() - 1; }

const Inst* load(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  const Op& op = *args.bound.of;
  for_each_lane(c.state.active, [&](int lane) {
    const Target target = target_of(c, args, lane);
    const Allowed index = of_index(get_allowed(c, args.slots[1], lane));
    for (std::size_t k = 0; k < args.results.size(); ++k) {
      const std::byte* const at = target.at(k * place_of(op).step, bytes_of(op));
      Allowed there = at == nullptr ? Allowed{} : c.bounds->load(at, bytes_of(op));
      if (there.is_float && !is_float(op.type))
        there = oracle::any(Kind::open, Why::bits, there.origin);
      put_allowed(c, args.results[k], lane, oracle::weaker(there, index));
    }
  });
  return i + 1;
}

/// Elsewhere something may have been written as well.
void taint_all_of(Context& c, const Target& target, const Allowed& reason, bool placed = false) {
  if (target.data != nullptr)
    c.bounds->taint(target.data + target.first, target.size - target.first, reason, placed);
}

/// Notes what a store whose place or value an atomic's result decides leaves for other orders.
class Placing {
 public:
  Placing(Context& c, const BoundArgs& args, int lane, const Target& target)
      : c_(c), args_(args), op_(*args.bound.of), lane_(lane), target_(target) {}

  /// Whether each order places the same values, somewhere else.
  bool is_placed(const Allowed& index, const Allowed& control) const {
    if (index.kind != Kind::unordered || control.kind != Kind::exact || has_address(op_))
      return false;
    for (std::size_t k = 0; k < components(op_); ++k) {
      if (!get_allowed(c_, args_.slots[3 + k], lane_).is_number()) return false;
    }
    return true;
  }
  /// Component k.
  void place(std::size_t k, std::byte* at, const Allowed& index, const Allowed& value) {
    const MemoryPlace& place = place_of(op_);
    const std::uint64_t offset = target_.first + k * place.step;
    if (target_.data == nullptr || offset >= target_.size) return;
    if (at != nullptr) {
      const Allowed before = c_.bounds->stored(at, bytes_of(op_));
      std::uint64_t bits = 0;
      std::memcpy(&bits, at, bytes_of(op_));
      if (before.kind != Kind::unordered) placements().note_before({at, bits, before});
    }
    placements().note_placed(args_.bound.of.get(), k,
                             {.first = target_.data + offset,
                              .stride = place.stride,
                              .end = target_.data + target_.size,
                              .bytes = bytes_of(op_)},
                             {at, bits_of(k), value}, args_.bound.placed ? index.counter : 0,
                             target_.index);
  }
  void keep_value(std::size_t k, std::byte* at, const Allowed& value, const Allowed& control) {
    if (value.kind != Kind::unordered && control.kind != Kind::unordered) return;
    if (control.kind == Kind::exact && args_.bound.returned[k] && value.counter != 0)
      placements().note_returned(args_.bound.of.get(), k, {at, bits_of(k), value}, bytes_of(op_),
                                 value.counter);
    else
      placements().note_unknown(at, bytes_of(op_));
  }

 private:
  oracle::Placements& placements() { return c_.bounds->placements(); }
  std::uint64_t bits_of(std::size_t k) const {
    const std::size_t at = 3 + components(op_) + k;
    return get_bits(c_, args_.slots[at], args_.types[at], lane_);
  }

  Context& c_;
  const BoundArgs& args_;
  const Op& op_;
  int lane_;
  const Target& target_;
};

const Inst* store(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  const Op& op = *args.bound.of;
  oracle::Memory::Followed* const followed = c.bounds->followed();
  if (followed != nullptr) followed->stored.clear();
  for_each_lane(c.state.active, [&](int lane) {
    const Target target = target_of(c, args, lane);
    const Allowed index = of_index(get_allowed(c, args.slots[1], lane));
    const Allowed control = get_allowed(c, args.slots[2], lane);
    Placing placing(c, args, lane, target);
    const bool placed = placing.is_placed(index, control);
    if (index.kind != Kind::exact) taint_all_of(c, target, index, placed);
    for (std::size_t k = 0; k < components(op); ++k) {
      std::byte* const at = target.at(k * place_of(op).step, bytes_of(op));
      const Allowed value = get_allowed(c, args.slots[3 + k], lane);
      if (placed) placing.place(k, at, index, value);
      if (at == nullptr) continue;
      if (index.kind == Kind::exact) placing.keep_value(k, at, value, control);
      const Allowed all = oracle::weaker(oracle::weaker(value, index), control);
      c.bounds->store(at, bytes_of(op), all);
      if (followed != nullptr) followed->stored.emplace_back(at, all);
    }
  });
  return i + 1;
}

// ---- Atomics ----

/// Whether the order of several does not matter.
bool commutes(Operator op) {
  switch (op) {
    case Operator::exchange:
    case Operator::compare_exchange:
    case Operator::store:
      return false;
    default:
      return true;
  }
}

/// What memory holds after a lane's atomic.
class AtomicUpdate {
 public:
  AtomicUpdate(const BoundArgs& args, const Context& c)
      : args_(args), c_(c), op_(*args.bound.of), operands_(op_.src.size() - 1) {
    rules_.precision.format = format_of(is_float(op_.type) ? op_.type : Scalar::f32);
    rules_.precision.flushes = !op_.controls.keeps_denormals;
    rules_.origin = args.bound.origin;
  }

  Allowed of(const std::byte* at, int lane) const {
    return oracle::weaker(updated(at, lane), get_allowed(c_, args_.slots[2], lane));
  }

 private:
  static Allowed as_open(const Allowed& a) {
    return a.kind == Kind::within ? oracle::any(Kind::open, Why::conversion, a.origin) : a;
  }
  Allowed updated(const std::byte* at, int lane) const {
    const Operator kind = op_.as<AtomicOp>().op;
    Allowed old = c_.bounds->load(at, bytes_of(op_));
    if (old.is_float && !is_float(op_.type)) old = oracle::any(Kind::open, Why::bits, old.origin);
    if (kind == Operator::load) return old;
    if (commutes(kind) && is_float(op_.type)) {
      Allowed after = of_floats(kind, number_at(at, old), number(lane));
      after.is_float = true;
      after.normal = op_.controls.flushes;
      return after;
    }
    Allowed operands;
    for (std::size_t k = 0; k < operands_; ++k)
      operands = oracle::weaker(operands, operand(k, lane));
    if (kind == Operator::store) return operands;
    if (commutes(kind)) return oracle::weaker(as_open(old), as_open(operands));
    if (c_.bounds->followed() != nullptr) return oracle::weaker(as_open(old), as_open(operands));
    return oracle::weaker(oracle::any(Kind::unordered, Why::atomic, rules_.origin), operands);
  }
  Allowed operand(std::size_t k, int lane) const {
    return get_allowed(c_, args_.slots[3 + operands_ + k], lane);
  }
  Allowed number(int lane) const {
    const std::uint64_t bits = get_bits(c_, args_.slots[3], args_.types[3], lane);
    return oracle::operand(operand(0, lane), oracle::from_bits(bits, rules_.precision.format),
                           rules_);
  }
  Allowed number_at(const std::byte* at, const Allowed& old) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, bytes_of(op_));
    return oracle::operand(old, oracle::from_bits(bits, rules_.precision.format), rules_);
  }
  /// In any order: the terms of a sum.
  Allowed of_floats(Operator kind, const Allowed& old, const Allowed& value) const {
    if (!old.is_number()) return old;
    if (!value.is_number()) return value;
    if (kind == Operator::min) return oracle::minimum(old, value, rules_);
    if (kind == Operator::max) return oracle::maximum(old, value, rules_);
    // What is added is one term, however it came about.
    Allowed term = value;
    term.real = oracle::leaf(value.values);
    return oracle::add(old, term, rules_);
  }

  const BoundArgs& args_;
  const Context& c_;
  const Op& op_;
  std::size_t operands_;
  oracle::Rules rules_;
};

/// Notes the turns of an atomic's lanes, before the first of them.
class Turns {
 public:
  Turns(Context& c, const BoundArgs& args) : c_(c), args_(args), op_(*args.bound.of) {}

  /// The number of the counter that a lane's atomic updates.
  std::uint32_t note(const std::byte* at, int lane) {
    const Operator kind = op_.as<AtomicOp>().op;
    if (kind == Operator::load) return 0;
    const bool adds = (kind == Operator::add || kind == Operator::sub) && !is_float(op_.type);
    std::uint64_t before = 0;
    std::memcpy(&before, at, bytes_of(op_));
    std::uint64_t& added = added_[at];
    std::uint64_t step = adds ? get_bits(c_, args_.slots[3], args_.types[3], lane) : 0;
    if (kind == Operator::sub) step = 0 - step;
    c_.bounds->placements().note_unknown(at, bytes_of(op_));
    const std::uint32_t counter =
        c_.bounds->placements().note_turn(at, bytes_of(op_), before + added, adds, step);
    added += step;
    return counter;
  }

 private:
  Context& c_;
  const BoundArgs& args_;
  const Op& op_;
  std::map<const std::byte*, std::uint64_t> added_;  ///< by the lanes so far
};

const Inst* atomic(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  const Op& op = *args.bound.of;
  const AtomicUpdate update(args, c);
  // What is read depends on which lanes came before.
  Turns turns(c, args);
  Allowed read = oracle::any(Kind::unordered, Why::atomic, args.bound.origin);
  oracle::Memory::Followed* const followed = c.bounds->followed();
  for_each_lane(c.state.active, [&](int lane) {
    const Target target = target_of(c, args, lane);
    const Allowed index = of_index(get_allowed(c, args.slots[1], lane));
    if (index.kind != Kind::exact) taint_all_of(c, target, index);
    std::byte* const at = target.at(0, bytes_of(op));
    if (at == nullptr) return;
    const Allowed after = update.of(at, lane);
    if (followed == nullptr) {
      read.counter = turns.note(at, lane);
    } else {
      read = after.kind == Kind::exact ? after : oracle::any(Kind::open, after.why, after.origin);
      const bool rounds = is_float(op.type) && commutes(op.as<AtomicOp>().op);
      followed->inexact_atomics |= rounds ? !args.results.empty() : read.kind != Kind::exact;
    }
    if (op.as<AtomicOp>().op != Operator::load)
      c.bounds->store(at, bytes_of(op), oracle::weaker(after, index));
    if (!args.results.empty()) put_allowed(c, args.results[0], lane, oracle::weaker(read, index));
  });
  return i + 1;
}

/// Anywhere in the memory that an operation may reach.
void taint_resource(const BoundArgs& args, Context& c, const Allowed& reason) {
  const Op& op = *args.bound.of;
  const auto taint = [&](std::uint64_t number) {
    const Memory& memory = c.memory[number];
    if (memory.data != nullptr) c.bounds->taint(memory.data, memory.size, reason);
  };
  if (op.code == Code::image_store) {
    const auto& image = op.as<ImageOp>();
    for (std::uint64_t k = 0; k < std::max<std::uint64_t>(image.choices, 1); ++k)
      taint(image.resource + k);
  } else if (has_address(op)) {
    c.bounds->taint_everything(reason);
  } else {
    taint(place_of(op).resource);
  }
}

/// In the element that a lane's index names.
void taint_element(const BoundArgs& args, Context& c, const Allowed& reason, int lane) {
  const Op& op = *args.bound.of;
  if (op.code == Code::image_store) {
    const Memory& image = c.memory[op.as<ImageOp>().resource];
    const std::uint64_t bytes = texel_bytes(image.format),
                        number = get_bits(c, args.slots[0], args.types[0], lane);
    if ((number + 1) * bytes <= image.size)
      c.bounds->taint(image.data + number * bytes, bytes, reason);
    return;
  }
  const bool stores = op.code == Code::store || op.code == Code::store_address;
  const Target target = target_of(c, args, lane);
  for (std::size_t k = 0; k < (stores ? op.src.size() - 1 : 1); ++k) {
    const std::byte* const at = target.at(k * place_of(op).step, bytes_of(op));
    if (at != nullptr) c.bounds->taint(at, bytes_of(op), reason);
  }
}

/// Operands: the index, the control's, and what the index was computed from.
const Inst* taint(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  Allowed anywhere;
  for_each_lane(c.state.active, [&](int lane) {
    const Allowed reason = get_allowed(c, args.slots[1], lane);
    if (reason.kind == Kind::exact) return;
    bool known = args.bound.element;
    for (std::size_t k = 2; k < args.slots.size(); ++k)
      known = known && get_allowed(c, args.slots[k], lane).kind == Kind::exact;
    if (known)
      taint_element(args, c, reason, lane);
    else
      anywhere = oracle::weaker(anywhere, reason);
  });
  if (anywhere.kind != Kind::exact) taint_resource(args, c, anywhere);
  return i + 1;
}

// ---- Indexed variables ----

/// The register of the component that a lane's index names, or none.
Slot component_of(const Context& c, const BoundArgs& args, int lane) {
  const auto& place = args.bound.of->as<IndexedPlace>();
  const std::uint64_t number = place.component + get_bits(c, args.slots[0], args.types[0], lane);
  if (args.variable == nullptr || number >= args.variable->slots.size()) return {nowhere, false};
  return {args.variable->slots[number], true};
}

const Inst* load_indexed(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  for_each_lane(c.state.active, [&](int lane) {
    const Allowed there = get_allowed(c, component_of(c, args, lane), lane);
    const Allowed index = of_index(get_allowed(c, args.slots[1], lane));
    put_allowed(c, args.results[0], lane, oracle::weaker(there, index));
  });
  return i + 1;
}

const Inst* store_indexed(const Inst* i, Context& c) {
  const auto& args = *static_cast<const BoundArgs*>(i->args);
  for_each_lane(c.state.active, [&](int lane) {
    const Allowed index = of_index(get_allowed(c, args.slots[1], lane));
    const Slot to = component_of(c, args, lane);
    if (to.at != nowhere)
      put_allowed(c, to, lane, oracle::weaker(get_allowed(c, args.slots[2], lane), index));
    if (index.kind == Kind::exact) return;
    // The store may have reached any other component instead.
    for (const std::uint32_t at : args.variable->slots) {
      const Slot other{at, true};
      put_allowed(c, other, lane, oracle::weaker(get_allowed(c, other, lane), index));
    }
  });
  return i + 1;
}

}  // namespace

Run find_bound_memory(Bound::Kind kind) {
  switch (kind) {
    case Bound::Kind::load:
      return load;
    case Bound::Kind::store:
      return store;
    case Bound::Kind::atomic:
      return atomic;
    case Bound::Kind::taint:
      return taint;
    case Bound::Kind::load_indexed:
      return load_indexed;
    case Bound::Kind::store_indexed:
      return store_indexed;
    default:
      return find_bound_texel(kind);
  }
}

}  // namespace lockstep::spirv
