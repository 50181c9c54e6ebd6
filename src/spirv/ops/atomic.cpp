#include <lockstep/workgroup/atomics.hpp>

#include "spirv/ops/find.hpp"
#include "spirv/ops/memory_access.hpp"
#include "spirv/ops/number.hpp"

namespace lockstep::spirv {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

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

template <Operator op, class T, class Object>
T change(Object object, T value, [[maybe_unused]] T compare) {
  if constexpr (op == Operator::compare_exchange) {
    T old = compare;
    object.compare_exchange_strong(old, value, relaxed);
    return old;
  } else if constexpr (op == Operator::sub) {
    return object.fetch_add(detail::scalar::sub(T(0), value), relaxed);
  } else {
    return TurnOf<op>::template turn<T>(object, value, relaxed);
  }
}

template <Operator op, class T>
T change_at(const Context& c, const Memory& memory, std::byte* at, T value, T compare) {
  return detail::atomic_once(
      *reinterpret_cast<T*>(at), c.only_thread || memory.local, value, 0,
      [&](auto object, T v, int) { return change<op, T>(object, v, compare); });
}

/// Values: compare and new value of a compare-exchange, otherwise the value if the operator has one.
template <Operator op, class T>
const Inst* atomic(const Inst* i, Context& c) {
  const auto& m = *static_cast<const MemoryArgs*>(i->args);
  const bool by_address = i->number != 0;
  const std::uint64_t limit = by_address ? 0 : c.limits[m.limit];
  const auto value_of = [&](int k, int lane) {
    T value;
    std::memcpy(&value,
                c.regs + m.value[static_cast<std::size_t>(k)].at +
                    (m.value[static_cast<std::size_t>(k)].varying
                         ? static_cast<std::size_t>(lane) * sizeof(T)
                         : 0),
                sizeof value);
    return value;
  };
  for_each_lane(c.state.active, [&](int lane) {
    const Memory* memory = nullptr;
    std::byte* at = nullptr;
    const auto lane_index = static_cast<std::size_t>(m.index.varying ? lane : 0);
    if (by_address) {
      std::uint64_t address;
      std::memcpy(&address, c.regs + m.index.at + lane_index * 8, 8);
      at = at_address(c, i, m, op != Operator::load, address, sizeof(T), lane);
      memory = memory_of(c, address);
    } else {
      std::uint32_t index = 0;
      if (m.has_index) std::memcpy(&index, c.regs + m.index.at + lane_index * 4, 4);
      memory = &c.memory[m.resource];
      if (index < limit)
        at = memory->data + m.offset + std::uint64_t{index} * m.stride;
      else
        note_outside(c, i, m, op != Operator::load, index, lane);
    }
    T old{};
    if (at != nullptr && reinterpret_cast<std::uintptr_t>(at) % sizeof(T) == 0) {
      const bool compares = op == Operator::compare_exchange;
      const T value = op == Operator::load ? T{} : value_of(0, lane);
      old = change_at<op, T>(c, *memory, at, value, compares ? value_of(1, lane) : T{});
    } else if (at != nullptr) {
      note_fault(c, i, true, m.resource, m.offset, lane);
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

Run find_atomic(Code, Scalar type, Operator op) {
  switch (type) {
    case Scalar::i32:
      return find_whole<std::int32_t>(op);
    case Scalar::u32:
      return find_whole<std::uint32_t>(op);
    case Scalar::i64:
      return find_whole<std::int64_t>(op);
    case Scalar::u64:
      return find_whole<std::uint64_t>(op);
    case Scalar::f16:
      return find_number<float16_t>(op);
    case Scalar::f32:
      return find_number<float>(op);
    case Scalar::f64:
      return find_number<double>(op);
    default:
      return nullptr;
  }
}

}  // namespace lockstep::spirv
