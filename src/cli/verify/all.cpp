#include "cli/verify/all.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "cli/run_progress.hpp"
#include "cli/verify/report.hpp"
#include "explore/ranks.hpp"
#include "mpi/mpi_ranks.hpp"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Set by Ctrl-C, and by mpirun when a rank is lost.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);
extern "C" void on_verify_interrupt(int) { interrupted = true; }

/// Lets Ctrl-C set `interrupted` while it exists, unless SIGINT is ignored.
class InterruptHandler {
 public:
  InterruptHandler() : before_(std::signal(SIGINT, on_verify_interrupt)) {
    if (before_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);
  }
  ~InterruptHandler() { std::signal(SIGINT, before_); }
  InterruptHandler(const InterruptHandler&) = delete;
  InterruptHandler& operator=(const InterruptHandler&) = delete;

 private:
  void (*before_)(int);
};

/// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "lockstep-verify-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw UsageError(fmt::format("{}: cannot create a temporary folder", name));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code none;
    fs::remove_all(path_, none);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

/// A line of progress, if standard error is a terminal.
class VerifyProgress {
 public:
  explicit VerifyProgress(std::size_t all) : all_(all) {}
  ~VerifyProgress() {
    if (shows_) std::fputs("\r\033[K", stderr);
  }
  VerifyProgress(const VerifyProgress&) = delete;
  VerifyProgress& operator=(const VerifyProgress&) = delete;

  void add() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (!shows_) return;
    const auto time = std::chrono::steady_clock::now() - started_;
    const auto line = progress_line(done_, all_, time, columns_of_terminal(), "entries");
    std::fputs(fmt::format("\r{}\033[K", line).c_str(), stderr);
  }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::size_t all_, done_ = 0;
  bool shows_ = isatty(STDERR_FILENO) == 1;
  std::mutex mutex_;
};

using BySubject = std::vector<std::vector<Verified>>;  ///< the results of each subject

std::vector<Verified> verify_without_throwing(const Subject& subject, const VerifyOptions& options,
                                              const std::string& logs) {
  try {
    return verify(subject, options, logs);
  } catch (const std::exception& error) {
    Verified failed;
    failed.subject = subject;
    failed.say(Standing::not_run, error.what());
    return {failed};
  }
}

/// Verifies every `count`th subject from `first` on, in threads that each wait for a process. Returns the number done.
std::size_t verify_part(const std::vector<Subject>& subjects, const VerifyOptions& options,
                        std::size_t first, std::size_t count, BySubject& all) {
  const auto logs = options.sarif.empty() ? std::unique_ptr<TemporaryFolder>()
                                          : std::make_unique<TemporaryFolder>();
  std::atomic<std::size_t> next = first, done = 0;
  VerifyProgress progress((subjects.size() + count - 1 - first) / count);
  const auto work = [&] {
    for (;;) {
      const std::size_t k = next.fetch_add(count);
      if (k >= subjects.size() || interrupted) return;
      all[k] = verify_without_throwing(subjects[k], options, logs ? *logs / std::to_string(k) : "");
      if (interrupted) return;
      ++done;
      progress.add();
    }
  };
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const auto threads = options.threads > 0 ? static_cast<unsigned>(options.threads) : cores;
  std::vector<std::jthread> workers;
  for (unsigned k = 0; k < threads; ++k) workers.emplace_back(work);
  workers.clear();
  return done;
}

// ---- Ranks of mpirun ----

std::string to_message(const BySubject& all) {
  Json message = Json::object();
  for (std::size_t k = 0; k < all.size(); ++k) {
    for (const Verified& one : all[k]) message[std::to_string(k)].push_back(to_message(one));
  }
  return message.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void add_message(const std::string& message, const std::vector<Subject>& subjects, BySubject& all) {
  const Json parts = Json::parse(message);
  for (const auto& [k, results] : parts.items()) {
    const std::size_t at = std::stoul(k);
    all[at].clear();
    for (const Json& one : results) all[at].push_back(from_message(one, subjects[at]));
  }
}

}  // namespace

AllVerified verify_all(const std::vector<Subject>& subjects, const VerifyOptions& options) {
  const InterruptHandler handler;
  const std::unique_ptr<explore::Ranks> ranks = mpi::ranks([] { return interrupted.load(); });
  if (ranks) std::signal(SIGTERM, on_verify_interrupt);  // mpirun's, when a rank is lost
  const std::size_t rank = ranks ? static_cast<std::size_t>(ranks->rank()) : 0;
  const std::size_t count = ranks ? static_cast<std::size_t>(ranks->count()) : 1;
  VerifyOptions stoppable = options;
  stoppable.stop = &interrupted;
  BySubject all(subjects.size());
  AllVerified verified;
  verified.done = verify_part(subjects, stoppable, rank, count, all);
  verified.reports = rank == 0;
  if (ranks) {
    const std::vector<std::string> messages = ranks->exchange(to_message(all));
    if (messages.empty() && !interrupted)
      throw Error("a rank of mpirun was lost, and its entries with it; run it again");
    for (const std::string& message : messages) add_message(message, subjects, all);
  }
  verified.interrupted = interrupted;
  if (!verified.reports) return verified;
  for (std::vector<Verified>& of_subject : all)
    std::ranges::move(of_subject, std::back_inserter(verified.list));
  return verified;
}

}  // namespace lockstep::cli
