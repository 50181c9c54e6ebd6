#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spirv/front/compile.hpp"

/// \file
/// What is kept in files from one process to the next. Compiled GLSL: glslang reads its own declarations of
/// all built-ins first, which takes longer than anything else for a small shader. And which modules are
/// valid.

namespace lockstep::spirv {

/// A file that compiling looked for, and what it was.
struct Included {
  std::string path;
  bool exists = false;
  std::uint64_t hash = 0;  ///< of its contents
};

/// FNV-1a, 64 bits.
std::uint64_t hash_of(const std::string& text);

/// Where compiled GLSL is kept: $XDG_CACHE_HOME/lockstep or ~/.cache/lockstep; nowhere when the
/// environment has LOCKSTEP_CACHE=off. What cannot be read or written, or is damaged, is as if it were
/// not there.
class Cache {
 public:
  /// The entry of a text compiled with these options.
  Cache(const std::string& text, const std::string& name, const CompileOptions& options);

  /// What was compiled then, if no file that it includes has changed, appeared or gone since.
  std::optional<Binary> find() const;
  void store(const Binary& binary, const std::vector<Included>& included) const;

 private:
  std::string key_;   ///< all that the result depends on but the files included
  std::string path_;  ///< of the entry; empty for none
};

/// That a module is valid, kept in the same place: validating takes longer than all else that a module
/// needs. An entry holds the whole module; one that differs anywhere says nothing.
class Validated {
 public:
  /// environment: by whose rules, a number of SPIRV-Tools'.
  Validated(const std::vector<std::uint32_t>& words, int environment);

  bool find() const;
  void store() const;

 private:
  std::string entry_, path_;
};

}  // namespace lockstep::spirv
