#include "icd/failure.hpp"

#include <cstdio>

namespace lockstep::icd {

void print_error(std::string_view message) noexcept {
  std::fprintf(stderr, "lockstep: vulkan: %.*s\n", static_cast<int>(message.size()),
               message.data());
}

}  // namespace lockstep::icd
