#include <atomic>
#include <bit>
#include <concepts>

#include <lockstep/lanes/detail/gather.hpp>
#include <lockstep/lanes/detail/masked_store.hpp>
#include <lockstep/lanes/detail/prefix_counts.hpp>

#include "shader/run/ops/find.hpp"
#include "shader/run/ops/find_run.hpp"
#include "shader/run/ops/memory_access.hpp"
#include "shader/run/ops/number.hpp"

namespace lockstep::spirv {
namespace {

using U32 = std::uint32_t;

/// Writes a variable in the active lanes.
template <class T>
const Inst* move(const Inst* i, Context& c) {
  std::byte* const to = c.regs + i->dst;
  const std::byte* const from = c.regs + i->a;
  if (!i->varying_result()) {
    put<T>(to, get<T>(from));
    return i + 1;
  }
  const U32 step = i->varying(0) ? chunk_bytes<T> : 0;
  for (unsigned k = 0; k < i->chunks; ++k) {
    std::byte* const here = to + k * chunk_bytes<T>;
    const auto lanes = chunk_mask(c.state.active, static_cast<int>(k));
    put<T>(here, select(lanes, get<T>(from + k * step), get<T>(here)));
  }
  return i + 1;
}
const Inst* move_bool(const Inst* i, Context& c) {
  const Mask<128> value = get_mask(c.regs + i->a);
  if (!i->varying_result()) {
    put_mask(c.regs + i->dst, value);
    return i + 1;
  }
  const Mask<128> active = c.state.active;
  put_mask(c.regs + i->dst, (value & active) | get_mask(c.regs + i->dst).without(active));
  return i + 1;
}

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Reads and writes components of type T in registers. In memory a bool is a number.
template <class T>
struct InRegister {
  static void put_lane(std::byte* reg, int lane, T value) {
    std::memcpy(reg + static_cast<std::size_t>(lane) * sizeof(T), &value, sizeof value);
  }
  static T get_lane(const std::byte* reg, int lane) {
    return read<T>(reg + static_cast<std::size_t>(lane) * sizeof(T));
  }
  static void put_all(std::byte* reg, T value, unsigned chunks) {
    for (unsigned k = 0; k < chunks; ++k) put<T>(reg + k * chunk_bytes<T>, Chunk<T>(value));
  }
  static constexpr std::size_t bytes = sizeof(T);
  using Value = T;
};
template <>
struct InRegister<bool> {
  static void put_lane(std::byte* reg, int lane, U32 value) {
    std::byte& byte = reg[lane / 8];
    const auto bit = static_cast<std::byte>(1u << (lane % 8));
    byte = value != 0 ? byte | bit : byte & ~bit;
  }
  static U32 get_lane(const std::byte* reg, int lane) {
    return static_cast<U32>(reg[lane / 8] >> (lane % 8)) & 1u;
  }
  static void put_all(std::byte* reg, U32 value, unsigned) { put_bool(reg, value != 0); }
  static constexpr std::size_t bytes = 4;
  using Value = U32;
};

/// The active lanes of a chunk.
Mask<chunk_lanes> lanes_of(const Context& c, unsigned chunk) {
  return chunk_mask(c.state.active, static_cast<int>(chunk));
}

/// The byte offsets of the active lanes' elements if all are in bounds and fit the 31 bits that gathers and scatters
/// of the processor take. Requires an index that differs between lanes.
class Distances {
 public:
  Distances(const Inst* i, const Context& c, const MemoryArgs& m)
      : index_(c.regs + m.index.at), stride_(m.stride) {
    const std::uint64_t limit = c.limits[m.limit];
    if (limit * m.stride > 0x7fffffff) return;
    const Chunk<U32> first_outside(static_cast<U32>(limit));
    for (unsigned k = 0; k < i->chunks; ++k) {
      const auto inside = (index(k) < first_outside).mask();
      if (lanes_of(c, k).without(inside).any_lane()) return;
    }
    good_ = true;
  }
  explicit operator bool() const { return good_; }

  Chunk<U32> operator[](unsigned chunk) const { return index(chunk) * Chunk<U32>(stride_); }

 private:
  Chunk<U32> index(unsigned chunk) const { return get<U32>(index_ + chunk * chunk_bytes<U32>); }

