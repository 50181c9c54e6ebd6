#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include <lockstep/spirv/module.hpp>

#include "capture/job/job.hpp"

/// \file
/// Jobs whose results plain loops make, as devices might.

namespace lockstep::test {

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// One workgroup of a shader that reads binding 0 and writes binding 1.
template <class T>
job::Job job_of(const std::string& body, const std::vector<T>& in, const std::vector<T>& out,
                int size, const std::string& header = "", const std::string& after_main = "") {
  constexpr bool is_float = std::is_same_v<T, float>;
  const std::string type = is_float ? "float" : "uint";
  const Module module = Module::from_glsl(
      "#version 460\n#extension GL_KHR_shader_subgroup_arithmetic : require\n"
      "#extension GL_KHR_shader_subgroup_ballot : require\n" +
          header + "layout(local_size_x = " + std::to_string(in.size()) +
          ") in;\nlayout(binding = 0) readonly buffer In { " + type +
          " x[]; };\nlayout(binding = 1) buffer Out { " + type + " r[]; };\nvoid main()" +
          after_main + " {\nuint i = gl_LocalInvocationIndex;\n" + body + "\n}\n",
      {}, "some.comp");
  job::Job made;
  made.source = "some.comp";
  made.words.assign(module.words().begin(), module.words().end());
  made.subgroup_size = size;
  job::Binding from, to;
  from.type = to.type = is_float ? npy::Dtype::float32 : npy::Dtype::uint32;
  from.input = bytes_of(in);
  to.binding = 1;
  to.writable = true;
  to.input.resize(out.size() * sizeof(T));
  to.output = bytes_of(out);
  made.bindings = {from, to};
  return made;
}

}  // namespace lockstep::test
