#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include <lockstep/spirv/descriptor_set.hpp>

namespace lockstep {

/// The descriptors of a dispatch: a set for each set number, the table's own or an external one.
///
/// A Vulkan driver has one in each command buffer: vkCmdBindDescriptorSets calls use, and passes
/// the dynamic offsets to (binding, element) in the order of its layout; push descriptors are
/// written to set(number). Copies refer to the same external sets and have their own of the others.
///
/// Requires      External sets outlive the dispatches. One thread at a time changes a table, while
///               no dispatch with it starts; any number of dispatches may read it at once.
/// Active lanes  None.
/// Errors        The dispatch reports what does not fit a shader.
/// Cost          A look-up in two maps for each descriptor of the shader, once per dispatch.
/// Spec          vkCmdBindDescriptorSets, vkCmdPushDescriptorSetKHR
/// Example       tests/spirv/descriptor_table.cpp
class DescriptorTable {
 public:
  /// The table's own set of that number, for writing.
  DescriptorSet& set(std::uint32_t number);
  /// Uses `set` as the one of that number from now on, and forgets its dynamic offsets.
  DescriptorTable& use(std::uint32_t number, const DescriptorSet& set);
  /// Moves the range that is bound there by a number of bytes.
  DescriptorTable& offset(std::uint32_t set, std::uint32_t binding, std::uint64_t bytes,
                          std::uint32_t element = 0);

  /// Binds an array to a binding of the table's own set 0.
  template <class Array>
  DescriptorTable& bind(std::uint32_t binding, Array&& array) {
    return bind(0, binding, std::forward<Array>(array));
  }
  /// The same for another set.
  template <class Array>
  DescriptorTable& bind(std::uint32_t set_number, std::uint32_t binding, Array&& array) {
    set(set_number).bind(binding, std::forward<Array>(array));
    return *this;
  }

  /// The descriptor of an element; null if nothing is bound to it.
  const Descriptor* find(std::uint32_t set, std::uint32_t binding, std::uint32_t element = 0) const;
  /// The offset of the range that is bound there.
  std::uint64_t offset_of(std::uint32_t set, std::uint32_t binding,
                          std::uint32_t element = 0) const;

 private:
  struct Place {
    const DescriptorSet* elsewhere = nullptr;  ///< null: own
    DescriptorSet own;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> offsets;
  };
  std::map<std::uint32_t, Place> sets_;
};

}  // namespace lockstep
