#include <lockstep/spirv/shader.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include <lockstep/dispatch/error.hpp>
#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/exec/error.hpp>

#include "spirv/exec/assemble.hpp"
#include "spirv/exec/run.hpp"
#include "spirv/front/compile.hpp"
#include "spirv/lower/lower.hpp"
#include "spirv/lower/needs.hpp"

namespace lockstep {
namespace {

/// Memory that the caller bound.
struct Bound {
  std::byte* data = nullptr;
  std::uint64_t size = 0;
  bool writable = true;
  bool image = false;
  ImageFormat format = ImageFormat::r32f;
  Size3 extent{0, 0, 0};
};

struct Descriptor {
  std::uint32_t set = 0, binding = 0, element = 0;
  friend auto operator<=>(const Descriptor&, const Descriptor&) = default;
};

spirv::CompileOptions compile_options(const ShaderOptions& options) {
  return {options.defines, options.include_dirs, options.entry, options.target};
}

}  // namespace

struct Shader::Parts {
  Parts(spirv::Binary binary, const std::string& name, const ShaderOptions& options)
      : module(std::move(binary.words), name) {
    lower_options.entry = options.entry;
    for (const auto& [id, value] : options.spec)
      lower_options.spec_constants.insert_or_assign(id, value);
    ir = spirv::lower(module, lower_options);
    push_bytes = spirv::push_bytes_of(ir);
    describe(binary);
  }

  void describe(const spirv::Binary& binary) {
    interface.local_size = {ir.local_size[0], ir.local_size[1], ir.local_size[2]};
    interface.maximally_reconverges = binary.maximally_reconverges;
    interface.subgroup_uniform_control_flow = binary.subgroup_uniform_control_flow;
    interface.needs = spirv::needs_of(module, ir);
    if (binary.maximally_reconverges)
      interface.needs = interface.needs | Feature::shader_maximal_reconvergence;
    if (binary.subgroup_uniform_control_flow)
      interface.needs = interface.needs | Feature::shader_subgroup_uniform_control_flow;
    for (const spirv::ResourceUse& use : ir.resources) {
      // No more than 64 MiB each, and not that many.
      interface.shared_memory_bytes += static_cast<std::uint32_t>(use.bytes);
      if (use.kind == spirv::ResourceUse::Kind::push_constants)
        interface.uses_push_constants = true;
      if (use.kind != spirv::ResourceUse::Kind::buffer) continue;
      if (use.element > 0)
        interface.buffers.back().elements = use.element + 1;
      else
        interface.buffers.push_back({.set = use.set,
                                     .binding = use.binding,
                                     .at_most = use.optional,
                                     .writable = use.writable,
                                     .name = use.name});
    }
    std::sort(interface.buffers.begin(), interface.buffers.end(), [](const auto& a, const auto& b) {
      return std::pair(a.set, a.binding) < std::pair(b.set, b.binding);
    });
  }

  const spirv::Program& program(int size, bool tangled) {
    const spirv::AssembleOptions options{tangled, push.size() >= push_bytes};
    auto& made = programs[{size, options}];
    if (made == nullptr) made = spirv::assemble(ir, size, options);
    return *made;
  }

  std::vector<spirv::Memory> memory() {
    std::vector<spirv::Memory> all;
    for (const spirv::ResourceUse& use : ir.resources) {
      spirv::Memory& m = all.emplace_back();
      if (use.kind == spirv::ResourceUse::Kind::push_constants) {
        m.data = push.data();
        m.size = push.size();
        m.writable = false;
      } else if (use.kind == spirv::ResourceUse::Kind::sampler) {
        m.sampler = find_sampler(use);
      } else if (use.kind != spirv::ResourceUse::Kind::workgroup) {
        find_bound(use, m);
      }
    }
    check_samplers(all);
    for (const Bound& b : addressed) {
      spirv::Memory& m = all.emplace_back();
      m.data = b.data;
      m.size = b.size;
    }
    return all;
  }

  static std::string place_of(const spirv::ResourceUse& use) {
    return fmt::format("set {}, binding {} ({})", use.set, use.binding, use.name);
  }

  const Sampler* find_sampler(const spirv::ResourceUse& use) const {
    const auto found = samplers.find({use.set, use.binding, use.element});
    if (found != samplers.end()) return &found->second;
    if (is_used[static_cast<std::size_t>(&use - ir.resources.data())] && !use.optional)
      throw Error(fmt::format("{}: no sampler is bound to {}: bind one to it", module.file(),
                              place_of(use)));
    return nullptr;
  }

