#include <array>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "job/captures.hpp"
#include "job/mutations.hpp"
#include "judgement/judge.hpp"

/// \file
/// docs/reference/conformance.md is what judging the captures gives. `LOCKSTEP_UPDATE_DOCS=1 ctest -R job/conformance` writes it.

namespace {

using namespace lockstep;
using namespace lockstep::test;
using judgement::Verdict;

using Counts = std::array<std::size_t, judgement::verdict_count>;

std::size_t sum(const Counts& counts) {
  std::size_t all = 0;
  for (const std::size_t count : counts) all += count;
  return all;
}

/// What is known of a device.
struct Device {
  std::string name, driver;
  int subgroup_size = 0;
  std::size_t jobs = 0, in_order = 0;
  Counts counts{};
  std::map<std::string, std::size_t> orders;  ///< buffers, by the order of sums that fits best
  std::vector<std::string>
      explained;  ///< jobs that another legal behaviour explains, and its dimensions
  /// By the first part of the job's name, then by the rest.
  std::map<std::string, std::map<std::string, Counts>> by_name;
};

/// The order in which a device always adds and multiplies between lanes; nothing where no known one fits all.
std::optional<FloatOrder> order_of(const std::string& archive) {
  if (archive == "nvidia-h200") return FloatOrder::hillis_steele;
  if (archive == "llvmpipe") return FloatOrder::left_fold;
  return {};
}

/// Whether a job's results fit an order, and that leaves them less room; mutates them if so.
bool fits(const job::Replay& replay, FloatOrder order, Mutations::Tables& mutations) {
  judgement::Options options;
  options.explain = false;
  options.order = order;
  if (judgement::judge(replay, options).count(Verdict::wrong) > 0) return false;
  Mutations(replay, mutations, order).run();
  return true;
}

Device judged(const std::string& archive, Mutations::Tables& mutations,
              Mutations::Tables& ordered) {
  const Directory directory;
  Device device;
  for (const std::filesystem::path& folder : unpacked(archive, directory)) {
    const job::Replay replay(job::read(folder));
    const std::string name = folder.filename().string();
    judgement::Options options;
    options.explain = !known_deviations().contains(archive + " " + name);
    const judgement::Judgement judgement = judgement::judge(replay, options);
    Mutations(replay, mutations).run();
    if (const auto order = order_of(archive);
        order && room_of(replay.job()).starts_with("sums and products")) {
      ++device.in_order;
      INFO(name << " in the device's order");
      CHECK(fits(replay, *order, ordered));
    }
    if (judgement.explanation) {
      std::string& on = device.explained.emplace_back(name + ":");
      for (const std::string& dimension : judgement.explanation->on) on += " " + dimension;
    }
    const job::Job& job = replay.job();
    device.name = job.device.at("name").get<std::string>();
    device.driver = job.device.at("driver").get<std::string>();
    device.subgroup_size = job.subgroup_size;
    ++device.jobs;
    const std::size_t dot = name.find('.');
    Counts& counts =
        device.by_name[name.substr(0, dot)][dot == name.npos ? "" : name.substr(dot + 1)];
    for (const judgement::Buffer& judged : judgement.buffers) {
      for (std::size_t k = 0; k < counts.size(); ++k) {
        counts[k] += judged.result.counts[k];
        device.counts[k] += judged.result.counts[k];
      }
      if (!judged.result.order.empty()) ++device.orders[judged.result.order];
    }
  }
  return device;
}

/// "u8 i16 f32: 12 allowed of 384": types whose results are all equal first.
std::string cell(const std::map<std::string, Counts>& types) {
  std::string equal, others;
  for (const auto& [type, counts] : types) {
    const std::string name = type.empty() ? "equal" : type;
    if (counts[static_cast<std::size_t>(Verdict::equal)] == sum(counts)) {
      equal += (equal.empty() ? "" : " ") + name;
      continue;
    }
    std::string parts;
    for (std::size_t k = 1; k < counts.size(); ++k) {
      if (counts[k] > 0)
        parts += (parts.empty() ? "" : ", ") + std::to_string(counts[k]) + " " +
                 judgement::name_of(static_cast<Verdict>(k));
    }
    others += (others.empty() ? "" : "; ") + (type.empty() ? "" : type + ": ") + parts + " of " +
              std::to_string(sum(counts));
  }
  return equal + (equal.empty() || others.empty() ? "" : "; ") + others;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// "96.4 % of 1240", or nothing.
std::string share(std::size_t caught, std::size_t all) {
  if (all == 0) return "";
  std::ostringstream out;
  out << std::fixed << std::setprecision(1)
      << 100 * static_cast<double>(caught) / static_cast<double>(all) << " % of " << all;
  return out.str();
}

/// What is noticed of all mutations together, of single elements or of whole jobs, too.
Noticed total(const Mutations::Table& table, bool whole_jobs = true) {
  Noticed all;
  for (const auto& [name, noticed] : table) {
    if (whole_jobs || name != Mutations::of_whole_jobs) all.add(noticed);
  }
  return all;
}

void print(std::ostream& out, const std::string& what, const Mutations::Table& table) {
  out << "\n| " << what
      << " | integers | floats | shown to be allowed | of the other floats | of results without "
         "bounds |\n| --- | --- | --- | --- | --- | --- |\n";
  const auto row = [&](const std::string& name, const Noticed& noticed) {
    out << "| " << name << " | " << share(noticed.exact_caught, noticed.exact) << " | "
        << share(noticed.floats_caught, noticed.floats) << " | "
        << (noticed.floats > 0 ? std::to_string(noticed.inside) : "") << " | "
        << share(noticed.floats_caught, noticed.detectable()) << " | " << noticed.free << " |\n";
  };
  for (const auto& [name, noticed] : table) {
    if (name != Mutations::of_whole_jobs) row(name, noticed);
  }
  if (const auto whole = table.find(Mutations::of_whole_jobs); whole != table.end())
    row(whole->first, whole->second);
  if (what != "mutation") return;
  row("all but that", total(table, false));
  row("all", total(table));
}

/// The page, and what was noticed of mutations of single elements.
struct Conformance {
  std::string text;
  Noticed noticed;
};

Conformance conformance() {
  std::vector<Device> devices;
  Mutations::Tables mutations, ordered;
  for (const std::string& archive : captured_devices())
    devices.push_back(judged(archive, mutations, ordered));
  std::ostringstream out;
  out << text_of(gpu_data / "conformance_head.md") << "\n";
  out << "| device | driver | subgroups of | jobs | elements | equal | allowed | unordered | "
         "undefined | racy | open | wrong |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- "
         "| --- | --- | --- "
         "|\n";
  for (const Device& device : devices) {
    out << "| " << device.name << " | " << device.driver << " | " << device.subgroup_size << " | "
        << device.jobs << " | " << sum(device.counts);
    for (const std::size_t count : device.counts) out << " | " << count;
    out << " |\n";
  }
  out << "\nSums and products between lanes, by buffers whose elements fit one order best:";
  for (const Device& device : devices) {
    out << "\n\n- " << device.name << ":";
    if (device.orders.empty()) out << " none needs another order than Lockstep's";
    for (const auto& [order, buffers] : device.orders) out << " `" << order << "` " << buffers;
    if (device.in_order > 0)
      out << "; held to it by `--strict-order`, all " << device.in_order
          << " jobs of reductions and scans are right";
  }
  out << "\n\nJobs in which the device chose otherwise than Lockstep where nothing is promised, "
         "and what:\n";
  for (const Device& device : devices) {
    for (const std::string& job : device.explained) out << "\n- " << device.name << ", " << job;
  }
  out << "\n\n" << text_of(gpu_data / "conformance_deviations.md") << "\n";
  out << text_of(gpu_data / "conformance_mutations.md");
  print(out, "mutation", mutations.by_mutation);
  out << "\nThe same by what gives the results their room:\n";
  Mutations::Table by_room = mutations.by_room;
  by_room.merge(ordered.by_room);
  print(out, "results of", by_room);
  out << "\nThe freedoms that let a device give those that are shown to be allowed:\n\n| freedom | "
         "mutations "
         "|\n| --- | --- |\n";
  for (const auto& [freedom, count] : mutations.inside)
    out << "| " << freedom << " | " << count << " |\n";
  out << "\n" << text_of(gpu_data / "conformance_driver.md");
  out << "\n## By built-in and program\n\n"
      << "Types without a remark are equal in every element.\n\n| |";
  for (const Device& device : devices) out << " " << device.name << " |";
  out << "\n| --- |";
  for (std::size_t k = 0; k < devices.size(); ++k) out << " --- |";
  out << "\n";
  std::set<std::string> names;
  for (const Device& device : devices) {
    for (const auto& [name, types] : device.by_name) names.insert(name);
  }
  for (const std::string& name : names) {
    out << "| " << name << " |";
    for (const Device& device : devices) {
      const auto found = device.by_name.find(name);
      out << " " << (found == device.by_name.end() ? "not captured" : cell(found->second)) << " |";
    }
    out << "\n";
  }
  return {out.str(), total(mutations.by_mutation, false)};
}

const std::filesystem::path page = LOCKSTEP_SOURCE_DIR "/docs/reference/conformance.md";

}  // namespace

TEST_CASE("docs/reference/conformance.md is current") {
  const auto [current, noticed] = conformance();
  if (const char* update = std::getenv("LOCKSTEP_UPDATE_DOCS");
      update != nullptr && *update == '1') {
    std::ofstream(page) << current;
  }
  INFO("to write it: LOCKSTEP_UPDATE_DOCS=1 ctest -R job/conformance");
  CHECK(current == text_of(page));
  // What is exactly defined leaves no room.
  CHECK(noticed.exact_caught >= noticed.exact / 100 * 99);
  CHECK(noticed.floats_caught >= noticed.detectable() / 100 * 90);
}
