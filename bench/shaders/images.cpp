#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/shader.hpp>

#include "shaders/lavapipe_device.hpp"
#include "shaders/measure.hpp"
#include "support/bandwidth.hpp"

/// \file
/// Shaders that read one image and write another, as filters of videos do: `image/linear_r8/32`. The results of the
/// engine and of lavapipe, both on one thread and in turns, are checked against a plain loop before they are timed.
///
/// ns/texel: of the image that is written. of_lavapipe: speed relative to lavapipe.

namespace lockstep::bench {
namespace {

enum class Access : std::uint8_t { load, nearest, linear };

struct Work {
  const char* name;
  Access access;
  ImageFormat format;  ///< of both images
  const char* qualifier;
  std::uint32_t components;
};

constexpr Work all_work[] = {
    {"mirror_rgba8", Access::load, ImageFormat::rgba8, "rgba8", 4},
    {"mirror_r8", Access::load, ImageFormat::r8, "r8", 1},
    {"nearest_rgba8", Access::nearest, ImageFormat::rgba8, "rgba8", 4},
    {"linear_rgba8", Access::linear, ImageFormat::rgba8, "rgba8", 4},
    {"linear_r8", Access::linear, ImageFormat::r8, "r8", 1},
};

/// Workgroups of 16 x 8.
struct Sizes {
  std::uint32_t width = 512, height = static_cast<std::uint32_t>(shader_elements() / width);
  std::uint32_t from_width, from_height;

  /// Images that are read through samplers have half as many texels again along each axis.
  explicit Sizes(Access access)
      : from_width(access == Access::load ? width : width * 3 / 2),
        from_height(access == Access::load ? height : height * 3 / 2) {}
};

std::string shader_of(const Work& work) {
  const std::string format = work.qualifier;
  const bool loads = work.access == Access::load;
  return "#version 450\nlayout(local_size_x = 16, local_size_y = 8) in;\n" +
         (loads ? "layout(binding = 0, " + format + ") readonly uniform image2D from;\n"
                : "layout(binding = 0) uniform sampler2D from;\n") +
         "layout(binding = 1, " + format + ") writeonly uniform image2D to;\n" + R"(void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(to);
  imageStore(to, at, )" +
         (loads ? "imageLoad(from, ivec2(size.x - 1 - at.x, at.y))"
                : "textureLod(from, (vec2(at) + 0.5) / vec2(size), 0.0)") +
         ");\n}\n";
}

/// The texel along an axis that a plain loop starts from, and the part of the next one.
struct Start {
  std::uint32_t texel, next;
  double part;
};

Start start_of(std::uint32_t at, std::uint32_t size, std::uint32_t from_size, Access access) {
  const double u = (at + 0.5) / size * from_size - (access == Access::linear ? 0.5 : 0);
  const double whole = std::floor(u), last = from_size - 1;
  const auto inside = [&](double texel) {
    return static_cast<std::uint32_t>(std::clamp(texel, 0.0, last));
  };
  return {inside(whole), inside(whole + 1), access == Access::linear ? u - whole : 0};
}

/// What the image holds then.
std::vector<double> wanted(const Work& work, const Sizes& sizes,
                           std::span<const std::uint8_t> from) {
  std::vector<double> to;
  const auto value = [&](std::uint32_t x, std::uint32_t y, std::uint32_t k) -> double {
    return from[(y * sizes.from_width + x) * work.components + k];
  };
  for (std::uint32_t y = 0; y < sizes.height; ++y) {
    for (std::uint32_t x = 0; x < sizes.width; ++x) {
      for (std::uint32_t k = 0; k < work.components; ++k) {
        if (work.access == Access::load) {
          to.push_back(value(sizes.width - 1 - x, y, k));
          continue;
        }
        const Start u = start_of(x, sizes.width, sizes.from_width, work.access);
        const Start v = start_of(y, sizes.height, sizes.from_height, work.access);
        const auto row = [&](std::uint32_t line) {
          return (1 - u.part) * value(u.texel, line, k) + u.part * value(u.next, line, k);
        };
        to.push_back((1 - v.part) * row(v.texel) + v.part * row(v.next));
      }
    }
  }
  return to;
}

/// Whether each byte is within `most` of what is wanted.
bool is_near(std::span<const std::byte> got, std::span<const double> want, double most) {
  for (std::size_t k = 0; k < want.size(); ++k) {
    if (std::fabs(std::to_integer<int>(got[k]) - want[k]) > most) return false;
  }
  return true;
}

Sampler sampler_of(const Work& work) {
  const Filter filter = work.access == Access::linear ? Filter::linear : Filter::nearest;
  return {.mag_filter = filter,
          .min_filter = filter,
          .address_mode_u = AddressMode::clamp_to_edge,
          .address_mode_v = AddressMode::clamp_to_edge};
}

/// The work on lavapipe.
class OnLavapipe {
 public:
  OnLavapipe(const vulkan::Device& device, const Module& module, const Work& work,
             const Sizes& sizes)
      : from_(image(device, work, {sizes.from_width, sizes.from_height, 1},
                    work.access != Access::load)),
        to_(image(device, work, {sizes.width, sizes.height, 1}, false)),
        workgroups_{sizes.width / 16, sizes.height / 8, 1},
        pipeline_(device, module.words(), {slot_of(work), {.binding = 1, .is_image = true}}) {}