  /// Refuses samplers that cannot do what the shader does with them.
  void check_samplers(const std::vector<spirv::Memory>& memory) const {
    for (const spirv::Op& op : ir.ops) {
      if (op.code != spirv::Code::image_sample) continue;
      const auto& sample = op.as<spirv::Sampling>();
      const std::uint32_t choices = std::max(sample.sampler_choices, 1u);
      for (std::uint32_t k = 0; k < choices; ++k) {
        const Sampler* sampler = memory[sample.sampler + k].sampler;
        if (sampler == nullptr) continue;
        const auto refuse = [&](const char* what) {
          throw Error(fmt::format("{}:{}: {} {}", op.where.file, op.where.line,
                                  place_of(ir.resources[sample.sampler + k]), what));
        };
        if (sample.compares && !sampler->compares)
          refuse("is a shadow sampler, but the sampler bound to it does not compare");
        if (!sample.compares && sampler->compares)
          refuse("is no shadow sampler, but the sampler bound to it compares");
        const bool linear =
            sampler->mag_filter == Filter::linear || sampler->min_filter == Filter::linear;
        if (linear && !sample.gathers &&
            ir.resources[sample.image.resource].texel != spirv::Scalar::f32)
          refuse("filters integers, but the sampler bound to it is linear: take nearest");
      }
    }
  }

  void find_bound(const spirv::ResourceUse& use, spirv::Memory& m) const {
    const auto number = static_cast<std::size_t>(&use - ir.resources.data());
    const auto place = [&] { return place_of(use); };
    const auto found = bound.find({use.set, use.binding, use.element});
    if (found == bound.end()) {
      if (!is_used[number] || use.optional) return;
      throw Error(fmt::format("{}: nothing is bound to {}: bind an array or an image to it",
                              module.file(), place()));
    }
    const Bound& b = found->second;
    const bool image = use.kind == spirv::ResourceUse::Kind::image;
    if (image != b.image)
      throw Error(fmt::format("{}: {} is {}, but what is bound to it is not", module.file(),
                              place(), image ? "an image" : "a buffer"));
    if (use.writable && !b.writable && is_written[number])
      throw Error(fmt::format("{}: {} is written, but what is bound to it is constant",
                              module.file(), place()));
    if (image && use.texel != texel_of(b.format))
      throw Error(fmt::format("{}: {} has numbers of another type than the image bound to it ({})",
                              module.file(), place(), to_string(b.format)));
    if (image && use.atomic && !info_of(b.format).takes_atomics())
      throw Error(
          fmt::format("{}: {} is changed by atomics, but the image bound to it is in {}: atomics "
                      "take images whose texels are one number of 32 or 64 bits",
                      module.file(), place(), to_string(b.format)));
    m.data = b.data;
    m.size = b.size;
    m.writable = b.writable;
    m.format = b.format;
    m.extent = b.extent;
  }
  static spirv::Scalar texel_of(ImageFormat format) {
    using enum spirv::Scalar;
    // In the order of TexelNumber.
    constexpr spirv::Scalar numbers[] = {f32, i32, u32, i64, u64};
    return numbers[static_cast<int>(info_of(format).number())];
  }

  void find_uses() {
    is_used.assign(ir.resources.size(), false);
    is_written.assign(ir.resources.size(), false);
    for (std::size_t k = 0; k < ir.resources.size(); ++k) is_used[k] = ir.resources[k].by_address;
    // Any of an array, where which one is not constant.
    const auto use_image = [&](const spirv::ImageOp& image) {
      for (std::uint64_t k = 0; k < std::max<std::uint64_t>(image.choices, 1); ++k)
        is_used[image.resource + k] = true;
    };
    for (const spirv::Op& op : ir.ops) {
      switch (op.code) {
        case spirv::Code::store:
        case spirv::Code::atomic:
          is_written[spirv::place_of(op).resource] = true;
          is_used[spirv::place_of(op).resource] = true;
          break;
        case spirv::Code::load:
        case spirv::Code::array_length:
          is_used[spirv::place_of(op).resource] = true;
          break;
        case spirv::Code::image_texel:
        case spirv::Code::image_size:
          use_image(op.as<spirv::ImageOp>());
          break;
        case spirv::Code::image_sample: {
          const auto& sample = op.as<spirv::Sampling>();
          use_image(sample.image);
          for (std::uint32_t k = 0; k < std::max(sample.sampler_choices, 1u); ++k)
            is_used[sample.sampler + k] = true;
          break;
        }
        default:
          break;
      }
    }
  }

