#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <list>
#include <random>
#include <string>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/shader.hpp>

#include "fuzz/target.hpp"
#include "shader/front/compile.hpp"
#include "shader/lower/lower.hpp"
#include "shader/run/assemble.hpp"

/// \file
/// Any bytes as a SPIR-V module. What the validator rejects is only taken apart into instructions; what
/// it lets through also runs, on small buffers, at one of several sizes and rules. Built a second time, without
/// the validator: then the engine's own checks are all.

namespace lockstep::test {
namespace {

constexpr std::size_t most_bytes = 1u << 16;
constexpr std::uint32_t most_invocations = 128;
constexpr std::uint64_t most_shared_bytes = 1u << 20;
constexpr std::size_t most_resources = 64;
constexpr std::size_t most_registers = 1u << 14;

#ifdef LOCKSTEP_FUZZ_UNCHECKED
constexpr bool validates = false;
#else
constexpr bool validates = true;
#endif

/// Memory for everything that a shader wants bound.
class Bindings {
 public:
  Bindings(Shader& shader, const spirv::Ir& ir) {
    const std::uint64_t address = shader.address_of(bytes(256));
    std::vector<std::byte> push(128);
    for (std::size_t at = 0; at < push.size(); at += 8) std::memcpy(&push[at], &address, 8);
    shader.push_bytes(push);
    for (const spirv::ResourceUse& use : ir.resources) {
      if (use.kind == spirv::ResourceUse::Kind::buffer) {
        shader.bind_bytes(use.set, use.binding, use.element, bytes(252));
      } else if (use.kind == spirv::ResourceUse::Kind::sampler) {
        Sampler sampler;
        sampler.mag_filter = use.binding % 2 == 0 ? Filter::linear : Filter::nearest;
        sampler.address_mode_u = static_cast<AddressMode>(use.binding % 5);
        sampler.compares = use.set % 2 == 1;
        shader.bind_sampler(use.set, use.binding, sampler, use.element);
      } else if (use.kind == spirv::ResourceUse::Kind::image) {
        const ImageFormat format = use.texel == spirv::Scalar::u32   ? ImageFormat::r32ui
                                   : use.texel == spirv::Scalar::i32 ? ImageFormat::r32i
                                   : use.texel == spirv::Scalar::u64 ? ImageFormat::r64ui
                                   : use.texel == spirv::Scalar::i64 ? ImageFormat::r64i
                                   : use.atomic                      ? ImageFormat::r32f
                                                                     : ImageFormat::rgba8;
        shader.bind_image(use.set, use.binding,
                          images_.emplace_back(format, ImageKind::three_d, Size3{5, 3, 2}),
                          use.element);
      }
    }
  }

 private:
  std::span<std::byte> bytes(std::size_t count) {
    auto& all = memory_.emplace_back(count);
    for (std::size_t k = 0; k < count; ++k) all[k] = static_cast<std::byte>(k * 7);
    return all;
  }

