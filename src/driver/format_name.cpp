#include <cctype>
#include <string>
#include <vulkan/vulkan.hpp>

#include "driver/formats.hpp"

namespace lockstep::driver {
namespace {

bool is(int (*what)(int), char c) { return what(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string name_of(VkFormat format) {
  // Words such as Unorm and runs of components such as R8G8 become VK_FORMAT_R8G8_UNORM.
  const std::string words = vk::to_string(static_cast<vk::Format>(format));
  std::string name = "VK_FORMAT";
  bool after_word = true;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (is(std::isupper, words[k])) {
      const bool begins_word = k + 1 < words.size() && is(std::islower, words[k + 1]);
      if (begins_word || after_word) name += '_';
      after_word = begins_word;
    }
    name += static_cast<char>(std::toupper(static_cast<unsigned char>(words[k])));
  }
  return name;
}

}  // namespace lockstep::driver
