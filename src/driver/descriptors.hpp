#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <lockstep/spirv/descriptor_table.hpp>

#include "driver/handle.hpp"
#include "driver/image.hpp"
#include "driver/texel_copies.hpp"

namespace lockstep::driver {

/// A binding of a set's layout.
struct LayoutBinding {
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLER;
  std::uint32_t count = 0;  ///< descriptors; bytes of an inline uniform block
  std::vector<Sampler> immutable_samplers = {};

  bool is_block() const { return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK; }
  bool is_dynamic() const {
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
  }
};

/// The bindings of a set, by number. Sets and pipeline layouts share it: a program may destroy its handle first.
struct SetLayout {
  std::map<std::uint32_t, LayoutBinding> bindings;
  bool has_variable_count = false;  ///< of the last binding
};
using SharedSetLayout = std::shared_ptr<const SetLayout>;

/// What VkDescriptorSetLayout refers to.
struct SetLayoutHandle {
  SharedSetLayout layout;
};

/// The layouts of a pipeline's sets.
struct PipelineLayout {
  std::vector<SharedSetLayout> sets;
};

/// A descriptor with what only a driver knows about it.
struct BoundDescriptor {
  Descriptor descriptor = {};
  const ImageView* view = nullptr;  ///< a sampled image whose texels are copied for each dispatch
  bool is_blue_first = false;  ///< texels whose bytes are exchanged for each dispatch, and back
};

/// The descriptors of a set, which any thread may read and write. It keeps addresses of memory and no handles: a
/// program may destroy buffers and views that a set still has, as long as no shader uses them.
class DescriptorMap {
 public:
  /// The set gets its layout's immutable samplers and inline uniform blocks.
  explicit DescriptorMap(SharedSetLayout layout, std::uint32_t variable_count = 0);

  /// A copy, to push more descriptors to.
  std::shared_ptr<DescriptorMap> clone() const;

  const SetLayout& layout() const { return *layout_; }
  /// The number of descriptors of a binding; 1 of an inline uniform block.
  std::uint32_t count(std::uint32_t binding) const;

  /// As vkUpdateDescriptorSets: descriptors beyond the end of a binding are those of the next ones.
  void write(const VkWriteDescriptorSet& write);
  void copy(const VkCopyDescriptorSet& copy, const DescriptorMap& from);
  /// Writes one run of descriptors of an update template.
  void write(const VkDescriptorUpdateTemplateEntry& entry, const std::byte* data);

  /// A number that no other state of any set has. 0: texels must be copied for each dispatch.
  std::uint64_t version() const;
  /// Adds the descriptors of a binding to a table. Texels that must be copied are in `copies`, which must outlive the
  /// dispatch.
  void add_to(DescriptorTable& table, std::uint32_t set, std::uint32_t binding,
              std::uint32_t elements, TexelCopies& copies) const;

 private:
  struct Place {
    std::uint32_t binding, element;
  };
  /// The next place with a descriptor, from this one on; nothing past the end of the set.
  std::optional<Place> valid(Place place) const;
  void put(Place place, VkDescriptorType type, const VkDescriptorImageInfo* image,
           const VkDescriptorBufferInfo* buffer, const VkBufferView* texels);
  void put_block(std::uint32_t binding, std::uint32_t offset, const void* data,
                 std::uint32_t bytes);

  SharedSetLayout layout_;
  std::uint32_t variable_count_;
  /// Stands for the descriptors from now on.
  void changed();

  mutable std::mutex changing_;
  std::uint64_t version_;
  bool has_copied_texels_ = false;  ///< or had: then it has no version any more
  std::map<std::uint32_t, std::vector<BoundDescriptor>> bindings_;
  std::map<std::uint32_t, std::vector<std::byte>> blocks_;
};

/// A pool only owns its sets; there is always room for another.
struct DescriptorPool {
  std::mutex changing;
  using Sets = std::map<DescriptorMap*, std::unique_ptr<DescriptorMap>>;
  Sets sets;
  std::uint32_t max_sets = 0;
};

/// How update templates find descriptors in a program's memory.
struct UpdateTemplate {
  std::vector<VkDescriptorUpdateTemplateEntry> entries;
};

LOCKSTEP_ICD_HANDLE(VkDescriptorSetLayout, SetLayoutHandle)
LOCKSTEP_ICD_HANDLE(VkPipelineLayout, PipelineLayout)
LOCKSTEP_ICD_HANDLE(VkDescriptorSet, DescriptorMap)
LOCKSTEP_ICD_HANDLE(VkDescriptorPool, DescriptorPool)
LOCKSTEP_ICD_HANDLE(VkDescriptorUpdateTemplate, UpdateTemplate)

}  // namespace lockstep::driver
