#include <lockstep/workgroup/atomics.hpp>

#include "shader/run/ops/exact.hpp"
#include "shader/run/ops/find.hpp"
#include "shader/run/ops/memory_access.hpp"
#include "shader/run/ops/number.hpp"

namespace lockstep::spirv {
namespace {

constexpr auto relaxed = detail::HostOrder::relaxed;

template <Operator op>
struct TurnOf;
template <>
struct TurnOf<Operator::add> : detail::AtomicAdd {};
template <>
struct TurnOf<Operator::min> : detail::AtomicMin {};
template <>
struct TurnOf<Operator::max> : detail::AtomicMax {};
template <>
struct TurnOf<Operator::band> : detail::AtomicAnd {};
template <>
struct TurnOf<Operator::bor> : detail::AtomicOr {};
template <>
struct TurnOf<Operator::bxor> : detail::AtomicXor {};
template <>
struct TurnOf<Operator::exchange> : detail::AtomicExchange {};
template <>
struct TurnOf<Operator::load> : detail::AtomicLoad {};
template <>
struct TurnOf<Operator::store> : detail::AtomicStore {};

/// How an atomic on floats computes.
enum class Mode : std::uint8_t {
  usual,
  cuts_off,             ///< sums are rounded towards zero (RoundingModeRTZ)
  flushes,              ///< denormal results become zero (DenormFlushToZero)
  cuts_off_and_flushes  ///< both
};
constexpr bool cuts_off(Mode mode) {
  return mode == Mode::cuts_off || mode == Mode::cuts_off_and_flushes;
}
constexpr bool flushes(Mode mode) {
  return mode == Mode::flushes || mode == Mode::cuts_off_and_flushes;
}

template <class T>
T flushed(T x) {
  const auto value = static_cast<double>(x);
  const bool is_denormal = std::abs(value) < std::ldexp(1.0, FormatOf<T>::least_exponent);
  return is_denormal ? T(std::copysign(0.0, value)) : x;
}

/// What a float in memory becomes.
template <Operator op, Mode mode, class T>
T updated(T old, T value) {
  if constexpr (flushes(mode)) {
    old = flushed(old);
    value = flushed(value);
  }
  T result = old;
  if constexpr (op == Operator::add && cuts_off(mode))
    result = add_to_zero(old, value);
  else
    TurnOf<op>::template turn<T>(detail::SingleThreadRef<T>(result), value, relaxed);
  return flushes(mode) ? flushed(result) : result;
}

template <Operator op, class T, Mode mode, class Object>
T change(Object object, T value, [[maybe_unused]] T compare) {
  if constexpr (mode != Mode::usual) {
    return detail::atomic_update<T>(object, relaxed,
                                    [&](T old) { return updated<op, mode>(old, value); });
  } else if constexpr (op == Operator::compare_exchange) {
    T old = compare;
    object.compare_exchange_strong(old, value, relaxed);
    return old;
  } else if constexpr (op == Operator::sub) {
    return object.fetch_add(detail::scalar::sub(T(0), value), relaxed);
  } else {
    return TurnOf<op>::template turn<T>(object, value, relaxed);
  }
}

template <Operator op, class T, Mode mode>
T change_at(bool alone, std::byte* at, T value, T compare) {
  return detail::atomic_once(
      *reinterpret_cast<T*>(at), alone, value, 0,
      [&](auto object, T v, int) { return change<op, T, mode>(object, v, compare); });
}

/// The operands of an atomic's lanes: comparator and new value of a compare-exchange, otherwise the
/// value if the operator has one.
template <class T>
class Values {
 public:
  Values(const Context& c, const MemoryArgs& m) {
    for (std::size_t k = 0; k < 2; ++k) {
      from_[k] = c.regs + m.value[k].at;
      step_[k] = m.value[k].varying ? sizeof(T) : 0;
    }
  }
  LOCKSTEP_INLINE T operator()(std::size_t k, int lane) const {
    T value;
    std::memcpy(&value, from_[k] + static_cast<std::size_t>(lane) * step_[k], sizeof value);
    return value;
  }

