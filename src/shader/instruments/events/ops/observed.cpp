#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/exec/tangled_state.hpp>
#include <lockstep/exec/tell.hpp>
#include <lockstep/exec/variable_observer.hpp>

#include "runtime/exec/reused_event.hpp"
#include "runtime/exec/without_values.hpp"
#include "shader/run/atomic_guide.hpp"
#include "shader/run/ops/chosen_order.hpp"
#include "shader/run/ops/find.hpp"
#include "shader/run/ops/lane_values.hpp"
#include "shader/run/ops/memory_access.hpp"

/// \file
/// What the tangled machine tells observers of lines and of accesses to memory. Programs have these instructions for
/// the kinds of events that the observers of the run ask for.

namespace lockstep::spirv {
namespace {

const Inst* tell_line(const Inst* i, Context& c) {
  const ReusedEvent event(*c.stack, Event::Kind::line, where(c, i), ReusedEvent::Use::control);
  c.stack->tell(*event);
  return i + 1;
}

/// Where a lane's access goes: a byte of a resource, or of memory that only an address leads to.
struct LanePlace {
  std::uint32_t resource = no_resource;
  std::uint64_t start = 0;  ///< without a resource: the address where the memory starts
  std::uint64_t byte = Access::outside;

  bool same_object(const LanePlace& other) const {
    return resource == other.resource && start == other.start;
  }
};
using LanePlaces = std::array<LanePlace, 128>;

std::uint64_t index_of(const Context& c, const MemoryArgs& m, int lane) {
  std::uint64_t index = 0;
  if (m.has_pointer)
    std::memcpy(&index, c.regs + lane_offset<8>(m.index, lane), 8);
  else if (m.has_index)
    std::memcpy(&index, c.regs + lane_offset<4>(m.index, lane), 4);
  return index;
}

std::uint32_t number_in(const Context& c, const Slot& slot, int lane) {
  std::uint32_t value;
  std::memcpy(&value, c.regs + lane_offset<4>(slot, lane), 4);
  return value;
}

/// The resource whose memory starts there, if there is one.
std::uint32_t resource_at(const Context& c, const std::byte* data) {
  for (std::uint32_t k = 0; k < c.memory_count; ++k) {
    if (c.memory[k].data == data && data != nullptr) return k;
  }
  return no_resource;
}

/// The place that a pointer leads to, without the access's constant offset.
LanePlace place_of_pointer(const Context& c, PointerKind kind, std::uint64_t pointer) {
  LanePlace place;
  const Pointee pointee = pointee_of(c, kind, pointer);
  if (!pointee.exists) return place;
  place.byte = pointers::pointer_byte(pointer);
  place.resource = kind == PointerKind::device ? resource_at(c, pointee.data)
                                               : pointers::pointer_number(pointer);
  if (place.resource == no_resource) place.start = pointer - place.byte;
  return place;
}

/// Where each lane's access starts; outside if it does not make it.
LanePlaces places_of(const Context& c, const AccessArgs& access, bool writes) {
  const MemoryArgs& m = *access.memory;
  LanePlaces places;
  const std::uint64_t bytes = m.components * std::uint64_t{m.step} - m.step + size_of(access.type);
  for_each_lane(c.state.active, [&](int lane) {
    const std::uint64_t index = index_of(c, m, lane);
    LanePlace& place = places[static_cast<std::size_t>(lane)];
    std::uint64_t size = 0;
    bool writable = true;
    if (m.has_pointer) {
      place = place_of_pointer(c, m.pointer, index);
      const Pointee pointee = pointee_of(c, m.pointer, index);
      size = pointee.size;
      writable = pointee.writable;
    } else {
      place = {m.resource, 0, index * m.stride};
      size = c.memory[m.resource].size;
      writable = c.memory[m.resource].writable;
    }
    place.byte += m.offset;
    if (place.byte + bytes > size || (writes && !writable)) place.byte = Access::outside;
  });
  return places;
}

/// The coordinates of texels in their levels, from their bytes; -1 outside.
LaneValues coordinates_of(const Context& c, std::uint32_t resource, const LanePlaces& places) {
  const Memory& image = c.memory[resource];
  const MipLevels levels = levels_of(image);
  LaneValues values{
      LaneValues::Type::int32, static_cast<int>(c.program->resources[resource].dimensions), {}};
  for (int lane = 0; lane < c.size; ++lane) {
    const LanePlace& place = places[static_cast<std::size_t>(lane)];
    const bool inside = place.resource == resource && place.byte != Access::outside;
    std::uint64_t left = inside ? place.byte / texel_bytes(image.format) : 0;
    std::uint32_t level = 0;
    while (level + 1 < levels.count && left >= levels.before(level + 1)) ++level;
    left -= levels.before(level);
    const Size3 extent = levels.extent(level);
    const std::uint64_t sizes[] = {extent.x, extent.y, extent.z};
    for (int k = 0; k < values.components; ++k) {
      values.bits.push_back(inside ? left % sizes[k] : 0xffffffff);
      if (inside) left /= sizes[k];
    }
  }
  return values;
}

MemoryObject object_of(const Context& c, const LanePlace& place) {
  if (place.resource < c.program->objects.size()) return c.program->objects[place.resource];
  return place.start != 0 ? object_at_address(place.start) : MemoryObject{};
}

const std::byte* data_of(const Context& c, const LanePlace& place) {
  if (place.resource < c.memory_count) return c.memory[place.resource].data;
  return place.start != 0 ? c.addresses->find(place.start).data : nullptr;
}

/// Reports an access, each object that lanes reach on its own. `shape` has what does not depend on lanes,
/// `texels` says that coordinates are the first operand.
void tell_places(Context& c, const Inst* i, AccessKind kind, const LanePlaces& places,
                 const Access& shape, std::uint64_t offset, const AccessValues& values,
                 bool texels) {
  for (Mask<128> left = c.state.active; left.any_lane();) {
    const LanePlace& first = places[static_cast<std::size_t>(left.first())];
    LaneSet lanes;
    Access access = shape;
    access.object = object_of(c, first);
    access.data = data_of(c, first);
    access.byte.reserve(static_cast<std::size_t>(c.size));
    for (int lane = 0; lane < c.size; ++lane) {
      const LanePlace& place = places[static_cast<std::size_t>(lane)];
      const bool here = left.test(lane) && place.same_object(first);
      if (here) lanes = lanes | LaneSet::lane(lane);
      const bool touches = here && place.byte != Access::outside;
      access.byte.push_back(touches ? place.byte + offset : Access::outside);
    }
    left = left.without(to_mask<128>(lanes));
    AccessValues told = values;
    if (texels && first.resource != no_resource)
      told.operands.insert(told.operands.begin(), coordinates_of(c, first.resource, places));
    tell_access(*c.stack, kind, where(c, i), lanes, std::move(access), std::move(told));
  }
}

/// The name of an image atomic, from that of the atomic on a number; lives as long as it.
std::string_view image_atomic_name(std::string_view atomic) {
  constexpr std::string_view names[] = {
      "imageAtomicAdd",  "imageAtomicMin",      "imageAtomicMax",  "imageAtomicAnd",
      "imageAtomicOr",   "imageAtomicXor",      "imageAtomicSub",  "imageAtomicExchange",
      "imageAtomicLoad", "imageAtomicCompSwap", "imageAtomicStore"};
  for (const std::string_view name : names)
    if (!atomic.empty() && name.substr(sizeof "image") == atomic.substr(1)) return name;
  return atomic;
}

bool is_image(const Context& c, std::uint32_t resource) {
  return resource < c.program->resources.size() &&
         c.program->resources[resource].kind == ResourceUse::Kind::image;
}

void tell_atomic(Context& c, const Inst* i, const AccessArgs& access, const LanePlaces& places) {
  const auto& atomic = op_of(c, i).as<AtomicOp>();
  const MemoryArgs& m = *access.memory;
  const bool texels =
      is_image(c, places[static_cast<std::size_t>(c.state.active.first())].resource);
  Access shape;
  shape.bytes = size_of(access.type);
  shape.order = atomic.order;
  shape.unequal = atomic.unequal;
  AccessValues values;
  values.name = texels ? image_atomic_name(access.name) : access.name;
  // The comparand comes after the value in instructions, and before it in GLSL.
  if (atomic.op == Operator::compare_exchange)
    values.operands.push_back(lane_values(c, std::span(m.value).subspan(1, 1), access.type));
  if (atomic.op != Operator::load)
    values.operands.push_back(lane_values(c, std::span(m.value).first(1), access.type));
  if (access.has_result) values.result = lane_values(c, std::span(&access.result, 1), access.type);
  tell_places(c, i, AccessKind::atomic, places, shape, 0, values, texels);
}

/// What a read gave or a write took.
void set_moved(AccessValues& values, AccessKind kind, LaneValues moved) {
  if (kind == AccessKind::read)
    values.result = std::move(moved);
  else
    values.operands.push_back(std::move(moved));
}

/// Each scalar, vector and column of a matrix is an event, also where one instruction moves several.
void tell_parts(Context& c, const Inst* i, const AccessArgs& access, const LanePlaces& places) {
  const MemoryArgs& m = *access.memory;
  const auto numbers =
      std::span(m.value).first(std::min<std::size_t>(m.components, m.value.size()));
  const std::uint32_t ends = op_of(c, i).as<MemoryPlace>().ends;
  for (std::size_t k = 0; k < numbers.size();) {
    std::size_t end = k + 1;
    while (end < numbers.size() && (ends >> (end - 1) & 1) == 0) ++end;
    const auto part = numbers.subspan(k, end - k);
    Access shape;
    shape.bytes = size_of(access.type);
    shape.count = static_cast<std::uint32_t>(part.size());
    shape.step = part.size() > 1 ? m.step : 0;
    shape.order = op_of(c, i).as<MemoryPlace>().order;
    AccessValues values;
    if (c.stack->interest.values) set_moved(values, access.kind, lane_values(c, part, access.type));
    tell_places(c, i, access.kind, places, shape, k * std::uint64_t{m.step}, values, false);
    k = end;
  }
}

/// Where each lane's access to one resource starts; outside if it does not make it.
using ByteOfLane = std::array<std::uint64_t, 128>;

/// Lanes that are not active, and those whose access would end beyond the size, access nothing.
void limit(const Context& c, ByteOfLane& at, std::uint64_t size, std::uint64_t bytes) {
  const std::uint64_t last = size < bytes ? 0 : size - bytes;
  const int lanes = (c.size + 7) & ~7;  // whole vectors
  for (int k = 0; k < lanes; k += 8)
    for (int j = k; j < k + 8; ++j) {
      std::uint64_t& byte = at[static_cast<std::size_t>(j)];
      byte = byte > last ? Access::outside : byte;
    }
  if (size < bytes) at.fill(Access::outside);
  for_each_lane(LaneSet::first_n(c.size).without(to_lane_set(c.state.active)),
                [&](int lane) { at[static_cast<std::size_t>(lane)] = Access::outside; });
}

/// Numbers of 32 bits of all lanes, as many as there are in whole vectors, times a factor plus an offset.
void scale(const Context& c, const Slot& slot, std::uint64_t factor, std::uint64_t offset,
           ByteOfLane& to) {
  if (!slot.varying) return to.fill(number_in(c, slot, 0) * factor + offset);
  const std::byte* const from = c.regs + slot.at;
  const int lanes = (c.size + 7) & ~7;
  for (int k = 0; k < lanes; k += 8) {
    std::array<std::uint32_t, 8> numbers;
    std::memcpy(numbers.data(), from + static_cast<std::size_t>(k) * 4, sizeof numbers);
    for (std::size_t j = 0; j < 8; ++j)
      to[static_cast<std::size_t>(k) + j] = numbers[j] * factor + offset;
  }
}

/// How the index of an access to one resource becomes a byte.
struct Indexing {
  const Slot* index = nullptr;  ///< null: all lanes at the offset
  std::uint64_t stride = 0, offset = 0;
  std::uint64_t bytes = 0;  ///< that each lane accesses
  std::uint64_t size = 0;   ///< of the resource
};
Indexing indexing_of(const Context& c, const AccessArgs& access, bool writes) {
  const MemoryArgs& m = *access.memory;
  const Memory& memory = c.memory[m.resource];
  return {.index = m.has_index ? &m.index : nullptr,
          .stride = m.stride,
          .offset = m.offset,
          .bytes = m.components * std::uint64_t{m.step} - m.step + size_of(access.type),
          .size = writes && !memory.writable ? 0 : memory.size};
}
Indexing indexing_of(const Slot& texels, const Memory& image) {
  const std::uint32_t bytes = texel_bytes(image.format);
  return {.index = &texels, .stride = bytes, .bytes = bytes, .size = image.size};
}

/// Where all lanes access one resource, before the access: its result may replace the index.
class PlacesInResource {
 public:
  PlacesInResource(const Context& c, const Indexing& how)
      : lanes_(static_cast<std::size_t>(c.size)), active_(to_lane_set(c.state.active)) {
    is_row_ = find_row(c, how);
    if (!is_row_) find_each(c, how);
  }

