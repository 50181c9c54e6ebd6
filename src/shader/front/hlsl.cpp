#include "shader/front/hlsl.hpp"

#include <spirv-tools/optimizer.hpp>

#include "shader/front/module.hpp"
#include "shader/front/source_language.hpp"

namespace lockstep::spirv {

bool is_hlsl(const std::string& path) { return language_of(path) == SourceLanguage::hlsl; }

std::vector<std::uint32_t> with_exclusive_prefixes(std::vector<std::uint32_t> words) {
  constexpr auto inclusive = static_cast<std::uint32_t>(spv::GroupOperation::InclusiveScan);
  constexpr auto exclusive = static_cast<std::uint32_t>(spv::GroupOperation::ExclusiveScan);
  constexpr std::size_t header = 5, operation = 4;  // after opcode, type, result and scope
  for (std::size_t at = header; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16) {
    const auto opcode = static_cast<spv::Op>(words[at] & 0xffff);
    const bool scans = opcode >= spv::Op::OpGroupNonUniformIAdd &&
                       opcode <= spv::Op::OpGroupNonUniformLogicalXor &&
                       words[at] >> 16 > operation;
    if (scans && at + operation < words.size() && words[at + operation] == inclusive)
      words[at + operation] = exclusive;
  }
  return words;
}

std::vector<std::uint32_t> legalized(std::vector<std::uint32_t> words, spv_target_env environment) {
  spvtools::Optimizer optimizer(environment);
  optimizer.SetMessageConsumer({});
  optimizer.RegisterLegalizationPasses();
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  std::vector<std::uint32_t> made;
  return optimizer.Run(words.data(), words.size(), &made, options) ? made : words;
}

}  // namespace lockstep::spirv
