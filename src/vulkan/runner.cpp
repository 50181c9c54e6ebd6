#include "vulkan/runner.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "vulkan/device_parts.hpp"

namespace lockstep::vulkan {

// ---- Resource ----

namespace {

/// Memory of a kind that has all wanted properties.
std::uint32_t memory_type(const vk::raii::PhysicalDevice& physical, std::uint32_t allowed,
                          vk::MemoryPropertyFlags wanted) {
  const auto properties = physical.getMemoryProperties();
  for (std::uint32_t i = 0; i < properties.memoryTypeCount; ++i)
    if ((allowed >> i & 1) != 0 && (properties.memoryTypes[i].propertyFlags & wanted) == wanted)
      return i;
  throw Error("Vulkan: the device has no memory of the kind that is needed");
}

struct BufferMemory {
  BufferMemory(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
               std::size_t bytes, vk::BufferUsageFlags usage, vk::MemoryPropertyFlags wanted)
      : buffer(device, vk::BufferCreateInfo({}, bytes, usage)), memory(nullptr) {
    const auto needs = buffer.getMemoryRequirements();
    memory = vk::raii::DeviceMemory(
        device,
        vk::MemoryAllocateInfo(needs.size, memory_type(physical, needs.memoryTypeBits, wanted)));
    buffer.bindMemory(*memory, 0);
  }

  vk::raii::Buffer buffer;
  vk::raii::DeviceMemory memory;
};

vk::Format format_of(ImageFormat format) {
  // In the order of ImageFormat.
  constexpr vk::Format formats[] = {
      vk::Format::eR32G32B32A32Sfloat,
      vk::Format::eR16G16B16A16Sfloat,
      vk::Format::eR32G32Sfloat,
      vk::Format::eR16G16Sfloat,
      vk::Format::eB10G11R11UfloatPack32,
      vk::Format::eR32Sfloat,
      vk::Format::eR16Sfloat,
      vk::Format::eR16G16B16A16Unorm,
      vk::Format::eA2B10G10R10UnormPack32,
      vk::Format::eR8G8B8A8Unorm,
      vk::Format::eR16G16Unorm,
      vk::Format::eR8G8Unorm,
      vk::Format::eR16Unorm,
      vk::Format::eR8Unorm,
      vk::Format::eR16G16B16A16Snorm,
      vk::Format::eR8G8B8A8Snorm,
      vk::Format::eR16G16Snorm,
      vk::Format::eR8G8Snorm,
      vk::Format::eR16Snorm,
      vk::Format::eR8Snorm,
      vk::Format::eR32G32B32A32Sint,
      vk::Format::eR16G16B16A16Sint,
      vk::Format::eR8G8B8A8Sint,
      vk::Format::eR32G32Sint,
      vk::Format::eR16G16Sint,
      vk::Format::eR8G8Sint,
      vk::Format::eR32Sint,
      vk::Format::eR16Sint,
      vk::Format::eR8Sint,
      vk::Format::eR64Sint,
      vk::Format::eR32G32B32A32Uint,
      vk::Format::eR16G16B16A16Uint,
      vk::Format::eA2B10G10R10UintPack32,
      vk::Format::eR8G8B8A8Uint,
      vk::Format::eR32G32Uint,
      vk::Format::eR16G16Uint,
      vk::Format::eR8G8Uint,
      vk::Format::eR32Uint,
      vk::Format::eR16Uint,
      vk::Format::eR8Uint,
      vk::Format::eR64Uint,
  };
  static_assert(std::size(formats) == std::size(image_formats));
  return formats[static_cast<int>(format)];
}

constexpr auto used_by_shaders =
    vk::BufferUsageFlagBits::eStorageBuffer | vk::BufferUsageFlagBits::eUniformBuffer |
    vk::BufferUsageFlagBits::eTransferSrc | vk::BufferUsageFlagBits::eTransferDst;
constexpr auto used_for_copies =
    vk::BufferUsageFlagBits::eTransferSrc | vk::BufferUsageFlagBits::eTransferDst;
constexpr auto seen_by_host =
    vk::MemoryPropertyFlagBits::eHostVisible | vk::MemoryPropertyFlagBits::eHostCoherent;
constexpr vk::ImageSubresourceRange first_level(vk::ImageAspectFlagBits::eColor, 0, 1, 0,
                                                VK_REMAINING_ARRAY_LAYERS);

/// An image that always has the layout `general`.
struct ImageMemory {
  ImageMemory(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
              ImageFormat format, ImageKind kind, Size3 size, bool sampled)
      : is_3d(kind == ImageKind::three_d),
        extent(size.x, size.y, is_3d ? size.z : 1),
        layers(is_3d ? 1 : size.z),
        image(device,
              vk::ImageCreateInfo(
                  {}, is_3d ? vk::ImageType::e3D : vk::ImageType::e2D, format_of(format), extent, 1,
                  layers, vk::SampleCountFlagBits::e1, vk::ImageTiling::eOptimal,
                  (sampled ? vk::ImageUsageFlagBits::eSampled : vk::ImageUsageFlagBits::eStorage) |
                      vk::ImageUsageFlagBits::eTransferSrc | vk::ImageUsageFlagBits::eTransferDst)),
        memory(nullptr),
        view(nullptr) {
    const auto needs = image.getMemoryRequirements();
    memory = vk::raii::DeviceMemory(
        device,
        vk::MemoryAllocateInfo(needs.size, memory_type(physical, needs.memoryTypeBits,
                                                       vk::MemoryPropertyFlagBits::eDeviceLocal)));
    image.bindMemory(*memory, 0);
    const auto view_type = is_3d                            ? vk::ImageViewType::e3D
                           : kind == ImageKind::two_d_array ? vk::ImageViewType::e2DArray
                                                            : vk::ImageViewType::e2D;
    view = vk::raii::ImageView(
        device, vk::ImageViewCreateInfo({}, *image, view_type, format_of(format), {}, first_level));
  }

