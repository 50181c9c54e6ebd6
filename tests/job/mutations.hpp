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

#include "io/types.hpp"
#include "job/freedom.hpp"
#include "job/numbers.hpp"
#include "judgement/judge.hpp"

/// \file
/// Results that are wrong on purpose: how many does the judge notice?

namespace lockstep::test {

/// How often a mutation was tried and noticed, on integers and on floats. `free` ones met results that are open, undefined
/// or unordered, which count as neither. Of those floats that were not noticed, `inside` are shown to be allowed.
struct Noticed {
  std::size_t exact = 0, exact_caught = 0, floats = 0, floats_caught = 0, inside = 0, free = 0;

  /// Mutations of floats that are not shown to be allowed.
  std::size_t detectable() const { return floats - inside; }

  void add(const Noticed& other) {
    exact += other.exact;
    exact_caught += other.exact_caught;
    floats += other.floats;
    floats_caught += other.floats_caught;
    inside += other.inside;
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
  if (from("arithmetic") || from("cancel") || from("split") || from("controls") ||
      from("convert") || from("derivative"))
    return "arithmetic and conversions";
  if (from("shuffle") || from("rotate") || from("all_equal")) return "moves between lanes";
  if (from("image") || from("texels") || from("sample") || from("texture") || from("gradient") ||
      from("implicit") || from("array"))
    return "images and samplers";
  return "programs";
}

/// Mutates the right outputs of a job, one element at a time.
class Mutations {
 public:
  using Table = std::map<std::string, Noticed>;
  /// The mutation that all elements have at once.
  static constexpr const char* of_whole_jobs = "half the subgroup size";
  struct Tables {
    Table by_mutation, by_room;
    std::map<std::string, std::size_t>
        inside;  ///< what lets devices give mutations that are not noticed
  };

  /// Of a device whose sums between lanes always have one order.
  Mutations(const job::Replay& replay, Tables& tables, std::optional<FloatOrder> order = {})
      : replay_(replay),
        judge_(replay, without_explanation(order)),
        freedom_(replay.job()),
        table_(tables.by_mutation),
        inside_(tables.inside),
        room_(tables.by_room[room_of(replay.job()) + (order ? ", in the device's order" : "")]) {
    for (const job::Binding& binding : replay.job().bindings) outputs_.push_back(binding.output);
  }

  void run() {
    const judgement::Judgement right = judge_(outputs_);
    if (right.count(judgement::Verdict::wrong) > 0) return;
    for (const judgement::Buffer& judged : right.buffers) {
      if (!replay_.columns(judged.part).empty()) continue;
      std::vector<judgement::Verdict> verdicts;
      for (const auto& [verdict, count] : judged.result.runs)
        verdicts.insert(verdicts.end(), count, verdict);
      const std::size_t step = std::max<std::size_t>(1, verdicts.size() / 6) | 1;
      for (std::size_t k = step / 2; k < verdicts.size(); k += step) {
        const judgement::Verdict verdict = verdicts[k];
        if (verdict == judgement::Verdict::equal || verdict == judgement::Verdict::allowed)
          mutate(judged.part, k);
      }
    }
    half_the_size();
  }

 private:
  static judgement::Options without_explanation(std::optional<FloatOrder> order) {
    judgement::Options options;
    options.explain = false;
    options.order = order;
    return options;
  }

  npy::Dtype type_of(std::size_t binding) const { return replay_.job().bindings[binding].type; }
  std::uint64_t bits_at(std::size_t binding, std::size_t index) const {
    return test::bits_at(outputs_[binding], type_of(binding), index);
  }
  double number_at(std::size_t binding, std::size_t index) const {
    return test::number_at(outputs_[binding], type_of(binding), index);
  }

  using Change = std::pair<std::size_t, std::uint64_t>;  ///< of an element to other bits

