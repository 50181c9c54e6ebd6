#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/subgroup_setup.hpp>
#include <lockstep/dispatch/texel.hpp>
#include <lockstep/exec/used.hpp>
#include <lockstep/glsl/detail/image_on.hpp>
#include <lockstep/glsl/functions/packing_float16.hpp>
#include <lockstep/glsl/vec.hpp>
#include <lockstep/workgroup/scoped_atomics.hpp>
#include <lockstep/workgroup/traced_memory.hpp>

/// \file
/// Images in kernels: the members image2D, uimage3D, iimage2DArray ... and GLSL's functions on them.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// What a dispatch passes to a kernel's image member.
template <class S>
struct BoundImage {
  Image& image;
  std::uint32_t binding;
  typename S::State* state;
  Location* location;
};

/// Called by the dispatch for each argument that is an Image.
template <class S>
BoundImage<S> bind_argument(const SubgroupSetup<S>& setup, Image& image, std::uint32_t binding) {
  return {image, binding, &setup.state, &setup.location};
}

/// The texels of an image that some lanes access, all of them inside it.
///
/// They are loaded and stored as integers, lane i's at `stride` bytes times at[i] after the first,
/// out of line: kernels are large enough.
template <int W>
struct Texels {
  using Uint = Lanes<std::uint32_t, W>;

  std::byte* data;
  std::uint32_t count;
  std::size_t stride;
  Mask<W> lanes;
  const Uint& at;

  template <class Raw>
  [[gnu::noinline]] Lanes<Raw, W> load(std::size_t offset = 0) const {
    const std::byte* const first = data + offset;
    alignas(64) Raw raw[Lanes<Raw, W>::physical] = {};
    if (stride == sizeof(Raw) && is_consecutive(lanes, at, count)) {
      std::memcpy(raw, first + at.lane0() * sizeof(Raw), W * sizeof(Raw));
    } else {
      for_each_lane(lanes,
                    [&](int i) { std::memcpy(&raw[i], first + at[i] * stride, sizeof(Raw)); });
    }
    return Lanes<Raw, W>(load_packs<Raw, Lanes<Raw, W>::physical>(raw));
  }
  template <class Raw>
  [[gnu::noinline]] void store(const Lanes<Raw, W>& value, std::size_t offset = 0) const {
    std::byte* const first = data + offset;
    const InMemory<Raw, Lanes<Raw, W>::physical> raw(value.packs());
    if (stride == sizeof(Raw) && lanes.all_lanes() && is_consecutive(lanes, at, count)) {
      std::memcpy(first + at.lane0() * sizeof(Raw), raw.lane, W * sizeof(Raw));
    } else {
      for_each_lane(lanes,
                    [&](int i) { std::memcpy(first + at[i] * stride, &raw.lane[i], sizeof(Raw)); });
    }
  }
};

/// The value of 16 bits. NaN becomes quiet, as with the processors' conversion instruction.
template <int W>
LOCKSTEP_INLINE Lanes<float, W> from_half_bits(const Lanes<std::uint16_t, W>& half) {
  const Lanes<float, W> value(bits_as<float16_t>(half));
  return select(isnan(value), bits_as<float>(float_bits(value) | 0x400000u), value);
}

/// [0, 1] to 0 to 255, rounded to nearest, ties to even. The product is exact in double.
inline std::uint32_t to_unorm8(float value) {
  if (!(value > 0.0f)) return 0;  // NaN, too
  if (value >= 1.0f) return 255;
  return static_cast<std::uint32_t>(std::nearbyint(static_cast<double>(value) * 255.0));
}

/// The numbers of lanes that may know more than their numbers.
template <class L>
const auto& plain_lanes(const L& lanes) {
  if constexpr (requires { lanes.plain(); })
    return lanes.plain();
  else
    return lanes;
}

