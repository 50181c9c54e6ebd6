#include "driver/failure.hpp"

#include <cstdio>

namespace lockstep::driver {

void print_error(std::string_view message) noexcept {
  std::fprintf(stderr, "lockstep: vulkan: %.*s\n", static_cast<int>(message.size()),
               message.data());
}

}  // namespace lockstep::driver
