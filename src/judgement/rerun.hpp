#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "capture/job/replay.hpp"
#include "io/columns.hpp"
#include "io/npy.hpp"
#include "io/types.hpp"

/// \file
/// What is judged, whoever knows how to run it.

namespace lockstep::judgement {

/// The bytes of buffers and images.
using Contents = job::Contents;

/// A buffer or image of a dispatch.
struct Part {
  npy::Dtype type = npy::Dtype::uint32;
  std::vector<io::Column> columns = {};  ///< of a block with numbers of several types
  std::size_t bytes = 0;
};

/// A number in a part.
struct Place {
  std::size_t part = 0, byte = 0;
  npy::Dtype type = npy::Dtype::uint32;
  std::size_t number = 0;  ///< in the part, through all of its columns
};

/// Gives each number of a part to `f`, in their order.
template <class F>
void for_each_place(const std::vector<Part>& parts, std::size_t number, F f) {
  const Part& part = parts[number];
  std::size_t count = 0;
  if (part.columns.empty()) {
    const std::size_t size = io::bytes_of(part.type);
    for (; (count + 1) * size <= part.bytes; ++count)
      f(Place{number, count * size, part.type, count});
  }
  for (const io::Column& column : part.columns) {
    for (std::uint64_t k = 0; k < column.size(); ++k)
      f(Place{number, static_cast<std::size_t>(column.place(k)), column.type, count++});
  }
}

/// A dispatch that can run again, from the same input each time.
///
/// Requires      One thread at a time.
/// Active lanes  As in the shader.
/// Errors        run throws Error where the shader does not come to its end.
/// Cost          That of its run.
/// Spec          None.
/// Example       tests/judgement/judge.cpp
class Rerun {
 public:
  Rerun() = default;
  Rerun(const Rerun&) = delete;
  Rerun& operator=(const Rerun&) = delete;
  virtual ~Rerun() = default;

  virtual const std::vector<Part>& parts() const = 0;
  virtual const Pipeline& pipeline() const = 0;
  virtual Size3 groups() const = 0;
  /// The invocations of the lanes of a workgroup, as Dispatch has them; empty: in their order.
  virtual std::span<const std::uint32_t> lanes() const = 0;
  /// What reconvergence the device promises.
  virtual Rule rule() const = 0;
  /// Whether the choices of the device are given, so that no others are to be tried.
  virtual bool is_fixed() const { return false; }

  /// The parts before the dispatch.
  virtual Contents inputs() const = 0;
  /// Runs on the contents, at the device's subgroup size or at another one.
  virtual ShaderRun run(Contents& contents, Dispatch how, int subgroup_size = 0) const = 0;
  /// Where the shader finds a part, when it runs on the contents.
  virtual const std::byte* address(const Contents& contents, std::size_t part) const {
    return contents[part].data();
  }
  /// The same at another size, with its lanes in order. Throws Error where the shader does not run at it.
  virtual std::unique_ptr<Rerun> at_subgroup_size(int size) const = 0;
};

/// A captured job. The replay outlives it.
std::unique_ptr<Rerun> rerun_of(const job::Replay& replay);

/// A dispatch in one order, on one thread.
Dispatch plain_dispatch();

}  // namespace lockstep::judgement
