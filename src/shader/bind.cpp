#include "shader/bind.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/dispatch/mip_levels.hpp>
#include <lockstep/exec/error.hpp>

namespace lockstep::spirv {
namespace {

std::string place_of(const ResourceUse& use) {
  if (use.element == 0)
    return fmt::format("set {}, binding {} ({})", use.set, use.binding, use.name);
  return fmt::format("set {}, binding {}, element {} ({})", use.set, use.binding, use.element,
                     use.name);
}

Scalar texel_of(ImageFormat format) {
  using enum Scalar;
  // In the order of TexelNumber.
  constexpr Scalar numbers[] = {f32, i32, u32, i64, u64};
  return numbers[static_cast<int>(info_of(format).number())];
}

class Binder {
 public:
  Binder(const LoweredShader& shader, const DescriptorTable& descriptors, bool partially_bound)
      : shader_(shader), descriptors_(descriptors), partially_bound_(partially_bound) {}

  std::shared_ptr<const BoundMemory> run() {
    memory_.reserve(shader_.ir.resources.size());
    for (std::size_t k = 0; k < shader_.ir.resources.size(); ++k) {
      Memory& m = memory_.emplace_back();
      const ResourceUse& use = shader_.ir.resources[k];
      switch (use.kind) {
        case ResourceUse::Kind::sampler:
          m.sampler = find_sampler(use, shader_.accesses[k]);
          break;
        case ResourceUse::Kind::push_constants:
        case ResourceUse::Kind::workgroup:
          break;
        case ResourceUse::Kind::buffer:
        case ResourceUse::Kind::image:
          find_memory(use, shader_.accesses[k], m);
          break;
      }
    }
    check_samplers();
    return std::make_shared<const BoundMemory>(std::move(memory_), std::move(samplers_));
  }

 private:
  [[noreturn]] void refuse(const ResourceUse& use, const std::string& what) const {
    throw Error(fmt::format("{}: {} {}", shader_.module->module.file(), place_of(use), what));
  }
  /// Whether the dispatch is an error if nothing is bound to the resource.
  bool is_needed(const ResourceUse& use, const ResourceAccess& access) const {
    return access.used && !use.optional && !partially_bound_;
  }

  const Sampler* find_sampler(const ResourceUse& use, const ResourceAccess& access) {
    const Descriptor* found = descriptors_.find(use.set, use.binding, use.element);
    if (found != nullptr && found->sampler) return &samplers_.emplace_back(*found->sampler);
    if (is_needed(use, access))
      throw Error(fmt::format("{}: no sampler is bound to {}: bind one to it",
                              shader_.module->module.file(), place_of(use)));
    return nullptr;
  }

  void find_memory(const ResourceUse& use, const ResourceAccess& access, Memory& m) const {
    const Descriptor* found = descriptors_.find(use.set, use.binding, use.element);
    if (found == nullptr || found->kind == Descriptor::Kind::none) {
      if (!is_needed(use, access)) return;
      throw Error(fmt::format("{}: nothing is bound to {}: bind an array or an image to it",
                              shader_.module->module.file(), place_of(use)));
    }
    if (found->kind == Descriptor::Kind::null) {
      m.null = true;
      return;
    }
    const bool image = use.kind == ResourceUse::Kind::image;
    const bool fits = image == (found->kind == Descriptor::Kind::texels);
    // The binding may be for another resource, which this entry point does use.
    if (!access.used && (image || !fits)) return;
    if (!fits)
      refuse(use,
             fmt::format("is {}, but what is bound to it is not", image ? "an image" : "a buffer"));
    if (use.writable && !found->writable && access.written)
      refuse(use, "is written, but what is bound to it is constant");
    m.writable = found->writable;
    if (image) {
      check_texels(use, *found);
      m.data = found->bytes.data();
      m.size = found->bytes.size();
      m.format = found->format;
      m.extent = found->extent;
      m.axes = use.axes;
      m.levels = found->levels;
      m.samples = use.multisample && !use.arrayed ? found->extent.z : found->samples;
    } else {
      find_range(use, *found, m);
    }
  }

