#include <lockstep/exec/why_undefined.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace lockstep {
namespace {

struct Domain {
  std::string_view function;
  const char* left;
};

/// How the functions of GLSL.std.450 leave their domains.
constexpr std::array domains{
    Domain{"sqrt", "sqrt of a negative number"},
    Domain{"inversesqrt", "inversesqrt of a number that is not positive"},
    Domain{"log", "log of a number that is not positive"},
    Domain{"log2", "log2 of a number that is not positive"},
    Domain{"asin", "asin of a number outside -1 to 1"},
    Domain{"acos", "acos of a number outside -1 to 1"},
    Domain{"acosh", "acosh of a number below 1"},
    Domain{"atanh", "atanh of a number that is not between -1 and 1"},
    Domain{"atan", "atan of 0 and 0"},
    Domain{"pow", "pow of a negative number, or of 0 to a power that is not positive"},
    Domain{"smoothstep", "smoothstep with edges that do not ascend"},
    Domain{"clamp", "clamp with a minimum above the maximum"},
    Domain{"ldexp", "ldexp with an exponent above what the type has"},
};

}  // namespace

std::string to_string(UseKind use, const MemoryObject& object) {
  const std::string memory = object.kind == MemoryObject::Kind::none ? "memory" : to_string(object);
  switch (use) {
    case UseKind::condition:
      return "an undefined value decides a branch";
    case UseKind::selector:
      return "an undefined value selects the case of a switch";
    case UseKind::index:
      return "an undefined value is the index or address of an access";
    case UseKind::stored:
      return fmt::format("an undefined value is stored to {}", memory);
    case UseKind::atomic_operand:
      return fmt::format("an undefined value is the operand of an atomic on {}", memory);
    case UseKind::atomic_memory:
      return fmt::format("an atomic uses an undefined value in {}", memory);
    case UseKind::same_operand:
      return "an undefined value is an operand that must be the same in the whole tangle";
    case UseKind::coordinate:
      return fmt::format("an undefined value is a coordinate of {}", memory);
    case UseKind::printed:
      return "an undefined value is printed";
    case UseKind::uniform:
      return "an undefined value becomes a plain C++ value; keep it in lanes (Uint, Bool, ...) "
             "if it is "
             "not used where it is undefined";
  }
  return {};
}

void describe_undefined(Finding& finding, UseKind use, const MemoryObject& object,
                        SourceLocation origin, const std::string& what) {
  finding.message = to_string(use, object);
  if (origin.line <= 0) finding.message.append(": ").append(what);
  finding.access.object = object;
  finding.origin = origin;
  finding.origin_message = what;
}

std::string why_undefined(Check rule, std::string_view function, int bits) {
  switch (rule) {
    case Check::undefined_shuffle:
    case Check::undefined_broadcast:
      return fmt::format("{} reads a lane that is inactive here", function);
    case Check::shuffle_past_edge:
      return fmt::format("{} reads beyond the edge of the subgroup", function);
    case Check::undefined_quad:
      return fmt::format("{} reads a lane of the quad that is not active", function);
    case Check::find_in_empty_ballot:
      return fmt::format("{} of a ballot without a bit below the subgroup size", function);
    case Check::ballot_bit_outside:
      return fmt::format("{} of a bit outside the subgroup", function);
    case Check::partition_invalid:
      return fmt::format("the ballots of {} do not partition the active lanes", function);
    case Check::all_nan:
      return fmt::format("{} of nothing but NaNs", function);
    case Check::shift_too_wide:
      if (function.starts_with("bitfield")) return "a bit field that ends beyond the number";
      return fmt::format("a shift of a number of {} bits by {} or more", bits, bits);
    case Check::division_by_zero:
      return function == "unsigned" ? "a division by 0"
                                    : "a division by 0, or of the least number by -1";
    case Check::conversion_range:
      return "a conversion of a number that the integer type cannot hold";
    case Check::math_domain: {
      const auto found = std::ranges::find(domains, function, &Domain::function);
      return found == domains.end() ? fmt::format("{} outside its domain", function) : found->left;
    }
    case Check::uninitialised_shared:
    case Check::uninitialised_variable:
      return fmt::format("{} has no value yet", function);
    default:
      return std::string(info_of(rule).meaning);
  }
}

}  // namespace lockstep
