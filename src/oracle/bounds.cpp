#include "oracle/bounds.hpp"

#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace lockstep::oracle {
namespace {

std::string_view text_of(Why why) {
  switch (why) {
    case Why::special:
      return "an infinity or NaN is involved, which devices may assume does not occur";
    case Why::overflow:
      return "the result may be too large for the type";
    case Why::domain:
      return "an operand is, or may be, outside the operation's domain";
    case Why::divisor:
      return "Vulkan gives no precision for a divisor of that magnitude";
    case Why::lanes:
      return "the operation reads a lane that is not active or gives it no defined result";
    case Why::uninitialised:
      return "the value has not been written";
    case Why::relaxed_range:
      return "the result exceeds what mediump holds";
    case Why::comparison:
      return "rounding decides a comparison";
    case Why::conversion:
      return "rounding decides which integer results";
    case Why::bits:
      return "the bits of a float are used, which rounding decides";
    case Why::branch:
      return "rounding decides which branch lanes take";
    case Why::index:
      return "rounding decides which element is accessed";
    case Why::rearrangement:
      return "a product may overflow when its factors are multiplied in another order";
    case Why::participants:
      return "rounding decides which lanes take part";
    case Why::implementation:
      return "implementations choose how it is computed";
    case Why::sampling:
      return "bounds are not computed for this texture function";
    case Why::atomic:
      return "the order of atomics is unspecified";
    case Why::none:
      break;
  }
  return "";
}

}  // namespace

std::string Bounds::place(std::uint32_t origin) const {
  if (origin == 0 || origin > lines.size() || lines[origin - 1].line == 0) return {};
  const Line& line = lines[origin - 1];
  return fmt::format("{}:{}", line.file, line.line);
}

std::string Bounds::explain(const Allowed& allowed) const {
  const std::string where = place(allowed.origin);
  const std::string_view why = text_of(allowed.why);
  return fmt::format("{}{}{}", where, where.empty() || why.empty() ? "" : ": ", why);
}

namespace {

/// Tells the steps of a value, each once.
class Teller {
 public:
  explicit Teller(const Bounds& bounds) : bounds_(bounds) {}

  void tell(std::uint32_t number, std::size_t depth, int lane) {
    const Step* const step = bounds_.provenance->find(number);
    if (step == nullptr) return;
    const bool known = !told_.insert(number).second;
    const std::string from = lane < 0 ? "" : fmt::format("lane {}: ", lane);
    const std::string_view why = text_of(step->allowed.why);
    const std::string among =
        step->allowed.kind == Allowed::Kind::within
            ? fmt::format("{} to {}", step->allowed.values.low, step->allowed.values.high)
            : fmt::format("anything: {}", why);
    lines_.push_back(fmt::format("{:{}}{}{}  {} = {}, allowed {}{}{}", "", 2 * depth, from,
                                 bounds_.place(step->origin), step->operation, step->value, among,
                                 exact_operands(*step), known ? "  (see above)" : ""));
    if (known || depth >= most_depth || lines_.size() >= most_lines) return;
    for (const Step::Operand& operand : step->operands) {
      if (operand.step != 0) tell(operand.step, depth + 1, operand.lane);
    }
  }
  std::vector<std::string> take() {
    if (lines_.size() >= most_lines) lines_.push_back("...");
    return std::move(lines_);
  }

 private:
  static constexpr std::size_t most_depth = 30, most_lines = 200;

  static std::string exact_operands(const Step& step) {
    std::string text;
    for (const Step::Operand& operand : step.operands) {
      if (operand.step != 0) continue;
      text.append(text.empty() ? "  of exactly " : ", ");
      text.append(fmt::format("{}", operand.value));
      if (operand.lane >= 0) text.append(fmt::format(" (lane {})", operand.lane));
    }
    return text;
  }

  const Bounds& bounds_;
  std::set<std::uint32_t> told_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> Bounds::tell(const Allowed& allowed) const {
  if (!provenance) return {};
  Teller teller(*this);
  teller.tell(allowed.step, 0, -1);
  return teller.take();
}

}  // namespace lockstep::oracle
