#include "explore/size_rules.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/error.hpp>

#include "explore/comparison.hpp"
#include "shader/front/decoded_module.hpp"
#include "shader/front/encoded.hpp"
#include "shader/ir/invocation_count.hpp"

namespace lockstep::explore {
namespace {

using spirv::Id;
using spirv::Instruction;

/// How an operation uses a number.
enum class Use { none, size, last_or_size, logarithm, half };

Use use_of(spv::Op op) {
  using enum spv::Op;
  switch (op) {
    case OpUDiv:
    case OpSDiv:
    case OpUMod:
    case OpSMod:
    case OpSRem:
    case OpIMul:
      return Use::size;
    case OpBitwiseAnd:
    case OpIEqual:
    case OpINotEqual:
    case OpULessThan:
    case OpSLessThan:
    case OpULessThanEqual:
    case OpSLessThanEqual:
    case OpUGreaterThan:
    case OpSGreaterThan:
    case OpUGreaterThanEqual:
    case OpSGreaterThanEqual:
      return Use::last_or_size;
    case OpShiftRightLogical:
    case OpShiftRightArithmetic:
    case OpShiftLeftLogical:
      return Use::logarithm;
    case OpGroupNonUniformShuffle:
    case OpGroupNonUniformShuffleXor:
    case OpGroupNonUniformShuffleUp:
    case OpGroupNonUniformShuffleDown:
      return Use::half;
    default:
      return Use::none;
  }
}

/// Whether a number stands for a subgroup size in that use.
bool is_of_size(std::uint32_t number, Use use, int size) {
  const auto n = static_cast<std::uint32_t>(size);
  switch (use) {
    case Use::none:
      return false;
    case Use::size:
      return number == n;
    case Use::last_or_size:
      return number == n || number == n - 1;
    case Use::logarithm:
      return number == static_cast<std::uint32_t>(std::bit_width(n) - 1);
    case Use::half:
      return number == n / 2 || number == n - 1;
  }
  return false;
}

/// A number in the source that is a subgroup size's.
struct HardWired {
  SourceLocation where;
  std::string what;  ///< "the number 31"
  int size = 0;
};

/// Walks through the instructions of a module.
class Reader {
 public:
  explicit Reader(const Module& module)
      : module_(module.decoded()->module), words_(module.words()) {}

  /// Calls f(opcode, words after the first, position of the first of these).
  template <class F>
  void each(F f) const {
    for (const spirv::Encoded i : spirv::EncodedInstructions(words_))
      f(i.opcode(), i.words.subspan(1), i.at + 1);
  }
  SourceLocation where(Id result) const { return module_.definition(result).where; }
  std::string name(Id id) const { return module_.name(id); }
  /// The value of a constant of 32 bits.
  std::optional<std::uint32_t> constant(Id id) const {
    const Instruction* i = module_.find_definition(id);
    if (i == nullptr || i->opcode != spv::Op::OpConstant || i->operands.size() != 1)
      return std::nullopt;
    if (module_.definition(i->type).opcode != spv::Op::OpTypeInt) return std::nullopt;
    return i->operands[0];
  }
  /// The length of an array that a pointer to shared memory points to.
  std::optional<std::uint32_t> shared_length(Id pointer_type) const {
    const Instruction& pointer = module_.definition(pointer_type);
    if (pointer.operands.size() < 2 ||
        static_cast<spv::StorageClass>(pointer.operands[0]) != spv::StorageClass::Workgroup)
      return std::nullopt;
    const Instruction& array = module_.definition(pointer.operands[1]);
    if (array.opcode != spv::Op::OpTypeArray) return std::nullopt;
    return constant(array.operands[1]);
  }
  const std::string& file() const { return module_.file(); }

