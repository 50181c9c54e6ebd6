#include "cli/trace/page.hpp"

#include <algorithm>
#include <utility>

#include "io/types.hpp"

namespace lockstep::cli {
namespace {

/// The first elements of a buffer as the page shows them.
std::vector<std::string> elements_of(const npy::Array& array, std::size_t count) {
  const std::size_t bytes = lockstep::io::bytes_of(array.dtype);
  std::vector<std::string> elements;
  for (std::size_t k = 0; k < count; ++k)
    elements.push_back(lockstep::io::to_text(array.dtype, array.bytes.data() + k * bytes));
  return elements;
}

render::Buffer page_buffer(const BoundBuffer& before, const BoundBuffer& after) {
  constexpr std::size_t most_elements = 256;
  const std::size_t all = after.array.bytes.size() / lockstep::io::bytes_of(after.array.dtype);
  const std::size_t shown = std::min(all, most_elements);
  return {after.title(), elements_of(before.array, shown), elements_of(after.array, shown),
          all - shown};
}

}  // namespace

PageRun::PageRun(TracedRun run) : run_(std::move(run)) {
  findings_.add(run_.findings);
  for (std::size_t k = 0; k < run_.written.size(); ++k)
    buffers_.push_back(page_buffer(run_.before[k], run_.written[k]));
}

}  // namespace lockstep::cli
