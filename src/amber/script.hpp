#pragma once

/// \file
/// The contents of an Amber script, as plain values.

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/workgroup/size3.hpp>

#include "amber/layout.hpp"
#include "amber/literal.hpp"
#include "amber/type.hpp"

namespace lockstep::amber {

struct Shader {
  enum class Format : std::uint8_t { glsl, spirv_asm, spirv_hex, spirv_bin };

  std::string name;
  std::uint32_t line = 0;
  Format format = Format::glsl;
  bool compute = false;          ///< a compute or multi shader
  std::string target;            ///< from TARGET_ENV
  std::string unsupported;       ///< why it cannot run; empty if it can
  std::string source;            ///< the text; empty if in a file
  std::uint32_t first_line = 1;  ///< of the source in the script
  std::string file;              ///< in the file system
};

/// The contents of a buffer before the first command.
struct NoData {};
struct Fill {
  Literal value;
};
struct Series {
  Literal start, increment;
};
struct Data {
  std::vector<Literal> values;
};
struct FileData {
  enum class Kind : std::uint8_t { text, binary };
  Kind kind = Kind::text;
  std::string path;
};

/// The limit of Vulkan's 32-bit ranges.
constexpr std::uint64_t max_buffer_bytes = 0xffffffff;

struct Buffer {
  std::string name;
  std::uint32_t line = 0;
  Type type;
  ElementLayout layout;
  std::uint32_t count = 0;  ///< of elements, from SIZE or DATA; a file may hold another number
  bool image = false;
  std::uint32_t dimensions = 1;
  std::uint32_t width = 0, height = 1, depth = 1;  ///< of an image, or of rows and columns
  std::uint32_t samples = 1;                       ///< of an image: its depth, one slice for each
  std::uint32_t levels = 1;  ///< of an image; its elements are those of level 0
  std::variant<NoData, Fill, Series, Data, FileData> data;
};

struct Binding {
  enum class Kind : std::uint8_t {
    storage,
    uniform,
    storage_texel_buffer,
    uniform_texel_buffer,
    storage_image,
    sampled_image,
    combined_image_sampler,
    sampler  ///< without a buffer
  };

  Kind kind = Kind::storage;
  std::uint32_t line = 0;
  std::uint32_t set = 0, binding = 0, element = 0;
  std::size_t buffer = 0;
  std::size_t sampler = 0;       ///< of combined_image_sampler and sampler
  std::uint32_t base_level = 0;  ///< of an image: the first level that the shader sees
  std::uint64_t offset = 0;      ///< bytes, the dynamic one included
  std::uint64_t range = std::numeric_limits<std::uint64_t>::max();
};

struct Pipeline {
  std::string name;
  std::uint32_t line = 0;
  std::optional<std::size_t> shader;
  std::string entry = "main";
  std::vector<std::pair<std::uint32_t, double>> spec;
  std::vector<Binding> bindings;
  std::optional<std::size_t> push_constants;  ///< a buffer
  bool full_subgroups = false;
  enum class Size : std::uint8_t { any, smallest, largest, number };
  Size size = Size::any;
  std::uint32_t required_size = 0;
};

struct Run {
  std::size_t pipeline = 0;
  Size3 groups;
  bool timed = false;
};

struct Copy {
  std::size_t from = 0, to = 0;
};

struct Tolerance {
  double value = 0;
  bool percent = false;
};

enum class Comparator : std::uint8_t { eq, ne, lt, le, gt, ge };

/// Numbers from a byte offset of a buffer on.
struct ExpectValues {
  std::size_t buffer = 0;
  std::uint32_t offset = 0;
  Comparator comparator = Comparator::eq;
  std::vector<Tolerance> tolerances;
  std::vector<Literal> values;
};

/// A rectangle of pixels of one colour.
struct ExpectPixels {
  std::size_t buffer = 0;
  std::uint32_t x = 0, y = 0, width = 1, height = 1;
  std::array<std::uint32_t, 4> colour{};  ///< 0 to 255
  bool alpha = false;
  std::vector<Tolerance> tolerances;
};

/// Two buffers.
struct ExpectBuffers {
  enum class Kind : std::uint8_t { equal, root_mean_square, histogram };

  std::size_t buffer = 0, other = 0;
  Kind kind = Kind::equal;
  double tolerance = 0;
};

using Action = std::variant<Run, Copy, ExpectValues, ExpectPixels, ExpectBuffers>;

struct Command {
  std::uint32_t line = 0;
  std::uint32_t times = 1;                                ///< 1 unless it is a REPEAT
  std::vector<std::pair<std::uint32_t, Action>> actions;  ///< with their lines
};

/// Something that the device must support.
struct Requirement {
  enum class Kind : std::uint8_t { feature, property, device_extension, instance_extension };

  Kind kind = Kind::feature;
  std::string name;
  std::uint32_t line = 0;
};

struct Script {
  std::vector<Requirement> requirements;
  std::vector<Shader> shaders;
  std::vector<Buffer> buffers;
  std::vector<Sampler> samplers;
  std::vector<Pipeline> pipelines;
  std::vector<Command> commands;
  std::string skip;  ///< why a compute device can run none of it; empty if it can
};

/// Parses a script.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        ScriptError for malformed or unsupported scripts. Files that the script names are
///               not read.
/// Cost          O(text).
/// Spec          AmberScript
/// Example       tests/amber/parser.cpp
Script parse(std::string_view text);

}  // namespace lockstep::amber