/// Texels of any format, one lane at a time.
template <class T, int W>
[[gnu::noinline]] Vec<T, 4, W> decode_each(const Texels<W>& texels, ImageFormat format) {
  constexpr int physical = Lanes<T, W>::physical;
  alignas(64) T numbers[4][physical] = {};
  for_each_lane(texels.lanes, [&](int i) {
    const TexelBits texel = decode_texel(format, texels.data + texels.at[i] * texels.stride);
    for (std::size_t k = 0; k < 4; ++k)
      numbers[k][i] = std::bit_cast<T>(static_cast<std::uint32_t>(texel[k]));
  });
  return Vec<T, 4, W>::generate(
      [&](auto k) { return Lanes<T, W>(load_packs<T, physical>(numbers[k])); });
}
template <class T, int W>
[[gnu::noinline]] void encode_each(const Texels<W>& texels, ImageFormat format,
                                   const Vec<T, 4, W>& value) {
  for_each_lane(texels.lanes, [&](int i) {
    TexelBits texel;
    unrolled<4>(
        [&](auto k) { texel[k] = std::bit_cast<std::uint32_t>(value.template component<k>()[i]); });
    encode_texel(format, texels.data + texels.at[i] * texels.stride, texel);
  });
}

/// Each lane's texel. Components that the format lacks are 0, the fourth is 1.
template <int W>
[[gnu::noinline]] Vec<float, 4, W> decode(const Texels<W>& texels, ImageFormat format) {
  using Float = Lanes<float, W>;
  using Uint16 = Lanes<std::uint16_t, W>;
  switch (format) {
    case ImageFormat::r16f:
      return {from_half_bits(texels.template load<std::uint16_t>()), 0.0f, 0.0f, 1.0f};
    case ImageFormat::rgba8: {
      const auto raw = texels.template load<std::uint32_t>();
      return Vec<float, 4, W>::generate([&](auto k) {
        return Float((raw >> static_cast<std::uint32_t>(8 * k)) & 0xffu) / 255.0f;
      });
    }
    case ImageFormat::rgba16f: {
      const auto raw = texels.template load<std::uint64_t>();
      return Vec<float, 4, W>::generate([&](auto k) {
        return from_half_bits(Uint16(raw >> static_cast<std::uint64_t>(16 * k)));
      });
    }
    case ImageFormat::rgba32f: {
      return Vec<float, 4, W>::generate([&](auto k) {
        return bits_as<float>(texels.template load<std::uint32_t>(std::size_t{4} * k));
      });
    }
    case ImageFormat::r32f:
      return {bits_as<float>(texels.template load<std::uint32_t>()), 0.0f, 0.0f, 1.0f};
    default:
      return decode_each<float>(texels, format);
  }
}

/// Writes each lane's texel; components that the format lacks are dropped.
template <int W>
[[gnu::noinline]] void encode(const Texels<W>& texels, ImageFormat format,
                              const Vec<float, 4, W>& value) {
  using Uint64 = Lanes<std::uint64_t, W>;
  switch (format) {
    case ImageFormat::r16f:
      return texels.store(Lanes<std::uint16_t, W>(half_bits(value.x)));
    case ImageFormat::rgba8: {
      const auto fixed = [](const Lanes<float, W>& c) { return map(to_unorm8, c); };
      return texels.store(fixed(value.x) | fixed(value.y) << 8u | fixed(value.z) << 16u |
                          fixed(value.w) << 24u);
    }
    case ImageFormat::rgba16f: {
      const auto half = [](const Lanes<float, W>& c) { return Uint64(half_bits(c)); };
      return texels.store(half(value.x) | half(value.y) << std::uint64_t{16} |
                          half(value.z) << std::uint64_t{32} | half(value.w) << std::uint64_t{48});
    }
    case ImageFormat::rgba32f:
      return unrolled<4>([&](auto k) {
        texels.store(float_bits(value.template component<k>()), std::size_t{4} * k);
      });
    case ImageFormat::r32f:
      return texels.store(float_bits(value.x));
    default:
      return encode_each(texels, format, value);
  }
}

constexpr bool is_one_integer(ImageFormat format) {
  return format == ImageFormat::r32ui || format == ImageFormat::r32i;
}

/// As above, for images of integers.
template <class T, int W>
Vec<T, 4, W> decode_integers(const Texels<W>& texels, ImageFormat format) {
  if (!is_one_integer(format)) return decode_each<T>(texels, format);
  return {Lanes<T, W>(texels.template load<std::uint32_t>()), T(0), T(0), T(1)};
}
template <class T, int W>
void encode_integers(const Texels<W>& texels, ImageFormat format, const Vec<T, 4, W>& value) {
  if (!is_one_integer(format)) return encode_each(texels, format, value);
  texels.store(Lanes<std::uint32_t, W>(value.x));
}

