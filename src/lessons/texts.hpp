#pragma once

#include <string_view>

namespace lockstep::lessons {

/// The files of a lesson, as CMake found them in docs/lessons.
struct Text {
  std::string_view chapter, start;
};

/// In the order of their folders.
extern const Text texts[];

}  // namespace lockstep::lessons
