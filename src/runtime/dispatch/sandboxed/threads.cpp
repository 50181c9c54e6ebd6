#include "runtime/dispatch/threads.hpp"

#include <lockstep/dispatch/parallel.hpp>

namespace lockstep {

int available_threads() { return 1; }

void run_on_threads(std::size_t count, int,
                    const std::function<void(std::size_t, std::size_t)>& body) {
  body(0, count);
}

}  // namespace lockstep
