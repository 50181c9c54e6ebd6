#include "capture/vulkan/runner.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "capture/vulkan/device_parts.hpp"
#include "capture/vulkan/image_memory.hpp"

namespace lockstep::vulkan {

// ---- Resource ----

namespace {

constexpr auto used_by_shaders =
    vk::BufferUsageFlagBits::eStorageBuffer | vk::BufferUsageFlagBits::eUniformBuffer |
    vk::BufferUsageFlagBits::eTransferSrc | vk::BufferUsageFlagBits::eTransferDst;
constexpr auto used_for_copies =
    vk::BufferUsageFlagBits::eTransferSrc | vk::BufferUsageFlagBits::eTransferDst;
constexpr auto seen_by_host =
    vk::MemoryPropertyFlagBits::eHostVisible | vk::MemoryPropertyFlagBits::eHostCoherent;
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

Resource Resource::image(const Device& device, const ImageDescription& description) {
  return doing("making an image", [&] {
    Device::Parts& d = *device.parts_;
    auto parts =
        std::make_unique<Parts>(d, description.levels.texels() * texel_bytes(description.format));
    const ImageMemory& image = parts->image.emplace(d.physical, d.device, description);
    d.submit([&](const vk::raii::CommandBuffer& command) {
      const vk::ImageMemoryBarrier to_general(
          {}, vk::AccessFlagBits::eMemoryRead | vk::AccessFlagBits::eMemoryWrite,
          vk::ImageLayout::eUndefined, vk::ImageLayout::eGeneral, VK_QUEUE_FAMILY_IGNORED,
          VK_QUEUE_FAMILY_IGNORED, *image.image, image.all_levels());
      command.pipelineBarrier(vk::PipelineStageFlagBits::eTopOfPipe,
                              vk::PipelineStageFlagBits::eAllCommands, {}, {}, {}, to_general);
    });
    return Resource(std::move(parts));
  });
}

Resource Resource::image(const Device& device, ImageFormat format, ImageKind kind, Size3 size) {
  using View = ImageDescription::View;
  const View view = kind == ImageKind::three_d       ? View::three_d
                    : kind == ImageKind::two_d_array ? View::two_d_array
                                                     : View::two_d;
  return image(device, {.format = format,
                        .view = view,
                        .levels = {.size = size, .axes = view == View::three_d ? 3u : 2u}});
}

std::size_t Resource::size() const { return parts_->bytes; }
bool Resource::is_image() const { return parts_->image.has_value(); }

void Resource::upload(std::span<const std::byte> bytes) {
  if (bytes.size() > size())
    throw Error(fmt::format("{} bytes do not fit in a resource of {}", bytes.size(), size()));
  doing("copying to the device", [&] {
    void* mapped = parts_->staging.memory.mapMemory(0, size());
    std::memcpy(mapped, bytes.data(), bytes.size());
    parts_->staging.memory.unmapMemory();
    parts_->copy_to_device();
  });
}

void Resource::download(std::span<std::byte> bytes) const {
  if (bytes.size() > size())
    throw Error(fmt::format("{} bytes exceed a resource of {}", bytes.size(), size()));
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
      for (const Slot& slot : slots) {
        if (slot.set != set || slot.element != 0) continue;
        const auto elements = std::ranges::count_if(slots, [&](const Slot& other) {
          return other.set == set && other.binding == slot.binding;
        });
        bindings.emplace_back(slot.binding, descriptor_type(slot),
                              static_cast<std::uint32_t>(elements),
                              vk::ShaderStageFlagBits::eCompute);
      }
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
                       .setDstArrayElement(slots[k].element)
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
