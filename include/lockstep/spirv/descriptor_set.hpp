#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/spirv/detail/host_array.hpp>

namespace lockstep {

/// What an element of a binding refers to: the bytes of a buffer, texels, a sampler, or texels and
/// a sampler. It refers to memory and owns none.
struct Descriptor {
  /// What a descriptor names.
  enum class Kind : std::uint8_t {
    none,    ///< no memory: nothing is bound, or only a sampler
    buffer,  ///< a range of bytes
    texels,  ///< an image or a texel buffer
    null,    ///< VK_NULL_HANDLE: whatever the shader expects, without a byte
  };
  /// As range: to the end of the bytes.
  static constexpr std::uint64_t whole_size = ~std::uint64_t{0};

  Kind kind = Kind::none;
  bool writable = true;
  std::span<std::byte> bytes = {};         ///< of the whole buffer, or the texels
  std::uint64_t offset = 0;                ///< buffer: where its range begins
  std::uint64_t range = whole_size;        ///< buffer: bytes, no further than the buffer
  ImageFormat format = ImageFormat::r32f;  ///< texels
  Size3 extent{0, 0, 0};                   ///< texels: of level 0
  std::uint32_t levels = 1;                ///< texels: stored as MipLevels has them
  std::uint32_t samples = 1;               ///< texels: slices of each layer of a multisample array
  std::optional<Sampler> sampler = {};
};

/// The descriptors of one set, by binding and element.
///
/// A Vulkan driver has one in each VkDescriptorSet: vkUpdateDescriptorSets writes elements (the driver,
/// which knows the layout, counts those that continue in the next binding) and copies with
/// write(find()). Immutable samplers are written when the set is allocated, and an inline uniform block
/// is a buffer that the driver owns. A pipeline reads a set when it is dispatched and keeps nothing of
/// it, so a set can be updated after it was bound to a command buffer. Unwritten elements are unbound.
///
/// Requires      Bound memory outlives the dispatches. One thread at a time changes a set, while no
///               dispatch with it starts.
/// Active lanes  None.
/// Errors        write throws Error for an element above a million. The dispatch reports what does
///               not fit a shader.
/// Cost          Some hundred bytes for each element up to the highest bound one. No memory is copied.
/// Spec          VkDescriptorSet, VkWriteDescriptorSet
/// Example       tests/spirv/descriptor_set.cpp
class DescriptorSet {
 public:
  /// Binds the elements that an array (std::vector, std::span, ...) has now, read-only if it is const.
  template <class Array>
  DescriptorSet& bind(std::uint32_t binding, Array&& array) {
    static_assert(host::is_lasting<Array>,
                  "a temporary array is gone when the shader runs: bind a variable");
    const auto span = std::span(array);
    using T = typename decltype(span)::element_type;
    if constexpr (std::is_const_v<T>)
      return bind_bytes(binding, std::as_bytes(span));
    else
      return bind_bytes(binding, std::as_writable_bytes(span));
  }
  /// Binds bytes to an element of an array of buffers, or to a buffer.
  DescriptorSet& bind_bytes(std::uint32_t binding, std::span<std::byte> bytes,
                            std::uint32_t element = 0);
  /// The same for a buffer that the shader only reads.
  DescriptorSet& bind_bytes(std::uint32_t binding, std::span<const std::byte> bytes,
                            std::uint32_t element = 0);
  /// Binds a part of a buffer. A dynamic offset (DescriptorTable::offset) moves it within the buffer.
  DescriptorSet& bind_range(std::uint32_t binding, std::span<std::byte> buffer,
                            std::uint64_t offset, std::uint64_t range = Descriptor::whole_size,
                            std::uint32_t element = 0);
  /// Binds an image, whose texels are used in place.
  DescriptorSet& bind_image(std::uint32_t binding, Image& image, std::uint32_t element = 0);
  /// Binds bytes as the texels of a texel buffer.
  DescriptorSet& bind_texels(std::uint32_t binding, ImageFormat format, std::span<std::byte> bytes,
                             std::uint32_t element = 0);
  /// Binds a sampler; with an image at the same element it is a combined image sampler.
  DescriptorSet& bind_sampler(std::uint32_t binding, const Sampler& sampler,
                              std::uint32_t element = 0);
  /// Binds nothing on purpose: reads return zero, writes are dropped, and neither is a fault.
  DescriptorSet& bind_null(std::uint32_t binding, std::uint32_t element = 0);
  /// Writes all of a descriptor.
  DescriptorSet& write(std::uint32_t binding, std::uint32_t element, const Descriptor& descriptor);

  /// The descriptor of an element; null if nothing is bound to it.
  const Descriptor* find(std::uint32_t binding, std::uint32_t element = 0) const;

 private:
  Descriptor& element_of(std::uint32_t binding, std::uint32_t element);
  /// Binds memory, and keeps a sampler at the same element.
  DescriptorSet& bind_memory(std::uint32_t binding, std::uint32_t element, Descriptor descriptor);

  std::map<std::uint32_t, std::vector<Descriptor>> bindings_;
};

}  // namespace lockstep
