#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/exec/tangled_state.hpp>

#include "spirv/exec/ops/find.hpp"
#include "spirv/exec/ops/memory_access.hpp"
#include "spirv/exec/ops/wide.hpp"

/// \file
/// Control flow under any rule: the transitions of the reconvergence stack, and built-ins that run
/// once per tangle.

namespace lockstep::spirv {
namespace {

LaneSet lanes(const Context& c, std::uint32_t at) { return to_lane_set(get_mask(c.regs + at)); }

/// The mask that instructions read follows the stack.
const Inst* follow(const Inst* i, Context& c) {
  c.state.active = to_mask<128>(c.stack->active());
  return c.state.active.any_lane() ? i + 1 : i->target;
}

const Inst* if_begin(const Inst* i, Context& c) {
  lockstep::enter(*c.stack, lanes(c, i->a), where(c, i));
  return follow(i, c);
}
const Inst* if_else(const Inst* i, Context& c) {
  lockstep::flip(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* if_end(const Inst* i, Context& c) {
  lockstep::leave(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* loop_begin(const Inst* i, Context& c) {
  lockstep::enter_loop(*c.stack, where(c, i));
  return i + 1;
}
/// Before the first iteration of a loop whose test comes last there is none.
const Inst* first_trip(const Inst* i, Context& c) {
  if (!c.stack->tangles.empty()) ++c.stack->frames.back().trips;
  return follow(i, c);
}
const Inst* loop_test(const Inst* i, Context& c) {
  if (i->imm == before_first_iteration) return first_trip(i, c);
  lockstep::test_loop(*c.stack, lanes(c, i->a), where(c, i));
  return follow(i, c);
}
const Inst* trip_end(const Inst* i, Context& c) {
  lockstep::next_trip(*c.stack, where(c, i));
  return follow(i, c);
}
/// The stack counts the iterations of each loop.
const Inst* loop_back(const Inst* i, Context& c) {
  if (++c.steps < c.turn_end) return i->target;
  c.turn_end = c.steps + slice_steps;
  c.next = i->target;
  c.stop = Context::Stop::slice;
  return nullptr;
}
const Inst* loop_end(const Inst* i, Context& c) {
  lockstep::exit_loop(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* switch_begin(const Inst* i, Context& c) {
  lockstep::enter_switch(*c.stack, where(c, i));
  return i + 1;
}
const Inst* switch_case(const Inst* i, Context& c) {
  const auto& args = *static_cast<const CaseArgs*>(i->args);
  std::array<std::int64_t, 128> selector{};
  for (int lane = 0; lane < c.size; ++lane)
    selector[static_cast<std::size_t>(lane)] =
        static_cast<std::int64_t>(selector_of(c, args, lane));
  lockstep::enter_case(*c.stack, to_lane_set(matching_lanes(c, args)), selector.data(),
                       where(c, i));
  return follow(i, c);
}
const Inst* switch_end(const Inst* i, Context& c) {
  lockstep::leave_switch(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* call_begin(const Inst* i, Context& c) {
  lockstep::call(*c.stack, where(c, i));
  return i + 1;
}
const Inst* call_end(const Inst* i, Context& c) {
  lockstep::end_call(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* leave_loop(const Inst* i, Context& c) {
  lockstep::leave_loop(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* leave_loop_around(const Inst* i, Context& c) {
  lockstep::leave_loop_around(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* leave_trip(const Inst* i, Context& c) {
  lockstep::leave_trip(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* retire(const Inst* i, Context& c) {
  lockstep::retire(*c.stack, where(c, i));
  return follow(i, c);
}
/// The runner waits for the others, then continues after it.
const Inst* barrier(const Inst* i, Context& c) {
  c.next = i + 1;
  c.stop = Context::Stop::barrier;
  return nullptr;
}
const Inst* end(const Inst*, Context& c) {
  c.stop = Context::Stop::ended;
  return nullptr;
}

std::size_t bytes_of(const Program& program, Scalar type) {
  return type == Scalar::boolean ? bool_bytes
                                 : static_cast<std::size_t>(program.width) * size_of(type);
}

/// Copies the tangle's lanes of `from` into `to`.
void blend(std::byte* to, const std::byte* from, Scalar type, const Mask<128>& tangle) {
  if (type == Scalar::boolean) {
    put_mask(to, (get_mask(from) & tangle) | get_mask(to).without(tangle));
    return;
  }
  const std::size_t size = size_of(type);
  for_each_lane(tangle, [&](int lane) {
    const std::size_t at = static_cast<std::size_t>(lane) * size;
    std::memcpy(to + at, from + at, size);
  });
}

LaneValues::Type event_type(Scalar s) {
  using Type = LaneValues::Type;
  constexpr Type types[] = {Type::boolean, Type::int8,    Type::int16,   Type::int32,
                            Type::int64,   Type::uint8,   Type::uint16,  Type::uint32,
                            Type::uint64,  Type::float16, Type::float32, Type::float64};
  return types[static_cast<int>(s)];
}

LaneValues lane_values(const Context& c, std::span<const Slot> slots, Scalar type) {
  LaneValues values{event_type(type), static_cast<int>(slots.size()), {}};
  for (int lane = 0; lane < c.size; ++lane) {
    for (const Slot& slot : slots) {
      std::uint64_t bits = 0;
      if (type == Scalar::boolean)
        bits = get_mask(c.regs + slot.at).test(lane) ? 1 : 0;
      else
        std::memcpy(
            &bits,
            c.regs + slot.at + (slot.varying ? static_cast<std::size_t>(lane) * size_of(type) : 0),
            size_of(type));
      values.bits.push_back(bits);
    }
  }
  return values;
}

void tell(Context& c, const Inst* i, const ListArgs& list, const Tangle& tangle) {
  Event event;
  event.kind = Event::Kind::built_in;
  event.where = where(c, i);
  event.depth = static_cast<std::uint32_t>(c.stack->frames.size());
  event.tangles = {tangle};
  event.name = list.name;
  std::size_t at = 0;
  for (std::size_t k = 0; k < list.counts.size(); ++k) {
    event.operands.push_back(
        lane_values(c, std::span(list.slots).subspan(at, list.counts[k]), list.types[at]));
    at += list.counts[k];
  }
  event.result = lane_values(
      c, std::span(list.result).first(static_cast<std::size_t>(list.results)), list.result_type);
  c.stack->tell(std::move(event));
}

const Inst* each_tangle(const Inst* i, Context& c) {
  const auto& list = *static_cast<const ListArgs*>(i->args);
  Inst inner = *i;
  inner.args = list.inner_args;
  const exec::State<128> whole = c.state;
  const std::size_t bytes = bytes_of(*c.program, list.result_type);
  std::vector<std::byte> all(bytes * static_cast<std::size_t>(list.results));
  const auto result = [&](int k) { return c.regs + list.result[static_cast<std::size_t>(k)].at; };
  for (const Tangle& tangle : c.stack->tangles) {
    c.state.active = to_mask<128>(tangle.lanes);
    list.each(&inner, c);
    if (c.stack->observed()) tell(c, i, list, tangle);
    for (int k = 0; k < list.results; ++k)
      blend(all.data() + bytes * static_cast<std::size_t>(k), result(k), list.result_type,
            c.state.active);
  }
  for (int k = 0; k < list.results; ++k)
    std::memcpy(result(k), all.data() + bytes * static_cast<std::size_t>(k), bytes);
  c.state = whole;
  return i + 1;
}

const Inst* tell_line(const Inst* i, Context& c) {
  if (!c.stack->observed()) return i + 1;
  Event event;
  event.kind = Event::Kind::line;
  event.where = where(c, i);
  event.depth = static_cast<std::uint32_t>(c.stack->frames.size());
  event.tangles = c.stack->tangles;
  c.stack->tell(std::move(event));
  return i + 1;
}

/// The resource that a pointer of the access points into; none if it is a device address.
std::uint32_t resource_of(const MemoryArgs& m, std::uint64_t pointer) {
  const bool known = m.pointer == PointerKind::resource && pointers::is_resource_pointer(pointer);
  return known ? pointers::pointer_number(pointer) : no_resource;
}

/// Where each lane's access is, in numbers of its type from the start of its memory, and the memory
/// of the first lane.
LaneValues places_of(const Context& c, const AccessArgs& access, std::uint32_t& resource) {
  const MemoryArgs& m = *access.memory;
  LaneValues places{LaneValues::Type::uint64, 1, {}};
  const std::uint64_t bytes = size_of(access.type);
  const std::size_t index_bytes = m.has_pointer ? 8 : 4;
  for (int lane = 0; lane < c.size; ++lane) {
    std::uint64_t index = 0;
    if (m.has_index) {
      const std::size_t at = m.index.varying ? static_cast<std::size_t>(lane) * index_bytes : 0;
      std::memcpy(&index, c.regs + m.index.at + at, index_bytes);
    }
    if (m.has_pointer) {
      if (lane == c.state.active.first()) resource = resource_of(m, index);
      index = pointers::pointer_byte(index);
    } else {
      index *= m.stride;
    }
    places.bits.push_back((index + m.offset) / bytes);
  }
  return places;
}

/// The places in events of images: coordinates, which are -1 outside.
class Coordinates {
 public:
  Coordinates(const Context& c, std::uint32_t resource) : c_(c) {
    values_ = {
        LaneValues::Type::int32, static_cast<int>(c.program->resources[resource].dimensions), {}};
  }

  /// Those of the next lane, from the number of its texel in its image.
  void add(std::uint64_t image, std::uint64_t number) {
    const Size3 extent = image < c_.memory_count ? c_.memory[image].extent : Size3{0, 0, 0};
    const std::uint64_t texels = std::uint64_t{extent.x} * extent.y * extent.z;
    const std::uint64_t sizes[] = {extent.x, extent.y, extent.z};
    std::uint64_t left = number;
    for (int k = 0; k < values_.components; ++k) {
      const std::uint64_t size = sizes[k];
      values_.bits.push_back(number < texels ? left % size : 0xffffffff);
      if (number < texels) left /= size;
    }
  }
  LaneValues take() { return std::move(values_); }

 private:
  const Context& c_;
  LaneValues values_;
};

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

/// The coordinates of an atomic's texels, from their places.
LaneValues coordinates_of(const Context& c, const AccessArgs& access, std::uint32_t resource,
                          const LaneValues& places) {
  Coordinates coordinates(c, resource);
  for (int lane = 0; lane < c.size; ++lane) {
    std::uint64_t image = resource;
    if (access.memory->has_pointer) {
      std::uint64_t pointer = 0;
      const Slot& index = access.memory->index;
      std::memcpy(&pointer,
                  c.regs + index.at + (index.varying ? static_cast<std::size_t>(lane) * 8 : 0), 8);
      image = resource_of(*access.memory, pointer);
    }
    coordinates.add(image, places.bits[static_cast<std::size_t>(lane)]);
  }
  return coordinates.take();
}

/// Reports a completed access to a resource to the observer.
const Inst* tell(const Inst* i, Context& c, Event event, std::uint64_t resource) {
  event.where = where(c, i);
  event.depth = static_cast<std::uint32_t>(c.stack->frames.size());
  event.tangles = c.stack->tangles;
  event.others = to_lane_set(c.state.active);
  if (resource < c.program->resources.size())
    event.binding = c.program->resources[resource].binding;
  c.stack->tell(std::move(event));
  return i + 1;
}

const Inst* tell_access(const Inst* i, Context& c) {
  const auto& access = *static_cast<const AccessArgs*>(i->args);
  const MemoryArgs& m = *access.memory;
  Inst inner = *i;
  inner.args = access.memory;
  if (!c.stack->observed()) {
    access.run(&inner, c);
    return i + 1;
  }
  std::uint32_t resource = m.has_pointer ? no_resource : m.resource;
  Event event;
  event.operands.push_back(places_of(c, access, resource));
  event.name = access.name;
  if (is_image(c, resource)) {
    event.operands[0] = coordinates_of(c, access, resource, event.operands[0]);
    event.name = image_atomic_name(event.name);
  }
  access.run(&inner, c);
  const auto values = std::span(m.value).first(std::min<std::size_t>(m.components, m.value.size()));
  switch (access.kind) {
    case AccessKind::read:
      event.kind = Event::Kind::read;
      event.result = lane_values(c, values, access.type);
      break;
    case AccessKind::write:
      event.kind = Event::Kind::write;
      event.operands.push_back(lane_values(c, values, access.type));
      break;
    case AccessKind::atomic:
      event.kind = Event::Kind::atomic;
      if (access.name != std::string_view("atomicLoad"))
        event.operands.push_back(lane_values(c, values.first(1), access.type));
      if (access.has_result)
        event.result = lane_values(c, std::span(&access.result, 1), access.type);
      break;
  }
  return tell(i, c, std::move(event), resource);
}

/// The coordinates of the texels of an image load or store.
LaneValues coordinates_of(const Inst* i, const Context& c, const ListArgs& list) {
  const auto lane_number = [&](const Slot& slot, int lane) {
    std::uint32_t value;
    std::memcpy(&value, c.regs + slot.at + (slot.varying ? static_cast<std::size_t>(lane) * 4 : 0),
                4);
    return value;
  };
  Coordinates coordinates(c, static_cast<std::uint32_t>(i->imm));
  for (int lane = 0; lane < c.size; ++lane) {
    // For an array of images, the last operand selects one.
    const std::uint32_t element = list.counts.empty() ? 0 : lane_number(list.slots.back(), lane);
    const bool exists = list.counts.empty() || element < list.counts[0];
    coordinates.add(exists ? i->imm + element : ~std::uint64_t{0},
                    lane_number(list.slots[0], lane));
  }
  return coordinates.take();
}

const Inst* tell_image(const Inst* i, Context& c) {
  const auto& told = *static_cast<const ListArgs*>(i->args);
  const auto& list = *static_cast<const ListArgs*>(told.inner_args);
  Inst inner = *i;
  inner.args = &list;
  if (!c.stack->observed()) {
    told.each(&inner, c);
    return i + 1;
  }
  Event event;
  event.operands.push_back(coordinates_of(i, c, list));
  told.each(&inner, c);
  if (list.results > 0) {
    event.kind = Event::Kind::read;
    event.result = lane_values(
        c, std::span(list.result).first(static_cast<std::size_t>(list.results)), list.result_type);
  } else {
    event.kind = Event::Kind::write;
    event.operands.push_back(lane_values(c, std::span(list.slots).subspan(1, 4), list.types[1]));
  }
  event.name = told.name;
  return tell(i, c, std::move(event), i->imm);
}

/// For an image through a sampler, the event holds the shader's own coordinates.
const Inst* tell_sample(const Inst* i, Context& c) {
  const auto& told = *static_cast<const ListArgs*>(i->args);
  Inst inner = *i;
  inner.args = told.inner_args;
  if (!c.stack->observed()) {
    told.each(&inner, c);
    return i + 1;
  }
  Event event;
  event.kind = Event::Kind::read;
  event.operands.push_back(lane_values(c, told.slots, Scalar::f32));
  told.each(&inner, c);
  event.result = lane_values(
      c, std::span(told.result).first(static_cast<std::size_t>(told.results)), told.result_type);
  event.name = told.name;
  return tell(i, c, std::move(event), i->imm);
}

}  // namespace

Run find_tell_line() { return tell_line; }
Run find_tell_access() { return tell_access; }
Run find_tell_image() { return tell_image; }
Run find_tell_sample() { return tell_sample; }
Run find_each_tangle() { return each_tangle; }

Run find_tangled_flow(Code code) {
  constexpr FlowFunction functions[] = {
      {Code::if_begin, if_begin},
      {Code::if_else, if_else},
      {Code::if_end, if_end},
      {Code::loop_begin, loop_begin},
      {Code::loop_test, loop_test},
      {Code::trip_end, trip_end},
      {Code::loop_back, loop_back},
      {Code::loop_end, loop_end},
      {Code::switch_begin, switch_begin},
      {Code::switch_case, switch_case},
      {Code::switch_end, switch_end},
      {Code::call_begin, call_begin},
      {Code::call_end, call_end},
      {Code::leave_loop, leave_loop},
      {Code::leave_loop_around, leave_loop_around},
      {Code::leave_trip, leave_trip},
      {Code::retire, retire},
      {Code::barrier, barrier},
      {Code::memory_barrier, memory_barrier},
      {Code::end, end},
  };
  return find_in(functions, code);
}

}  // namespace lockstep::spirv
