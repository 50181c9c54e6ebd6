#include <lockstep/spirv/descriptor_table.hpp>

namespace lockstep {

DescriptorSet& DescriptorTable::set(std::uint32_t number) {
  Place& place = sets_[number];
  place.elsewhere = nullptr;
  return place.own;
}

DescriptorTable& DescriptorTable::use(std::uint32_t number, const DescriptorSet& set) {
  Place& place = sets_[number];
  place.elsewhere = &set;
  place.offsets.clear();
  return *this;
}

DescriptorTable& DescriptorTable::offset(std::uint32_t set, std::uint32_t binding,
                                         std::uint64_t bytes, std::uint32_t element) {
  sets_[set].offsets[{binding, element}] = bytes;
  return *this;
}

const Descriptor* DescriptorTable::find(std::uint32_t set, std::uint32_t binding,
                                        std::uint32_t element) const {
  const auto found = sets_.find(set);
  if (found == sets_.end()) return nullptr;
  const Place& place = found->second;
  return (place.elsewhere != nullptr ? *place.elsewhere : place.own).find(binding, element);
}

std::uint64_t DescriptorTable::offset_of(std::uint32_t set, std::uint32_t binding,
                                         std::uint32_t element) const {
  const auto place = sets_.find(set);
  if (place == sets_.end()) return 0;
  const auto found = place->second.offsets.find({binding, element});
  return found == place->second.offsets.end() ? 0 : found->second;
}

}  // namespace lockstep
