#include "cli/trace/page.hpp"

#include <utility>

namespace lockstep::cli {
namespace {

render::Buffer page_buffer(const BoundBuffer& before, const BoundBuffer& after) {
  return render::shown_buffer(after.title(), after.array.dtype, before.array.bytes,
                              after.array.bytes);
}

}  // namespace

PageRun::PageRun(TracedRun run) : run_(std::move(run)) {
  findings_.add(run_.findings);
  for (std::size_t k = 0; k < run_.written.size(); ++k)
    buffers_.push_back(page_buffer(run_.before[k], run_.written[k]));
}

}  // namespace lockstep::cli