/// Whether a kernel sees texels of a format as numbers of type T.
template <class T>
constexpr bool holds(ImageFormat format) {
  return info_of(format).number() == (std::same_as<T, float>          ? TexelNumber::float32
                                      : std::same_as<T, std::int32_t> ? TexelNumber::int32
                                                                      : TexelNumber::uint32);
}

/// GLSL's name of an image type.
template <class T>
std::string image_type_name(ImageKind kind) {
  const char* const letter = std::same_as<T, float>          ? ""
                             : std::same_as<T, std::int32_t> ? "i"
                                                             : "u";
  return std::string(letter).append(to_string(kind));
}

}  // namespace detail

/// The size of a two-dimensional image, uniform; converts to ivec2.
struct ImageSize2 {
  std::int32_t x, y;
};
/// The size of an image of three dimensions, or of an array; converts to ivec3.
struct ImageSize3 {
  std::int32_t x, y, z;
};

/// An image in a kernel: the type of the members image2D, uimage2D, iimage2D, image3D, image2DArray
/// ... T is the type of its numbers. As with GLSL's qualifiers, readonly<image2D> cannot be written
/// and writeonly<image2D> cannot be read; an image converts to one with more qualifiers.
///
/// Requires      Bound to an Image of the same kind, with a format of such numbers.
/// Active lanes  As Element.
/// Errors        The dispatch throws Error if an image of another type is bound. What a qualifier forbids
///               does not compile; atomics, even those that only read, take images without qualifiers.
/// Cost          None to bind.
/// Spec          GLSL image2D, readonly, writeonly ... · SPIR-V OpTypeImage, NonWritable, NonReadable
/// Example       tests/glsl/image.cpp
template <class S, class T, ImageKind Kind, bool Readable, bool Writable>
class ImageOn {
 public:
  static constexpr int width = S::width;
  static constexpr bool traced = S::tangled;
  static constexpr bool readable = Readable;
  static constexpr bool writable = Writable;
  static constexpr int dimensions = Kind == ImageKind::two_d ? 2 : 3;
  using Coordinates = VecOn<S, std::int32_t, dimensions>;
  using Texel = VecOn<S, T, 4>;
  using Value = ValueOn<S, T>;
  using Number = T;
  // Addresses and what memory holds.
  using Uint = Lanes<std::uint32_t, width>;
  using PlainCoordinates = Vec<std::int32_t, dimensions, width>;
  using PlainTexel = Vec<T, 4, width>;

  LOCKSTEP_INLINE ImageOn(const detail::BoundImage<S>& bound)
      : data_(bound.image.bytes().data()),
        format_(bound.image.format()),
        size_(bound.image.size()),
        binding_(bound.binding),
        state_(bound.state),
        location_(bound.location) {
    if (bound.image.kind() != Kind || !detail::holds<T>(format_))
      fail::image_type(binding_, detail::image_type_name<T>(Kind), format_, bound.image.kind());
  }
  /// An image with more qualifiers, made from one with fewer.
  template <bool R, bool W>
  requires(R >= Readable && W >= Writable && R + W > Readable + Writable) LOCKSTEP_INLINE
      ImageOn(const ImageOn<S, T, Kind, R, W>& image)
      : data_(image.data_),
        format_(image.format_),
        size_(image.size_),
        binding_(image.binding_),
        state_(image.state_),
        location_(image.location_) {}

  /// The format of its texels.
  ImageFormat format() const { return format_; }
  Size3 size() const { return size_; }
  /// The number of the argument of the dispatch.
  std::uint32_t binding() const { return binding_; }
  /// Whether the dispatch runs on one thread, so that atomics need no lock.
  bool only_thread() const { return location_->only_thread; }
  /// The texels, as numbers of type T.
  T* data() const { return reinterpret_cast<T*>(data_); }

