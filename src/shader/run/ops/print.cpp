#include <cinttypes>
#include <cstdio>

#include <fmt/format.h>

#include "shader/run/ops/find.hpp"
#include "shader/run/ops/wide.hpp"

/// \file
/// debugPrintf: formats each active lane's values as the Vulkan layers do, vectors included.

namespace lockstep::spirv {
namespace {

std::uint64_t bits_of_lane(const Context& c, const Slot& slot, Scalar type, int lane) {
  if (type == Scalar::boolean) return get_mask(c.regs + slot.at).test(lane) ? 1 : 0;
  std::uint64_t bits = 0;
  const std::size_t at = slot.varying ? static_cast<std::size_t>(lane) * size_of(type) : 0;
  std::memcpy(&bits, c.regs + slot.at + at, size_of(type));
  return bits;
}

double as_double(std::uint64_t bits, Scalar type) {
  if (type == Scalar::f64) return std::bit_cast<double>(bits);
  if (type == Scalar::f16)
    return static_cast<double>(
        static_cast<float>(std::bit_cast<float16_t>(static_cast<std::uint16_t>(bits))));
  if (type == Scalar::f32)
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return static_cast<double>(bits);
}
std::int64_t as_signed(std::uint64_t bits, Scalar type) {
  const unsigned unused = 64 - 8 * size_of(type);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

/// One conversion of the format, applied to one number.
std::string one(const std::string& flags, char kind, std::uint64_t bits, Scalar type) {
  char text[400];
  const std::string start = "%" + flags;
  if (std::string_view("fFeEgGaA").find(kind) != std::string_view::npos) {
    std::snprintf(text, sizeof text, (start + kind).c_str(), as_double(bits, type));
  } else if (kind == 'd' || kind == 'i') {
    const std::int64_t value =
        is_float(type) ? static_cast<std::int64_t>(as_double(bits, type)) : as_signed(bits, type);
    std::snprintf(text, sizeof text, (start + PRId64).c_str(), value);
  } else {
    std::snprintf(text, sizeof text, (start + "l" + kind).c_str(), bits);
  }
  return text;
}

/// The format with the values of one lane.
std::string formatted(const std::string& format, const ListArgs& list, const Context& c, int lane) {
  std::string out;
  std::size_t value = 0, argument = 0;
  for (std::size_t k = 0; k < format.size();) {
    if (format[k] != '%') {
      out += format[k++];
      continue;
    }
    if (k + 1 < format.size() && format[k + 1] == '%') {
      out += '%';
      k += 2;
      continue;
    }
    std::string flags;
    std::size_t at = k + 1;
    while (at < format.size() &&
           std::string_view("+- #0123456789.").find(format[at]) != std::string_view::npos &&
           flags.size() < 8)
      flags += format[at++];
    std::size_t components = 1;
    if (at + 1 < format.size() && format[at] == 'v') {
      components = static_cast<std::size_t>(format[at + 1] - '0');
      at += 2;
    }
    while (at < format.size() && (format[at] == 'l' || format[at] == 'h')) ++at;
    const char kind = at < format.size() ? format[at] : '\0';
    const bool known = std::string_view("diouxXfFeEgGaA").find(kind) != std::string_view::npos;
    if (kind == '\0' || !known || argument >= list.counts.size() || components > 4) {
      out += format[k++];
      continue;
    }
    for (std::size_t n = 0; n < components && n < list.counts[argument]; ++n) {
      const std::size_t v = value + n;
      if (n > 0) out += ", ";
      out += one(flags, kind, bits_of_lane(c, list.slots[v], list.types[v], lane), list.types[v]);
    }
    value += list.counts[argument++];
    k = at + 1;
  }
  return out;
}

const Inst* print(const Inst* i, Context& c) {
  const auto& list = *static_cast<const ListArgs*>(i->args);
  for_each_lane(c.state.active, [&](int lane) {
    note_print(c, formatted(c.program->formats[i->imm], list, c, lane));
  });
  return i + 1;
}

}  // namespace

Run find_print() { return print; }

}  // namespace lockstep::spirv
