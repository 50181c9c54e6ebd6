#include "mpi/ranks.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>

#include <mpi.h>

#include <lockstep/exec/error.hpp>

namespace lockstep::mpi {
namespace {

class MpiRanks : public explore::Ranks {
 public:
  explicit MpiRanks(std::function<bool()> is_over) : is_over_(std::move(is_over)) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }
  /// Without the others, MPI_Finalize would wait forever.
  ~MpiRanks() override {
    if (!lost_) MPI_Finalize();
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int rank() const override { return rank_; }
  int count() const override { return count_; }

  std::vector<std::string> exchange(const std::string& mine) override {
    if (lost_) return {};
    const int size = size_of(mine.size());
    std::vector<int> sizes(static_cast<std::size_t>(count_));
    MPI_Request request;
    MPI_Iallgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD, &request);
    if (!wait(request)) return {};
    std::vector<int> starts(sizes.size());
    std::exclusive_scan(sizes.begin(), sizes.end(), starts.begin(), 0);
    std::string all(static_cast<std::size_t>(
                        size_of(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}))),
                    '\0');
    MPI_Iallgatherv(mine.data(), size, MPI_BYTE, all.data(), sizes.data(), starts.data(), MPI_BYTE,
                    MPI_COMM_WORLD, &request);
    if (!wait(request)) return {};
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < sizes.size(); ++k)
      texts.push_back(
          all.substr(static_cast<std::size_t>(starts[k]), static_cast<std::size_t>(sizes[k])));
    return texts;
  }

 private:
  /// MPI counts bytes in an int.
  static int size_of(std::uint64_t bytes) {
    if (bytes > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
      throw Error("the ranks' results are more than 2 GiB: explore with smaller buffers");
    return static_cast<int>(bytes);
  }

  /// Whether the others came. Without sleeping, a rank that waits would take the time of one that runs.
  bool wait(MPI_Request& request) {
    for (;;) {
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done != 0) return true;
      if (is_over_()) break;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    lost_ = true;
    return false;
  }

  std::function<bool()> is_over_;
  int rank_ = 0, count_ = 1;
  bool lost_ = false;
};

}  // namespace
}  // namespace lockstep::mpi

extern "C" [[gnu::visibility("default")]] lockstep::mpi::OpenRanks lockstep_mpi_ranks;

lockstep::explore::Ranks* lockstep_mpi_ranks(std::function<bool()> is_over) {
  return std::make_unique<lockstep::mpi::MpiRanks>(std::move(is_over)).release();
}