 private:
  const std::byte* from_[2];
  std::size_t step_[2];
};

/// One lane's update of the element.
template <Operator op, class T, Mode mode, class Object>
LOCKSTEP_INLINE T turn(Object object, const Values<T>& values, int lane) {
  constexpr bool compares = op == Operator::compare_exchange;
  return change<op, T, mode>(object, op == Operator::load ? T{} : values(0, lane),
                             compares ? values(1, lane) : T{});
}

/// The active lanes in order, each on the element at its index. Requires all indices in bounds.
template <Operator op, class T, Mode mode, class Object>
void each_turn(const Inst* i, Context& c, const MemoryArgs& m, std::byte* data) {
  const Values<T> values(c, m);
  const std::byte* const index = c.regs + m.index.at;
  std::byte* const to = c.regs + i->dst;
  const bool wanted = op != Operator::store && i->imm != no_result;
  const auto lane_turn = [&](int lane) __attribute__((always_inline)) {
    std::uint32_t at;
    std::memcpy(&at, index + static_cast<std::size_t>(lane) * 4, sizeof at);
    T& number = *reinterpret_cast<T*>(data + std::uint64_t{at} * m.stride);
    const T old = turn<op, T, mode>(Object(number), values, lane);
    if (wanted) std::memcpy(to + static_cast<std::size_t>(lane) * sizeof(T), &old, sizeof old);
  };
  for (int k = 0; k < i->chunks; ++k) {
    const auto lanes = chunk_mask(c.state.active, k);
    if (lanes.all_lanes()) {
      for (int lane = k * chunk_lanes; lane < (k + 1) * chunk_lanes; ++lane) lane_turn(lane);
    } else {
      for_each_lane(lanes, [&](int lane) { lane_turn(k * chunk_lanes + lane); });
    }
  }
}

/// Whether the lanes' updates of one element can be combined into one.
template <Operator op, class T>
constexpr bool goes_together = std::integral<T> && (op == Operator::add || op == Operator::min ||
                                                    op == Operator::max || op == Operator::band ||
                                                    op == Operator::bor || op == Operator::bxor);

/// One combined update of an element by all active lanes. Its old values must be dead.
template <Operator op, class T>
void turn_together(const Context& c, const MemoryArgs& m, const Memory& memory, std::byte* at) {
  const Values<T> values(c, m);
  const Mask<128> active = c.state.active;
  T all = values(0, active.first());
  for_each_lane(active.without(active.lowest()), [&](int lane) {
    turn<op, T, Mode::usual>(detail::SingleThreadRef<T>(all), values, lane);
  });
  if (c.only_thread || memory.local)
    change<op, T, Mode::usual>(detail::SingleThreadRef<T>(*reinterpret_cast<T*>(at)), all, T{});
  else
    change<op, T, Mode::usual>(detail::AtomicRef<T>(*reinterpret_cast<T*>(at)), all, T{});
}

/// Whether all active lanes' indices are below the limit.
bool all_below(const Inst* i, const Context& c, const MemoryArgs& m, std::uint64_t limit) {
  using Uint = Chunk<std::uint32_t>;
  if (limit > ~std::uint32_t{0}) return true;
  for (unsigned k = 0; k < i->chunks; ++k) {
    const Uint index = get<std::uint32_t>(c.regs + m.index.at + k * chunk_bytes<std::uint32_t>);
    const auto inside = (index < Uint(static_cast<std::uint32_t>(limit))).mask();
    if (chunk_mask(c.state.active, static_cast<int>(k)).without(inside).any_lane()) return false;
  }
  return true;
}

/// Runs all lanes' updates if every index is in bounds, without a check per lane. Returns whether it did.
template <Operator op, class T, Mode mode>
bool all_inside(const Inst* i, Context& c, const MemoryArgs& m) {
  const Memory& memory = c.memory[m.resource];
  const std::uint64_t limit = c.limits[m.limit];
  std::byte* const data = memory.data + m.offset;
  if ((reinterpret_cast<std::uintptr_t>(data) | m.stride) % sizeof(T) != 0) return false;
  if (!m.index.varying) {
    const auto index = m.has_index ? get_first<std::uint32_t>(c.regs + m.index.at) : 0;
    if constexpr (goes_together<op, T>) {
      if (i->imm != no_result || index >= limit) return false;
      turn_together<op, T>(c, m, memory, data + std::uint64_t{index} * m.stride);
      return true;
    }
    return false;
  }
  if (!all_below(i, c, m, limit)) return false;
  if (c.only_thread || memory.local)
    each_turn<op, T, mode, detail::SingleThreadRef<T>>(i, c, m, data);
  else
    each_turn<op, T, mode, detail::AtomicRef<T>>(i, c, m, data);
  return true;
}

template <Operator op, class T, Mode mode = Mode::usual>
const Inst* atomic(const Inst* i, Context& c) {
  const auto& m = *static_cast<const MemoryArgs*>(i->args);
  if (!m.has_pointer && all_inside<op, T, mode>(i, c, m)) return i + 1;
  const std::uint64_t limit = m.has_pointer ? 0 : c.limits[m.limit];
  const Values<T> values(c, m);
  for_each_lane(c.state.active, [&](int lane) {
    bool alone = c.only_thread;
    std::byte* at = nullptr;
    const auto lane_index = static_cast<std::size_t>(m.index.varying ? lane : 0);
    if (m.has_pointer) {
      std::uint64_t pointer;
      std::memcpy(&pointer, c.regs + m.index.at + lane_index * 8, 8);
      const Pointee pointee = pointee_of(c, m.pointer, pointer);
      at = at_pointer(c, i, m, pointee, AccessKind::atomic, op != Operator::load, pointer,
                      sizeof(T), lane);
      alone = alone || pointee.local;
    } else {
      std::uint32_t index = 0;
      if (m.has_index) std::memcpy(&index, c.regs + m.index.at + lane_index * 4, 4);
      const Memory& memory = c.memory[m.resource];
      alone = alone || memory.local;
      if (index < limit)
        at = memory.data + m.offset + std::uint64_t{index} * m.stride;
      else
        note_outside(c, i, m, AccessKind::atomic, index, lane);
    }
    T old{};
    if (at != nullptr && reinterpret_cast<std::uintptr_t>(at) % sizeof(T) == 0) {
      constexpr bool compares = op == Operator::compare_exchange;
      old = change_at<op, T, mode>(alone, at, op == Operator::load ? T{} : values(0, lane),
                                   compares ? values(1, lane) : T{});
    } else if (at != nullptr) {
      note_fault(c, i, AccessKind::atomic, m.resource, m.offset, lane);
    }
    if (op != Operator::store)
      std::memcpy(c.regs + i->dst + static_cast<std::size_t>(lane) * sizeof(T), &old, sizeof old);
  });
  return i + 1;
}

template <class T>
Run find_number(Operator op) {
  switch (op) {
    case Operator::add:
      return atomic<Operator::add, T>;
    case Operator::min:
      return atomic<Operator::min, T>;
    case Operator::max:
      return atomic<Operator::max, T>;
    case Operator::load:
      return atomic<Operator::load, T>;
    case Operator::store:
      return atomic<Operator::store, T>;
    case Operator::exchange:
      return atomic<Operator::exchange, T>;
    default:
      return nullptr;
  }
}

/// Of floats in a mode other than the usual one.
template <class T, Mode mode>
Run find_in_mode(Operator op) {
  switch (op) {
    case Operator::add:
      return atomic<Operator::add, T, mode>;
    case Operator::min:
      return atomic<Operator::min, T, mode>;
    case Operator::max:
      return atomic<Operator::max, T, mode>;
    default:
      return find_number<T>(op);  // they move bits
  }
}
template <class T>
Run find_in_modes(Operator op, const FloatControls& controls) {
  if (controls.cuts_off && controls.flushes) return find_in_mode<T, Mode::cuts_off_and_flushes>(op);
  if (controls.cuts_off) return find_in_mode<T, Mode::cuts_off>(op);
  return controls.flushes ? find_in_mode<T, Mode::flushes>(op) : find_number<T>(op);
}

template <class T>
Run find_whole(Operator op) {
  switch (op) {
    case Operator::sub:
      return atomic<Operator::sub, T>;
    case Operator::band:
      return atomic<Operator::band, T>;
    case Operator::bor:
      return atomic<Operator::bor, T>;
    case Operator::bxor:
      return atomic<Operator::bxor, T>;
    case Operator::compare_exchange:
      return atomic<Operator::compare_exchange, T>;
    default:
      return find_number<T>(op);
  }
}

}  // namespace

Run find_atomic(const Op& of) {
  const Operator op = of.as<AtomicOp>().op;
  switch (of.type) {
    case Scalar::i32:
      return find_whole<std::int32_t>(op);
    case Scalar::u32:
      return find_whole<std::uint32_t>(op);
    case Scalar::i64:
      return find_whole<std::int64_t>(op);
    case Scalar::u64:
      return find_whole<std::uint64_t>(op);
    case Scalar::f16:
      return find_in_modes<float16_t>(op, of.controls);
    case Scalar::f32:
      return find_in_modes<float>(op, of.controls);
    case Scalar::f64:
      return find_in_modes<double>(op, of.controls);
    default:
      return nullptr;
  }
}

}  // namespace lockstep::spirv