  /// Judges with other bits in one element.
  void with(const std::string& name, std::size_t binding, std::size_t index, std::uint64_t bits) {
    with(name, binding, {{index, bits}});
  }
  /// Judges with other bits in some elements: one that is wrong is enough.
  void with(const std::string& name, std::size_t binding, const std::vector<Change>& changes) {
    const npy::Dtype type = type_of(binding);
    const std::size_t size = io::bytes_of(type);
    job::Contents changed = outputs_;
    for (const auto& [index, bits] : changes) {
      if (bits_at(binding, index) == bits) return;
      if (is_float(type) && std::isnan(number_at(binding, index))) return;
      std::memcpy(changed[binding].data() + index * size, &bits, size);
    }
    const judgement::Judgement judged = judge_(changed);
    bool caught = false, free = false;
    for (const auto& [index, bits] : changes) {
      const judgement::Verdict verdict = verdict_at(judged, binding, index);
      caught = caught || verdict == judgement::Verdict::wrong;
      free = free || verdict == judgement::Verdict::open ||
             verdict == judgement::Verdict::undefined || verdict == judgement::Verdict::unordered;
    }
    if (free && !caught) return note(name, {.free = 1});
    note(name, is_float(type), caught);
    if (caught || !is_float(type)) return;
    std::string room;
    for (const auto& [index, bits] : changes) {
      room = freedom_.allows(binding, index, test::number_at(changed[binding], type, index));
      if (room.empty()) return;
    }
    note(name, {.inside = 1});
    ++inside_[room];
  }
  static judgement::Verdict verdict_at(const judgement::Judgement& judgement, std::size_t binding,
                                       std::size_t index) {
    for (const judgement::Buffer& judged : judgement.buffers) {
      if (judged.part != binding) continue;
      for (const auto& [verdict, count] : judged.result.runs) {
        if (index < count) return verdict;
        index -= count;
      }
    }
    return judgement::Verdict::equal;
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
    const auto bits = static_cast<int>(8 * io::bytes_of(type));
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
    const std::size_t count = outputs_[binding].size() / io::bytes_of(type);
    if (index + 1 < count)
      with("two lanes' results swapped", binding,
           {{index, bits_at(binding, index + 1)}, {index + 1, bits_at(binding, index)}});
    if (bits > 16 && is_float(type) && std::abs(number_at(binding, index)) < 65504) {
      const float16_t narrow(static_cast<float>(number_at(binding, index)));
      with("rounded to 16 bits", binding, index, bits_of(type, static_cast<double>(narrow)));
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
    const std::vector<std::byte>& in = replay_.job().bindings[0].input;
    const std::vector<std::size_t> lanes = lanes_of_group(replay_.job(), index);
    if (lanes.size() < 2) return;
    const std::size_t lost = lanes[lanes.size() / 2];
    if (!is_float(type)) {
      const std::uint64_t sum = bits_at(binding, index) - test::bits_at(in, type, lost);
      const auto unused = 64 - 8 * io::bytes_of(type);
      with("a lost term", binding, index, sum << unused >> unused);
      return;
    }
    with("a lost term", binding, index,
         bits_of(type, number_at(binding, index) - test::number_at(in, type, lost)));
    if (type != npy::Dtype::float16) {
      float16_t sum(0.0f);
      for (const std::size_t lane : lanes)
        sum = sum + float16_t(static_cast<float>(test::number_at(in, type, lane)));
      with("a sum in 16 bits", binding, index, bits_of(type, static_cast<double>(sum)));
    }
    if (index / 64 == 1 && index % 64 > 0)
      with("a scan shifted by one", binding, index, bits_at(binding, index - 1));
  }

  /// What subgroups of half the size give, all of it taken for that of the captured size.
  void half_the_size() {
    const int size = replay_.job().subgroup_size / 2;
    if (size < 2) return;
    Dispatch how;
    how.deterministic = true;
    how.threads = 1;
    job::Contents other = replay_.inputs(), own = replay_.inputs();
    try {
      replay_.run(other, how, size);
    } catch (const Error&) {
      return;  // not for this size
    }
    replay_.run(own, how);
    for (std::size_t k = 0; k < other.size(); ++k) {
      if (outputs_[k].empty()) other[k].clear();
    }
    const judgement::Judgement judged = judge_(other);
    for (const judgement::Buffer& buffer : judged.buffers) {
      if (!replay_.columns(buffer.part).empty()) continue;
      std::size_t index = 0;
      for (const auto& [verdict, count] : buffer.result.runs) {
        for (std::size_t n = 0; n < count; ++n, ++index)
          note_other_size(buffer.part, index, verdict, own[buffer.part], other[buffer.part]);
      }
    }
  }
  /// Where the sizes give the same there is nothing to notice.
  void note_other_size(std::size_t binding, std::size_t index, judgement::Verdict verdict,
                       const std::vector<std::byte>& own, const std::vector<std::byte>& other) {
    const npy::Dtype type = type_of(binding);
    if (test::bits_at(own, type, index) == test::bits_at(other, type, index)) return;
    if (verdict == judgement::Verdict::open || verdict == judgement::Verdict::undefined ||
        verdict == judgement::Verdict::unordered)
      return note(of_whole_jobs, {.free = 1});
    const bool caught = verdict == judgement::Verdict::wrong;
    note(of_whole_jobs, is_float(type), caught);
    if (caught || !is_float(type)) return;
    const std::string room = freedom_.allows(binding, index, test::number_at(other, type, index));
    if (room.empty()) return;
    note(of_whole_jobs, {.inside = 1});
    ++inside_[room];
  }

  const job::Replay& replay_;
  judgement::Judge judge_;
  Freedom freedom_;
  Table& table_;
  std::map<std::string, std::size_t>& inside_;
  Noticed& room_;
  job::Contents outputs_;
};

}  // namespace lockstep::test
