#pragma once

#include <cstddef>
#include <list>
#include <span>
#include <vector>

namespace lockstep::driver {

/// Texels that a dispatch sees converted, since the engine lacks their format. They live as long as the dispatch; what it
/// wrote to storage images goes back at its end.
class TexelCopies {
 public:
  TexelCopies() = default;
  ~TexelCopies();
  TexelCopies(const TexelCopies&) = delete;
  TexelCopies& operator=(const TexelCopies&) = delete;

  /// An empty copy, to fill.
  std::vector<std::byte>& add() { return copies_.emplace_back(); }
  /// Texels of four bytes with the first and the third exchanged. All views of the same texels share them, and those
  /// that have changed at the end are written back.
  std::span<std::byte> exchanged(std::span<std::byte> texels);

 private:
  struct Exchanged {
    std::span<std::byte> texels;
    std::vector<std::byte> before, seen;
  };

  std::list<std::vector<std::byte>> copies_;
  std::list<Exchanged> exchanged_;
};

}  // namespace lockstep::driver
