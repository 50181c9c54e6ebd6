#include "cli/demo/demo.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/dispatch/parallel.hpp>

#include "cli/limits.hpp"
#include "io/npy.hpp"
#include "prefix_sum/local_size.hpp"
#include "registry/registry.hpp"

namespace lockstep::cli {
namespace {

constexpr int workgroup_size = kernels::prefix_sum_local_size;
constexpr std::uint64_t max_elements = std::numeric_limits<std::uint32_t>::max();

struct DemoOptions {
  std::string input;
  std::string output;
  std::vector<int> subgroup_sizes{8, 16, 24, 32, 64, 128};
  std::uint64_t elements = std::uint64_t{1} << 24;
  int threads = std::min(available_threads(), max_threads);
  bool json = false;
};

using Values = std::vector<std::uint32_t>;

// ---- Input ----

// A program that asks for more than the machine has may be killed instead of getting an error.
void require_memory(std::uint64_t elements) {
  constexpr std::uint64_t arrays = 3;  // input, output and expected values
  const auto machine = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                       static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t needed = arrays * elements * sizeof(std::uint32_t);
  if (needed <= machine) return;
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  throw UsageError(fmt::format(
      "{} elements need {:.1f} GiB of memory, the machine has {:.1f}; use fewer elements", elements,
      static_cast<double>(needed) / gib, static_cast<double>(machine) / gib));
}

Values random_values(std::uint64_t elements) {
  Values values(elements);
  std::mt19937 random;  // the default seed: every run sees the same values
  std::ranges::generate(values, [&random] { return static_cast<std::uint32_t>(random()); });
  return values;
}

Values input_values(const DemoOptions& options) {
  if (options.input.empty()) {
    require_memory(options.elements);
    return random_values(options.elements);
  }
  Values values = npy::read<std::uint32_t>(options.input);
  require_memory(values.size());
  return values;
}

// ---- Measuring ----

struct WrongElement {
  std::size_t index;
  std::uint32_t expected;
  std::uint32_t got;
};

struct Measurement {
  double seconds;  // of the fastest run, or of the run that failed
  std::optional<WrongElement> wrong;
};

struct Row {
  int subgroup_size;
  int subgroups_per_workgroup;
  Measurement measurement;
};

std::optional<WrongElement> find_wrong(const Values& expected, std::span<const std::uint32_t> got) {
  const auto [want, have] = std::ranges::mismatch(expected, got);
  if (want == expected.end()) return std::nullopt;
  return WrongElement{static_cast<std::size_t>(want - expected.begin()), *want, *have};
}

// Runs `fill_output` once to warm up and then for about a second. Before each run every output
// element is made wrong, after each run every element is checked; neither is timed.
template <class F>
Measurement measure(const F& fill_output, std::span<std::uint32_t> output, const Values& expected) {
  using Clock = std::chrono::steady_clock;
  constexpr int most_runs = 20;
  constexpr std::chrono::duration<double> time_limit(0.9);
  Measurement result{std::numeric_limits<double>::infinity(), std::nullopt};
  const Clock::time_point begin = Clock::now();
  const auto time_is_left = [&] { return Clock::now() - begin < time_limit; };
  for (int run = 0; run < 2 || (run <= most_runs && time_is_left()); ++run) {
    std::ranges::transform(expected, output.begin(), [](std::uint32_t v) { return ~v; });
    const Clock::time_point start = Clock::now();
    fill_output();
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    result.wrong = find_wrong(expected, output);
    if (result.wrong) return {elapsed.count(), result.wrong};
    const bool is_warm_up = run == 0;
    if (!is_warm_up) result.seconds = std::min(result.seconds, elapsed.count());
  }
  return result;
}

// The fastest that this machine can read and write the values once: the reference for the kernel,
// with the same number of threads. Pieces too small to repay starting a thread use fewer threads.
void parallel_memcpy(std::span<const std::uint32_t> in, std::span<std::uint32_t> out, int threads) {
  if (in.empty()) return;
  constexpr std::size_t smallest_piece = std::size_t{1} << 18;
  const std::size_t pieces =
      std::clamp<std::size_t>(in.size() / smallest_piece, 1, static_cast<std::size_t>(threads));
  const auto copy_piece = [=](std::size_t piece) {
    const std::size_t begin = in.size() * piece / pieces;
    const std::size_t end = in.size() * (piece + 1) / pieces;
    std::memcpy(out.data() + begin, in.data() + begin, (end - begin) * sizeof(std::uint32_t));
  };
  std::vector<std::jthread> helpers;
  for (std::size_t piece = 1; piece < pieces; ++piece) helpers.emplace_back(copy_piece, piece);
  copy_piece(0);
}

// ---- Output ----

// One ideal pass reads and writes every element once.
std::optional<double> gigabytes_per_second(std::size_t elements, double seconds) {
  if (elements == 0 || seconds <= 0) return std::nullopt;
  return static_cast<double>(elements) * 2 * sizeof(std::uint32_t) / seconds * 1e-9;
}

std::optional<double> ratio(std::size_t elements, double memcpy_seconds, double seconds) {
  if (elements == 0 || seconds <= 0) return std::nullopt;
  return memcpy_seconds / seconds;
}

std::string three_digits(double value) {
  return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

std::string show_rate(std::optional<double> rate) { return rate ? three_digits(*rate) : "-"; }

std::string show_percent(std::optional<double> part) {
  return part ? three_digits(100 * *part) + " %" : "-";
}

std::string show_time(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 1e-3) return three_digits(seconds * 1e6) + " µs";
  if (seconds < 1) return three_digits(seconds * 1e3) + " ms";
  return three_digits(seconds) + " s";
}

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

// A table that appears row by row as the sizes finish.
class Table {
 public:
  Table(const DemoOptions& options, std::size_t elements, double memcpy_seconds)
      : elements_(elements), memcpy_seconds_(memcpy_seconds) {
    const std::string threads = counted(static_cast<std::size_t>(options.threads), "thread");
    fmt::print("Inclusive prefix sum of {}, workgroups of {}, {}\n",
               counted(elements, "uint32 value"), workgroup_size, threads);
    fmt::print("memcpy of the same bytes, {}: {}, {} GB/s\n\n", threads, show_time(memcpy_seconds),
               show_rate(gigabytes_per_second(elements, memcpy_seconds)));
    fmt::print("subgroup  subgroups per\n");
    fmt::print("    size      workgroup       time     GB/s  of memcpy  result\n");
    flush_output();
  }