  const std::byte* index_;
  U32 stride_;
  bool good_ = false;
};

/// The same for accesses by address: the object that all active lanes' addresses name, and their bytes in it.
/// Addresses of other objects are as far away as bytes that no object has.
class DistancesInObject {
 public:
  DistancesInObject(const Inst* i, const Context& c, const MemoryArgs& m, bool writes)
      : address_(c.regs + m.index.at) {
    if (!m.index.varying || !c.state.active.any_lane()) return;
    const auto first = read<U64>(address_ + static_cast<std::size_t>(c.state.active.first()) * 8);
    const Pointee object = pointee_of(c, m.pointer, first);
    const std::uint64_t bytes = m.offset + (m.components - 1) * std::uint64_t{m.step} + sizeof(U32);
    if (!object.exists || object.size < bytes || object.size > 0x7fffffff) return;
    if (writes && !object.writable) return;
    start_ = first & ~pointers::pointer_byte_mask;
    const Chunk<U64> last(object.size - bytes);
    for (unsigned k = 0; k < i->chunks; ++k) {
      const auto outside = (byte(k) > last).mask();
      if ((lanes_of(c, k) & outside).any_lane()) return;
    }
    data_ = object.data + m.offset;
    size_ = object.size - m.offset;
  }
  explicit operator bool() const { return data_ != nullptr; }

  /// The object, from the access's constant offset on.
  std::byte* data() const { return data_; }
  std::uint64_t size() const { return size_; }
  Chunk<U32> operator[](unsigned chunk) const { return Chunk<U32>(byte(chunk)); }

 private:
  using U64 = std::uint64_t;

  Chunk<U64> byte(unsigned chunk) const {
    return get<U64>(address_ + chunk * chunk_bytes<U64>) - Chunk<U64>(start_);
  }

