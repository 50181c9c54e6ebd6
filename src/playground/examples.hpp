#pragma once

#include <string_view>
#include <vector>

namespace lockstep::playground {

/// A shader of the page's menu.
struct Example {
  std::string_view name;
  std::string_view source;      ///< GLSL
  std::string_view experiment;  ///< the rest of the experiment, as JSON
};

/// The kernels of kernels/ that take no images, and those of the lessons. The page opens with the first one.
std::vector<Example> all_examples();

}  // namespace lockstep::playground