  std::list<std::vector<std::byte>> memory_;
  std::list<Image> images_;
};

std::string entry_of(const spirv::Module& module) {
  for (const spirv::EntryPoint& entry : module.entry_points()) {
    if (entry.model == spv::ExecutionModel::GLCompute) return entry.name;
  }
  return "main";
}

bool is_small(const spirv::Ir& ir) {
  std::uint64_t shared = 0;
  for (const spirv::ResourceUse& use : ir.resources) shared += use.bytes;
  return ir.local_size[0] * ir.local_size[1] * ir.local_size[2] <= most_invocations &&
         shared <= most_shared_bytes && ir.resources.size() <= most_resources &&
         ir.regs.size() <= most_registers;
}

void run(const std::vector<std::uint32_t>& words, const std::string& entry, const spirv::Ir& ir,
         std::uint32_t choice) {
  constexpr int sizes[] = {32, 8, 5, 64, 100, 128, 1, 24};
  ShaderOptions options;
  options.entry = entry;
  ModuleOptions module_options;
  module_options.entry = entry;
  module_options.validate = validates;
  Shader shader =
      Shader::from_module(Module::from_words(words, module_options, "fuzz.spv"), options);
  const Bindings bindings(shader, ir);
  Chooser chooser = Chooser::random(choice);
  const Convergence convergence{.rule = choice % 3 == 0 ? Rule::core : Rule::subgroup_uniform,
                                .chooser = &chooser};
  DispatchSettings settings;
  settings.subgroup_size = sizes[choice % 8];
  settings.threads = 1;
  settings.max_steps = 10;
  // Each subgroup of a tangled run is a thread.
  const bool tangled = (choice >> 3) % 4 == 0 && settings.subgroup_size >= 8;
  if (tangled) settings.convergence = &convergence;
  shader.dispatch({tangled ? 1u : 2u, 1, 1}, settings);
}

void try_module(const std::vector<std::uint32_t>& words, std::uint32_t choice) {
  const spirv::Module module(words, "fuzz.spv");
  spirv::LowerOptions options;
  options.entry = entry_of(module);
  spirv::CompileOptions compile_options;
  compile_options.validate = validates;
  spirv::Binary binary = spirv::validate(words, "fuzz.spv", compile_options);
  const spirv::Module valid(std::move(binary.words), "fuzz.spv");
  const spirv::Ir ir = spirv::lower(valid, options);
  spirv::assemble(ir, choice % 2 == 0 ? 32 : 128,
                  {.tangled = (choice >> 1) % 4 == 0, .all_push_bytes = (choice >> 3) % 2 == 0});
  if (is_small(ir)) run(words, options.entry, ir, choice);
}

}  // namespace

std::vector<std::uint8_t> input_of_file(const char* path) {
  const std::string name = path;
  if (name.ends_with(".comp")) {
    try {
      const auto words = spirv::load_file(name, {}).words;
      std::vector<std::uint8_t> bytes(words.size() * 4);
      std::memcpy(bytes.data(), words.data(), bytes.size());
      return bytes;
    } catch (const Error&) {
      return {};
    }
  }
  std::ifstream in(path, std::ios::binary);
  return std::vector<std::uint8_t>(std::istreambuf_iterator<char>(in), {});
}

}  // namespace lockstep::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lockstep;
  if (size > test::most_bytes || size < 20) return 0;
  std::vector<std::uint32_t> words(size / 4);
  std::memcpy(words.data(), data, words.size() * 4);
  std::uint32_t choice = 0;
  for (const std::uint32_t word : words) choice = choice * 31 + word;
  try {
    test::try_module(words, choice >> 8);
  } catch (const Error&) {
    // What is wrong with it has been said.
  }
  return 0;
}

#ifdef LOCKSTEP_FUZZ

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Bytes changed anywhere hardly ever make a valid module; this changes words, and moves instructions.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  std::mt19937 random(seed);
  if (size < 24 || random() % 16 == 0) return LLVMFuzzerMutate(data, size, most);
  std::vector<std::uint32_t> words(size / 4);
  std::memcpy(words.data(), data, words.size() * 4);
  const auto pick = [&](std::size_t count) { return random() % std::max<std::size_t>(count, 1); };
  for (std::size_t times = 1 + pick(3); times > 0; --times) {
    std::vector<std::size_t> starts;
    for (std::size_t at = 5; at < words.size(); at += std::max(1u, words[at] >> 16))
      starts.push_back(at);
    if (starts.empty()) break;
    const auto length = [&](std::size_t at) {
      return std::min<std::size_t>(std::max(1u, words[at] >> 16), words.size() - at);
    };
    const std::size_t at = starts[pick(starts.size())], from = starts[pick(starts.size())];
    std::uint32_t& word = words[at + (length(at) > 1 ? 1 + pick(length(at) - 1) : 0)];
    switch (pick(9)) {
      case 0:
        word = static_cast<std::uint32_t>(1 + pick(words[3]));
        break;
      case 1:
        word ^= 1u << pick(32);
        break;
      case 2:
        word += static_cast<std::uint32_t>(pick(3)) - 1;
        break;
      case 3:
        word = words[from + pick(length(from))];
        break;
      case 4:  // another opcode of the same shape
        words[at] = (words[at] & 0xffff0000) | (words[from] & 0xffff);
        break;
      case 5:
        words[at] = (words[at] & 0xffff0000) | static_cast<std::uint32_t>(pick(460));
        break;
      case 6: {
        const std::vector<std::uint32_t> copy(
            words.begin() + static_cast<std::ptrdiff_t>(from),
            words.begin() + static_cast<std::ptrdiff_t>(from + length(from)));
        words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), copy.begin(), copy.end());
        // A copy of what has a result makes a new one, where the result stands second.
        if (copy.size() > 2 && copy[2] < words[3]) words[at + 2] = words[3]++;
        break;
      }
      case 7:
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(at),
                    words.begin() + static_cast<std::ptrdiff_t>(at + length(at)));
        break;
      default:
        word = static_cast<std::uint32_t>(pick(2) == 0 ? ~0u >> pick(32) : 1u << pick(32));
    }
  }
  const std::size_t bytes = std::min(words.size() * 4, most / 4 * 4);
  std::memcpy(data, words.data(), bytes);
  return bytes;
}

#endif
