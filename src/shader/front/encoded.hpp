#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// spirv.hpp11 declares which opcodes have a result and a type only on request.
#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.hpp11>

/// \file
/// The words of a module, instruction by instruction.

namespace lockstep::spirv {

/// Words of a module before its first instruction.
inline constexpr std::size_t header_words = 5;

/// An instruction of a module.
struct Encoded {
  std::size_t at;                        ///< where its first word is
  std::span<const std::uint32_t> words;  ///< all of its words

  spv::Op opcode() const { return static_cast<spv::Op>(words[0] & 0xffff); }
};

/// The text of an instruction that begins at that word and ends with a zero byte.
inline std::string text_at(std::span<const std::uint32_t> words, std::size_t first) {
  std::string text;
  for (; first < words.size(); ++first) {
    for (int byte = 0; byte < 4; ++byte) {
      const auto c = static_cast<char>(words[first] >> (8 * byte) & 0xff);
      if (c == 0) return text;
      text += c;
    }
  }
  return text;
}

/// The instructions of a module in their order, for range-based for. It ends before one that is cut off: modules that
/// were not validated come this far.
class EncodedInstructions {
 public:
  explicit EncodedInstructions(std::span<const std::uint32_t> module) : module_(module) {}

  class Iterator {
   public:
    Iterator(std::span<const std::uint32_t> module, std::size_t at) : module_(module), at_(at) {
      stop_if_cut_off();
    }
    Encoded operator*() const { return {at_, module_.subspan(at_, length())}; }
    Iterator& operator++() {
      at_ += length();
      stop_if_cut_off();
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    std::size_t length() const { return module_[at_] >> 16; }
    void stop_if_cut_off() {
      if (at_ >= module_.size() || length() == 0 || length() > module_.size() - at_)
        at_ = module_.size();
    }
    std::span<const std::uint32_t> module_;
    std::size_t at_;
  };

  Iterator begin() const { return {module_, header_words}; }
  Iterator end() const { return {module_, module_.size()}; }

 private:
  std::span<const std::uint32_t> module_;
};

}  // namespace lockstep::spirv