  /// The bytes of the part of each lane's access that starts with the offset.
  void set(LaneBytes& byte, std::uint64_t offset) const {
    if (is_row_) return byte.set_row(lanes_, active_, of_lane_0_ + offset, stride_);
    if (offset == 0) return byte.set(each_.data(), lanes_);
    byte.clear();
    for (std::size_t k = 0; k < lanes_; ++k)
      byte.push_back(each_[k] == Access::outside ? each_[k] : each_[k] + offset);
  }

 private:
  /// Whether the lanes are a row in bounds.
  bool find_row(const Context& c, const Indexing& how) {
    if (!active_.any_lane()) return false;
    const int first = active_.first();
    const bool varying = how.index != nullptr && how.index->varying;
    std::uint32_t of_lane_0 = 0;
    if (varying &&
        !is_consecutive(c.regs + how.index->at, c.state.active, c.program->chunks, of_lane_0))
      return false;
    if (how.index != nullptr && !varying) of_lane_0 = number_in(c, *how.index, 0);
    // Modulo 2^32: of lanes before the first one it may be negative.
    const auto at_first = of_lane_0 + static_cast<std::uint32_t>(varying ? first : 0);
    const auto behind = static_cast<std::uint64_t>(varying ? active_.last() - first : 0);
    const std::uint64_t byte = at_first * how.stride + how.offset;
    if (at_first + behind > 0xffffffff || how.size < how.bytes ||
        byte + behind * how.stride > how.size - how.bytes)
      return false;
    stride_ = varying ? static_cast<std::int64_t>(how.stride) : 0;
    of_lane_0_ = byte - static_cast<std::uint64_t>(stride_ * first);
    return true;
  }
  void find_each(const Context& c, const Indexing& how) {
    if (how.index != nullptr)
      scale(c, *how.index, how.stride, how.offset, each_);
    else
      each_.fill(how.offset);
    limit(c, each_, how.size, how.bytes);
  }

