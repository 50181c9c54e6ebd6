#pragma once

#include <functional>
#include <string>
#include <vector>

#include <glslang/Public/ShaderLang.h>

#include "shader/front/cache.hpp"
#include "shader/front/glsl_patch.hpp"

/// \file
/// #include: where its files are.

namespace lockstep::spirv {

/// Finds "file" beside the including file, then in the given directories, then where repositories keep what their shaders
/// include: in the folders around the including file, and in those folders' include, common and shaders.
class Includer : public glslang::TShader::Includer {
 public:
  /// `patch` rewrites the text of a file.
  Includer(const std::vector<std::string>& directories,
           std::function<PatchedGlsl(const std::string&)> patch)
      : directories_(directories), patch_(std::move(patch)) {}

  IncludeResult* includeLocal(const char* header, const char* from, std::size_t depth) override;
  IncludeResult* includeSystem(const char* header, const char* from, std::size_t depth) override;
  void releaseInclude(IncludeResult* result) override;

  /// What to do about a file that was not found: the option, and where the repository has one of its name. Empty if all
  /// were found.
  std::string advice() const;

  bool maximally_reconverges = false;
  std::vector<Included> looked_for;

 private:
  IncludeResult* find_around(const char* header, const char* from);
  IncludeResult* open(const std::string& path);

  const std::vector<std::string>& directories_;
  std::function<PatchedGlsl(const std::string&)> patch_;
  std::string missing_,
      missed_by_;  ///< the first file that was not found, and the one that includes it
};

}  // namespace lockstep::spirv
