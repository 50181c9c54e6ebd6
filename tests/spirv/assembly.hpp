#pragma once

#include <string>
#include <string_view>

namespace lockstep::test {

/// Where the tests' own lines go in a module of one buffer.
struct AssemblyParts {
  std::string element = "%uint";  ///< of the buffer's array: %uint or %float
  std::string declarations = {};  ///< more types and constants
  std::string locals = {};        ///< variables of main()
  std::string body = {};          ///< from the first block on; main() returns after it
};

/// A module in assembly with 8 invocations and one buffer. To the body %i is the invocation and %place points
/// to its element; there are %uint, %float, %bool, %zero, %numbers and pointers %to_element.
inline std::string one_buffer(const AssemblyParts& parts) {
  return R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %input_index %out
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %input_index BuiltIn LocalInvocationIndex
OpDecorate %numbers ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%bool = OpTypeBool
%zero = OpConstant %uint 0
%numbers = OpTypeRuntimeArray )" +
         parts.element + R"(
%block = OpTypeStruct %numbers
%to_block = OpTypePointer StorageBuffer %block
%to_element = OpTypePointer StorageBuffer )" +
         parts.element + R"(
%to_input = OpTypePointer Input %uint
%input_index = OpVariable %to_input Input
%out = OpVariable %to_block StorageBuffer
)" + parts.declarations +
         R"(%main = OpFunction %void None %main_type
%entry = OpLabel
)" + parts.locals +
         R"(%i = OpLoad %uint %input_index
%place = OpAccessChain %to_element %out %zero %i
)" + parts.body +
         "OpReturn\nOpFunctionEnd\n";
}

/// one_buffer() with vectors of any length, replicated composites, arithmetic of subgroups, and GLSL.std.450 as %std.
inline std::string with_long_vectors(const AssemblyParts& parts) {
  constexpr std::string_view first = "OpCapability Shader\n";
  std::string module = one_buffer(parts);
  module.insert(first.size(), R"(OpCapability LongVectorEXT
OpCapability ReplicatedCompositesEXT
OpCapability GroupNonUniformArithmetic
OpExtension "SPV_EXT_long_vector"
OpExtension "SPV_EXT_replicated_composites"
%std = OpExtInstImport "GLSL.std.450"
)");
  return module;
}

/// A module whose 8 invocations copy the first words of shared memory, in turn `count` of them, to the buffer. A view
/// of four words has an initializer, one of eight has none.
inline std::string zeroed_views(const std::string& count) {
  std::string module = one_buffer({.declarations = R"(%four = OpConstant %uint 4
%eight = OpConstant %uint 8
%few = OpTypeArray %uint %four
%many = OpTypeArray %uint %eight
%first = OpTypeStruct %few
%all = OpTypeStruct %many
%to_first = OpTypePointer Workgroup %first
%to_all = OpTypePointer Workgroup %all
%to_shared = OpTypePointer Workgroup %uint
%null = OpConstantNull %first
%a = OpVariable %to_first Workgroup %null
%b = OpVariable %to_all Workgroup
)",
                                   .body = "%k = OpUMod %uint %i " + count + R"(
%at = OpAccessChain %to_shared %b %zero %k
%value = OpLoad %uint %at
OpStore %place %value
)"});
  const auto add = [&](std::string_view behind, std::string_view more) {
    module.insert(module.find(behind) + behind.size(), more);
  };
  add("OpCapability Shader\n",
      "OpCapability WorkgroupMemoryExplicitLayoutKHR\n"
      "OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"\n");
  add("%main \"main\" %input_index %out", " %a %b");
  add("OpDecorate %block Block\n",
      "OpDecorate %first Block\nOpMemberDecorate %first 0 Offset 0\nOpDecorate %few ArrayStride 4\n"
      "OpDecorate %all Block\nOpMemberDecorate %all 0 Offset 0\nOpDecorate %many ArrayStride 4\n"
      "OpDecorate %a Aliased\nOpDecorate %b Aliased\n");
  return module;
}

/// A module as SPIR-V 1.3 and older have it, after a comment: from 1.4 on the entry point would list the buffer, too.
/// Its one invocation writes 7.
inline std::string older_module(const std::string& comment) {
  return comment + R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%seven = OpConstant %uint 7
%block = OpTypeStruct %uint
%to_block = OpTypePointer Uniform %block
%to_uint = OpTypePointer Uniform %uint
%out = OpVariable %to_block Uniform
%main = OpFunction %void None %main_type
%entry = OpLabel
%place = OpAccessChain %to_uint %out %zero
OpStore %place %seven
OpReturn
OpFunctionEnd
)";
}

}  // namespace lockstep::test
