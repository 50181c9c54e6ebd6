#include "playground/examples.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "playground/sources.hpp"

namespace lockstep::playground {
namespace {

/// What shaders need besides the defaults, which are one workgroup, subgroup 0 and made-up buffers.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> settings{{
    {"allocate_broken",
     R"({"size": 8, "buffers": ["0=iota:u32:64", "1=fill:u32:1:8", "2=zeros:u32:64"],
         "beside": {"rule": "core", "choose": "rejoin-none"}})"},
    {"clustered_rotate", R"({"size": 8, "push": "u32:1"})"},
    {"mandelbrot", R"({"size": 16, "push": "u32:64 u32:1 f32:-1.5 f32:0.3 f32:0.035 u32:12"})"},
    {"max_pool",
     R"({"size": 32, "images": ["0=r16f:32x4x1:random:f16:128:1:0:1", "1=r16f:8x1x1:zeros"]})"},
    {"radix_sort", R"({"size": 8, "push": "u32:0"})"},
    {"rotate", R"({"size": 8, "push": "u32:1"})"},
    {"saxpy", R"({"size": 8, "push": "f32:2"})"},
}};

std::string_view setting_of(std::string_view name) {
  const auto found = std::ranges::find(settings, name, [](const auto& s) { return s.first; });
  return found == settings.end() ? R"({"size": 8})" : found->second;
}

}  // namespace

std::vector<Example> all_examples() {
  std::vector<Example> examples;
  for (const auto& [name, source] : example_sources())
    examples.push_back({name, source, setting_of(name)});
  const auto first = std::ranges::find(examples, "allocate_broken", &Example::name);
  if (first != examples.end()) std::rotate(examples.begin(), first, first + 1);
  return examples;
}

}  // namespace lockstep::playground