  /// f(texels) with the existing ones of the active lanes; the others are faults.
  template <class F>
  LOCKSTEP_INLINE auto access(const Coordinates& coordinates, AccessKind kind, SourceLocation where,
                              F f) const {
    if constexpr (S::tangled) {
      if (kind != AccessKind::atomic) exec::let_others_run(*state_, where);
    }
    const PlainCoordinates& p = plain(coordinates, where, UseKind::coordinate);
    const Mask<width> active = taking_part(kind != AccessKind::read);
    Mask<width> inside = active & below(p.x, size_.x) & below(p.y, size_.y);
    if constexpr (dimensions == 3) inside = inside & below(p.z, size_.z);
    if (active.without(inside).any_lane())
      report(location_, where, kind, binding_, size_, p, active.without(inside));
    const Uint at = index(p);
    return f(detail::Texels<width>{data_, size_.x * size_.y * size_.z, texel_bytes(format_), inside,
                                   at});
  }

  /// The plain numbers of a value that memory is about to use.
  template <class V>
  LOCKSTEP_INLINE decltype(auto) plain(const V& value, SourceLocation where, UseKind use) const {
    return used(*state_, value, where, use, detail::Binding(binding_, MemoryObject::Kind::image));
  }

  /// For atomics: what happens before.
  LOCKSTEP_INLINE detail::AtomicChoice before_atomic([[maybe_unused]] SourceLocation where) const {
    if constexpr (S::tangled)
      return detail::before_atomic(*state_, where);
    else
      return {};
  }
  /// Reports to observers; `values` computes what they ask for, but for the coordinates.
  template <class MakeValues>
  void tell(AccessKind kind, SourceLocation where, const Coordinates& p, const MakeValues& values,
            const detail::AtomicOrder& order = {}) const requires(S::tangled) {
    const PlainCoordinates at = PlainCoordinates::generate(
        [&](auto k) { return detail::plain_lanes(p.template component<k>()); });
    const auto access = [&] {
      Access made;
      made.object = detail::Binding(binding_, MemoryObject::Kind::image).object();
      made.data = data_;
      made.bytes = texel_bytes(format_);
      made.byte.reserve(width);
      const Uint number = index(at);
      for (int i = 0; i < width; ++i)
        made.byte.push_back(is_inside(at, i) ? std::uint64_t{number[i]} * made.bytes
                                             : Access::outside);
      if (kind == AccessKind::atomic) detail::set_order(made, order);
      return made;
    };
    const auto with_coordinates = [&] {
      AccessValues made = values();
      made.operands.insert(made.operands.begin(), exec::to_lane_values<width>(at));
      return made;
    };
    detail::tell_access(*state_, kind, where, taking_part(kind != AccessKind::read), access,
                        with_coordinates);
  }

 private:
  template <class S2, class T2, ImageKind K2, bool R2, bool W2>
  friend class ImageOn;

  LOCKSTEP_INLINE Mask<width> taking_part(bool write) const {
    if constexpr (PixelsOn<S>) {
      if (write) return state_->active & state_->covered;  // helpers only read
    }
    return state_->active;
  }
  LOCKSTEP_INLINE static Mask<width> below(const Lanes<std::int32_t, width>& coordinate,
                                           std::uint32_t extent) {
    return (Uint(coordinate) < Uint(extent)).mask();  // a negative one is out of bounds
  }
  bool is_inside(const PlainCoordinates& p, int lane) const {
    const std::uint32_t extents[] = {size_.x, size_.y, size_.z};
    for (int k = 0; k < dimensions; ++k) {
      if (static_cast<std::uint32_t>(p[k][lane]) >= extents[k]) return false;
    }
    return true;
  }
  LOCKSTEP_INLINE Uint index(const PlainCoordinates& p) const {
    const Uint in_slice = Uint(p.y) * Uint(size_.x) + Uint(p.x);
    if constexpr (dimensions == 2)
      return in_slice;
    else
      return Uint(p.z) * Uint(size_.x * size_.y) + in_slice;
  }
  // Without `this`, like all calls here: the exec state that it points to must not escape.
  [[gnu::cold, gnu::noinline]] static void report(Location* location, SourceLocation where,
                                                  AccessKind kind, std::uint32_t binding,
                                                  Size3 size, const PlainCoordinates& p,
                                                  Mask<width> outside) {
    const std::uint32_t extents[] = {size.x, size.y, size.z};
    for_each_lane(outside, [&](int i) {
      int k = 0;
      while (static_cast<std::uint32_t>(p[k][i]) < extents[k]) ++k;
      detail::note_outside(location, where, kind, {binding, MemoryObject::Kind::image},
                           LaneAccess::Unit::coordinate, static_cast<std::uint32_t>(p[k][i]),
                           extents[k], i);
    });
  }