  const std::byte* address_;
  U64 start_ = 0;
  std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
};

/// Gathers the elements of all lanes.
template <class D>
void gather(const Inst* i, Context& c, const MemoryArgs& m, const std::byte* data,
            const D& distances) {
  for (unsigned k = 0; k < i->chunks; ++k) {
    const Chunk<U32> distance = distances[k];
    for (U32 n = 0; n < m.components; ++n) {
      std::byte* const to = c.regs + m.value[n].at + k * chunk_bytes<U32>;
      detail::gather_words(reinterpret_cast<U32*>(to), data + std::size_t{n} * m.step,
                           lanes_of(c, k), distance);
    }
  }
}
/// The same if each is in bounds.
bool gather(const Inst* i, Context& c, const MemoryArgs& m, const std::byte* data) {
  const Distances distances(i, c, m);
  if (distances) gather(i, c, m, data, distances);
  return static_cast<bool>(distances);
}
/// Scatters the elements of all lanes; where several lanes write to one, the highest lane's value stays.
template <class D>
void scatter(const Inst* i, Context& c, const MemoryArgs& m, std::byte* data, const D& distances) {
  const U32 step = m.value[0].varying ? chunk_bytes<U32> : 0;
  for (unsigned k = 0; k < i->chunks; ++k)
    detail::scatter_words(data, lanes_of(c, k), distances[k],
                          get<U32>(c.regs + m.value[0].at + k * step));
}
/// The same if each has one component and is in bounds.
bool scatter(const Inst* i, Context& c, const MemoryArgs& m, std::byte* data) {
  if (m.components != 1) return false;
  const Distances distances(i, c, m);
  if (distances) scatter(i, c, m, data, distances);
  return static_cast<bool>(distances);
}

/// Whether packing a chunk takes a few instructions. Elsewhere a scatter is faster.
constexpr bool packs_in_registers = LOCKSTEP_REGISTER_BYTES == 64;

/// Whether the active lanes, from the lowest up, write consecutive elements, all of them inside the
/// array, as in every stream compaction.
bool is_packed(const Inst* i, const Context& c, const std::byte* index, std::uint64_t limit) {
  const Mask<128> active = c.state.active;
  if (!active.any_lane()) return false;
  const auto index_of = [&](int lane) {
    return read<U32>(index + static_cast<std::size_t>(lane) * sizeof(U32));
  };
  U32 next = index_of(active.first());
  const auto count = static_cast<U32>(active.count());
  // Two lanes decide for nearly all other stores.
  if (index_of(active.last()) - next != count - 1 || std::uint64_t{next} + count > limit)
    return false;
  for (unsigned k = 0; k < i->chunks; ++k) {
    const auto lanes = lanes_of(c, k);
    const auto expected = Chunk<U32>(next) + detail::prefix_counts<false>(lanes);
    const auto same = (get<U32>(index + k * chunk_bytes<U32>) == expected).mask();
    if (lanes.without(same).any_lane()) return false;
    next += static_cast<U32>(lanes.count());
  }
  return true;
}
/// Stores the numbers of the active lanes one after the other, if that is where they belong.
bool store_packed(const Inst* i, const Context& c, const MemoryArgs& m, std::byte* data) {
  const std::byte* const index = c.regs + m.index.at;
  if (m.components != 1 || m.stride != sizeof(U32) || !is_packed(i, c, index, c.limits[m.limit]))
    return false;
  const auto first = static_cast<std::size_t>(c.state.active.first());
  auto* to = reinterpret_cast<U32*>(data) + read<U32>(index + first * sizeof(U32));
  const U32 step = m.value[0].varying ? chunk_bytes<U32> : 0;
  for (unsigned k = 0; k < i->chunks; ++k) {
    const auto lanes = lanes_of(c, k);
    detail::store_packed(to, lanes, get<U32>(c.regs + m.value[0].at + k * step));
    to += lanes.count();
  }
  return true;
}

/// The byte of lane 0 if the active lanes access consecutive numbers and the object has one for every lane;
/// otherwise null.
std::byte* start_of_consecutive(const Inst* i, const Context& c, const DistancesInObject& object) {
  const int first = c.state.active.first();
  const auto of_first = object[static_cast<unsigned>(first) / chunk_lanes][first % chunk_lanes];
  const U32 start = of_first - static_cast<U32>(first) * 4;
  if (std::uint64_t{start} + i->chunks * chunk_bytes < U32 >> object.size()) return nullptr;
  for (unsigned k = 0; k < i->chunks; ++k) {
    const Chunk<U32> expected =
        Chunk<U32>(start + k * chunk_bytes<U32>) + Chunk<U32>::iota() * Chunk<U32>(4u);
    const auto same = (object[k] == expected).mask();
    if (lanes_of(c, k).without(same).any_lane()) return nullptr;
  }
  return object.data() + start;
}

/// Loads through addresses of one object, all of them inside. Returns whether they are.
bool load_from_object(const Inst* i, Context& c, const MemoryArgs& m) {
  const DistancesInObject object(i, c, m, false);
  if (!object) return false;
  const std::byte* const from = m.components == 1 ? start_of_consecutive(i, c, object) : nullptr;
  if (from != nullptr)
    std::memcpy(c.regs + m.value[0].at, from, i->chunks * chunk_bytes<U32>);
  else
    gather(i, c, m, object.data(), object);
  return true;
}
bool store_to_object(const Inst* i, Context& c, const MemoryArgs& m) {
  if (m.components != 1) return false;
  const DistancesInObject object(i, c, m, true);
  if (!object) return false;
  std::byte* const to = start_of_consecutive(i, c, object);
  if (to == nullptr) {
    scatter(i, c, m, object.data(), object);
    return true;
  }
  const U32 step = m.value[0].varying ? chunk_bytes<U32> : 0;
  for (unsigned k = 0; k < i->chunks; ++k)
    detail::store_masked(reinterpret_cast<U32*>(to + k * chunk_bytes<U32>), lanes_of(c, k),
                         get<U32>(c.regs + m.value[0].at + k * step));
  return true;
}

template <class T>
constexpr bool is_word = std::same_as<T, U32>;

template <class T>
const Inst* load_uniform(const Inst* i, Context& c, const MemoryArgs& m) {
  using R = InRegister<T>;
  const Memory& memory = c.memory[m.resource];
  const U32 index = m.has_index ? get_first<U32>(c.regs + m.index.at) : 0;
  const bool inside = index < c.limits[m.limit];
  if (!inside) note_outside(c, i, m, AccessKind::read, index, c.state.active.first());
  const std::byte* from = memory.data + m.offset + std::uint64_t{index} * m.stride;
  for (U32 k = 0; k < m.components; ++k) {
    const auto value = inside ? read<typename R::Value>(from + k * m.step) : typename R::Value{};
    R::put_all(c.regs + m.value[k].at, value, i->chunks);
  }
  return i + 1;
}

template <class T>
const Inst* load(const Inst* i, Context& c) {
  using R = InRegister<T>;
  const auto& m = *static_cast<const MemoryArgs*>(i->args);
  if (!m.has_index || !m.index.varying) return load_uniform<T>(i, c, m);
  const Memory& memory = c.memory[m.resource];
  const std::uint64_t limit = c.limits[m.limit];
  const std::byte* const index = c.regs + m.index.at;
  const std::byte* const data = memory.data + m.offset;
  const Mask<128> active = c.state.active;
  if constexpr (!std::same_as<T, bool>) {
    if (m.components == 1 && m.stride == sizeof(T)) {
      U32 base = 0;
      const auto size = static_cast<U32>(c.size);
      if (is_consecutive(index, active, i->chunks, base) && base < limit && size <= limit - base) {
        std::memcpy(c.regs + m.value[0].at, data + std::uint64_t{base} * sizeof(T),
                    size * sizeof(T));
        return i + 1;
      }
    }
    if (is_word<T> && gather(i, c, m, data)) return i + 1;
    const T nothing{};
    for (U32 k = 0; k < m.components; ++k) R::put_all(c.regs + m.value[k].at, nothing, i->chunks);
  }
  for_each_lane(active, [&](int lane) {
    const U32 at = read<U32>(index + static_cast<std::size_t>(lane) * 4);
    const bool inside = at < limit;
    if (!inside) note_outside(c, i, m, AccessKind::read, at, lane);
    const std::byte* from = data + std::uint64_t{at} * m.stride;
    for (U32 k = 0; k < m.components; ++k)
      R::put_lane(c.regs + m.value[k].at, lane,
                  inside ? read<typename R::Value>(from + k * m.step) : typename R::Value{});
  });
  return i + 1;
}

template <class T>
const Inst* store(const Inst* i, Context& c) {
  using R = InRegister<T>;
  const auto& m = *static_cast<const MemoryArgs*>(i->args);
  const Memory& memory = c.memory[m.resource];
  const std::uint64_t limit = c.limits[m.limit];
  std::byte* const data = memory.data + m.offset;
  const Mask<128> active = c.state.active;
  const auto value_of = [&](U32 k, int lane) {
    const bool one_for_all = !m.value[k].varying;
    return R::get_lane(c.regs + m.value[k].at, one_for_all ? 0 : lane);
  };
  if (!m.has_index || !m.index.varying) {
    // All lanes write to one place in order: the last lane's value stays.
    const U32 at = m.has_index ? get_first<U32>(c.regs + m.index.at) : 0;
    if (at >= limit) {
      note_outside(c, i, m, AccessKind::write, at, active.first());
      return i + 1;
    }
    for (U32 k = 0; k < m.components; ++k) {
      const auto value = value_of(k, active.last());
      std::memcpy(data + std::uint64_t{at} * m.stride + k * m.step, &value, sizeof value);
    }
    return i + 1;
  }
  const std::byte* const index = c.regs + m.index.at;
  if constexpr (!std::same_as<T, bool>) {
    U32 base = 0;
    const auto count = static_cast<U32>(active.count());
    if (m.components == 1 && m.stride == sizeof(T) && m.value[0].varying &&
        active == Mask<128>::first_n(active.count()) &&
        is_consecutive(index, active, i->chunks, base) && base < limit && count <= limit - base) {
      std::memcpy(data + std::uint64_t{base} * sizeof(T), c.regs + m.value[0].at,
                  count * sizeof(T));
      return i + 1;
    }
    if (is_word<T> && packs_in_registers && store_packed(i, c, m, data)) return i + 1;
    if (is_word<T> && scatter(i, c, m, data)) return i + 1;
  }
  for_each_lane(active, [&](int lane) {
    const U32 at = read<U32>(index + static_cast<std::size_t>(lane) * 4);
    if (at >= limit) return note_outside(c, i, m, AccessKind::write, at, lane);
    for (U32 k = 0; k < m.components; ++k) {
      const auto value = value_of(k, lane);
      std::memcpy(data + std::uint64_t{at} * m.stride + k * m.step, &value, sizeof value);
    }
  });
  return i + 1;
}

// Accesses at base + lane, of whole chunks.

constexpr std::size_t bytes_ahead = 2048;

/// The first byte of an access by all lanes; null if any of it is outside the memory.
template <class Word>
LOCKSTEP_INLINE std::byte* start_of_run(const Inst* i, const Context& c, const MemoryArgs& m) {
  const U32 base = get_first<U32>(c.regs + m.index.at);
  const std::uint64_t limit = c.limits[m.limit];
  const bool inside = std::uint64_t{base} + i->imm <= limit;
  return inside ? c.memory[m.resource].data + m.offset + std::uint64_t{base} * sizeof(Word)
                : nullptr;
}

template <class Word, int N>
const Inst* load_run(const Inst* i, Context& c) {
  const auto& m = *static_cast<const MemoryArgs*>(i->args);
  const std::byte* const from = start_of_run<Word>(i, c, m);
  if (from == nullptr) return load<Word>(i, c);
  for_chunks<N>(
      i, [&](unsigned k) __attribute__((always_inline)) {
        __builtin_prefetch(from + bytes_ahead + k * chunk_bytes<Word>);
        put<Word>(c.regs + m.value[0].at + k * chunk_bytes<Word>,
                  get<Word>(from + k * chunk_bytes<Word>));
      });
  return i + 1;
}

template <class Word, int N>
const Inst* store_run(const Inst* i, Context& c) {
  const auto& m = *static_cast<const MemoryArgs*>(i->args);
  std::byte* const to = start_of_run<Word>(i, c, m);
  if (to == nullptr) return store<Word>(i, c);
  const U32 step = m.value[0].varying ? chunk_bytes<Word> : 0;
  for_chunks<N>(
      i, [&](unsigned k) __attribute__((always_inline)) {
        detail::store_masked(reinterpret_cast<Word*>(to + k * chunk_bytes<Word>),
                             chunk_mask(c.state.active, static_cast<int>(k)),
                             get<Word>(c.regs + m.value[0].at + k * step));
      });
  return i + 1;
}

template <class T>
const Inst* load_address(const Inst* i, Context& c) {
  using R = InRegister<T>;
  const auto& m = *static_cast<const MemoryArgs*>(i->args);
  if (is_word<T> && load_from_object(i, c, m)) return i + 1;
  const auto load_lane = [&](int lane, auto put) {
    const auto address =
        read<std::uint64_t>(c.regs + m.index.at + static_cast<std::size_t>(lane) * 8);
    const std::byte* from = at_pointer(c, i, m, AccessKind::read, false, address, R::bytes, lane);
    for (U32 k = 0; k < m.components; ++k)
      put(k, from != nullptr ? read<typename R::Value>(from + k * m.step) : typename R::Value{});
  };
  if (!m.index.varying) {
    load_lane(0, [&](U32 k, auto value) { R::put_all(c.regs + m.value[k].at, value, i->chunks); });
  } else {
    for_each_lane(c.state.active, [&](int lane) {
      load_lane(lane, [&](U32 k, auto value) { R::put_lane(c.regs + m.value[k].at, lane, value); });
    });
  }
  return i + 1;
}

template <class T>
const Inst* store_address(const Inst* i, Context& c) {
  using R = InRegister<T>;
  const auto& m = *static_cast<const MemoryArgs*>(i->args);
  if (is_word<T> && store_to_object(i, c, m)) return i + 1;
  for_each_lane(c.state.active, [&](int lane) {
    const auto address = read<std::uint64_t>(
        c.regs + m.index.at + (m.index.varying ? static_cast<std::size_t>(lane) * 8 : 0));
    std::byte* to = at_pointer(c, i, m, AccessKind::write, true, address, R::bytes, lane);
    if (to == nullptr) return;
    for (U32 k = 0; k < m.components; ++k) {
      const auto value = R::get_lane(c.regs + m.value[k].at, m.value[k].varying ? lane : 0);
      std::memcpy(to + k * m.step, &value, sizeof value);
    }
  });
  return i + 1;
}

/// A lane's component of an indexed variable; null if there is none.
std::byte* component(const Inst* i, Context& c, int lane) {
  const auto& slots = static_cast<const IndexedArgs*>(i->args)->slots;
  const auto index =
      read<U32>(c.regs + i->a + (i->varying(0) ? static_cast<std::size_t>(lane) * 4 : 0));
  const std::uint64_t at = index + i->imm;
  return index != 0xffffffff && at < slots.size() ? c.regs + slots[at] : nullptr;
}

template <class T>
const Inst* load_indexed(const Inst* i, Context& c) {
  using R = InRegister<T>;
  if (!i->varying(0)) {
    const std::byte* const from = component(i, c, 0);
    const unsigned chunks = std::same_as<T, bool> ? bool_bytes / chunk_bytes<bool> : i->chunks;
    for (unsigned k = 0; k < chunks; ++k) {
      const Chunk<T> value = from == nullptr ? Chunk<T>(T{}) : get<T>(from + k * chunk_bytes<T>);
      put<T>(c.regs + i->dst + k * chunk_bytes<T>, value);
    }
    return i + 1;
  }
  for_each_lane(c.state.active, [&](int lane) {
    const std::byte* from = component(i, c, lane);
    R::put_lane(c.regs + i->dst, lane,
                from != nullptr ? R::get_lane(from, lane) : typename R::Value{});
  });
  return i + 1;
}

template <class T>
const Inst* store_indexed(const Inst* i, Context& c) {
  using R = InRegister<T>;
  if constexpr (!std::same_as<T, bool>) {
    if (!i->varying(0)) {
      // With a uniform index, the component is like any other variable.
      std::byte* const to = component(i, c, 0);
      const U32 step = i->varying(1) ? chunk_bytes<T> : 0;
      for (unsigned k = 0; to != nullptr && k < i->chunks; ++k) {
        std::byte* const here = to + k * chunk_bytes<T>;
        put<T>(here, select(chunk_mask(c.state.active, static_cast<int>(k)),
                            get<T>(c.regs + i->b + k * step), get<T>(here)));
      }
      return i + 1;
    }
  }
  for_each_lane(c.state.active, [&](int lane) {
    std::byte* to = component(i, c, lane);
    if (to != nullptr) R::put_lane(to, lane, R::get_lane(c.regs + i->b, i->varying(1) ? lane : 0));
  });
  return i + 1;
}

const Inst* array_length(const Inst* i, Context& c) {
  const auto& m = *static_cast<const MemoryArgs*>(i->args);
  const auto elements = [&](std::uint64_t size) {
    if (size < m.offset) return U32{0};
    // Avoids the division, the slowest part, where it can.
    return static_cast<U32>(std::has_single_bit(m.stride)
                                ? (size - m.offset) >> std::countr_zero(m.stride)
                                : (size - m.offset) / m.stride);
  };
  if (!m.has_index) {
    InRegister<U32>::put_all(c.regs + m.value[0].at, elements(c.memory[m.resource].size),
                             i->chunks);
    return i + 1;
  }
  const auto of_lane = [&](int lane) {
    const auto pointer =
        read<std::uint64_t>(c.regs + m.index.at + static_cast<std::size_t>(lane) * 8);
    return elements(pointee_of(c, m.pointer, pointer).size);
  };
  if (!m.index.varying) {
    InRegister<U32>::put_all(c.regs + m.value[0].at, of_lane(0), i->chunks);
  } else {
    for_each_lane(c.state.active, [&](int lane) {
      InRegister<U32>::put_lane(c.regs + m.value[0].at, lane, of_lane(lane));
    });
  }
  return i + 1;
}

template <class F, class B>
Run bits_or_bool(Scalar type, F number, B boolean) {
  return type == Scalar::boolean ? boolean() : for_bits(type, number);
}

template <class Word>
Run find_run_of(bool loads, int chunks) {
  switch (chunks) {
    case 1:
      return loads ? load_run<Word, 1> : store_run<Word, 1>;
    case 2:
      return loads ? load_run<Word, 2> : store_run<Word, 2>;
    case 4:
      return loads ? load_run<Word, 4> : store_run<Word, 4>;
    default:
      return loads ? load_run<Word, 0> : store_run<Word, 0>;
  }
}

}  // namespace

Run find_run(Code code, int chunks, std::uint32_t bytes) {
  const bool loads = code == Code::load;
  if (bytes == 1) return find_run_of<std::uint8_t>(loads, chunks);
  return bytes == 2 ? find_run_of<std::uint16_t>(loads, chunks) : find_run_of<U32>(loads, chunks);
}

Run find_memory(Code code, Scalar type) {
  switch (code) {
    case Code::move:
      return bits_or_bool(
          type, []<class T>() -> Run { return move<T>; }, []() -> Run { return move_bool; });
    case Code::load:
      return bits_or_bool(
          type, []<class T>() -> Run { return load<T>; }, []() -> Run { return load<bool>; });
    case Code::store:
      return bits_or_bool(
          type, []<class T>() -> Run { return store<T>; }, []() -> Run { return store<bool>; });
    case Code::load_address:
      return bits_or_bool(
          type, []<class T>() -> Run { return load_address<T>; },
          []() -> Run { return load_address<bool>; });
    case Code::store_address:
      return bits_or_bool(
          type, []<class T>() -> Run { return store_address<T>; },
          []() -> Run { return store_address<bool>; });
    case Code::load_indexed:
      return bits_or_bool(
          type, []<class T>() -> Run { return load_indexed<T>; },
          []() -> Run { return load_indexed<bool>; });
    case Code::store_indexed:
      return bits_or_bool(
          type, []<class T>() -> Run { return store_indexed<T>; },
          []() -> Run { return store_indexed<bool>; });
    case Code::array_length:
      return array_length;
    default:
      return nullptr;
  }
}

}  // namespace lockstep::spirv
