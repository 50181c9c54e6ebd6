#include "driver/descriptors.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "driver/buffer.hpp"
#include "driver/device.hpp"
#include "driver/entry_points.hpp"
#include "driver/properties.hpp"

namespace lockstep::driver {
namespace {

constexpr Descriptor null_descriptor{.kind = Descriptor::Kind::null};

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

Descriptor buffer_descriptor(const VkDescriptorBufferInfo& info) {
  if (info.buffer == VK_NULL_HANDLE) return null_descriptor;
  return {.kind = Descriptor::Kind::buffer,
          .bytes = object_of(info.buffer)->bytes(),
          .offset = info.offset,
          .range = info.range == VK_WHOLE_SIZE ? Descriptor::whole_size : info.range};
}

BoundDescriptor texel_descriptor(VkBufferView handle) {
  if (handle == VK_NULL_HANDLE) return {null_descriptor};
  const BufferView& view = *object_of(handle);
  const auto texels = view.bytes.size() / view.format.bytes();
  return {.descriptor = {.kind = Descriptor::Kind::texels,
                         .bytes = view.bytes,
                         .format = view.format.texels,
                         .extent = {static_cast<std::uint32_t>(texels), 1, 1}},
          .is_blue_first = view.format.is_blue_first()};
}

BoundDescriptor image_descriptor(VkImageView handle, bool sampled) {
  if (handle == VK_NULL_HANDLE) return {null_descriptor};
  const ImageView& view = *object_of(handle);
  if (!sampled) return {.descriptor = view.storage(), .is_blue_first = view.is_blue_first()};
  if (view.needs_copy()) return {{}, &view};
  std::vector<std::byte> unused;
  return {view.sampled(unused)};
}

}  // namespace

DescriptorMap::DescriptorMap(SharedSetLayout layout, std::uint32_t variable_count)
    : layout_(std::move(layout)), variable_count_(variable_count), version_(next_version()) {
  for (const auto& [number, binding] : layout_->bindings) {
    const std::uint32_t descriptors = count(number);
    auto& list = bindings_[number];
    list.resize(descriptors);
    if (binding.is_block()) {
      const bool variable =
          layout_->has_variable_count && number == layout_->bindings.rbegin()->first;
      auto& block = blocks_[number];
      block.resize(variable ? variable_count_ : binding.count);
      list[0].descriptor = {.kind = Descriptor::Kind::buffer, .writable = false, .bytes = block};
    }
    for (std::size_t k = 0; k < binding.immutable_samplers.size() && k < list.size(); ++k)
      list[k].descriptor.sampler = binding.immutable_samplers[k];
  }
}

void DescriptorMap::changed() { version_ = next_version(); }

std::uint64_t DescriptorMap::version() const {
  const std::lock_guard lock(changing_);
  return has_copied_texels_ ? 0 : version_;
}

std::shared_ptr<DescriptorMap> DescriptorMap::clone() const {
  auto made = std::make_shared<DescriptorMap>(layout_, variable_count_);
  const std::lock_guard lock(changing_);
  made->has_copied_texels_ = has_copied_texels_;
  made->bindings_ = bindings_;  // sets for push descriptors have no inline uniform blocks
  return made;
}

std::uint32_t DescriptorMap::count(std::uint32_t number) const {
  const auto found = layout_->bindings.find(number);
  if (found == layout_->bindings.end()) return 0;
  if (found->second.is_block()) return 1;
  const bool is_last = number == layout_->bindings.rbegin()->first;
  return layout_->has_variable_count && is_last ? variable_count_ : found->second.count;
}

std::optional<DescriptorMap::Place> DescriptorMap::valid(Place place) const {
  auto binding = layout_->bindings.lower_bound(place.binding);
  while (binding != layout_->bindings.end()) {
    if (binding->first != place.binding) place = {binding->first, 0};
    if (place.element < count(place.binding)) return place;
    // Bindings without descriptors are skipped, as numbers without a binding are.
    place = {place.binding, 0};
    ++binding;
  }
  return std::nullopt;
}

void DescriptorMap::put(Place place, VkDescriptorType type, const VkDescriptorImageInfo* image,
                        const VkDescriptorBufferInfo* buffer, const VkBufferView* texels) {
  const LayoutBinding& binding = layout_->bindings.at(place.binding);
  BoundDescriptor& to = bindings_.at(place.binding)[place.element];
  const auto sampler = [&]() -> std::optional<Sampler> {
    // Immutable samplers stay; what a write says about them counts for nothing.
    if (!binding.immutable_samplers.empty()) return to.descriptor.sampler;
    if (image->sampler == VK_NULL_HANDLE) return std::nullopt;
    return *object_of(image->sampler);
  };
  switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      to = {{.sampler = sampler()}};
      break;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER: {
      const auto kept = sampler();
      to = image_descriptor(image->imageView, true);
      to.descriptor.sampler = kept;
      break;
    }
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      to = image_descriptor(image->imageView, true);
      break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      to = image_descriptor(image->imageView, false);
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      to = texel_descriptor(*texels);
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      to = {buffer_descriptor(*buffer)};
      break;
    default:  // input attachments, which compute shaders cannot use
      to = {};
      break;
  }
  has_copied_texels_ |= to.view != nullptr || to.is_blue_first;
}

