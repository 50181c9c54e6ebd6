#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/lanes/float16.hpp>
#include <lockstep/spirv/float_order.hpp>

#include "job/judge.hpp"
#include "run/types.hpp"

/// \file
/// Results that are wrong on purpose: how many does the judge notice?

namespace lockstep::test {

/// How often a mutation was tried and noticed, on integers and on floats. `free` ones met results that are open, undefined
/// or unordered, which count as neither.
struct Noticed {
  std::size_t exact = 0, exact_caught = 0, floats = 0, floats_caught = 0, free = 0;

  void add(const Noticed& other) {
    exact += other.exact;
    exact_caught += other.exact_caught;
    floats += other.floats;
    floats_caught += other.floats_caught;
    free += other.free;
  }
};

/// What leaves the most room in a job's results.
inline std::string room_of(const job::Job& job) {
  const auto is = [&](const char* part) { return job.name.find(part) != std::string::npos; };
  const auto from = [&](const char* shader) {
    return job.source.ends_with(std::string("/") + shader + ".comp");
  };
  if (is(".wide.") || is(".small.") || is(".near1."))
    return "functions, at arguments where they are least precise";
  if (from("unary") || from("binary") || from("ternary") || from("geometric") || from("pack"))
    return "functions of GLSL.std.450";
  if (from("group") || from("clustered") || from("partition"))
    return "sums and products between lanes";
  if (from("denormal") || from("special") || from("mediump") || from("identities"))
    return "denormals, infinities, `mediump`, rearranging";
  if (from("arithmetic") || from("cancel") || from("split") || from("controls") || from("convert"))
    return "arithmetic and conversions";
  if (from("shuffle") || from("rotate") || from("all_equal") || from("image") || from("texels"))
    return "moves between lanes, images";
  return "programs";
}

/// Mutates the right outputs of a job, one element at a time.
class Mutations {
 public:
  using Table = std::map<std::string, Noticed>;
  struct Tables {
    Table by_mutation, by_room;
  };

  /// Of a device whose sums between lanes always have one order.
  Mutations(const job::Replay& replay, Tables& tables, std::optional<FloatOrder> order = {})
      : replay_(replay),
        judge_(replay, without_explanation(order)),
        table_(tables.by_mutation),
        room_(tables.by_room[room_of(replay.job()) + (order ? ", in the device's order" : "")]) {
    for (const job::Binding& binding : replay.job().bindings) outputs_.push_back(binding.output);
  }

  void run() {
    const job::Judgement right = judge_(outputs_);
    if (right.count(run::Verdict::wrong) > 0) return;
    for (const job::Judged& judged : right.buffers) {
      if (!replay_.columns(judged.binding).empty()) continue;
      std::vector<run::Verdict> verdicts;
      for (const auto& [verdict, count] : judged.result.runs)
        verdicts.insert(verdicts.end(), count, verdict);
      const std::size_t step = std::max<std::size_t>(1, verdicts.size() / 6) | 1;
      for (std::size_t k = step / 2; k < verdicts.size(); k += step) {
        const run::Verdict verdict = verdicts[k];
        if (verdict == run::Verdict::equal || verdict == run::Verdict::allowed)
          mutate(judged.binding, k);
      }
    }
    half_the_size();
  }

 private:
  static job::JudgeOptions without_explanation(std::optional<FloatOrder> order) {
    job::JudgeOptions options;
    options.explain = false;
    options.order = order;
    return options;
  }

  npy::Dtype type_of(std::size_t binding) const { return replay_.job().bindings[binding].type; }
  static bool is_float(npy::Dtype type) {
    return type == npy::Dtype::float16 || type == npy::Dtype::float32 ||
           type == npy::Dtype::float64;
  }
  std::uint64_t bits_at(std::size_t binding, std::size_t index) const {
    const std::size_t size = run::bytes_of(type_of(binding));
    std::uint64_t bits = 0;
    std::memcpy(&bits, outputs_[binding].data() + index * size, size);
    return bits;
  }
  double number_at(std::size_t binding, std::size_t index) const {
    const std::uint64_t bits = bits_at(binding, index);
    switch (type_of(binding)) {
      case npy::Dtype::float16:
        return static_cast<double>(std::bit_cast<float16_t>(static_cast<std::uint16_t>(bits)));
      case npy::Dtype::float32:
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      default:
        return std::bit_cast<double>(bits);
    }
  }
  std::uint64_t bits_of(npy::Dtype type, double value) const {
    switch (type) {
      case npy::Dtype::float16:
        return std::bit_cast<std::uint16_t>(float16_t(static_cast<float>(value)));
      case npy::Dtype::float32:
        return std::bit_cast<std::uint32_t>(static_cast<float>(value));
      default:
        return std::bit_cast<std::uint64_t>(value);
    }
  }

