#include "shader/instruments/undefined/tracked_memory.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace lockstep::spirv {
namespace {

std::vector<Reg> index(const Op& op) {
  if (op.src.empty()) return {};
  return {op.src[0]};
}

}  // namespace

void TrackedMemory::report_index(const Op& op) {
  if (!op.src.empty() && op.src[0] != no_reg)
    shadows_.report(shadows_.of(op.src[0]), UndefinedUse::Kind::index, place_of(op).resource);
}

MemoryPlace TrackedMemory::shadow_place(const Op& op, std::size_t component) const {
  const MemoryPlace& place = place_of(op);
  const SharedShadow& shadow = shadows_.of_shared(place.resource);
  const std::uint32_t factor = 4 / shadow.granule;
  MemoryPlace to;
  to.resource = shadow.resource;
  to.offset = (place.offset + component * place.step) / shadow.granule * 4;
  to.stride = place.stride * factor;
  to.step = 4;
  return to;
}

bool TrackedMemory::is_alike(const Op& op) const {
  return shadows_.of_shared(place_of(op).resource).granule == 4 && size_of(op.type) == 4;
}

std::size_t TrackedMemory::words(const Op& op) const {
  return std::max<std::size_t>(
      1, size_of(op.type) / shadows_.of_shared(place_of(op).resource).granule);
}

void TrackedMemory::load(const Op& op) {
  report_index(op);
  if (shadows_.is_shared(op)) load_shadow(op);
}

void TrackedMemory::load_shadow(const Op& op) {
  if (is_alike(op)) {
    std::vector<Reg> dst;
    for (std::size_t k = 0; k < op.dst.size(); ++k) dst.push_back(shadows_.new_reg(Scalar::u32));
    MemoryPlace place = shadow_place(op, 0);
    place.step = place_of(op).step;
    shadows_.append(Code::load, Scalar::u32, dst, index(op)).detail = place;
    for (std::size_t k = 0; k < op.dst.size(); ++k) shadows_.define(op.dst[k], dst[k]);
    return;
  }
  for (std::size_t k = 0; k < op.dst.size(); ++k) shadows_.define(op.dst[k], load_words(op, k));
}

/// The shadow of a component that has several words.
Reg TrackedMemory::load_words(const Op& op, std::size_t component) {
  MemoryPlace place = shadow_place(op, component);
  Reg all = no_reg;
  for (std::size_t left = words(op); left > 0;) {
    const std::size_t now = std::min<std::size_t>(left, 4);
    std::vector<Reg> dst;
    for (std::size_t k = 0; k < now; ++k) dst.push_back(shadows_.new_reg(Scalar::u32));
    shadows_.append(Code::load, Scalar::u32, dst, index(op)).detail = place;
    for (const Reg r : dst) all = shadows_.joined(all, r);
    place.offset += 4 * now;
    left -= now;
  }
  return all;
}

void TrackedMemory::store(const Op& op) {
  report_index(op);
  if (shadows_.is_shared(op)) return store_shadow(op);
  shadows_.report(shadows_.of_all(std::span(op.src).subspan(1)), UndefinedUse::Kind::stored,
                  place_of(op).resource);
}

void TrackedMemory::store_shadow(const Op& op) {
  const auto value = [&](std::size_t k) {
    const Reg r = shadows_.of(op.src[k + 1]);
    return r == no_reg ? shadows_.constant(0) : r;
  };
  const std::size_t components = op.src.size() - 1;
  if (is_alike(op)) {
    std::vector<Reg> src{op.src[0]};
    for (std::size_t k = 0; k < components; ++k) src.push_back(value(k));
    MemoryPlace place = shadow_place(op, 0);
    place.step = place_of(op).step;
    shadows_.append(Code::store, Scalar::u32, {}, src).detail = place;
    return;
  }
  for (std::size_t k = 0; k < components; ++k) store_words(op, k, value(k));
}

void TrackedMemory::store_words(const Op& op, std::size_t component, Reg value) {
  MemoryPlace place = shadow_place(op, component);
  for (std::size_t left = words(op); left > 0;) {
    const std::size_t now = std::min<std::size_t>(left, 4);
    std::vector<Reg> src{op.src[0]};
    src.insert(src.end(), now, value);
    shadows_.append(Code::store, Scalar::u32, {}, src).detail = place;
    place.offset += 4 * now;
    left -= now;
  }
}

void TrackedMemory::atomic(const Op& op) {
  report_index(op);
  shadows_.report(shadows_.of_all(std::span(op.src).subspan(1)), UndefinedUse::Kind::atomic_operand,
                  place_of(op).resource);
  if (!shadows_.is_shared(op)) return;
  const Operator kind = op.as<AtomicOp>().op;
  if (kind == Operator::load) {
    if (!op.dst.empty()) shadows_.define(op.dst[0], load_words(op, 0));
  } else if (kind == Operator::exchange) {
    exchange_shadow(op);
  } else {
    if (!MayBeUndefined::keeps_operand(kind))
      shadows_.report(load_words(op, 0), UndefinedUse::Kind::atomic_memory, place_of(op).resource);
    store_words(op, 0, shadows_.constant(0));
    if (!op.dst.empty()) shadows_.define(op.dst[0], shadows_.constant(0));
  }
}

/// In the order of the exchanges themselves: a lane reads what the one before it wrote.
void TrackedMemory::exchange_shadow(const Op& op) {
  AtomicOp atomic;
  atomic.place = shadow_place(op, 0);
  atomic.op = Operator::exchange;
  Reg all = no_reg;
  for (std::size_t k = 0; k < words(op); ++k, atomic.place.offset += 4) {
    const Reg old = shadows_.new_reg(Scalar::u32);
    shadows_.append(Code::atomic, Scalar::u32, {old}, {op.src[0], shadows_.constant(0)}).detail =
        atomic;
    all = shadows_.joined(all, old);
  }
  if (!op.dst.empty()) shadows_.define(op.dst[0], all);
}

void TrackedMemory::load_indexed(const Op& op) {
  shadows_.report(shadows_.of(op.src[0]), UndefinedUse::Kind::index);
  if (!shadows_.may(op.dst[0])) return;
  IndexedPlace place = op.as<IndexedPlace>();
  place.variable = *shadows_.of_indexed(place.variable);
  const Reg dst = shadows_.new_reg(Scalar::u32);
  shadows_.append(Code::load_indexed, Scalar::u32, {dst}, op.src).detail = place;
  shadows_.define(op.dst[0], dst);
}

void TrackedMemory::store_indexed(const Op& op) {
  shadows_.report(shadows_.of(op.src[0]), UndefinedUse::Kind::index);
  IndexedPlace place = op.as<IndexedPlace>();
  const std::uint32_t* const shadow = shadows_.of_indexed(place.variable);
  if (shadow == nullptr) return;
  place.variable = *shadow;
  const Reg value = shadows_.or_defined(shadows_.of(op.src[1]));
  shadows_.append(Code::store_indexed, Scalar::u32, {}, {op.src[0], value}).detail = place;
}

}  // namespace lockstep::spirv