 private:
  const spirv::Module& module_;
  std::span<const std::uint32_t> words_;
};

std::vector<HardWired> hard_wired(const Reader& reader, const std::vector<int>& sizes) {
  std::vector<HardWired> found;
  const auto note = [&](const SourceLocation& where, std::uint32_t number, Use use,
                        const std::string& what) {
    for (const int size : sizes) {
      if (!is_of_size(number, use, size)) continue;
      found.push_back({where, what, size});
      return;
    }
  };
  reader.each([&](spv::Op op, std::span<const std::uint32_t> words, std::size_t) {
    if (op == spv::Op::OpVariable && words.size() >= 3) {
      if (const auto length = reader.shared_length(words[0]))
        note(reader.where(words[1]), *length, Use::size,
             fmt::format("the length {} of {}", *length, reader.name(words[1])));
      return;
    }
    const Use use = use_of(op);
    if (use == Use::none || words.size() < 3) return;
    for (const Id operand : words.subspan(2)) {
      const auto number = reader.constant(operand);
      if (number) note(reader.where(words[1]), *number, use, fmt::format("the number {}", *number));
    }
  });
  return found;
}

/// The words of the module with another built-in variable in the place of SubgroupSize, and where that is read.
struct Counting {
  std::vector<std::uint32_t> words;
  std::vector<SourceLocation> reads;
};
Counting counting(const Module& module, const Reader& reader) {
  Counting changed{{module.words().begin(), module.words().end()}, {}};
  std::set<Id> variables;
  reader.each([&](spv::Op op, std::span<const std::uint32_t> words, std::size_t at) {
    if (op == spv::Op::OpDecorate && words.size() == 3 &&
        words[1] == static_cast<std::uint32_t>(spv::Decoration::BuiltIn) &&
        words[2] == static_cast<std::uint32_t>(spv::BuiltIn::SubgroupSize)) {
      variables.insert(words[0]);
      changed.words[at + 2] = static_cast<std::uint32_t>(spirv::invocation_count);
    }
    if (op == spv::Op::OpLoad && words.size() >= 3 && variables.contains(words[2]))
      changed.reads.push_back(reader.where(words[1]));
  });
  return changed;
}

Result result_of(const Subject& subject, const Setting& setting) {
  Chooser chooser = Chooser::start_with(setting.answers).only(setting.asked);
  try {
    return subject(setting, chooser, nullptr);
  } catch (const Error& error) {
    Result result;
    result.error = error.what();
    return result;
  }
}

bool is_same(const Baseline& baseline, const Subject& subject, const Setting& setting) {
  return !baseline.compare(result_of(subject, setting)).difference;
}

/// A size at which the result is another.
std::optional<int> other_size(const Subject& subject, const Request& request,
                              const Baseline& baseline) {
  for (const int size : request.sizes) {
    Setting setting = request.first;
    setting.subgroup_size = size;
    if (size != request.first.subgroup_size && !is_same(baseline, subject, setting)) return size;
  }
  return std::nullopt;
}

std::vector<int> known_sizes(const Request& request, std::uint64_t invocations) {
  std::vector<int> sizes = {request.first.subgroup_size};
  for (const int size : {32, 64}) {
    if (size != sizes.front() && static_cast<std::uint64_t>(size) != invocations)
      sizes.push_back(size);
  }
  return sizes;
}

void find_hidden_size(FaultLog& log, const Reader& reader, std::uint64_t invocations,
                      const Subject& subject, const Request& request, const Baseline& baseline) {
  const auto places = hard_wired(reader, known_sizes(request, invocations));
  if (places.empty()) return;
  const auto other = other_size(subject, request, baseline);
  if (!other) return;
  for (const HardWired& place : places) {
    Finding finding = finding_of(Check::hidden_size);
    finding.where = place.where;
    finding.message = fmt::format(
        "{} fits subgroups of {} only, and the result at {} lanes differs from the result at {}; "
        "use "
        "gl_SubgroupSize, or require a size",
        place.what, place.size, *other, request.first.subgroup_size);
    log.record(finding);
  }
}

/// A way to fill subgroups that changes the result, unless the size is the number of invocations.
bool takes_size_for_count(const Subject& subject, const Subject& counting, const Request& request,
                          const Baseline& baseline) {
  for (const Mapping& filling : fillings(request.first.mapping)) {
    Setting setting = request.first;
    setting.mapping = filling;
    if (!is_same(baseline, subject, setting)) return is_same(baseline, counting, setting);
  }
  return false;
}

void find_size_as_count(FaultLog& log, const Module& module, const Reader& reader,
                        const Subject& subject, const Request& request, const Baseline& baseline,
                        const SubjectOf& subject_of) {
  Counting changed = counting(module, reader);
  if (changed.reads.empty()) return;
  ModuleOptions unknown_built_in;
  unknown_built_in.validate = false;
  const Module other =
      Module::from_words(std::move(changed.words), unknown_built_in, reader.file());
  if (!takes_size_for_count(subject, subject_of(other), request, baseline)) return;
  for (const SourceLocation& where : changed.reads) {
    Finding finding = finding_of(Check::size_as_count);
    finding.where = where;
    finding.message =
        "gl_SubgroupSize is used as the number of invocations, but a subgroup that is not full has "
        "fewer; use subgroupBallotBitCount(subgroupBallot(true)), with which the result stays the "
        "same";
    log.record(finding);
  }
}

}  // namespace

FaultLog size_findings(const Module& module, std::uint64_t invocations, const Subject& subject,
                       const Request& request, const Verdict& verdict,
                       const SubjectOf& subject_of) {
  FaultLog log;
  const Reader reader(module);
  const Baseline baseline(verdict.first, request);
  if (verdict.on.has(Dimension::subgroup_size))
    find_hidden_size(log, reader, invocations, subject, request, baseline);
  if (verdict.on.has(Dimension::partial_subgroups))
    find_size_as_count(log, module, reader, subject, request, baseline, subject_of);
  return log;
}

}  // namespace lockstep::explore