  void add(const Row& row) const {
    const auto& [seconds, wrong] = row.measurement;
    fmt::print("{:>8}  {:>13}  {:>9}  {:>7}  {:>9}  {}\n", row.subgroup_size,
               row.subgroups_per_workgroup, show_time(seconds),
               show_rate(gigabytes_per_second(elements_, seconds)),
               show_percent(ratio(elements_, memcpy_seconds_, seconds)), wrong ? "wrong" : "ok");
    if (wrong) {
      fmt::print("{:>8}  element {}: expected {}, got {}\n", "", wrong->index, wrong->expected,
                 wrong->got);
    }
    flush_output();
  }

 private:
  std::size_t elements_;
  double memcpy_seconds_;
};

nlohmann::ordered_json number_or_null(std::optional<double> value) {
  if (value) return *value;
  return nullptr;
}

nlohmann::ordered_json to_json(const Row& row, std::size_t elements, double memcpy_seconds) {
  const auto& [seconds, wrong] = row.measurement;
  nlohmann::ordered_json json{
      {"subgroup_size", row.subgroup_size},
      {"subgroups_per_workgroup", row.subgroups_per_workgroup},
      {"seconds", seconds},
      {"gigabytes_per_second", number_or_null(gigabytes_per_second(elements, seconds))},
      {"ratio_to_memcpy", number_or_null(ratio(elements, memcpy_seconds, seconds))},
      {"ok", !wrong},
  };
  if (wrong) {
    json["wrong"] = {{"index", wrong->index}, {"expected", wrong->expected}, {"got", wrong->got}};
  }
  return json;
}

void print_json(const DemoOptions& options, std::size_t elements, double memcpy_seconds,
                const std::vector<Row>& rows, bool ok) {
  nlohmann::ordered_json json{
      {"elements", elements},
      {"threads", options.threads},
      {"workgroup_size", workgroup_size},
      {"memcpy",
       {{"seconds", memcpy_seconds},
        {"gigabytes_per_second", number_or_null(gigabytes_per_second(elements, memcpy_seconds))}}},
      {"sizes", nlohmann::ordered_json::array()},
      {"ok", ok},
  };
  for (const Row& row : rows) json["sizes"].push_back(to_json(row, elements, memcpy_seconds));
  fmt::print("{}\n", json.dump(2));
}

// ---- The job ----

// The arrays move into the job and back, so that there is one of each.
Row measure_kernel(Values& in, Values& out, const Values& expected, int subgroup_size,
                   int threads) {
  static const kernels::Entry& prefix_sum = *kernels::find_kernel("prefix_sum");
  std::vector<kernels::Argument> inputs;
  inputs.push_back({"in", kernels::Role::input, std::move(in)});
  out = {};
  kernels::KernelCase job = prefix_sum.make_case(std::move(inputs), subgroup_size);
  const Device device{.subgroup_size = subgroup_size, .threads = threads};
  const int subgroups = (workgroup_size + subgroup_size - 1) / subgroup_size;
  Row row{subgroup_size, subgroups,
          measure([&] { kernels::run(device, job); },
                  kernels::values<std::uint32_t>(job.arguments[1]), expected)};
  in = std::get<Values>(std::move(job.arguments[0].values));
  out = std::get<Values>(std::move(job.arguments[1].values));
  return row;
}

ExitCode run(const DemoOptions& options) {
  if (!options.output.empty()) npy::check_writable(options.output);
  Values in = input_values(options);
  Values out(in.size());
  const auto run_memcpy = [&] { parallel_memcpy(in, out, options.threads); };
  const double memcpy_seconds = measure(run_memcpy, out, in).seconds;
  Values expected(in.size());
  std::inclusive_scan(in.begin(), in.end(), expected.begin());

  std::optional<Table> table;
  if (!options.json) table.emplace(options, in.size(), memcpy_seconds);
  std::vector<Row> rows;
  for (const int size : options.subgroup_sizes) {
    rows.push_back(measure_kernel(in, out, expected, size, options.threads));
    if (table) table->add(rows.back());
  }
  const auto is_right = [](const Row& row) { return !row.measurement.wrong; };
  const bool ok = std::ranges::all_of(rows, is_right);
  if (options.json) print_json(options, in.size(), memcpy_seconds, rows, ok);
  if (!ok) return exit_failed;
  if (!options.output.empty()) npy::write<std::uint32_t>(options.output, out);
  return exit_fine;
}

}  // namespace

Command demo_command(CLI::App& program) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* app = program.add_subcommand(
      "demo", "Run the prefix-sum kernel at several subgroup sizes, check and time it");
  CLI::Option* input =
      app->add_option("--input", options->input, "Sum this one-dimensional uint32 .npy array")
          ->option_text("FILE");
  app->add_option("--output", options->output, "Write the sums to this .npy file")
      ->option_text("FILE");
  app->add_option("--subgroup-size", options->subgroup_sizes,
                  "Lanes in a subgroup, 1 to 128, repeatable (default: 8 16 24 32 64 128)")
      ->option_text("N")
      ->type_name("N")
      ->allow_extra_args(false)
      ->check(CLI::Range(1, max_lanes).description(""));
  app->add_option("--elements", options->elements,
                  "Without --input: sum this many pseudo-random values (default: 16777216)")
      ->option_text("N")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{0}, max_elements).description(""))
      ->excludes(input);
  app->add_option("--threads", options->threads,
                  "Threads that run workgroups (default: one per processor)")
      ->option_text("N")
      ->type_name("N")
      ->check(CLI::Range(1, max_threads).description(""));
  app->add_flag("--json", options->json, "Print JSON instead of a table");
  app->footer(
      "Every element is compared with std::inclusive_scan.\n"
      "Exit status: 0 success, 1 a wrong element, 2 wrong usage or input.\n"
      "\n"
      "Examples:\n"
      "  lockstep demo\n"
      "  lockstep demo --subgroup-size 24 --subgroup-size 32 --threads 1\n"
      "  lockstep demo --input values.npy --output sums.npy");
  return {app, [options] { return run(*options); }};
}

}  // namespace lockstep::cli