  std::byte* data_;
  ImageFormat format_;
  Size3 size_;
  std::uint32_t binding_;
  typename S::State* state_;
  Location* location_;
};

namespace detail {

template <class I>
inline constexpr bool is_image = false;
template <class S, class T, ImageKind Kind, bool R, bool W>
inline constexpr bool is_image<ImageOn<S, T, Kind, R, W>> = true;
template <class I>
concept KernelImage = is_image<I>;

template <bool Loads = false, class I, class F>
LOCKSTEP_INLINE typename I::Value image_atomic_on(const I& image, const typename I::Coordinates& p,
                                                  const typename I::Value& value,
                                                  std::string_view name, SourceLocation where,
                                                  F f) {
  static_assert(I::readable && I::writable,
                "atomics take images that are neither readonly nor writeonly");
  if (!info_of(image.format()).takes_atomics())
    fail::image_atomic(name, image.binding(), image.format());
  [[maybe_unused]] const AtomicChoice choice = image.before_atomic(where);
  return image.access(
      p, AccessKind::atomic, where, [&](const auto& texels) __attribute__((always_inline)) {
        const InMemory<std::uint32_t, I::Uint::physical> at(texels.at.packs());
        const auto target = [&](int i, auto use) __attribute__((always_inline)) {
          return use(image.data()[at.lane[i]]);
        };
        using T = Plain<typename I::Value::value_type>;
        const auto& plain = image.plain(value, where, UseKind::atomic_operand);
        if constexpr (!Loads && I::traced) {
          if (choice.chooser != nullptr)
            return atomic_each_chosen<T>(choice, texels.lanes, image.only_thread(), target, plain,
                                         f);
        }
        return atomic_each<T>(texels.lanes, image.only_thread(), target, plain, f);
      });
}

/// Reports to observers what an atomic gave (or NoResult) and took.
template <class I, class Result, class... Operands>
LOCKSTEP_INLINE void tell_image_atomic(const I& image, const typename I::Coordinates& p,
                                       std::string_view name, SourceLocation where,
                                       const AtomicOrder& order, const Result& result,
                                       const Operands&... operands) {
  if constexpr (I::traced)
    image.tell(
        AccessKind::atomic, where, p,
        [&] { return atomic_values<I::width>(name, result, operands...); }, order);
}

template <class Op, class I>
LOCKSTEP_INLINE typename I::Value image_atomic(const I& image, const typename I::Coordinates& p,
                                               const typename I::Value& value,
                                               std::string_view name, SourceLocation where,
                                               const AtomicOrder& order = {}) {
  using T = typename I::Number;
  static_assert(Op::template takes<T>,
                "GLSL has imageAtomicAnd, Or and Xor for images of integers, imageAtomicAdd, Min, "
                "Max and Exchange also for r32f");
  const auto old = image_atomic_on<std::same_as<Op, AtomicLoad>>(
      image, p, value, name, where,
      [host = order.host](auto object, T v, int) { return Op::template turn<T>(object, v, host); });
  if constexpr (std::same_as<Op, AtomicLoad>)
    tell_image_atomic(image, p, name, where, order, old);
  else if constexpr (std::same_as<Op, AtomicStore>)
    tell_image_atomic(image, p, name, where, order, NoResult(), value);
  else
    tell_image_atomic(image, p, name, where, order, old, value);
  return old;
}

template <class I>
LOCKSTEP_INLINE typename I::Value image_comp_swap(const I& image, const typename I::Coordinates& p,
                                                  const typename I::Value& compare,
                                                  const typename I::Value& value,
                                                  SourceLocation where, const AtomicOrder& order) {
  using T = typename I::Number;
  static_assert(is_atomic_integer<T>, "GLSL has imageAtomicCompSwap for images of integers only");
  const InMemory<T, I::Uint::physical> expected(
      image.plain(compare, where, UseKind::atomic_operand).packs());
  constexpr std::string_view name = "imageAtomicCompSwap";
  const auto old = image_atomic_on(image, p, value, name, where, [&](auto object, T v, int lane) {
    T found = expected.lane[lane];
    object.compare_exchange_strong(found, v, order.host);
    return found;
  });
  tell_image_atomic(image, p, name, where, order, old, compare, value);
  return old;
}

}  // namespace detail

