#!/bin/sh
# usage: check.sh PAGE glsl GLSLANG_VALIDATOR | check.sh PAGE cpp COMPILER [FLAGS...]
# Compiles what PAGE says in one of the two languages: all blocks of code of that language as one shader or
# kernel, each a scope of its own in main() unless its fence says where it belongs.
set -u
page=$1
language=$2
shift 2

# The blocks ```<language> <place>, those of main() in braces.
blocks() {
  awk -v fence="\`\`\`$language$1" -v braces="$2" '
    $0 == fence { inside = 1; if (braces) print "{"; next }
    /^```/ { if (inside && braces) print "}"; inside = 0; next }
    inside' "$page"
}

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
if [ "$language" = glsl ]; then
  {
    printf '#version 460\n'
    for part in basic arithmetic ballot shuffle; do
      printf '#extension GL_KHR_shader_subgroup_%s : require\n' $part
    done
    printf 'layout(local_size_x = 64) in;\n'
    blocks ' global' ''
    printf 'void main() {\n'
    blocks '' 1
    printf '}\n'
  } >"$directory/sheet.comp"
  [ "$(grep -c '' "$directory/sheet.comp")" -gt 60 ] || exit 1
  "$@" --target-env vulkan1.3 -o "$directory/sheet.spv" "$directory/sheet.comp"
else
  {
    printf '#include <lockstep/lockstep.hpp>\n#include <lockstep/glsl/image.hpp>\n#include <vector>\n'
    printf '#include <lockstep/glsl/keywords.hpp>\nnamespace {\n'
    blocks ' global' ''
    printf 'template <class S>\nstruct Sheet : lockstep::Kernel<S> {\nLOCKSTEP_GLSL(S);\n'
    printf 'static constexpr lockstep::Size3 local_size{64};\n'
    blocks ' member' ''
    printf 'Barriers main() {\n'
    blocks '' 1
    printf '}\n};\n}\n#include <lockstep/glsl/keywords_off.hpp>\n'
    printf 'void run(std::vector<float>& values, std::vector<std::uint32_t>& data,\n'
    printf '         std::vector<Particle>& particles, lockstep::Image2D& map) {\n'
    printf '  lockstep::Device{}.dispatch<Sheet, 8>({1}, values, data, particles, map, 3u);\n}\n'
  } >"$directory/sheet.cpp"
  [ "$(grep -c '' "$directory/sheet.cpp")" -gt 60 ] || exit 1
  "$@" -fsyntax-only "$directory/sheet.cpp"
fi
