#include "shader/front/hlsl.hpp"

#include <spirv-tools/optimizer.hpp>

#include "shader/front/encoded.hpp"
#include "shader/front/module.hpp"
#include "shader/front/source_language.hpp"

namespace lockstep::spirv {

bool is_hlsl(const std::string& path) { return language_of(path) == SourceLanguage::hlsl; }

std::vector<std::uint32_t> with_exclusive_prefixes(std::vector<std::uint32_t> words) {
  constexpr auto inclusive = static_cast<std::uint32_t>(spv::GroupOperation::InclusiveScan);
  constexpr auto exclusive = static_cast<std::uint32_t>(spv::GroupOperation::ExclusiveScan);
  constexpr std::size_t operation = 4;  // after opcode, type, result and scope
  for (const Encoded i : EncodedInstructions(words)) {
    const bool scans = i.opcode() >= spv::Op::OpGroupNonUniformIAdd &&
                       i.opcode() <= spv::Op::OpGroupNonUniformLogicalXor &&
                       i.words.size() > operation;
    if (scans && i.words[operation] == inclusive) words[i.at + operation] = exclusive;
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
