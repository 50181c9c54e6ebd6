#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "driver/vulkan.hpp"

namespace lockstep::driver {

/// A command that cannot be done, with the result that it has.
class Failure : public std::runtime_error {
 public:
  explicit Failure(VkResult result, const std::string& what = "")
      : std::runtime_error(what), result_(result) {}
  VkResult result() const { return result_; }

 private:
  VkResult result_;
};

/// One line on stderr: "lockstep: vulkan: ...".
void print_error(std::string_view message) noexcept;

}  // namespace lockstep::driver