  vk::BufferImageCopy whole() const {
    return {0, 0, 0, {vk::ImageAspectFlagBits::eColor, 0, 0, layers}, {}, extent};
  }

  bool is_3d;
  vk::Extent3D extent;
  std::uint32_t layers;
  vk::raii::Image image;
  vk::raii::DeviceMemory memory;
  vk::raii::ImageView view;
};

vk::SamplerCreateInfo info_of(const Sampler& sampler) {
  const auto filter = [](Filter f) {
    return f == Filter::linear ? vk::Filter::eLinear : vk::Filter::eNearest;
  };
  const auto mode = [](AddressMode m) {
    // In the order of AddressMode.
    constexpr vk::SamplerAddressMode modes[] = {
        vk::SamplerAddressMode::eRepeat, vk::SamplerAddressMode::eMirroredRepeat,
        vk::SamplerAddressMode::eClampToEdge, vk::SamplerAddressMode::eClampToBorder,
        vk::SamplerAddressMode::eMirrorClampToEdge};
    return modes[static_cast<int>(m)];
  };
  const vk::BorderColor border = sampler.border_color == BorderColor::transparent_black
                                     ? vk::BorderColor::eFloatTransparentBlack
                                 : sampler.border_color == BorderColor::opaque_black
                                     ? vk::BorderColor::eFloatOpaqueBlack
                                     : vk::BorderColor::eFloatOpaqueWhite;
  return vk::SamplerCreateInfo()
      .setMagFilter(filter(sampler.mag_filter))
      .setMinFilter(filter(sampler.min_filter))
      .setMipmapMode(sampler.mipmap_mode == Filter::linear ? vk::SamplerMipmapMode::eLinear
                                                           : vk::SamplerMipmapMode::eNearest)
      .setAddressModeU(mode(sampler.address_mode_u))
      .setAddressModeV(mode(sampler.address_mode_v))
      .setAddressModeW(mode(sampler.address_mode_w))
      .setBorderColor(border)
      .setMipLodBias(sampler.lod_bias)
      .setMinLod(sampler.min_lod)
      .setMaxLod(sampler.max_lod)
      .setUnnormalizedCoordinates(sampler.unnormalized_coordinates);
}

}  // namespace

struct Resource::Parts {
  Parts(Device::Parts& d, std::size_t n)
      : device(d), bytes(n), staging(d.physical, d.device, n, used_for_copies, seen_by_host) {}