/// \defgroup images Images: read, write and update each lane's texel
///
/// Requires      Coordinates are ivec2, or ivec3 for three dimensions and arrays. Atomics require
///               images in r32ui or r32i, and Add, Min, Max and Exchange also r32f.
/// Active lanes  Only active lanes read, write or take turns, in ascending order; inactive lanes
///               get 0. On pixels, helpers only read.
/// Errors        A texel outside the image reads zero in all components, is not written, and is a
///               fault, which names the first coordinate outside and the image's extent there.
///               Atomics on images of other formats throw Error, on wrong types do not compile.
/// Cost          A gather or scatter, or a vector access for texels of one row, and the conversion.
///               Fractions and small floats are rounded to nearest, ties to even; of integers that
///               do not fit the format the low bits are kept.
/// Spec          GLSL imageLoad, imageStore, imageSize, imageAtomicAdd ... · SPIR-V OpImageRead,
///               OpImageWrite, OpImageQuerySize, OpImageTexelPointer
/// Example       tests/glsl/image.cpp
/// @{

/// Each lane's texel; components that the format lacks are 0, the fourth is 1.
template <detail::KernelImage I>
LOCKSTEP_INLINE typename I::Texel imageLoad(const I& image, const typename I::Coordinates& p,
                                            SourceLocation where = SourceLocation::current()) {
  static_assert(I::readable, "imageLoad reads, and this image is writeonly");
  using T = typename I::Number;
  const auto texel = image.access(
      p, AccessKind::read, where, [&](const auto& texels) __attribute__((always_inline)) {
        const auto found = [&]() __attribute__((always_inline)) {
          if constexpr (std::same_as<T, float>)
            return detail::decode(texels, image.format());
          else
            return detail::decode_integers<T>(texels, image.format());
        }
        ();
        return typename I::Texel(select(texels.lanes, found, typename I::PlainTexel(T(0))));
      });
  if constexpr (I::traced)
    image.tell(AccessKind::read, where, p, [&] {
      return AccessValues{.name = "imageLoad", .result = exec::to_lane_values<I::width>(texel)};
    });
  return texel;
}

/// Writes each lane's texel; components that the format lacks are dropped.
template <detail::KernelImage I>
LOCKSTEP_INLINE void imageStore(const I& image, const typename I::Coordinates& p,
                                const typename I::Texel& texel,
                                SourceLocation where = SourceLocation::current()) {
  static_assert(I::writable, "imageStore writes, and this image is readonly");
  using T = typename I::Number;
  image.access(
      p, AccessKind::write, where, [&](const auto& texels) __attribute__((always_inline)) {
        if constexpr (std::same_as<T, float>)
          detail::encode(texels, image.format(), image.plain(texel, where, UseKind::stored));
        else
          detail::encode_integers(texels, image.format(),
                                  image.plain(texel, where, UseKind::stored));
      });
  if constexpr (I::traced)
    image.tell(AccessKind::write, where, p, [&] {
      return AccessValues{.name = "imageStore",
                          .operands = {exec::to_lane_values<I::width>(texel)}};
    });
}

/// Width and height, and depth or number of layers.
template <detail::KernelImage I>
auto imageSize(const I& image) {
  const Size3 size = image.size();
  const auto x = static_cast<std::int32_t>(size.x), y = static_cast<std::int32_t>(size.y);
  if constexpr (I::dimensions == 2)
    return ImageSize2{x, y};
  else
    return ImageSize3{x, y, static_cast<std::int32_t>(size.z)};
}