  spirv::Module module;
  spirv::LowerOptions lower_options;
  spirv::Ir ir;
  ShaderInterface interface;
  std::map<std::pair<int, spirv::AssembleOptions>, std::unique_ptr<spirv::Program>> programs;
  std::map<Descriptor, Bound> bound;
  std::map<Descriptor, Sampler> samplers;
  std::vector<Bound> addressed;
  std::vector<std::byte> push;
  std::uint64_t push_bytes = 0;  ///< that the shader asks for
  std::vector<bool> is_used, is_written;
};

Shader::Shader(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) { parts_->find_uses(); }
Shader::Shader(Shader&&) noexcept = default;
Shader& Shader::operator=(Shader&&) noexcept = default;
Shader::~Shader() = default;

Shader Shader::load(const std::string& path, const ShaderOptions& options) {
  return Shader(
      std::make_unique<Parts>(spirv::load_file(path, compile_options(options)), path, options));
}
Shader Shader::from_glsl(const std::string& text, const ShaderOptions& options,
                         const std::string& name) {
  return Shader(std::make_unique<Parts>(spirv::compile_glsl(text, name, compile_options(options)),
                                        name, options));
}
Shader Shader::from_assembly(const std::string& text, const ShaderOptions& options,
                             const std::string& name) {
  return Shader(std::make_unique<Parts>(spirv::assemble(text, name, compile_options(options)), name,
                                        options));
}
Shader Shader::from_words(std::vector<std::uint32_t> words, const ShaderOptions& options,
                          const std::string& name) {
  return Shader(std::make_unique<Parts>(
      spirv::validate(std::move(words), name, compile_options(options)), name, options));
}

const ShaderInterface& Shader::interface() const { return parts_->interface; }

Shader& Shader::bind_bytes(std::uint32_t set, std::uint32_t binding, std::uint32_t element,
                           std::span<std::byte> bytes) {
  parts_->bound[{set, binding, element}] = {.data = bytes.data(), .size = bytes.size()};
  return *this;
}
Shader& Shader::bind_bytes(std::uint32_t set, std::uint32_t binding, std::uint32_t element,
                           std::span<const std::byte> bytes) {
  // Never written: dispatch refuses where the shader would.
  parts_->bound[{set, binding, element}] = {
      .data = const_cast<std::byte*>(bytes.data()), .size = bytes.size(), .writable = false};
  return *this;
}
Shader& Shader::bind_image(std::uint32_t set, std::uint32_t binding, Image& image,
                           std::uint32_t element) {
  parts_->bound[{set, binding, element}] = {image.bytes().data(), image.bytes().size(), true, true,
                                            image.format(),       image.size()};
  return *this;
}
Shader& Shader::bind_sampler(std::uint32_t set, std::uint32_t binding, const Sampler& sampler,
                             std::uint32_t element) {
  parts_->samplers[{set, binding, element}] = sampler;
  return *this;
}
Shader& Shader::bind_texels(std::uint32_t set, std::uint32_t binding, ImageFormat format,
                            std::span<std::byte> bytes, std::uint32_t element) {
  const auto count = static_cast<std::uint32_t>(bytes.size() / texel_bytes(format));
  parts_->bound[{set, binding, element}] = {bytes.data(), bytes.size(), true,
                                            true,         format,       {count, 1, 1}};
  return *this;
}
Shader& Shader::push_bytes(std::span<const std::byte> bytes) {
  parts_->push.assign(bytes.begin(), bytes.end());
  return *this;
}

std::uint64_t Shader::address_of(std::span<std::byte> bytes) {
  constexpr int shift = 40;
  parts_->addressed.push_back({.data = bytes.data(), .size = bytes.size()});
  return (parts_->ir.resources.size() + parts_->addressed.size()) << shift;
}

void Shader::check(const Profile& profile, int subgroup_size, Size3 workgroups) const {
  const ShaderInterface& wants = parts_->interface;
  lockstep::check(profile, {.kernel = parts_->module.file(),
                            .features = wants.needs,
                            .subgroup_size = subgroup_size,
                            .local_size = wants.local_size,
                            .workgroups = workgroups});
  if (wants.shared_memory_bytes > profile.max_compute_shared_memory_size)
    fail::shared_memory(profile.max_compute_shared_memory_size);
}

ShaderRun Shader::dispatch(Size3 workgroups, const DispatchSettings& settings) {
  if (settings.subgroup_size < 1 || settings.subgroup_size > 128)
    fail::subgroup_size(settings.subgroup_size, 128);
  const bool tangled = settings.convergence != nullptr;
  spirv::Job job;
  job.program = &parts_->program(settings.subgroup_size, tangled);
  job.workgroups = workgroups;
  job.settings = settings;
  job.memory = parts_->memory();
  return spirv::run(job);
}

}  // namespace lockstep
