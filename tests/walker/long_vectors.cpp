#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "spirv/assembly.hpp"
#include "walker/judged.hpp"

/// \file
/// Vectors of more than four components, which GLSL of Debian's compiler does not have.

using namespace lockstep;

TEST_CASE("vectors of any length are walked and judged like others") {
  const std::string text = test::with_long_vectors({.element = "%float",
                                                    .declarations = R"(%n = OpConstant %uint 6
%vec = OpTypeVectorIdEXT %float %n
%seven = OpConstant %uint 7
%three = OpConstant %uint 3
%third = OpConstant %float 0.3333
%thirds = OpConstantCompositeReplicateEXT %vec %third
)",
                                                    .body = R"(%real = OpConvertUToF %float %i
%all = OpCompositeConstructReplicateEXT %vec %real
%which = OpUMod %uint %i %n
%changed = OpVectorInsertDynamic %vec %all %third %which
%sum = OpFAdd %vec %changed %thirds
%roots = OpExtInst %vec %std Sqrt %sum
%scan = OpGroupNonUniformFAdd %vec %three InclusiveScan %roots
%dot = OpDot %float %scan %thirds
OpStore %place %dot
)"});
  for (const int size : {1, 3, 8, 32}) {
    walker_test::Shader shader{.text = text, .type = npy::Dtype::float32, .subgroup_size = size};
    shader.buffers = {std::vector<std::byte>(8 * sizeof(float))};
    const walker_test::Seen seen = walker_test::compare(shader);
    CHECK(seen.equal + seen.allowed == 8);
  }
}
