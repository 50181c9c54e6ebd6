#include "oracle/reference.hpp"

#include <string_view>

namespace lockstep::oracle {
namespace {

std::string_view text_of(Why why) {
  switch (why) {
    case Why::special:
      return "an infinity or NaN takes part, which devices may assume there is none of";
    case Why::overflow:
      return "the result may be too large for the type";
    case Why::domain:
      return "an operand is, or may be, outside the operation's domain";
    case Why::divisor:
      return "Vulkan gives no precision for a division by a number of that size";
    case Why::lanes:
      return "the operation reads a lane that is not active or gives it no defined result";
    case Why::uninitialised:
      return "the value has not been written";
    case Why::relaxed_range:
      return "the result exceeds what mediump holds";
    case Why::comparison:
      return "rounding decides a comparison";
    case Why::conversion:
      return "rounding decides which integer it is";
    case Why::bits:
      return "the bits of a float are used, which rounding decides";
    case Why::branch:
      return "rounding decides which way lanes go";
    case Why::index:
      return "rounding decides which element is accessed";
    case Why::rearrangement:
      return "a product may overflow when its factors are multiplied in another order";
    case Why::participants:
      return "rounding decides which lanes take part";
    case Why::clock:
      return "a clock is read";
    case Why::sampling:
      return "textures are filtered with a precision that Vulkan leaves open";
    case Why::texel:
      return "numbers in this image format are not followed";
    case Why::atomic:
      return "the order of atomics is free";
    case Why::none:
      break;
  }
  return "";
}

}  // namespace

std::string Reference::explain(const Allowed& allowed) const {
  std::string text;
  if (allowed.origin > 0 && allowed.origin <= lines.size() && lines[allowed.origin - 1].line > 0) {
    const Line& line = lines[allowed.origin - 1];
    text = line.file + ':' + std::to_string(line.line);
    if (allowed.why != Why::none) text += ": ";
  }
  return text.append(text_of(allowed.why));
}

}  // namespace lockstep::oracle
