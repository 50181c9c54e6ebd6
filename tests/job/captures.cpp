#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "job/captures.hpp"
#include "judgement/judge.hpp"

/// \file
/// Real devices are never wrong, but where a driver is known to deviate.

namespace {

using namespace lockstep;
using namespace lockstep::test;
using judgement::Verdict;

}  // namespace

TEST_CASE("nothing that real devices gave is wrong") {
  std::map<std::string, std::size_t> known = known_deviations();
  std::size_t jobs = 0, elements = 0;
  const std::vector<std::string> devices = captured_devices();
  CHECK(devices.size() >= 3);
  for (const std::string& device : devices) {
    const Directory directory;
    for (const std::filesystem::path& folder : unpacked(device, directory)) {
      const std::string name = device + " " + folder.filename().string();
      CAPTURE(name);
      const job::Replay replay(job::read(folder));
      const bool is_known = known.contains(name);
      judgement::Options options;
      options.explain = !is_known;
      const judgement::Judgement judgement = judgement::judge(replay, options);
      ++jobs;
      for (const judgement::Buffer& judged : judgement.buffers) elements += judged.result.elements;
      const std::size_t wrong = judgement.count(Verdict::wrong);
      if (wrong > 0 && !is_known) {
        for (const judgement::Buffer& judged : judgement.buffers) {
          for (const judgement::Element& first : judged.result.first)
            UNSCOPED_INFO("[" << first.index << "] " << first.device << ", here " << first.reference
                              << ", allowed " << first.low << " to " << first.high << " "
                              << first.reason);
        }
      }
      CHECK(wrong == (is_known ? known[name] : 0));
      known.erase(name);
    }
  }
  // Captures of deviations are there.
  CHECK(known.empty());
  CHECK(jobs >= 3 * 100);
  CHECK(elements >= 100000);
}
