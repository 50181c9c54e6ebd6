#include <lockstep/spirv/shader.hpp>

#include <map>
#include <utility>

#include <lockstep/dispatch/error.hpp>
#include <lockstep/spirv/address_space.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "spirv/lower/lowered_shader.hpp"

namespace lockstep {
namespace {

ModuleOptions module_options(const ShaderOptions& options) {
  return {options.defines, options.include_dirs, options.entry, options.target};
}

spirv::LowerOptions lower_options(const ShaderOptions& options) {
  spirv::LowerOptions result{.entry = options.entry};
  for (const auto& [id, value] : options.spec) result.spec_constants.insert_or_assign(id, value);
  return result;
}

}  // namespace

struct Shader::Parts {
  Parts(const Module& module, const ShaderOptions& options)
      : lowered(std::make_shared<const spirv::LoweredShader>(module.decoded(),
                                                             lower_options(options))) {}
  ~Parts() {
    for (const auto& [bytes, address] : addresses) AddressSpace::of_process().remove(address);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  const Pipeline& pipeline(int subgroup_size) {
    const auto found = pipelines.find(subgroup_size);
    if (found != pipelines.end()) return found->second;
    return pipelines.emplace(subgroup_size, Pipeline(lowered, subgroup_size, false)).first->second;
  }

  std::shared_ptr<const spirv::LoweredShader> lowered;
  std::map<int, Pipeline> pipelines;  ///< by subgroup size
  DescriptorTable table;
  std::vector<std::byte> push;
  std::map<std::pair<std::byte*, std::size_t>, std::uint64_t> addresses;  ///< this shader's
};

Shader::Shader(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Shader::Shader(Shader&&) noexcept = default;
Shader& Shader::operator=(Shader&&) noexcept = default;
Shader::~Shader() = default;

Shader Shader::load(const std::string& path, const ShaderOptions& options) {
  return Shader(std::make_unique<Parts>(Module::load(path, module_options(options)), options));
}
Shader Shader::from_glsl(const std::string& text, const ShaderOptions& options,
                         const std::string& name) {
  return Shader(
      std::make_unique<Parts>(Module::from_glsl(text, module_options(options), name), options));
}
Shader Shader::from_assembly(const std::string& text, const ShaderOptions& options,
                             const std::string& name) {
  return Shader(
      std::make_unique<Parts>(Module::from_assembly(text, module_options(options), name), options));
}
Shader Shader::from_words(std::vector<std::uint32_t> words, const ShaderOptions& options,
                          const std::string& name) {
  return Shader(std::make_unique<Parts>(
      Module::from_words(std::move(words), module_options(options), name), options));
}

Shader Shader::from_module(const Module& module, const ShaderOptions& options) {
  return Shader(std::make_unique<Parts>(module, options));
}

const ShaderInterface& Shader::interface() const { return parts_->lowered->interface; }

Shader& Shader::bind_bytes(std::uint32_t set, std::uint32_t binding, std::uint32_t element,
                           std::span<std::byte> bytes) {
  parts_->table.set(set).bind_bytes(binding, bytes, element);
  return *this;
}
Shader& Shader::bind_bytes(std::uint32_t set, std::uint32_t binding, std::uint32_t element,
                           std::span<const std::byte> bytes) {
  parts_->table.set(set).bind_bytes(binding, bytes, element);
  return *this;
}
Shader& Shader::bind_image(std::uint32_t set, std::uint32_t binding, Image& image,
                           std::uint32_t element) {
  parts_->table.set(set).bind_image(binding, image, element);
  return *this;
}
Shader& Shader::bind_sampler(std::uint32_t set, std::uint32_t binding, const Sampler& sampler,
                             std::uint32_t element) {
  parts_->table.set(set).bind_sampler(binding, sampler, element);
  return *this;
}
Shader& Shader::bind_texels(std::uint32_t set, std::uint32_t binding, ImageFormat format,
                            std::span<std::byte> bytes, std::uint32_t element) {
  parts_->table.set(set).bind_texels(binding, format, bytes, element);
  return *this;
}
Shader& Shader::bind_descriptor(std::uint32_t set, std::uint32_t binding,
                                const Descriptor& descriptor, std::uint32_t element) {
  parts_->table.set(set).write(binding, element, descriptor);
  return *this;
}
Shader& Shader::push_bytes(std::span<const std::byte> bytes) {
  parts_->push.assign(bytes.begin(), bytes.end());
  return *this;
}

std::uint64_t Shader::address_of(std::span<std::byte> bytes) {
  std::uint64_t& address = parts_->addresses[{bytes.data(), bytes.size()}];
  if (address == 0) address = AddressSpace::of_process().add(bytes);
  return address;
}

void Shader::check(const Profile& profile, int subgroup_size, Size3 workgroups) const {
  parts_->lowered->check(profile, subgroup_size, workgroups);
}

ShaderRun Shader::dispatch(Size3 workgroups, const DispatchSettings& settings) {
  return parts_->pipeline(settings.subgroup_size)
      .dispatch(parts_->table, {.workgroups = workgroups,
                                .push_constants = parts_->push,
                                .addresses = &AddressSpace::of_process(),
                                .threads = settings.threads,
                                .max_steps = settings.max_steps,
                                .convergence = settings.convergence,
                                .lenient = settings.lenient,
                                .mapping = settings.mapping,
                                .order = settings.order,
                                .deterministic = settings.deterministic,
                                .progress = settings.progress,
                                .checks = settings.checks});
}

}  // namespace lockstep