  void copy_to_device() {
    device.submit([&](const vk::raii::CommandBuffer& command) {
      if (image) {
        command.copyBufferToImage(*staging.buffer, *image->image, vk::ImageLayout::eGeneral,
                                  image->whole());
      } else {
        command.copyBuffer(*staging.buffer, *storage->buffer, vk::BufferCopy(0, 0, bytes));
      }
    });
  }
  void copy_to_host() {
    device.submit([&](const vk::raii::CommandBuffer& command) {
      if (image) {
        command.copyImageToBuffer(*image->image, vk::ImageLayout::eGeneral, *staging.buffer,
                                  image->whole());
      } else {
        command.copyBuffer(*storage->buffer, *staging.buffer, vk::BufferCopy(0, 0, bytes));
      }
    });
  }

  Device::Parts& device;
  std::size_t bytes;
  BufferMemory staging;
  std::optional<BufferMemory> storage;  // either this
  std::optional<ImageMemory> image;     // or this
};

Resource::Resource(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Resource::~Resource() = default;
Resource::Resource(Resource&&) noexcept = default;

Resource Resource::buffer(const Device& device, std::size_t bytes) {
  return doing("making a buffer", [&] {
    Device::Parts& d = *device.parts_;
    auto parts = std::make_unique<Parts>(d, bytes);
    parts->storage.emplace(d.physical, d.device, bytes, used_by_shaders,
                           vk::MemoryPropertyFlagBits::eDeviceLocal);
    return Resource(std::move(parts));
  });
}

Resource Resource::image(const Device& device, ImageFormat format, ImageKind kind, Size3 size,
                         bool sampled) {
  return doing("making an image", [&] {
    Device::Parts& d = *device.parts_;
    const std::size_t texels = std::size_t{size.x} * size.y * size.z;
    auto parts = std::make_unique<Parts>(d, texels * texel_bytes(format));
    const ImageMemory& image =
        parts->image.emplace(d.physical, d.device, format, kind, size, sampled);
    d.submit([&](const vk::raii::CommandBuffer& command) {
      const vk::ImageMemoryBarrier to_general(
          {}, vk::AccessFlagBits::eMemoryRead | vk::AccessFlagBits::eMemoryWrite,
          vk::ImageLayout::eUndefined, vk::ImageLayout::eGeneral, VK_QUEUE_FAMILY_IGNORED,
          VK_QUEUE_FAMILY_IGNORED, *image.image, first_level);
      command.pipelineBarrier(vk::PipelineStageFlagBits::eTopOfPipe,
                              vk::PipelineStageFlagBits::eAllCommands, {}, {}, {}, to_general);
    });
    return Resource(std::move(parts));
  });
}

std::size_t Resource::size() const { return parts_->bytes; }
bool Resource::is_image() const { return parts_->image.has_value(); }

void Resource::upload(std::span<const std::byte> bytes) {
  if (bytes.size() > size())
    throw Error(fmt::format("{} bytes do not fit a resource of {}", bytes.size(), size()));
  doing("copying to the device", [&] {
    void* mapped = parts_->staging.memory.mapMemory(0, size());
    std::memcpy(mapped, bytes.data(), bytes.size());
    parts_->staging.memory.unmapMemory();
    parts_->copy_to_device();
  });
}

void Resource::download(std::span<std::byte> bytes) const {
  if (bytes.size() > size())
    throw Error(fmt::format("{} bytes are more than a resource of {} has", bytes.size(), size()));
  doing("copying from the device", [&] {
    parts_->copy_to_host();
    const void* mapped = parts_->staging.memory.mapMemory(0, size());
    std::memcpy(bytes.data(), mapped, bytes.size());
    parts_->staging.memory.unmapMemory();
  });
}

// ---- Pipeline ----

struct Pipeline::Parts {
  Parts(Device::Parts& d, std::span<const std::uint32_t> words, std::vector<Slot> s,
        const PipelineOptions& options)
      : device(d),
        slots(std::move(s)),
        push_constant_bytes(options.push_constant_bytes),
        samplers(make_samplers()),
        set_layouts(make_set_layouts()),
        layout(make_layout()),
        pipeline(make_pipeline(words, options)) {}

  double run(Size3 workgroups, std::span<const Resource* const> resources,
             std::span<const std::byte> push_constants) {
    if (resources.size() != slots.size() || push_constants.size() != push_constant_bytes)
      throw Error(
          fmt::format("a shader with {} resources and {} bytes of push constants got {} and {}",
                      slots.size(), push_constant_bytes, resources.size(), push_constants.size()));
    write_sets(resources);
    return device.submit([&](const vk::raii::CommandBuffer& command) {
      command.bindPipeline(vk::PipelineBindPoint::eCompute, *pipeline);
      std::vector<vk::DescriptorSet> handles;
      for (const auto& set : sets) handles.push_back(*set);
      if (!handles.empty())
        command.bindDescriptorSets(vk::PipelineBindPoint::eCompute, *layout, 0, handles, {});
      if (!push_constants.empty())
        command.pushConstants<std::byte>(
            *layout, vk::ShaderStageFlagBits::eCompute, 0,
            vk::ArrayProxy<const std::byte>(static_cast<std::uint32_t>(push_constants.size()),
                                            push_constants.data()));
      command.dispatch(workgroups.x, workgroups.y, workgroups.z);
    });
  }

 private:
  static vk::DescriptorType descriptor_type(const Slot& slot) {
    if (slot.sampler)
      return slot.is_sampled ? vk::DescriptorType::eCombinedImageSampler
                             : vk::DescriptorType::eSampler;
    return slot.is_sampled   ? vk::DescriptorType::eSampledImage
           : slot.is_image   ? vk::DescriptorType::eStorageImage
           : slot.is_uniform ? vk::DescriptorType::eUniformBuffer
                             : vk::DescriptorType::eStorageBuffer;
  }

  /// One for each slot, null for those without.
  std::vector<vk::raii::Sampler> make_samplers() const {
    std::vector<vk::raii::Sampler> all;
    for (const Slot& slot : slots) {
      if (slot.sampler)
        all.emplace_back(device.device, info_of(*slot.sampler));
      else
        all.emplace_back(nullptr);
    }
    return all;
  }

  std::vector<vk::raii::DescriptorSetLayout> make_set_layouts() const {
    std::uint32_t count = 0;
    for (const Slot& slot : slots) count = std::max(count, slot.set + 1);
    std::vector<vk::raii::DescriptorSetLayout> layouts;
    for (std::uint32_t set = 0; set < count; ++set) {
      std::vector<vk::DescriptorSetLayoutBinding> bindings;
      for (const Slot& slot : slots)
        if (slot.set == set)
          bindings.emplace_back(slot.binding, descriptor_type(slot), 1,
                                vk::ShaderStageFlagBits::eCompute);
      layouts.emplace_back(device.device, vk::DescriptorSetLayoutCreateInfo({}, bindings));
    }
    return layouts;
  }

  vk::raii::PipelineLayout make_layout() const {
    std::vector<vk::DescriptorSetLayout> handles;
    for (const auto& set : set_layouts) handles.push_back(*set);
    const vk::PushConstantRange range(vk::ShaderStageFlagBits::eCompute, 0, push_constant_bytes);
    vk::PipelineLayoutCreateInfo info({}, handles);
    if (push_constant_bytes != 0) info.setPushConstantRanges(range);
    return {device.device, info};
  }

  vk::raii::Pipeline make_pipeline(std::span<const std::uint32_t> words,
                                   const PipelineOptions& options) const {
    const vk::raii::ShaderModule module(
        device.device, vk::ShaderModuleCreateInfo({}, words.size_bytes(), words.data()));
    std::vector<vk::SpecializationMapEntry> entries;
    std::vector<std::uint64_t> values;
    for (const SpecBits& constant : options.spec) {
      entries.emplace_back(constant.id, static_cast<std::uint32_t>(8 * values.size()),
                           constant.bytes);
      values.push_back(constant.bits);
    }
    const auto spec =
        vk::SpecializationInfo().setMapEntries(entries).setData<std::uint64_t>(values);
    vk::PipelineShaderStageCreateInfo stage({}, vk::ShaderStageFlagBits::eCompute, *module,
                                            options.entry.c_str(), &spec);
    const vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo size(options.subgroup_size);
    if (options.subgroup_size != 0) stage.setPNext(&size);
    return {device.device, nullptr, vk::ComputePipelineCreateInfo({}, stage, *layout)};
  }

  void write_sets(std::span<const Resource* const> resources) {
    sets.clear();
    if (slots.empty()) return;
    std::vector<vk::DescriptorPoolSize> sizes;
    for (const Slot& slot : slots) sizes.emplace_back(descriptor_type(slot), 1);
    pool = vk::raii::DescriptorPool(
        device.device,
        vk::DescriptorPoolCreateInfo(vk::DescriptorPoolCreateFlagBits::eFreeDescriptorSet,
                                     static_cast<std::uint32_t>(set_layouts.size()), sizes));
    std::vector<vk::DescriptorSetLayout> handles;
    for (const auto& set : set_layouts) handles.push_back(*set);
    sets = vk::raii::DescriptorSets(device.device, vk::DescriptorSetAllocateInfo(*pool, handles));
    for (std::size_t k = 0; k < slots.size(); ++k) {
      const Resource::Parts* const resource =
          resources[k] == nullptr ? nullptr : resources[k]->parts_.get();
      auto write = vk::WriteDescriptorSet()
                       .setDstSet(*sets[slots[k].set])
                       .setDstBinding(slots[k].binding)
                       .setDescriptorType(descriptor_type(slots[k]));
      vk::DescriptorBufferInfo buffer;
      vk::DescriptorImageInfo image;
      if (resource == nullptr || resource->image) {
        image = vk::DescriptorImageInfo(
            *samplers[k], resource == nullptr ? vk::ImageView() : *resource->image->view,
            vk::ImageLayout::eGeneral);
        write.setImageInfo(image);
      } else {
        buffer = vk::DescriptorBufferInfo(*resource->storage->buffer, 0, VK_WHOLE_SIZE);
        write.setBufferInfo(buffer);
      }
      device.device.updateDescriptorSets(write, {});
    }
  }

  Device::Parts& device;
  std::vector<Slot> slots;
  std::uint32_t push_constant_bytes;
  std::vector<vk::raii::Sampler> samplers;
  std::vector<vk::raii::DescriptorSetLayout> set_layouts;
  vk::raii::PipelineLayout layout;
  vk::raii::Pipeline pipeline;
  vk::raii::DescriptorPool pool{nullptr};
  std::vector<vk::raii::DescriptorSet> sets;  // freed before their pool
};

Pipeline::Pipeline(const Device& device, std::span<const std::uint32_t> words,
                   std::vector<Slot> slots, const PipelineOptions& options)
    : parts_(doing("compiling a shader", [&] {
        return std::make_unique<Parts>(*device.parts_, words, std::move(slots), options);
      })) {}
Pipeline::~Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;

double Pipeline::run(Size3 workgroups, std::span<const Resource* const> resources,
                     std::span<const std::byte> push_constants) {
  return doing("running a shader",
               [&] { return parts_->run(workgroups, resources, push_constants); });
}

}  // namespace lockstep::vulkan