  std::size_t lanes_;
  LaneSet active_;
  bool is_row_ = false;
  std::uint64_t of_lane_0_ = 0;  ///< of a row
  std::int64_t stride_ = 0;      ///< of a row
  ByteOfLane each_;              ///< of no row
};

/// Reports what an access without values made in one resource.
void tell_bytes(Context& c, ToldAccess& told, std::uint32_t resource, const PlacesInResource& at,
                std::uint64_t offset) {
  Access& access = told.access();
  access.object = object_of(c, {resource});
  access.data = data_of(c, {resource});
  at.set(access.byte, offset);
  told.tell(to_lane_set(c.state.active));
}

/// As tell_parts, without values.
void tell_parts_of_bytes(Context& c, const Inst* i, const AccessArgs& access,
                         const PlacesInResource& at) {
  const MemoryArgs& m = *access.memory;
  const auto& place = op_of(c, i).as<MemoryPlace>();
  const std::size_t count = std::min<std::size_t>(m.components, m.value.size());
  for (std::size_t k = 0; k < count;) {
    std::size_t end = k + 1;
    while (end < count && (place.ends >> (end - 1) & 1) == 0) ++end;
    ToldAccess told(*c.stack, access.kind, where(c, i), {});
    Access& shape = told.access();
    shape.bytes = size_of(access.type);
    shape.count = static_cast<std::uint32_t>(end - k);
    shape.step = end - k > 1 ? m.step : 0;
    shape.order = place.order;
    shape.unequal = 0;
    tell_bytes(c, told, m.resource, at, k * std::uint64_t{m.step});
    k = end;
  }
}

/// As tell_atomic, without values: a compare-and-swap needs them to tell what it changed.
void tell_atomic_of_bytes(Context& c, const Inst* i, const AccessArgs& access,
                          const PlacesInResource& at) {
  const auto& atomic = op_of(c, i).as<AtomicOp>();
  const std::uint32_t resource = access.memory->resource;
  ToldAccess told(*c.stack, AccessKind::atomic, where(c, i),
                  is_image(c, resource) ? image_atomic_name(access.name) : access.name);
  Access& shape = told.access();
  shape.bytes = size_of(access.type);
  shape.count = 1;
  shape.step = 0;
  shape.order = atomic.order;
  shape.unequal = atomic.unequal;
  tell_bytes(c, told, resource, at, 0);
}

/// An access to one resource for observers that ask for no values.
const Inst* tell_resource(const Inst* i, Context& c, const AccessArgs& access, const Inst& inner,
                          bool writes) {
  const PlacesInResource at(c, indexing_of(c, access, writes));
  access.run(&inner, c);
  if (access.kind == AccessKind::atomic)
    tell_atomic_of_bytes(c, i, access, at);
  else
    tell_parts_of_bytes(c, i, access, at);
  return i + 1;
}

/// Whether other subgroups may write what the access reads or writes.
bool is_of_several(const Context& c, const MemoryArgs& m) {
  return m.has_pointer || c.memory[m.resource].writable;
}

void run_in_order(const Inst* i, Context& c, const AccessArgs& access, const Inst& inner,
                  const LanePlaces& places, Chooser& chooser) {
  std::array<AtomicTarget, 128> targets;
  for (std::size_t lane = 0; lane < targets.size(); ++lane) {
    const LanePlace& place = places[lane];
    targets[lane] = {place.resource == no_resource ? place.start : place.resource, place.byte};
  }
  run_in_chosen_order(i, c, chooser, access.run, inner, targets);
}

/// The guide of the run's atomics, if it has one.
AtomicGuide* guide_of(const Context& c) {
  return dynamic_cast<AtomicGuide*>(c.stack->convergence->observer);
}

/// Whether the order of several updates changes no more than what they return.
bool commutes(Operator op) {
  return op != Operator::exchange && op != Operator::compare_exchange && op != Operator::store;
}

/// One lane after another: each returns what the guide says.
void run_guided(const Inst* i, Context& c, const AccessArgs& access, const Inst& inner,
                const LanePlaces& places, AtomicGuide& guide) {
  const std::span values(access.memory->value);
  const LaneValues value = lane_values(c, values.first(1), access.type),
                   compare = lane_values(c, values.subspan(1, 1), access.type);
  const Operator op = op_of(c, i).as<AtomicOp>().op;
  const std::size_t bytes = size_of(access.type);
  const Mask<128> all = c.state.active;
  for_each_lane(all, [&](int lane) {
    c.state.active = Mask<128>::lane(lane);
    const auto k = static_cast<std::size_t>(lane);
    const LanePlace& place = places[k];
    if (place.resource >= c.memory_count || place.byte == Access::outside) {
      access.run(&inner, c);
      return;
    }
    std::byte* const at = c.memory[place.resource].data + place.byte;
    const MemoryObject object = object_of(c, place);
    const std::optional<std::uint64_t> returned = guide.returned(
        {object, at, place.byte, static_cast<std::uint32_t>(bytes), op, value.bits[k],
         compare.bits[k], access.ordered, c.stack->workgroup, c.stack->subgroup, lane});
    if (returned && !commutes(op)) std::memcpy(at, &*returned, bytes);
    access.run(&inner, c);
    if (returned && access.has_result)
      std::memcpy(c.regs + access.result.at + (access.result.varying ? k * bytes : 0), &*returned,
                  bytes);
  });
  c.state.active = all;
}

const Inst* tell_access(const Inst* i, Context& c) {
  show_tangle(c);
  const auto& access = *static_cast<const AccessArgs*>(i->args);
  if (is_of_several(c, *access.memory) && yields_before(i, c)) return nullptr;
  Inst inner = *i;
  inner.args = access.memory;
  Chooser* chooser = access.ordered ? chooser_for(c, Choice::atomic_order) : nullptr;
  const bool told = c.stack->asks(kind_of(access.kind));
  if (!told && chooser == nullptr) {
    access.run(&inner, c);
    return i + 1;
  }
  const bool is_atomic = access.kind == AccessKind::atomic;
  const bool writes = access.kind == AccessKind::write ||
                      (is_atomic && op_of(c, i).as<AtomicOp>().op != Operator::load);
  const bool compares = is_atomic && op_of(c, i).as<AtomicOp>().op == Operator::compare_exchange;
  if (AtomicGuide* const guide = is_atomic ? guide_of(c) : nullptr) {
    run_guided(i, c, access, inner, places_of(c, access, writes), *guide);
    return i + 1;
  }
  if (!access.memory->has_pointer && chooser == nullptr && !c.stack->interest.values && !compares)
    return tell_resource(i, c, access, inner, writes);
  const LanePlaces places = places_of(c, access, writes);  // the result may replace the index
  if (chooser != nullptr)
    run_in_order(i, c, access, inner, places, *chooser);
  else
    access.run(&inner, c);
  if (!told) return i + 1;
  if (is_atomic)
    tell_atomic(c, i, access, places);
  else
    tell_parts(c, i, access, places);
  return i + 1;
}

/// The image that a lane chooses in an array of images that starts at `first`.
std::uint32_t chosen_image(const Context& c, std::uint64_t first, std::uint64_t choices,
                           const Slot& element, int lane) {
  if (choices == 0) return static_cast<std::uint32_t>(first);
  const std::uint32_t k = number_in(c, element, lane);
  return k < choices ? static_cast<std::uint32_t>(first) + k : no_resource;
}

/// The texels of an image load or store: the first operand is their number, the last chooses the image.
LanePlaces texels_of(const Context& c, const Inst* i, const ListArgs& list) {
  const std::uint64_t choices = list.counts.empty() ? 0 : list.counts[0];
  LanePlaces places;
  for_each_lane(c.state.active, [&](int lane) {
    LanePlace& place = places[static_cast<std::size_t>(lane)];
    place.resource = chosen_image(c, i->imm, choices, list.slots.back(), lane);
    if (place.resource >= c.memory_count) return;
    const Memory& image = c.memory[place.resource];
    const std::uint64_t bytes = texel_bytes(image.format);
    const std::uint64_t byte = number_in(c, list.slots[0], lane) * bytes;
    if (byte + bytes <= image.size) place.byte = byte;
  });
  return places;
}

/// Texels of one image for observers that ask for no values.
const Inst* tell_texels(const Inst* i, Context& c, const ListArgs& told, const ListArgs& list,
                        const Inst& inner, bool reads) {
  const auto resource = static_cast<std::uint32_t>(i->imm);
  const Memory& image = c.memory[resource];
  const std::uint32_t bytes = texel_bytes(image.format);
  const PlacesInResource at(c, indexing_of(list.slots[0], image));
  told.each(&inner, c);
  ToldAccess event(*c.stack, reads ? AccessKind::read : AccessKind::write, where(c, i), {});
  Access& shape = event.access();
  shape.bytes = bytes;
  shape.count = 1;
  shape.step = 0;
  shape.order = op_of(c, i).as<ImageOp>().order;
  shape.unequal = 0;
  tell_bytes(c, event, resource, at, 0);
  return i + 1;
}

const Inst* tell_image(const Inst* i, Context& c) {
  show_tangle(c);
  if (yields_before(i, c)) return nullptr;
  const auto& told = *static_cast<const ListArgs*>(i->args);
  const auto& list = *static_cast<const ListArgs*>(told.inner_args);
  Inst inner = *i;
  inner.args = &list;
  const bool reads = list.results > 0;
  if (!c.stack->asks(reads ? Event::Kind::read : Event::Kind::write)) {
    told.each(&inner, c);
    return i + 1;
  }
  if (list.counts.empty() && !c.stack->interest.values)
    return tell_texels(i, c, told, list, inner, reads);
  const LanePlaces places = texels_of(c, i, list);
  told.each(&inner, c);
  AccessValues values;
  if (c.stack->interest.values) {
    values.name = told.name;
    if (reads)
      values.result =
          lane_values(c, std::span(list.result).first(static_cast<std::size_t>(list.results)),
                      list.result_type);
    else
      values.operands.push_back(lane_values(c, std::span(list.slots).subspan(1, 4), list.types[1]));
  }
  Access shape;
  shape.bytes = texel_bytes(c.memory[i->imm].format);
  shape.order = op_of(c, i).as<ImageOp>().order;
  tell_places(c, i, reads ? AccessKind::read : AccessKind::write, places, shape, 0, values,
              c.stack->interest.values);
  return i + 1;
}

/// Of an image through a sampler the event has the shader's own coordinates, and no bytes.
const Inst* tell_sample(const Inst* i, Context& c) {
  show_tangle(c);
  const auto& told = *static_cast<const ListArgs*>(i->args);
  const auto& sample = *static_cast<const SampleArgs*>(told.inner_args);
  Inst inner = *i;
  inner.args = told.inner_args;
  LanePlaces places;
  for_each_lane(c.state.active, [&](int lane) {
    places[static_cast<std::size_t>(lane)].resource =
        chosen_image(c, i->imm, sample.image_choices, sample.image_element, lane);
  });
  AccessValues values;
  if (c.stack->interest.values) values = {told.name, {lane_values(c, told.slots, Scalar::f32)}};
  told.each(&inner, c);
  if (c.stack->interest.values)
    values.result = lane_values(
        c, std::span(told.result).first(static_cast<std::size_t>(told.results)), told.result_type);
  tell_places(c, i, AccessKind::read, places, {}, 0, values, false);
  return i + 1;
}

/// What each lane accesses of an array of its own.
void bytes_of_indexed(const Context& c, const Inst* i, const IndexedAccessArgs& told,
                      Access& access) {
  access.object = told.object;
  access.data = nullptr;
  access.bytes = size_of(told.type);
  access.count = 1;
  access.step = 0;
  access.order = {};
  access.unequal = 0;
  const auto byte_of = [&](int lane) {
    const std::uint32_t index = number_in(c, {i->a, i->varying(0)}, lane);
    const std::uint64_t at = index + i->imm;
    const bool inside = index != 0xffffffff && at < told.variable->slots.size();
    return inside ? told.bytes[at] : Access::outside;
  };
  access.byte.clear();
  for (int lane = 0; lane < c.size; ++lane) access.byte.push_back(byte_of(lane));
}

/// Arrays of an invocation, where the index is not constant.
const Inst* tell_indexed(const Inst* i, Context& c) {
  show_tangle(c);
  const auto& told = *static_cast<const IndexedAccessArgs*>(i->args);
  Inst inner = *i;
  inner.args = told.variable;
  const AccessKind kind = told.reads ? AccessKind::read : AccessKind::write;
  Access access;
  // The value read may replace the index.
  if (!c.stack->interest.values) {
    ToldAccess event(*c.stack, kind, where(c, i), {});
    bytes_of_indexed(c, i, told, event.access());
    told.run(&inner, c);
    event.tell(to_lane_set(c.state.active));
    return i + 1;
  }
  bytes_of_indexed(c, i, told, access);
  told.run(&inner, c);
  AccessValues values;
  set_moved(values, kind, lane_values(c, std::span(&told.value, 1), told.type));
  lockstep::tell_access(*c.stack, kind, where(c, i), to_lane_set(c.state.active), std::move(access),
                        std::move(values));
  return i + 1;
}

/// What the active lanes have in a named variable.
const Inst* tell_variable(const Inst* i, Context& c) {
  const LaneSet lanes = to_lane_set(c.state.active);
  if (!c.stack->asks(Event::Kind::write) || !lanes.any_lane()) return i + 1;
  const auto& told = *static_cast<const VariableArgs*>(i->args);
  ReusedEvent event(*c.stack, Event::Kind::write, where(c, i), ReusedEvent::Use::variable);
  event->others = lanes;
  event->name = assignment;
  event->operands.resize(1);
  read_lane_values(c, told.slots, told.type, event->operands[0]);
  Access& access = event->access;
  access.object = told.object;
  access.bytes = size_of(told.type);
  access.count = static_cast<std::uint32_t>(told.slots.size());
  access.step = told.slots.size() > 1 ? access.bytes : 0;
  access.byte.set_row(static_cast<std::size_t>(c.size), LaneSet::first_n(c.size), 0, 0);
  c.stack->tell(*event);
  return i + 1;
}

}  // namespace

Run find_tell_line() { return tell_line; }
Run find_tell_access() { return tell_access; }
Run find_tell_indexed() { return tell_indexed; }
Run find_tell_variable() { return tell_variable; }
Run find_tell_image() { return tell_image; }
Run find_tell_sample() { return tell_sample; }

}  // namespace lockstep::spirv