  void upload(std::span<const std::byte> bytes) { from_.upload(bytes); }
  void download(std::span<std::byte> bytes) const { to_.download(bytes); }
  double run() {
    const vulkan::Resource* const both[] = {&from_, &to_};
    return pipeline_.run(workgroups_, both);
  }

 private:
  static vulkan::Resource image(const vulkan::Device& device, const Work& work, Size3 size,
                                bool sampled) {
    return vulkan::Resource::image(
        device, {.format = work.format, .levels = {size, 2, 1}, .sampled = sampled});
  }
  static vulkan::Slot slot_of(const Work& work) {
    vulkan::Slot slot{.is_image = true};
    if (work.access != Access::load) {
      slot.is_sampled = true;
      slot.sampler = sampler_of(work);
    }
    return slot;
  }

  vulkan::Resource from_, to_;
  Size3 workgroups_;
  vulkan::Pipeline pipeline_;
};

void run_work(benchmark::State& state, const Work& work) {
  const Sizes sizes(work.access);
  Image2D from(work.format, sizes.from_width, sizes.from_height),
      to(work.format, sizes.width, sizes.height);
  std::vector<std::uint8_t> bytes(from.bytes().size());
  for (std::size_t k = 0; k < bytes.size(); ++k)
    bytes[k] = static_cast<std::uint8_t>(k * 2654435761u >> 21);
  std::ranges::copy(std::as_bytes(std::span(bytes)), from.bytes().begin());
  const std::vector<double> want = wanted(work, sizes, bytes);

  const auto module = Module::from_glsl(shader_of(work));
  auto shader = Shader::from_module(module);
  shader.bind_image(0, from).bind_image(1, to);
  if (work.access != Access::load) shader.bind_sampler(0, sampler_of(work));
  const auto run = [&] {
    return seconds_of([&] {
      shader.dispatch({sizes.width / 16, sizes.height / 8, 1}, {.subgroup_size = 32, .threads = 1});
    });
  };
  run();
  if (!is_near(to.bytes(), want, 0.502)) return state.SkipWithError("the result is wrong");

  std::unique_ptr<OnLavapipe> rival;
  if (const vulkan::Device* device = lavapipe_device(); device != nullptr) {
    rival = std::make_unique<OnLavapipe>(*device, module, work, sizes);
    rival->upload(from.bytes());
    rival->run();
    std::vector<std::byte> other(to.bytes().size());
    rival->download(other);
    // It filters with weights of eight bits.
    if (!is_near(other, want, work.access == Access::linear ? 2 : 0.5))
      return state.SkipWithError("lavapipe's result is wrong");
  }
  double mine = 1e9, others = 1e9;
  for (auto _ : state) {
    mine = std::min(mine, run());
    if (rival != nullptr) others = std::min(others, rival->run());
  }
  state.counters["ns/texel"] = mine / (static_cast<double>(sizes.width) * sizes.height) * 1e9;
  if (rival != nullptr) state.counters["of_lavapipe"] = others / mine;
}

const bool registered = [] {
  for (const Work& work : all_work) {
    benchmark::RegisterBenchmark((std::string("image/") + work.name + "/32").c_str(),
                                 [&work](benchmark::State& state) { run_work(state, work); });
  }
  return true;
}();

}  // namespace
}  // namespace lockstep::bench
