#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "driver/buffer.hpp"
#include "driver/entry_points.hpp"
#include "driver/execution.hpp"
#include "driver/texels.hpp"

/// \file
/// Copies between buffers and images. The commands of Vulkan 1.0 become those of 1.3.

namespace lockstep::driver {
namespace {

template <class T>
std::vector<T> list_of(const T* first, std::uint32_t count) {
  return {first, first + count};
}

/// A region of 1.0 as one of 1.3: the same members after the type and chain.
VkBufferCopy2 second(const VkBufferCopy& r) {
  return {VK_STRUCTURE_TYPE_BUFFER_COPY_2, nullptr, r.srcOffset, r.dstOffset, r.size};
}
VkBufferImageCopy2 second(const VkBufferImageCopy& r) {
  return {VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
          nullptr,
          r.bufferOffset,
          r.bufferRowLength,
          r.bufferImageHeight,
          r.imageSubresource,
          r.imageOffset,
          r.imageExtent};
}
VkImageCopy2 second(const VkImageCopy& r) {
  return {VK_STRUCTURE_TYPE_IMAGE_COPY_2,
          nullptr,
          r.srcSubresource,
          r.srcOffset,
          r.dstSubresource,
          r.dstOffset,
          r.extent};
}

template <class Region>
auto second(const Region* regions, std::uint32_t count) {
  std::vector<decltype(second(*regions))> list;
  for (std::uint32_t k = 0; k < count; ++k) list.push_back(second(regions[k]));
  return list;
}

/// Where a region of texels begins in a buffer, and how far its rows and slices are apart.
struct BufferTexels {
  BufferTexels(const VkBufferImageCopy2& region, const Plane& plane)
      : row((region.bufferRowLength != 0 ? region.bufferRowLength : region.imageExtent.width) *
            VkDeviceSize{plane.texel_size()}),
        slice(
            (region.bufferImageHeight != 0 ? region.bufferImageHeight : region.imageExtent.height) *
            row) {}
  VkDeviceSize row, slice;
};

enum class Direction { to_image, to_buffer };

void copy_texels(const Image& image, std::span<std::byte> bytes, const VkBufferImageCopy2& region,
                 Direction direction) {
  require_equal_samples("a copy between a buffer and an image", image, nullptr);
  const Plane& plane = image.plane(region.imageSubresource.aspectMask);
  const BufferTexels texels(region, plane);
  const SliceRange slices(image, region.imageSubresource, region.imageOffset.z,
                          region.imageExtent.depth);
  require_inside(image, slices, region.imageOffset, region.imageExtent);
  const std::size_t length = std::size_t{region.imageExtent.width} * plane.texel_size();
  if (slices.count == 0 || region.imageExtent.height == 0) return;
  if ((slices.count - 1) * texels.slice + (region.imageExtent.height - 1) * texels.row + length >
      bytes.size())
    throw Error(
        fmt::format("a copy between a buffer and an image runs past the end of the buffer, which "
                    "has {} bytes after the offset",
                    bytes.size()));
  for (std::uint32_t z = 0; z < slices.count; ++z) {
    for (std::uint32_t y = 0; y < region.imageExtent.height; ++y) {
      std::byte* const in_image =
          texel_at(image, plane, slices.level, static_cast<std::uint32_t>(region.imageOffset.x),
                   static_cast<std::uint32_t>(region.imageOffset.y) + y, slices.first + z);
      std::byte* const in_buffer = bytes.data() + z * texels.slice + y * texels.row;
      if (direction == Direction::to_image)
        std::memcpy(in_image, in_buffer, length);
      else
        std::memcpy(in_buffer, in_image, length);
    }
  }
}

void record_texels(VkCommandBuffer buffer, const Image& image, const Buffer& texels,
                   std::vector<VkBufferImageCopy2> regions, Direction direction) {
  object_of(buffer)->record([&image, &texels, regions = std::move(regions), direction](Execution&) {
    for (const VkBufferImageCopy2& region : regions)
      copy_texels(image, texels.bytes(region.bufferOffset, VK_WHOLE_SIZE), region, direction);
  });
}

void copy_plane(const Image& from, const Plane& read, const Image& to, const Plane& written,
                const VkImageCopy2& region) {
  require_equal_samples("a copy between images", from, &to);
  SliceRange source(from, region.srcSubresource, region.srcOffset.z, region.extent.depth);
  SliceRange target(to, region.dstSubresource, region.dstOffset.z, region.extent.depth);
  // Layers of one may be slices of the other.
  const std::uint32_t slices = std::max(source.count, target.count);
  source.count = target.count = slices;
  require_inside(from, source, region.srcOffset, region.extent);
  require_inside(to, target, region.dstOffset, region.extent);
  const std::size_t length = std::size_t{region.extent.width} * read.texel_size();
  for (std::uint32_t z = 0; z < slices; ++z) {
    for (std::uint32_t y = 0; y < region.extent.height; ++y)
      std::memmove(
          texel_at(to, written, target.level, static_cast<std::uint32_t>(region.dstOffset.x),
                   static_cast<std::uint32_t>(region.dstOffset.y) + y, target.first + z),
          texel_at(from, read, source.level, static_cast<std::uint32_t>(region.srcOffset.x),
                   static_cast<std::uint32_t>(region.srcOffset.y) + y, source.first + z),
          length);
  }
}

void copy_image(const Image& from, const Image& to, const VkImageCopy2& region) {
  // Aspects that are copied together are the same on both sides.
  const VkImageAspectFlags both = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  if (from.aspects(region.srcSubresource.aspectMask) != both)
    return copy_plane(from, from.plane(region.srcSubresource.aspectMask), to,
                      to.plane(region.dstSubresource.aspectMask), region);
  for (const VkImageAspectFlags aspect : {VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT})
    copy_plane(from, from.plane(aspect), to, to.plane(aspect), region);
}

}  // namespace

// ---- Buffers ----

void vkCmdCopyBuffer2(VkCommandBuffer buffer, const VkCopyBufferInfo2* info) {
  object_of(buffer)->record([from = object_of(info->srcBuffer), to = object_of(info->dstBuffer),
                             regions = list_of(info->pRegions, info->regionCount)](Execution&) {
    for (const VkBufferCopy2& r : regions)
      std::memmove(to->bytes(r.dstOffset, r.size).data(), from->bytes(r.srcOffset, r.size).data(),
                   r.size);
  });
}

void vkCmdCopyBuffer(VkCommandBuffer buffer, VkBuffer from, VkBuffer to, std::uint32_t count,
                     const VkBufferCopy* regions) {
  const auto list = second(regions, count);
  const VkCopyBufferInfo2 info{
      VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2, nullptr, from, to, count, list.data()};
  vkCmdCopyBuffer2(buffer, &info);
}

void vkCmdUpdateBuffer(VkCommandBuffer buffer, VkBuffer to, VkDeviceSize offset, VkDeviceSize size,
                       const void* data) {
  const auto* const first = static_cast<const std::byte*>(data);
  object_of(buffer)->record([to = object_of(to), offset,
                             bytes = std::vector<std::byte>(first, first + size)](Execution&) {
    std::ranges::copy(bytes, to->bytes(offset, bytes.size()).begin());
  });
}

void vkCmdFillBuffer(VkCommandBuffer buffer, VkBuffer to, VkDeviceSize offset, VkDeviceSize size,
                     std::uint32_t value) {
  object_of(buffer)->record([to = object_of(to), offset, size, value](Execution&) {
    const auto bytes = to->bytes(offset, size);
    // What is left after whole words stays as it is.
    for (std::size_t k = 0; k + sizeof value <= bytes.size(); k += sizeof value)
      std::memcpy(bytes.data() + k, &value, sizeof value);
  });
}

// ---- Buffers and images ----

void vkCmdCopyBufferToImage2(VkCommandBuffer buffer, const VkCopyBufferToImageInfo2* info) {
  record_texels(buffer, *object_of(info->dstImage), *object_of(info->srcBuffer),
                list_of(info->pRegions, info->regionCount), Direction::to_image);
}

void vkCmdCopyBufferToImage(VkCommandBuffer buffer, VkBuffer from, VkImage to, VkImageLayout,
                            std::uint32_t count, const VkBufferImageCopy* regions) {
  record_texels(buffer, *object_of(to), *object_of(from), second(regions, count),
                Direction::to_image);
}

void vkCmdCopyImageToBuffer2(VkCommandBuffer buffer, const VkCopyImageToBufferInfo2* info) {
  record_texels(buffer, *object_of(info->srcImage), *object_of(info->dstBuffer),
                list_of(info->pRegions, info->regionCount), Direction::to_buffer);
}

void vkCmdCopyImageToBuffer(VkCommandBuffer buffer, VkImage from, VkImageLayout, VkBuffer to,
                            std::uint32_t count, const VkBufferImageCopy* regions) {
  record_texels(buffer, *object_of(from), *object_of(to), second(regions, count),
                Direction::to_buffer);
}

// ---- Images ----

void vkCmdCopyImage2(VkCommandBuffer buffer, const VkCopyImageInfo2* info) {
  object_of(buffer)->record([from = object_of(info->srcImage), to = object_of(info->dstImage),
                             regions = list_of(info->pRegions, info->regionCount)](Execution&) {
    for (const VkImageCopy2& region : regions) copy_image(*from, *to, region);
  });
}

void vkCmdCopyImage(VkCommandBuffer buffer, VkImage from, VkImageLayout from_layout, VkImage to,
                    VkImageLayout to_layout, std::uint32_t count, const VkImageCopy* regions) {
  const auto list = second(regions, count);
  const VkCopyImageInfo2 info{VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                              nullptr,
                              from,
                              from_layout,
                              to,
                              to_layout,
                              count,
                              list.data()};
  vkCmdCopyImage2(buffer, &info);
}

}  // namespace lockstep::driver