#define LOCKSTEP_IMAGE_ATOMIC(name, Operation)                                                   \
  template <detail::KernelImage I>                                                               \
  LOCKSTEP_INLINE typename I::Value name(const I& image, const typename I::Coordinates& p,       \
                                         const typename I::Value& value,                         \
                                         SourceLocation where = SourceLocation::current()) {     \
    return detail::image_atomic<detail::Operation>(image, p, value, #name, where);               \
  }                                                                                              \
  template <detail::KernelImage I, int Scope, int Storage, int Semantics>                        \
  LOCKSTEP_INLINE typename I::Value name(const I& image, const typename I::Coordinates& p,       \
                                         const typename I::Value& value, ScopeConstant<Scope>,   \
                                         StorageConstant<Storage>, SemanticsConstant<Semantics>, \
                                         SourceLocation where = SourceLocation::current()) {     \
    return detail::image_atomic<detail::Operation>(                                              \
        image, p, value, #name, where, detail::atomic_order<Scope, Storage, Semantics>());       \
  }
/// Adds.
LOCKSTEP_IMAGE_ATOMIC(imageAtomicAdd, AtomicAdd)
/// Replaces.
LOCKSTEP_IMAGE_ATOMIC(imageAtomicExchange, AtomicExchange)
/// Keeps the smaller; prefers a number to NaN.
LOCKSTEP_IMAGE_ATOMIC(imageAtomicMin, AtomicMin)
/// Keeps the larger; prefers a number to NaN.
LOCKSTEP_IMAGE_ATOMIC(imageAtomicMax, AtomicMax)
/// Bitwise and.
LOCKSTEP_IMAGE_ATOMIC(imageAtomicAnd, AtomicAnd)
/// Bitwise or.
LOCKSTEP_IMAGE_ATOMIC(imageAtomicOr, AtomicOr)
/// Bitwise exclusive or.
LOCKSTEP_IMAGE_ATOMIC(imageAtomicXor, AtomicXor)
#undef LOCKSTEP_IMAGE_ATOMIC

/// Replaces the texel if it equals `compare`.
template <detail::KernelImage I>
LOCKSTEP_INLINE typename I::Value imageAtomicCompSwap(
    const I& image, const typename I::Coordinates& p, const typename I::Value& compare,
    const typename I::Value& value, SourceLocation where = SourceLocation::current()) {
  return detail::image_comp_swap(image, p, compare, value, where, detail::AtomicOrder());
}
/// The same; the two semantics apply to success and to failure, as for atomicCompSwap.
template <detail::KernelImage I, int Scope, int Storage, int Equal, int StorageUnequal, int Unequal>
LOCKSTEP_INLINE typename I::Value imageAtomicCompSwap(
    const I& image, const typename I::Coordinates& p, const typename I::Value& compare,
    const typename I::Value& value, ScopeConstant<Scope>, StorageConstant<Storage>,
    SemanticsConstant<Equal>, StorageConstant<StorageUnequal>, SemanticsConstant<Unequal>,
    SourceLocation where = SourceLocation::current()) {
  return detail::image_comp_swap(
      image, p, compare, value, where,
      detail::comp_swap_order<Scope, Storage, Equal, StorageUnequal, Unequal>());
}
/// Reads the first component.
template <detail::KernelImage I, int Scope, int Storage, int Semantics>
LOCKSTEP_INLINE typename I::Value imageAtomicLoad(
    const I& image, const typename I::Coordinates& p, ScopeConstant<Scope>,
    StorageConstant<Storage>, SemanticsConstant<Semantics>,
    SourceLocation where = SourceLocation::current()) {
  static_assert(!(Semantics & (detail::release_bit | detail::acquire_release_bit)),
                "imageAtomicLoad cannot release");
  return detail::image_atomic<detail::AtomicLoad>(
      image, p, typename I::Number(0), "imageAtomicLoad", where,
      detail::atomic_order<Scope, Storage, Semantics>());
}
/// Writes the first component.
template <detail::KernelImage I, int Scope, int Storage, int Semantics>
LOCKSTEP_INLINE void imageAtomicStore(const I& image, const typename I::Coordinates& p,
                                      const typename I::Value& value, ScopeConstant<Scope>,
                                      StorageConstant<Storage>, SemanticsConstant<Semantics>,
                                      SourceLocation where = SourceLocation::current()) {
  static_assert(!(Semantics & (detail::acquire_bit | detail::acquire_release_bit)),
                "imageAtomicStore cannot acquire");
  detail::image_atomic<detail::AtomicStore>(image, p, value, "imageAtomicStore", where,
                                            detail::atomic_order<Scope, Storage, Semantics>());
}
/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
