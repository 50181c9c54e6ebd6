#include "cli/verify/all.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "cli/ranks.hpp"
#include "cli/verify/in_threads.hpp"
#include "cli/verify/report.hpp"
#include "explore/ranks.hpp"
#include "shader/front/temporary_folder.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

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
  return in_threads({first, count, subjects.size()}, options.threads, "entries",
                    [&](std::size_t k) {
                      all[k] = verify_without_throwing(subjects[k], options,
                                                       logs ? logs->file(std::to_string(k)) : "");
                    });
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
  const std::atomic<bool>& interrupted = InterruptHandler::interrupted();
  const std::unique_ptr<explore::Ranks> ranks =
      cli::ranks([&interrupted] { return interrupted.load(); });
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
