#include "cli/run/explain.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "io/numbers.hpp"
#include "io/types.hpp"
#include "oracle/bounds.hpp"
#include "report/last_writers.hpp"

namespace lockstep::cli {
namespace {

using lockstep::report::Writer;
using oracle::Allowed;

/// A number of a buffer.
struct Element {
  std::size_t buffer = 0;  ///< its number
  npy::Dtype type{};
  std::size_t byte = 0;
  std::string name;
};

/// The number of that index, as --against counts them.
std::optional<Element> number_at(const BoundBuffer& buffer, std::uint64_t index) {
  const std::size_t bytes = buffer.array.bytes.size();
  if (buffer.columns.empty()) {
    const std::size_t size = lockstep::io::bytes_of(buffer.array.dtype);
    if (index >= bytes / size) return std::nullopt;
    return Element{0, buffer.array.dtype, index * size, fmt::format("[{}]", index)};
  }
  for (const lockstep::io::Column& column : buffer.columns) {
    if (index < column.size())
      return Element{0, column.type, column.place(index), column.path(index)};
    index -= column.size();
  }
  return std::nullopt;
}

Element element_of(const ShaderCase& shader, const RunOptions& options) {
  const std::size_t colon = options.explain.rfind(':');
  std::optional<lockstep::io::Slot> slot;
  std::optional<std::uint64_t> index;
  if (colon != std::string::npos) {
    slot = lockstep::io::parse_slot(std::string_view(options.explain).substr(0, colon));
    index = lockstep::io::parse_unsigned(std::string_view(options.explain).substr(colon + 1));
  }
  if (!slot || !index)
    throw UsageError(
        fmt::format("--explain '{}': is not [SET:]BINDING:INDEX, such as 1:40", options.explain));
  for (std::size_t k = 0; k < shader.buffers.size(); ++k) {
    const BoundBuffer& buffer = shader.buffers[k];
    if (buffer.slot != *slot || buffer.element != 0) continue;
    std::optional<Element> found = number_at(buffer, *index);
    if (!found)
      throw UsageError(
          fmt::format("--explain {}: {} has no such element", options.explain, buffer.title()));
    found->buffer = k;
    return *found;
  }
  throw UsageError(fmt::format("--explain {}: no buffer is bound there", options.explain));
}

class Explaining {
 public:
  Explaining(const ShaderCase& shader, const Pipeline& pipeline, const RunOptions& options,
             const std::vector<BoundBuffer>& initial)
      : shader_(shader),
        pipeline_(pipeline),
        options_(options),
        initial_(initial),
        element_(element_of(shader, options)) {}

  std::vector<std::string> lines() {
    const std::optional<Writer> writer = find_writer();
    std::vector<BoundBuffer> buffers = initial_;
    oracle::Bounds bounds;
    if (writer)
      bounds.provenance.emplace(
          std::array{writer->workgroup.x, writer->workgroup.y, writer->workgroup.z});
    RunConvergence convergence(options_);
    Dispatch dispatch = plain_dispatch(convergence.get());
    dispatch.bounds = &bounds;
    shader_case::run(shader_, pipeline_, buffers, dispatch);
    const std::byte* const at = buffers[element_.buffer].array.bytes.data() + element_.byte;
    const Allowed allowed = bounds.memory.load(at, lockstep::io::bytes_of(element_.type));
    std::vector<std::string> all{heading(allowed, bounds, at), text_of(writer)};
    for (std::string& line : bounds.tell(allowed)) all.push_back(std::move(line));
    return all;
  }

 private:
  Dispatch plain_dispatch(const Convergence* convergence) const {
    Dispatch dispatch = dispatch_of(shader_, options_);
    dispatch.convergence = convergence;
    dispatch.deterministic = true;
    dispatch.checks = {};
    dispatch.float_order = float_order_of(options_);
    dispatch.only_float_order = !options_.strict_order.empty();
    return dispatch;
  }

  std::optional<Writer> find_writer() const {
    constexpr std::chrono::seconds limit{60};
    std::vector<BoundBuffer> buffers = initial_;
    lockstep::report::LastWriters writers(limit);
    writers.watch(buffers[element_.buffer].array.bytes.data() + element_.byte,
                  lockstep::io::bytes_of(element_.type));
    RunConvergence convergence(options_);
    shader_case::run(shader_, pipeline_, buffers, plain_dispatch(convergence.get(&writers)));
    return writers.writer(0);
  }

  std::string heading(const Allowed& allowed, const oracle::Bounds& bounds,
                      const std::byte* at) const {
    const std::string name = fmt::format("{}{}{} = {}", shader_.buffers[element_.buffer].title(),
                                         element_.name.starts_with('[') ? "" : " ", element_.name,
                                         lockstep::io::to_text(element_.type, at));
    switch (allowed.kind) {
      case Allowed::Kind::exact:
        return fmt::format("{}, which is exact: no device gives anything else", name);
      case Allowed::Kind::within:
        return fmt::format("{}, allowed {} to {}", name, allowed.values.low, allowed.values.high);
      default:
        return fmt::format("{}, which has no bounds: {}", name, bounds.explain(allowed));
    }
  }
  static std::string text_of(const std::optional<Writer>& writer) {
    if (!writer) return "never written";
    const auto& [workgroup, subgroup, lane, where] = *writer;
    return fmt::format("written by workgroup ({}, {}, {}), subgroup {}, lane {}, {}:{}",
                       workgroup.x, workgroup.y, workgroup.z, subgroup, lane, where.file,
                       where.line);
  }

  const ShaderCase& shader_;
  const Pipeline& pipeline_;
  const RunOptions& options_;
  const std::vector<BoundBuffer>& initial_;
  Element element_;
};

}  // namespace

void check_explained(const ShaderCase& shader, const RunOptions& options) {
  if (!options.explain.empty()) static_cast<void>(element_of(shader, options));
}

std::vector<std::string> explain(const ShaderCase& shader, const Pipeline& pipeline,
                                 const RunOptions& options,
                                 const std::vector<BoundBuffer>& initial) {
  return Explaining(shader, pipeline, options, initial).lines();
}

}  // namespace lockstep::cli
