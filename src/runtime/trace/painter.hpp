#pragma once

/// \file
/// Colours of a 256-colour terminal.

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::trace {

// Light and dark of the same hue; the light one is for black text. Neighbouring hues differ.
struct Hue {
  int light, dark;
};
inline constexpr std::array hues{Hue{75, 25},   Hue{215, 130}, Hue{114, 28}, Hue{211, 125},
                                 Hue{221, 136}, Hue{80, 30},   Hue{147, 61}, Hue{180, 94},
                                 Hue{150, 64},  Hue{203, 124}, Hue{117, 31}, Hue{225, 133}};

inline Hue hue_of(char letter) {
  return hues[static_cast<std::size_t>(letter - 'A') % hues.size()];
}

inline constexpr int grey = 244;
inline constexpr int waiting_grey = 236;

/// Text in a colour, or plain where colours are off.
class Painter {
 public:
  explicit Painter(bool on) : on_(on) {}
  bool on() const { return on_; }

  std::string operator()(std::string_view text, int foreground, bool bold = false) const {
    if (!on_ || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}38;5;{}m{}\x1b[0m", bold ? "1;" : "", foreground, text);
  }
  std::string on_background(std::string_view text, int background) const {
    return fmt::format("\x1b[38;5;16;48;5;{}m{}\x1b[0m", background, text);
  }
  std::string halves(int left, int right) const {
    if (left < 0 && right < 0) return " ";
    if (right < 0) return fmt::format("\x1b[38;5;{}m▌\x1b[0m", left);
    if (left < 0) return fmt::format("\x1b[38;5;{}m▐\x1b[0m", right);
    return fmt::format("\x1b[38;5;{};48;5;{}m▌\x1b[0m", left, right);
  }

 private:
  bool on_;
};

}  // namespace lockstep::trace
