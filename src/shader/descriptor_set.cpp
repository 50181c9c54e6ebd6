#include <lockstep/spirv/descriptor_set.hpp>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep {
namespace {

constexpr std::uint32_t most_elements = 1u << 20;

}  // namespace

DescriptorSet& DescriptorSet::bind_bytes(std::uint32_t binding, std::span<std::byte> bytes,
                                         std::uint32_t element) {
  return bind_range(binding, bytes, 0, Descriptor::whole_size, element);
}

DescriptorSet& DescriptorSet::bind_bytes(std::uint32_t binding, std::span<const std::byte> bytes,
                                         std::uint32_t element) {
  // Never written: a dispatch rejects a shader that would.
  return bind_memory(binding, element,
                     {.kind = Descriptor::Kind::buffer,
                      .writable = false,
                      .bytes = std::span(const_cast<std::byte*>(bytes.data()), bytes.size())});
}

DescriptorSet& DescriptorSet::bind_range(std::uint32_t binding, std::span<std::byte> buffer,
                                         std::uint64_t offset, std::uint64_t range,
                                         std::uint32_t element) {
  return bind_memory(
      binding, element,
      {.kind = Descriptor::Kind::buffer, .bytes = buffer, .offset = offset, .range = range});
}

DescriptorSet& DescriptorSet::bind_image(std::uint32_t binding, Image& image,
                                         std::uint32_t element) {
  return bind_memory(binding, element,
                     {.kind = Descriptor::Kind::texels,
                      .bytes = image.bytes(),
                      .format = image.format(),
                      .extent = image.size()});
}

DescriptorSet& DescriptorSet::bind_texels(std::uint32_t binding, ImageFormat format,
                                          std::span<std::byte> bytes, std::uint32_t element) {
  const auto count = static_cast<std::uint32_t>(bytes.size() / texel_bytes(format));
  return bind_memory(binding, element,
                     {.kind = Descriptor::Kind::texels,
                      .bytes = bytes,
                      .format = format,
                      .extent = {count, 1, 1}});
}

DescriptorSet& DescriptorSet::bind_sampler(std::uint32_t binding, const Sampler& sampler,
                                           std::uint32_t element) {
  element_of(binding, element).sampler = sampler;
  return *this;
}

DescriptorSet& DescriptorSet::bind_null(std::uint32_t binding, std::uint32_t element) {
  return write(binding, element, {.kind = Descriptor::Kind::null});
}

DescriptorSet& DescriptorSet::write(std::uint32_t binding, std::uint32_t element,
                                    const Descriptor& descriptor) {
  element_of(binding, element) = descriptor;
  return *this;
}

const Descriptor* DescriptorSet::find(std::uint32_t binding, std::uint32_t element) const {
  const auto found = bindings_.find(binding);
  if (found == bindings_.end() || element >= found->second.size()) return nullptr;
  const Descriptor& descriptor = found->second[element];
  const bool empty = descriptor.kind == Descriptor::Kind::none && !descriptor.sampler;
  return empty ? nullptr : &descriptor;
}

Descriptor& DescriptorSet::element_of(std::uint32_t binding, std::uint32_t element) {
  if (element >= most_elements)
    throw Error(fmt::format("binding {}: element {} is too high: a binding has at most {}", binding,
                            element, most_elements));
  std::vector<Descriptor>& elements = bindings_[binding];
  if (element >= elements.size()) elements.resize(std::size_t{element} + 1);
  return elements[element];
}

DescriptorSet& DescriptorSet::bind_memory(std::uint32_t binding, std::uint32_t element,
                                          Descriptor descriptor) {
  Descriptor& to = element_of(binding, element);
  descriptor.sampler = to.sampler;
  to = descriptor;
  return *this;
}

}  // namespace lockstep