  /// A buffer's range, moved by its dynamic offset, limited to the buffer.
  void find_range(const ResourceUse& use, const Descriptor& descriptor, Memory& m) const {
    const std::uint64_t all = descriptor.bytes.size();
    const std::uint64_t moved = descriptors_.offset_of(use.set, use.binding, use.element);
    if (descriptor.offset > all || moved > all - descriptor.offset)
      refuse(use, fmt::format("begins at byte {} of a buffer of {} bytes: it must begin inside",
                              descriptor.offset + moved, all));
    const std::uint64_t begin = descriptor.offset + moved;
    m.data = descriptor.bytes.data() + begin;
    m.size = std::min(descriptor.range, all - begin);
  }

  void check_texels(const ResourceUse& use, const Descriptor& image) const {
    if (use.texel != texel_of(image.format))
      refuse(use, fmt::format("has numbers of another type than the image bound to it ({})",
                              to_string(image.format)));
    if (use.atomic && !info_of(image.format).takes_atomics())
      refuse(use, fmt::format("is updated by atomics, but the image bound to it is in {}: atomics "
                              "take images whose texels are one number of 32 or 64 bits",
                              to_string(image.format)));
    const auto [x, y, z] = image.extent;
    const std::uint64_t bytes = image.bytes.size(), layer = std::uint64_t{x} * y;
    const bool fits = z == 0 || layer <= bytes / z / texel_bytes(image.format);
    if (!fits)
      refuse(use, fmt::format("has {} x {} x {} texels in {}, but {} bytes are bound to it", x, y,
                              z, to_string(image.format), bytes));
    check_levels(use, image);
    if (use.cube && (x != y || z % 6 != 0))
      refuse(use, fmt::format("is a cube, but {} x {} x {} texels are bound to it: each cube has "
                              "six square layers",
                              x, y, z));
    if (image.samples == 0 || z % image.samples != 0)
      refuse(use, fmt::format("has {} slices of {} samples: each layer has a slice for each sample",
                              z, image.samples));
  }

  void check_levels(const ResourceUse& use, const Descriptor& image) const {
    const MipLevels levels{image.extent, use.axes, image.levels};
    if (image.levels == 0 || image.levels > levels.most())
      refuse(use, fmt::format("has {} levels, but an image of its size has 1 to {}", image.levels,
                              levels.most()));
    if (image.levels > 1 && levels.texels() > image.bytes.size() / texel_bytes(image.format))
      refuse(use, fmt::format("has {} texels in {} levels in {}, but {} bytes are bound to it",
                              levels.texels(), image.levels, to_string(image.format),
                              image.bytes.size()));
  }

  /// Rejects samplers that do not support the shader's operations.
  void check_samplers() const {
    for (const SamplerUse& use : shader_.sampler_uses) {
      for (std::uint32_t k = 0; k < use.samplers; ++k) check_sampler(use, use.sampler + k);
    }
  }
  void check_sampler(const SamplerUse& use, std::uint32_t resource) const {
    const Sampler* sampler = memory_[resource].sampler;
    if (sampler == nullptr) return;
    const auto refuse_sampler = [&](const char* what) {
      throw Error(fmt::format("{}:{}: {} {}", use.where.file, use.where.line,
                              place_of(shader_.ir.resources[resource]), what));
    };
    if (use.compares && !sampler->compares)
      refuse_sampler("is a shadow sampler, but the sampler bound to it does not compare");
    if (!use.compares && sampler->compares)
      refuse_sampler("is not a shadow sampler, but the sampler bound to it compares");
    const bool linear = sampler->mag_filter == Filter::linear ||
                        sampler->min_filter == Filter::linear ||
                        sampler->mipmap_mode == Filter::linear;
    if (linear && !use.gathers && shader_.ir.resources[use.image].texel != Scalar::f32)
      refuse_sampler("filters integers, but the sampler bound to it is linear: use nearest");
  }

  const LoweredShader& shader_;
  const DescriptorTable& descriptors_;
  bool partially_bound_;
  std::vector<Memory> memory_;
  std::deque<Sampler> samplers_;
};

}  // namespace

std::shared_ptr<const BoundMemory> bind(const LoweredShader& shader,
                                        const DescriptorTable& descriptors, bool partially_bound) {
  return Binder(shader, descriptors, partially_bound).run();
}

}  // namespace lockstep::spirv