void DescriptorMap::put_block(std::uint32_t binding, std::uint32_t offset, const void* data,
                              std::uint32_t bytes) {
  auto& block = blocks_.at(binding);
  std::memcpy(block.data() + offset, data, bytes);
}

void DescriptorMap::write(const VkWriteDescriptorSet& write) {
  const std::lock_guard lock(changing_);
  changed();
  if (write.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    const auto* const block = find_in_chain<VkWriteDescriptorSetInlineUniformBlock>(
        write.pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
    put_block(write.dstBinding, write.dstArrayElement, block->pData, block->dataSize);
    return;
  }
  auto place = valid({write.dstBinding, write.dstArrayElement});
  for (std::uint32_t k = 0; k < write.descriptorCount && place; ++k) {
    // Which of the lists there is depends on the type.
    const auto* const image = write.pImageInfo == nullptr ? nullptr : write.pImageInfo + k;
    const auto* const buffer = write.pBufferInfo == nullptr ? nullptr : write.pBufferInfo + k;
    const auto* const texels =
        write.pTexelBufferView == nullptr ? nullptr : write.pTexelBufferView + k;
    put(*place, write.descriptorType, image, buffer, texels);
    place = valid({place->binding, place->element + 1});
  }
}

void DescriptorMap::write(const VkDescriptorUpdateTemplateEntry& entry, const std::byte* data) {
  const std::lock_guard lock(changing_);
  changed();
  const std::byte* at = data + entry.offset;
  if (entry.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    put_block(entry.dstBinding, entry.dstArrayElement, at, entry.descriptorCount);
    return;
  }
  auto place = valid({entry.dstBinding, entry.dstArrayElement});
  for (std::uint32_t k = 0; k < entry.descriptorCount && place; ++k, at += entry.stride) {
    put(*place, entry.descriptorType, reinterpret_cast<const VkDescriptorImageInfo*>(at),
        reinterpret_cast<const VkDescriptorBufferInfo*>(at),
        reinterpret_cast<const VkBufferView*>(at));
    place = valid({place->binding, place->element + 1});
  }
}

void DescriptorMap::copy(const VkCopyDescriptorSet& copy, const DescriptorMap& from) {
  const auto locks = [&] {
    return &from == this ? std::pair(std::unique_lock(changing_), std::unique_lock<std::mutex>())
                         : std::pair(std::unique_lock(changing_, std::defer_lock),
                                     std::unique_lock(from.changing_, std::defer_lock));
  };
  auto [mine, theirs] = locks();
  if (&from != this) std::lock(mine, theirs);
  changed();
  has_copied_texels_ |= from.has_copied_texels_;
  if (layout_->bindings.at(copy.dstBinding).is_block()) {
    const auto& block = from.blocks_.at(copy.srcBinding);
    put_block(copy.dstBinding, copy.dstArrayElement, block.data() + copy.srcArrayElement,
              copy.descriptorCount);
    return;
  }
  auto to = valid({copy.dstBinding, copy.dstArrayElement});
  auto at = from.valid({copy.srcBinding, copy.srcArrayElement});
  for (std::uint32_t k = 0; k < copy.descriptorCount && to && at; ++k) {
    BoundDescriptor& target = bindings_.at(to->binding)[to->element];
    const auto kept = target.descriptor.sampler;
    target = from.bindings_.at(at->binding)[at->element];
    if (!layout_->bindings.at(to->binding).immutable_samplers.empty())
      target.descriptor.sampler = kept;
    to = valid({to->binding, to->element + 1});
    at = from.valid({at->binding, at->element + 1});
  }
}

void DescriptorMap::add_to(DescriptorTable& table, std::uint32_t set, std::uint32_t binding,
                           std::uint32_t elements, TexelCopies& copies) const {
  const std::lock_guard lock(changing_);
  const auto found = bindings_.find(binding);
  if (found == bindings_.end()) return;
  const auto all = static_cast<std::uint32_t>(found->second.size());
  DescriptorSet& to = table.set(set);
  // The last one first: then there is room for all.
  for (std::uint32_t k = std::min(elements == 0 ? all : elements, all); k-- > 0;) {
    const BoundDescriptor& bound = found->second[k];
    Descriptor descriptor = bound.descriptor;
    if (bound.view != nullptr) {
      descriptor = bound.view->sampled(copies.add());
      descriptor.sampler = bound.descriptor.sampler;
    }
    if (bound.is_blue_first) descriptor.bytes = copies.exchanged(descriptor.bytes);
    to.write(binding, k, descriptor);
  }
}

// ---- Layouts ----

VkResult vkCreateDescriptorSetLayout(VkDevice, const VkDescriptorSetLayoutCreateInfo* info,
                                     const VkAllocationCallbacks*, VkDescriptorSetLayout* layout) {
  return guarded([&] {
    auto made = std::make_shared<SetLayout>();
    const auto* const flags = find_in_chain<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
        info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    for (std::uint32_t k = 0; k < info->bindingCount; ++k) {
      const VkDescriptorSetLayoutBinding& from = info->pBindings[k];
      LayoutBinding binding{from.descriptorType, from.descriptorCount};
      // Of other types the pointer need not be valid.
      const bool has_samplers = from.descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                                from.descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
      if (has_samplers && from.pImmutableSamplers != nullptr)
        for (std::uint32_t s = 0; s < from.descriptorCount; ++s)
          binding.immutable_samplers.push_back(*object_of(from.pImmutableSamplers[s]));
      if (flags != nullptr && k < flags->bindingCount &&
          (flags->pBindingFlags[k] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT) != 0)
        made->has_variable_count = true;
      made->bindings.emplace(from.binding, std::move(binding));
    }
    *layout = handle_of(new SetLayoutHandle{std::move(made)});
    return VK_SUCCESS;
  });
}

void vkDestroyDescriptorSetLayout(VkDevice, VkDescriptorSetLayout layout,
                                  const VkAllocationCallbacks*) {
  delete object_of(layout);
}

namespace {

/// How many of maxPerSetDescriptors a binding takes.
std::uint64_t descriptors_of(const VkDescriptorSetLayoutBinding& binding) {
  const bool block = binding.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  return block ? 1 : binding.descriptorCount;
}

/// The most descriptors that the last binding can have beside the others, or the most bytes of a block.
std::uint32_t most_variable(const VkDescriptorSetLayoutBinding& last, std::uint64_t others) {
  if (last.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
    return others < max_per_set_descriptors ? max_inline_uniform_block_size : 0;
  return others < max_per_set_descriptors
             ? max_per_set_descriptors - static_cast<std::uint32_t>(others)
             : 0;
}

}  // namespace

void vkGetDescriptorSetLayoutSupport(VkDevice, const VkDescriptorSetLayoutCreateInfo* info,
                                     VkDescriptorSetLayoutSupport* support) {
  std::uint64_t descriptors = 0;
  const VkDescriptorSetLayoutBinding* last = nullptr;
  for (std::uint32_t k = 0; k < info->bindingCount; ++k) {
    const VkDescriptorSetLayoutBinding& binding = info->pBindings[k];
    descriptors += descriptors_of(binding);
    if (last == nullptr || binding.binding > last->binding) last = &binding;
  }
  support->supported = descriptors <= max_per_set_descriptors;
  if (auto* const variable = find_in_chain<VkDescriptorSetVariableDescriptorCountLayoutSupport>(
          support->pNext,
          VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT)) {
    const auto* const flags = find_in_chain<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
        info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    bool has_variable = false;
    for (std::uint32_t k = 0; flags != nullptr && k < flags->bindingCount; ++k)
      has_variable |=
          (flags->pBindingFlags[k] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT) != 0;
    variable->maxVariableDescriptorCount =
        has_variable && last != nullptr ? most_variable(*last, descriptors - descriptors_of(*last))
                                        : 0;
  }
}

VkResult vkCreatePipelineLayout(VkDevice, const VkPipelineLayoutCreateInfo* info,
                                const VkAllocationCallbacks*, VkPipelineLayout* layout) {
  return guarded([&] {
    auto made = std::make_unique<PipelineLayout>();
    for (std::uint32_t k = 0; k < info->setLayoutCount; ++k) {
      const VkDescriptorSetLayout set = info->pSetLayouts[k];
      made->sets.push_back(set == VK_NULL_HANDLE ? std::make_shared<const SetLayout>()
                                                 : object_of(set)->layout);
    }
    *layout = handle_of(made.release());
    return VK_SUCCESS;
  });
}

void vkDestroyPipelineLayout(VkDevice, VkPipelineLayout layout, const VkAllocationCallbacks*) {
  delete object_of(layout);
}

// ---- Pools and sets ----

VkResult vkCreateDescriptorPool(VkDevice, const VkDescriptorPoolCreateInfo* info,
                                const VkAllocationCallbacks*, VkDescriptorPool* pool) {
  return guarded([&] {
    auto made = std::make_unique<DescriptorPool>();
    made->max_sets = info->maxSets;
    *pool = handle_of(made.release());
    return VK_SUCCESS;
  });
}

void vkDestroyDescriptorPool(VkDevice device, VkDescriptorPool pool, const VkAllocationCallbacks*) {
  object_of(device)->retire(object_of(pool));
}

VkResult vkResetDescriptorPool(VkDevice device, VkDescriptorPool pool, VkDescriptorPoolResetFlags) {
  return guarded([&] {
    const std::lock_guard lock(object_of(pool)->changing);
    object_of(device)->retire(
        std::make_shared<DescriptorPool::Sets>(std::exchange(object_of(pool)->sets, {})));
    return VK_SUCCESS;
  });
}

VkResult vkAllocateDescriptorSets(VkDevice, const VkDescriptorSetAllocateInfo* info,
                                  VkDescriptorSet* sets) {
  DescriptorPool& pool = *object_of(info->descriptorPool);
  const auto* const counts = find_in_chain<VkDescriptorSetVariableDescriptorCountAllocateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
  const std::lock_guard lock(pool.changing);
  std::fill_n(sets, info->descriptorSetCount, VkDescriptorSet(VK_NULL_HANDLE));
  // Programs may count on a pool being exhausted, and then make another.
  if (pool.sets.size() + info->descriptorSetCount > pool.max_sets)
    return VK_ERROR_OUT_OF_POOL_MEMORY;
  std::uint32_t made = 0;
  const VkResult result = guarded([&] {
    for (; made < info->descriptorSetCount; ++made) {
      const std::uint32_t variable = counts != nullptr && made < counts->descriptorSetCount
                                         ? counts->pDescriptorCounts[made]
                                         : 0;
      auto set =
          std::make_unique<DescriptorMap>(object_of(info->pSetLayouts[made])->layout, variable);
      DescriptorMap* const key = set.get();
      pool.sets.emplace(key, std::move(set));
      sets[made] = handle_of(key);
    }
    return VK_SUCCESS;
  });
  if (result != VK_SUCCESS) {
    for (std::uint32_t k = 0; k < made; ++k) pool.sets.erase(object_of(sets[k]));
    std::fill_n(sets, info->descriptorSetCount, VkDescriptorSet(VK_NULL_HANDLE));
  }
  return result;
}

VkResult vkFreeDescriptorSets(VkDevice device, VkDescriptorPool pool, std::uint32_t count,
                              const VkDescriptorSet* sets) {
  return guarded([&] {
    const std::lock_guard lock(object_of(pool)->changing);
    auto freed = std::make_shared<DescriptorPool::Sets>();
    for (std::uint32_t k = 0; k < count; ++k)
      freed->insert(object_of(pool)->sets.extract(object_of(sets[k])));
    object_of(device)->retire(std::move(freed));
    return VK_SUCCESS;
  });
}

void vkUpdateDescriptorSets(VkDevice, std::uint32_t write_count, const VkWriteDescriptorSet* writes,
                            std::uint32_t copy_count, const VkCopyDescriptorSet* copies) {
  for (std::uint32_t k = 0; k < write_count; ++k) object_of(writes[k].dstSet)->write(writes[k]);
  for (std::uint32_t k = 0; k < copy_count; ++k)
    object_of(copies[k].dstSet)->copy(copies[k], *object_of(copies[k].srcSet));
}

VkResult vkCreateDescriptorUpdateTemplate(VkDevice,
                                          const VkDescriptorUpdateTemplateCreateInfo* info,
                                          const VkAllocationCallbacks*,
                                          VkDescriptorUpdateTemplate* made) {
  return guarded([&] {
    const auto* const first = info->pDescriptorUpdateEntries;
    *made = handle_of(new UpdateTemplate{{first, first + info->descriptorUpdateEntryCount}});
    return VK_SUCCESS;
  });
}

void vkDestroyDescriptorUpdateTemplate(VkDevice, VkDescriptorUpdateTemplate update,
                                       const VkAllocationCallbacks*) {
  delete object_of(update);
}

void vkUpdateDescriptorSetWithTemplate(VkDevice, VkDescriptorSet set,
                                       VkDescriptorUpdateTemplate update, const void* data) {
  for (const auto& entry : object_of(update)->entries)
    object_of(set)->write(entry, static_cast<const std::byte*>(data));
}

}  // namespace lockstep::driver
