#include "shader_case/exploration.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "io/types.hpp"

namespace lockstep::shader_case {
namespace ex = lockstep::explore;

ex::ShaderSubject subject_of(const ShaderCase& shader, Pipeline pipeline,
                             const Dispatch& dispatch) {
  return {std::move(pipeline), dispatch,
          [&shader](const Pipeline& one, const Dispatch& how,
                    std::vector<std::vector<std::byte>>& written) {
            std::vector<BoundBuffer> buffers = shader.buffers;
            ShaderRun run = shader_case::run(shader, one, buffers, how);
            for (BoundBuffer& buffer : buffers) {
              if (buffer.writable) written.push_back(std::move(buffer.array.bytes));
            }
            return run;
          }};
}

std::vector<int> usual_sizes(const Profile& profile, int least) {
  std::vector<int> sizes;
  for (int size = 1; size <= profile.max_subgroup_size; size *= 2) {
    if (size >= std::max(least, profile.min_subgroup_size)) sizes.push_back(size);
  }
  return sizes;
}

std::string set_shape(ex::Request& request, const ShaderCase& shader, bool full_subgroups) {
  const Size3& local = shader.reflection.local_size;
  request.quads = local.x % 2 == 0 && local.y % 2 == 0 &&
                  std::ranges::all_of(request.sizes, [](int size) { return size % 4 == 0; });
  request.workgroups = std::uint64_t{shader.groups.x} * shader.groups.y * shader.groups.z;
  const ex::FullSubgroups full(shader.module, local, full_subgroups);
  request.may_be_partial = full;
  return full.text;
}

std::optional<Differing> differing(const ex::Verdict& verdict,
                                   const std::vector<const BoundBuffer*>& written) {
  const ex::Counterexample& found = *verdict.smallest;
  if (!found.difference.error.empty() || written.empty()) return std::nullopt;
  const BoundBuffer& b = *written[found.difference.buffer];
  const auto value = [&](const ex::Result& result, npy::Dtype type, std::uint64_t byte) {
    return lockstep::io::to_text(type, result.buffers[found.difference.buffer].data() + byte);
  };
  const auto element = [&](npy::Dtype type, std::uint64_t byte, std::size_t index,
                           std::string path) {
    const std::string place = path.empty() ? fmt::format("element {}", index) : path;
    return Differing{place,
                     index,
                     std::move(path),
                     value(found.result, type, byte),
                     value(verdict.first, type, byte),
                     lockstep::io::bytes_of(type)};
  };
  const std::uint64_t byte = found.difference.byte;
  if (b.columns.empty()) {
    const std::size_t size = lockstep::io::bytes_of(b.array.dtype);
    return element(b.array.dtype, byte / size * size, byte / size, "");
  }
  for (const lockstep::io::Column& column : b.columns) {
    for (std::uint64_t k = 0; k < column.size(); ++k) {
      const std::uint64_t place = column.place(k);
      if (place <= byte && byte < place + lockstep::io::bytes_of(column.type))
        return element(column.type, place, k, column.path(k));
    }
  }
  return std::nullopt;
}

}  // namespace lockstep::shader_case
