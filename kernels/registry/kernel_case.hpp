#pragma once

/// \file
/// What the kernels of kernels/ have in common: arrays of known types, the dispatches that use them
/// and a verification of what came out. Whoever runs kernels (tests, the program, benchmarks, other
/// devices) needs no more than this.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/lanes/float16.hpp>
#include <lockstep/workgroup/location.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

struct Convergence;
inline namespace LOCKSTEP_ABI {
struct Device;
}

namespace kernels {

/// An input that a kernel cannot work on, explained in one line.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The elements of an array.
using Values = std::variant<std::vector<std::uint32_t>, std::vector<std::int32_t>,
                            std::vector<float>, std::vector<float16_t>>;

/// What an array is for.
enum class Role : std::uint8_t {
  input,    ///< only read
  output,   ///< holds results afterwards, and what it must start with before
  scratch,  ///< what passes tell each other; as output, but of no interest afterwards
};

/// What an array is as an image: its elements are texels row by row and slice by slice.
struct Texels {
  ImageFormat format;
  ImageKind kind;
  Size3 size;
};

/// One array of a case. Vectors and structs lie in it as std430 lays them out: a vec4 is four floats.
struct Argument {
  std::string name;
  Role role;
  Values values;
  std::optional<Texels> texels = {};  ///< of those that are bound as images
};

/// The array's elements as Ts. Requires that they are.
template <class T>
std::span<T> values(Argument& argument) {
  return std::get<std::vector<T>>(argument.values);
}
template <class T>
std::span<const T> values(const Argument& argument) {
  return std::get<std::vector<T>>(argument.values);
}
/// Number of elements.
inline std::size_t size(const Argument& argument) {
  return std::visit([](const auto& v) { return v.size(); }, argument.values);
}
/// The element type's name, as NumPy has it.
inline std::string_view type_name(const Values& values) {
  constexpr std::string_view names[] = {"uint32", "int32", "float32", "float16"};
  return names[values.index()];
}

struct KernelCase;

/// One dispatch of a case: here by `run`, elsewhere from the GLSL port.
struct Pass {
  /// The port's path below kernels/; it ends in .comp, or in .frag for a fragment shader.
  std::string shader;
  /// Of a fragment shader: its pixels.
  Size3 workgroups;
  /// Binding k is the case's array bindings[k].
  std::vector<std::uint32_t> bindings;
  /// Of a fragment shader: so many of the last bindings are its colour attachments instead.
  std::uint32_t attachments = 0;
  /// The block of push constants; empty for none.
  std::vector<std::byte> push_constants;
  /// Runs the C++ kernel; with a rule of convergence on the tangled machine.
  FaultLog (*run)(const Device& device, const Convergence* convergence, const Pass& pass,
                  KernelCase& kernel_case);
};

/// A kernel's work: arrays with their initial contents, and the dispatches to make one after another.
struct KernelCase {
  int subgroup_size;
  std::vector<Argument> arguments;
  std::vector<Pass> passes;
};

/// A kernel of kernels/, and all that is known about it.
///
/// Requires      The subgroup size of make_case is one where undefined_at says nothing.
/// Active lanes  None.
/// Errors        make_case throws InputError for arrays that the kernel cannot work on.
/// Cost          make_input, make_case and verify take time in proportion to the elements.
/// Spec          None.
/// Example       tests/kernels/registry.cpp
struct Entry {
  /// The folder's name.
  std::string_view name;
  /// What it does, in one line.
  std::string_view summary;
  /// The text whose example it is.
  std::string_view source;
  /// Why the algorithm is not defined at a subgroup size and what to take; empty where it is.
  std::string (*undefined_at)(int subgroup_size);
  /// Input arrays for a problem of n elements; the same for the same seed.
  std::vector<Argument> (*make_input)(std::size_t n, std::uint64_t seed);
  /// The case on these inputs, which come first among its arrays; what it changes in place is an output.
  KernelCase (*make_case)(std::vector<Argument> inputs, int subgroup_size);
  /// What is wrong with the outputs, found by plain scalar code; empty if nothing is.
  std::string (*verify)(const KernelCase& before, const KernelCase& after);
};

}  // namespace kernels
}  // namespace lockstep
