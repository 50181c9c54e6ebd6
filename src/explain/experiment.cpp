#include "explain/experiment.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/event.hpp>
#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/shader.hpp>

#include "explain/arguments.hpp"

namespace lockstep::explain {
namespace {

using spec::Form;

std::string read(Kind kind, std::string_view array) {
  switch (kind) {
    case Kind::boolean:
      return fmt::format("{}[i].x != 0u", array);
    case Kind::integer:
      return fmt::format("int({}[i].x)", array);
    case Kind::real:
      return fmt::format("uintBitsToFloat({}[i].x)", array);
    case Kind::ballot:
      return fmt::format("{}[i]", array);
    default:
      return fmt::format("{}[i].x", array);
  }
}

std::string as_words(Kind kind, const std::string& value, bool of_64_bits) {
  if (of_64_bits) return fmt::format("uvec4(unpackUint2x32({}), 0u, 0u)", value);
  switch (kind) {
    case Kind::boolean:
    case Kind::integer:
      return fmt::format("uvec4(uint({}), 0u, 0u, 0u)", value);
    case Kind::real:
      return fmt::format("uvec4(floatBitsToUint({}), 0u, 0u, 0u)", value);
    case Kind::ballot:
      return value;
    default:
      return fmt::format("uvec4({}, 0u, 0u, 0u)", value);
  }
}

Kind kind_of_result(const Row& row, const std::vector<Column>& arguments) {
  if (row.kind == Row::Kind::variable)
    return row.name().ends_with("Mask") ? Kind::ballot : Kind::natural;
  switch (row.built_in->form) {
    case Form::nothing:
    case Form::condition:
    case Form::comparison:
    case Form::ballot_index:
      return Kind::boolean;
    case Form::condition_to_ballot:
    case Form::value_to_ballot:
      return Kind::ballot;
    case Form::ballot:
      return row.operation == "inverse_ballot" ? Kind::boolean : Kind::natural;
    default:
      return arguments.front().kind;
  }
}

Origin origin_of(const Row& row) {
  if (row.kind != Row::Kind::function) return Origin::none;
  if (row.op != "none") return Origin::combined;
  switch (row.built_in->form) {
    case Form::nothing:
    case Form::condition:
    case Form::condition_to_ballot:
    case Form::comparison:
    case Form::value_to_ballot:
      return Origin::combined;
    case Form::ballot:
    case Form::ballot_index:
      return Origin::bits;
    default:
      return Origin::moved;
  }
}

/// The call with another value; the further arguments stay.
std::string call(std::string_view name, const std::string& value,
                 const std::vector<Column>& arguments, std::uint32_t cluster) {
  std::string text = fmt::format("{}({}", name, value);
  if (arguments.size() > 1) text += ", " + read(arguments[1].kind, "second");
  if (cluster != 0) text += fmt::format(", {}u", cluster);
  return text + ")";
}

/// What gives the lanes that a result was made of, as a ballot or, if it is moved, as a lane number.
std::string source_call(const Row& row, const std::vector<Column>& arguments,
                        std::uint32_t cluster) {
  switch (origin_of(row)) {
    case Origin::none:
      return {};
    case Origin::moved:
      return call(row.name(), "i", arguments, cluster);
    case Origin::combined:
      break;
    case Origin::bits: {
      const std::string ballot = read(Kind::ballot, "value");
      if (row.operation == "ballot_inclusive_bit_count") return ballot + " & gl_SubgroupLeMask";
      if (row.operation == "ballot_exclusive_bit_count") return ballot + " & gl_SubgroupLtMask";
      if (row.operation == "inverse_ballot") return ballot + " & gl_SubgroupEqMask";
      if (row.operation == "ballot_bit_extract") return {};
      return ballot + " & (gl_SubgroupLeMask | gl_SubgroupGeMask)";
    }
  }
  if (row.operation == "partition")
    return call(row.name(), read(arguments[0].kind, "value"), arguments, 0);
  if (row.operation == "quad_all" || row.operation == "quad_any")
    return "subgroupClusteredOr(gl_SubgroupEqMask, 4u)";
  for (const Row& other : rows())
    if (row.op != "none" && other.operation == row.operation && other.op == "bor")
      return call(other.name(), "gl_SubgroupEqMask", arguments, cluster);
  return "subgroupOr(gl_SubgroupEqMask)";
}

std::string extensions(const Row& row) {
  std::vector<std::string_view> all = extensions_of(row);
  const auto need = [&](std::string_view name) {
    if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  };
  need("GL_KHR_shader_subgroup_ballot");  // gl_SubgroupEqMask
  if (origin_of(row) == Origin::combined) need("GL_KHR_shader_subgroup_arithmetic");
  if (row.operation == "quad_all" || row.operation == "quad_any")
    need("GL_KHR_shader_subgroup_clustered");
  std::string text;
  for (const std::string_view name : all) text += fmt::format("#extension {} : require\n", name);
  return text;
}

std::string shader_text(const Row& row, int size, const std::vector<Column>& arguments,
                        std::uint32_t cluster, Kind result) {
  std::string text = "#version 460\n" + extensions(row);
  text += fmt::format("layout(local_size_x = {}) in;\n", size);
  text +=
      "layout(binding = 0) readonly buffer Active { uint is_active[]; };\n"
      "layout(binding = 1) readonly buffer Value { uvec4 value[]; };\n"
      "layout(binding = 2) readonly buffer Second { uvec4 second[]; };\n"
      "layout(binding = 3) writeonly buffer Result { uvec4 result[]; };\n"
      "layout(binding = 4) writeonly buffer Source { uvec4 source[]; };\n"
      "\n"
      "void main() {\n"
      "  uint i = gl_SubgroupInvocationID;\n"
      "  if (is_active[i] == 1u) {\n";
  const std::string value = arguments.empty() ? std::string() : read(arguments[0].kind, "value");
  const std::string called = row.kind == Row::Kind::variable
                                 ? std::string(row.name())
                                 : call(row.name(), value, arguments, cluster);
  text += fmt::format("    result[i] = {};\n", as_words(result, called, row.name() == "ballotARB"));
  const std::string source = source_call(row, arguments, cluster);
  if (!source.empty())
    text += fmt::format(
        "    source[i] = {};  // the lanes it comes from\n",
        as_words(origin_of(row) == Origin::moved ? Kind::natural : Kind::ballot, source, false));
  return text + "  }\n}\n";
}

std::uint32_t cluster_of(const Row& row, int size, const Arguments& arguments) {
  if (!row.takes_cluster()) {
    if (arguments.cluster)
      throw Error(fmt::format("--cluster: {} takes no cluster size; remove it", row.name()));
    return 0;
  }
  const std::uint32_t cluster =
      arguments.cluster.value_or(static_cast<std::uint32_t>(std::min(size, 4)));
  if (!std::has_single_bit(cluster))
    throw Error(fmt::format("--cluster {}: is not a power of two", cluster));
  return cluster;
}

}  // namespace

std::string to_text(Kind kind, const Words& value) {
  switch (kind) {
    case Kind::none:
      return {};
    case Kind::boolean:
      return value[0] != 0 ? "true" : "false";
    case Kind::integer:
      return fmt::format("{}", static_cast<std::int32_t>(value[0]));
    case Kind::natural:
      return fmt::format("{}", value[0]);
    case Kind::real:
      return fmt::format("{}", std::bit_cast<float>(value[0]));
    case Kind::ballot: {
      const std::string lanes = to_string(to_lanes(value));
      return lanes.empty() ? "none" : lanes;
    }
  }
  return {};
}

LaneSet to_lanes(const Words& ballot) {
  return {ballot[0] | std::uint64_t{ballot[1]} << 32, ballot[2] | std::uint64_t{ballot[3]} << 32};
}

Words to_words(LaneSet lanes) {
  return {static_cast<std::uint32_t>(lanes.low), static_cast<std::uint32_t>(lanes.low >> 32),
          static_cast<std::uint32_t>(lanes.high), static_cast<std::uint32_t>(lanes.high >> 32)};
}

LaneSet usual_lanes(int size) {
  LaneSet lanes;
  for (int lane = 0; lane < size; ++lane)
    if (size < 4 || (lane % 8 != 2 && lane % 8 != 5)) lanes = lanes | LaneSet::lane(lane);
  return lanes;
}

Experiment::Experiment(const Row& row, int size, const Arguments& arguments)
    : row_(row), size_(size) {
  if (size < 1 || size > 128)
    throw Error(fmt::format("a subgroup has 1 to 128 lanes, not {}", size));
  if (row.kind == Row::Kind::barrier)
    throw Error(fmt::format("{} gives no values to show", row.name()));
  arguments_ = columns_of(row, size, arguments);
  cluster_ = cluster_of(row, size, arguments);
  result_ = kind_of_result(row, arguments_);
  origin_ = origin_of(row);
  text_ = shader_text(row, size, arguments_, cluster_, result_);
  line_of_result_ =
      1 + static_cast<int>(std::count(
              text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(text_.find("result[i] =")),
              '\n'));
  shader_ = std::make_unique<Shader>(Shader::from_glsl(text_, {}, "explain.comp"));
}

Experiment::Experiment(Experiment&&) noexcept = default;
Experiment::~Experiment() = default;

Answer Experiment::run(LaneSet active) {
  const auto lanes = static_cast<std::size_t>(size_);
  std::vector<std::uint32_t> is_active(lanes);
  for (std::size_t i = 0; i < lanes; ++i) is_active[i] = active.test(static_cast<int>(i)) ? 1 : 0;
  const std::vector<Words> nothing(lanes);
  std::vector<Words> result(lanes), source(lanes);
  shader_->bind(0, std::as_const(is_active));
  shader_->bind(1, !arguments_.empty() ? std::as_const(arguments_[0].lanes) : nothing);
  shader_->bind(2, arguments_.size() > 1 ? std::as_const(arguments_[1].lanes) : nothing);
  shader_->bind(3, result).bind(4, source);

  Answer answer;
  answer.row = &row_;
  answer.size = size_;
  answer.active = active;
  answer.cluster = cluster_;
  answer.origin = origin_;
  answer.shader = text_;
  answer.arguments = arguments_;
  FaultLog findings;
  try {
    findings = shader_
                   ->dispatch({1, 1, 1}, {.subgroup_size = size_,
                                          .threads = 1,
                                          .deterministic = true,
                                          .checks = Checks::all()})
                   .findings;
  } catch (const FindingError& error) {
    findings = error.earlier();
    findings.record(error.finding());
  }
  for (const Finding& finding : findings.findings()) {
    const bool of_result =
        finding.where.line == line_of_result_ || finding.origin.line == line_of_result_;
    if (!of_result) continue;
    answer.undefined = answer.undefined | (finding.lanes & active);
    answer.reasons.push_back(
        {std::string(finding.rule),
         finding.origin_message.empty() ? finding.message : finding.origin_message,
         finding.lanes & active});
  }
  answer.result = {"result", result_, std::move(result)};
  for (std::size_t i = 0; i < lanes; ++i) {
    LaneSet from;
    const bool known = is_active[i] == 1 && !answer.undefined.test(static_cast<int>(i));
    if (known && origin_ == Origin::moved)
      from = LaneSet::lane(static_cast<int>(source[i][0]));
    else if (known)
      from = to_lanes(source[i]);
    answer.sources.push_back(from);
  }
  return answer;
}

}  // namespace lockstep::explain
