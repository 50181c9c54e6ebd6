#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shader/front/compile.hpp"

/// \file
/// Files that persist across processes: compiled GLSL and validation results. Before each shader
/// glslang parses its own declarations of all built-ins, which takes longer than anything else for
/// a small one.

namespace lockstep::spirv {

/// A file that compilation looked for, and what it found.
struct Included {
  std::string path;
  bool exists = false;
  std::uint64_t hash = 0;  ///< of the contents
};

/// FNV-1a, 64 bits.
std::uint64_t hash_of(const std::string& text);

/// The cache of compiled GLSL: in $XDG_CACHE_HOME/lockstep or ~/.cache/lockstep; nowhere if the
/// environment has LOCKSTEP_CACHE=off. Entries that are damaged or cannot be read or written count
/// as missing.
class Cache {
 public:
  /// The entry of a text compiled with these options, by glslang's library or what `compiler` identifies.
  Cache(const std::string& text, const std::string& name, const CompileOptions& options,
        const std::string& compiler = {});

  /// The compiled module, unless a file that it includes has changed, appeared or disappeared.
  std::optional<Binary> find() const;
  void store(const Binary& binary, const std::vector<Included>& included) const;

 private:
  std::string key_;   ///< everything that the result depends on except the included files
  std::string path_;  ///< of the entry; empty for none
};

/// A cached validation result, in the same directory: validation takes longer than everything else
/// that a module needs. An entry holds the whole module; one that differs anywhere does not match.
class Validated {
 public:
  /// environment: SPIRV-Tools' number of the target environment.
  Validated(const std::vector<std::uint32_t>& words, int environment);

  bool find() const;
  void store() const;

 private:
  std::string entry_, path_;
};

}  // namespace lockstep::spirv