  /// Judges with other bits in one element.
  void with(const std::string& name, std::size_t binding, std::size_t index, std::uint64_t bits) {
    const std::uint64_t own = bits_at(binding, index);
    if (own == bits) return;
    const npy::Dtype type = type_of(binding);
    const std::size_t size = run::bytes_of(type);
    if (is_float(type) && std::isnan(number_at(binding, index))) return;
    job::Contents changed = outputs_;
    std::memcpy(changed[binding].data() + index * size, &bits, size);
    const job::Judgement judged = judge_(changed);
    const run::Verdict verdict = verdict_at(judged, binding, index);
    if (verdict == run::Verdict::open || verdict == run::Verdict::undefined ||
        verdict == run::Verdict::unordered)
      note(name, {.free = 1});
    else
      note(name, is_float(type), verdict == run::Verdict::wrong);
  }
  static run::Verdict verdict_at(const job::Judgement& judgement, std::size_t binding,
                                 std::size_t index) {
    for (const job::Judged& judged : judgement.buffers) {
      if (judged.binding != binding) continue;
      for (const auto& [verdict, count] : judged.result.runs) {
        if (index < count) return verdict;
        index -= count;
      }
    }
    return run::Verdict::equal;
  }
  void note(const std::string& name, bool floats, bool caught) {
    const std::size_t one = caught ? 1 : 0;
    note(name, floats ? Noticed{.floats = 1, .floats_caught = one}
                      : Noticed{.exact = 1, .exact_caught = one});
  }
  void note(const std::string& name, const Noticed& noticed) {
    table_[name].add(noticed);
    room_.add(noticed);
  }

  void mutate(std::size_t binding, std::size_t index) {
    const npy::Dtype type = type_of(binding);
    const auto bits = static_cast<int>(8 * run::bytes_of(type));
    const std::uint64_t own = bits_at(binding, index);
    const auto flip = [&](const char* name, int bit) {
      with(name, binding, index, own ^ (std::uint64_t{1} << bit));
    };
    if (is_float(type)) {
      const int digits = type == npy::Dtype::float16 ? 10 : type == npy::Dtype::float32 ? 23 : 52;
      flip("bit flipped: sign", bits - 1);
      flip("bit flipped: exponent", digits + 1);
      flip("bit flipped: highest of the significand", digits - 1);
      flip("bit flipped: middle of the significand", digits / 2);
      flip("bit flipped: lowest of the significand", 0);
    } else {
      flip("bit flipped: highest of an integer", bits - 1);
      flip("bit flipped: middle of an integer", bits / 2);
      flip("bit flipped: lowest of an integer", 0);
    }
    const std::size_t count = outputs_[binding].size() / run::bytes_of(type);
    if (index + 1 < count)
      with("the next lane's value", binding, index, bits_at(binding, index + 1));
    if (bits > 16 && is_float(type) && std::abs(number_at(binding, index)) < 65504) {
      const float16_t narrow(static_cast<float>(number_at(binding, index)));
      with("computed in 16 bits", binding, index, bits_of(type, static_cast<double>(narrow)));
    }
    with("a stale value", binding, index, 0);
    if (is_group()) group(binding, index);
  }

  /// Whether the job reduces and scans, with its inputs in binding 0.
  bool is_group() const { return replay_.job().source.ends_with("group.comp"); }

  void group(std::size_t binding, std::size_t index) {
    const npy::Dtype type = type_of(binding);
    const std::uint64_t one = is_float(type) ? bits_of(type, 1) : 1;
    // The third part is the exclusive scan.
    if (index / 64 == 2) {
      const bool is_product = replay_.job().name.find("Mul") != std::string::npos;
      with("another identity", binding, index / 64 * 64, is_product ? 0 : one);
    }
    if (replay_.job().name.find("Add") == std::string::npos) return;
    std::uint64_t term = 0;
    const std::vector<std::byte>& in = replay_.job().bindings[0].input;
    const std::size_t size = run::bytes_of(type);
    std::memcpy(&term, in.data() + index % 64 / 4 * 4 * size, size);
    if (!is_float(type)) {
      with("a lost term", binding, index, bits_at(binding, index) - term);
      return;
    }
    const double lost =
        type == npy::Dtype::float16
            ? static_cast<double>(std::bit_cast<float16_t>(static_cast<std::uint16_t>(term)))
        : type == npy::Dtype::float32 ? std::bit_cast<float>(static_cast<std::uint32_t>(term))
                                      : std::bit_cast<double>(term);
    with("a lost term", binding, index, bits_of(type, number_at(binding, index) - lost));
    if (index / 64 == 1 && index % 64 > 0)
      with("a scan shifted by one", binding, index, bits_at(binding, index - 1));
  }

  /// The results of subgroups of half the size, as a whole.
  void half_the_size() {
    const int size = replay_.job().subgroup_size / 2;
    if (size < 2) return;
    Dispatch how;
    how.deterministic = true;
    how.threads = 1;
    job::Contents contents = replay_.inputs();
    try {
      replay_.run(contents, how, size);
    } catch (const Error&) {
      return;  // not for this size
    }
    bool differs = false, floats = false;
    job::Contents changed = outputs_;
    for (std::size_t k = 0; k < changed.size(); ++k) {
      if (changed[k].empty()) continue;
      floats = floats || is_float(type_of(k));
      changed[k] = contents[k];
    }
    // Where the sizes give the same there is nothing to notice.
    job::Contents own = replay_.inputs();
    replay_.run(own, how);
    for (std::size_t k = 0; k < changed.size(); ++k)
      differs = differs || (!changed[k].empty() && own[k] != contents[k]);
    if (differs)
      note("half the subgroup size", floats, judge_(changed).count(run::Verdict::wrong) > 0);
  }

  const job::Replay& replay_;
  job::Judge judge_;
  Table& table_;
  Noticed& room_;
  job::Contents outputs_;
};

}  // namespace lockstep::test
