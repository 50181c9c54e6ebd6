#include "judgement/orders.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/module.hpp>

#include "judgement/judge.hpp"
#include "judgement/made_job.hpp"

/// \file
/// Results that depend on the order of atomics: devices with another order are right, and wrong numbers in their results are
/// noticed. Plain loops make the results, one invocation after another in a random order, and decide which ones are possible.

namespace {

using namespace lockstep;
using namespace lockstep::test;
using judgement::Verdict;
using Words = std::vector<std::uint32_t>;

const std::string shaders = LOCKSTEP_SOURCE_DIR "/tests/data/gpu/shaders/";

/// A program with its buffers, and what loops know of it.
struct Program {
  std::string name, file;
  std::uint32_t groups = 1;
  int size = 8;
  std::vector<Words> before;
  /// The buffers after the invocations, or subgroups, in a random order.
  std::function<std::vector<Words>(const std::vector<Words>& before, std::mt19937& random)> run;
  /// Whether any order leaves these buffers.
  std::function<bool(const std::vector<Words>& after)> is_possible;
  std::vector<std::size_t> judged;       ///< buffers that it writes
  std::string text = {};                 ///< without a file
  std::vector<std::size_t> floats = {};  ///< buffers of these, as their bits
};

std::vector<std::uint32_t> shuffled(std::size_t count, std::mt19937& random) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}
Words random_words(std::size_t count, std::uint32_t below, std::uint32_t seed) {
  std::mt19937 random(seed);
  Words words(count);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random()) % below;
  return words;
}

Program counting_sort() {
  const Words in = random_words(128, 1000, 1);
  const auto run = [](const std::vector<Words>& before, std::mt19937& random) {
    Words keys, places;
    const Words order = shuffled(128, random);
    for (std::uint32_t key = 0; key < 8; ++key) {
      for (const std::uint32_t i : order) {
        if (before[0][i] % 8 != key) continue;
        keys.push_back(key);
        places.push_back(i);
      }
    }
    keys.insert(keys.end(), places.begin(), places.end());
    return std::vector<Words>{before[0], keys};
  };
  const auto is_possible = [in](const std::vector<Words>& after) {
    const Words keys(after[1].begin(), after[1].begin() + 128);
    Words places(after[1].begin() + 128, after[1].end());
    if (!std::ranges::is_sorted(keys)) return false;
    for (std::size_t k = 0; k < 128; ++k) {
      if (places[k] >= 128 || in[places[k]] % 8 != keys[k]) return false;
    }
    std::ranges::sort(places);
    return std::ranges::adjacent_find(places) == places.end();
  };
  return {"counting sort",
          shaders + "counting_sort.comp",
          1,
          8,
          {in, Words(256)},
          run,
          is_possible,
          {1}};
}

Program exchange_chain() {
  const auto run = [](const std::vector<Words>&, std::mt19937& random) {
    Words next(64);
    std::uint32_t head = 0;
    for (const std::uint32_t i : shuffled(64, random)) {
      next[i] = head;
      head = i + 1;
    }
    return std::vector<Words>{{head}, next};
  };
  const auto is_possible = [](const std::vector<Words>& after) {
    std::size_t length = 0;
    for (std::uint32_t at = after[0][0]; at != 0; at = after[1][at - 1]) {
      if (at > 64 || ++length > 64) return false;
    }
    return length == 64;
  };
  return {"list that grows by exchanges",
          shaders + "exchange_chain.comp",
          1,
          8,
          {Words(1), Words(64)},
          run,
          is_possible,
          {0, 1}};
}

Program first_wins() {
  const Words in = random_words(128, 1000, 2);
  const auto run = [](const std::vector<Words>& before, std::mt19937& random) {
    Words winner(8), won(128);
    for (const std::uint32_t i : shuffled(128, random)) {
      std::uint32_t& first = winner[before[0][i] % 8];
      won[i] = first == 0 ? 1 : 0;
      if (first == 0) first = i + 1;
    }
    return std::vector<Words>{before[0], winner, won};
  };
  const auto is_possible = [in](const std::vector<Words>& after) {
    for (std::uint32_t g = 0; g < 8; ++g) {
      const std::uint32_t first = after[1][g];
      const bool any = std::ranges::any_of(in, [&](std::uint32_t x) { return x % 8 == g; });
      if ((first != 0) != any || first > 128 || (any && in[first - 1] % 8 != g)) return false;
    }
    for (std::uint32_t i = 0; i < 128; ++i) {
      if (after[2][i] != (after[1][in[i] % 8] == i + 1 ? 1 : 0)) return false;
    }
    return true;
  };
  return {"first invocation of each group, by compare-and-swap",
          shaders + "first_wins.comp",
          2,
          8,
          {in, Words(8), Words(128)},
          run,
          is_possible,
          {1, 2}};
}

/// Where a key goes in a table: the first slot from its own on that is free or has it.
std::uint32_t slot_of(const Words& table, std::uint32_t key) {
  std::uint32_t slot = (key * 2654435761u) >> 25;
  while (table[slot] != 0 && table[slot] != key) slot = (slot + 1) % 128;
  return slot;
}

Program hash_table() {
  const Words in = random_words(64, 1000, 3);
  const auto run = [](const std::vector<Words>& before, std::mt19937& random) {
    Words table(128), slots(64);
    for (const std::uint32_t i : shuffled(64, random)) {
      slots[i] = slot_of(table, before[0][i] + 1);
      table[slots[i]] = before[0][i] + 1;
    }
    return std::vector<Words>{before[0], table, slots};
  };
  // Each key once, nowhere behind a free slot, where its invocations say. (The order in which slots were filled can be
  // found unless keys wait for each other in a circle, which is longer than the table.)
  const auto is_possible = [in](const std::vector<Words>& after) {
    const Words& table = after[1];
    std::size_t filled = 0;
    for (const std::uint32_t key : table) filled += key != 0 ? 1 : 0;
    Words keys = in;
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    if (filled != keys.size()) return false;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t slot = after[2][i];
      if (slot >= 128 || table[slot] != in[i] + 1 || slot_of(table, in[i] + 1) != slot)
        return false;
    }
    return true;
  };
  return {"hash table with linear probing",
          shaders + "hash_table.comp",
          1,
          8,
          {in, Words(128), Words(64)},
          run,
          is_possible,
          {1, 2}};
}

/// Even numbers, subgroup by subgroup.
std::vector<Words> even_of_subgroups(const Words& in) {
  std::vector<Words> parts;
  for (std::size_t s = 0; s < in.size(); s += 8) {
    Words& part = parts.emplace_back();
    for (std::size_t k = s; k < s + 8; ++k)
      if (in[k] % 2 == 0) part.push_back(in[k]);
  }
  return parts;
}

Program allocation() {
  const Words in = random_words(128, 100000, 4);
  const auto run = [](const std::vector<Words>& before, std::mt19937& random) {
    const std::vector<Words> parts = even_of_subgroups(before[0]);
    Words data;
    for (const std::uint32_t s : shuffled(parts.size(), random))
      data.insert(data.end(), parts[s].begin(), parts[s].end());
    const auto count = static_cast<std::uint32_t>(data.size());
    data.resize(128);
    return std::vector<Words>{before[0], {count}, data};
  };
  // The numbers of a subgroup are together, in their order; all are different.
  const auto is_possible = [in](const std::vector<Words>& after) {
    std::vector<Words> parts = even_of_subgroups(in);
    std::size_t at = 0;
    for (std::size_t left = parts.size(); left > 0;) {
      const auto found = std::ranges::find_if(
          parts, [&](const Words& part) { return !part.empty() && part[0] == after[2][at]; });
      if (found == parts.end()) break;
      for (const std::uint32_t value : *found)
        if (after[2][at++] != value) return false;
      parts.erase(found);
      --left;
    }
    return at == after[1][0] &&
           std::ranges::all_of(parts, [](const Words& part) { return part.empty(); }) &&
           std::all_of(after[2].begin() + static_cast<std::ptrdiff_t>(at), after[2].end(),
                       [](std::uint32_t rest) { return rest == 0; });
  };
  return {"slots for each subgroup from one counter",
          LOCKSTEP_SOURCE_DIR "/kernels/allocate/allocate.comp",
          1,
          8,
          {in, Words(1), Words(128)},
          run,
          is_possible,
          {1, 2}};
}

/// Slots for each workgroup: its first invocation gets them for all, through shared memory.
Program shared_slots() {
  const char* const text = R"(#version 460
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer In { uint x[]; };
layout(binding = 1) buffer Count { uint count; };
layout(binding = 2) buffer Out { uint r[]; };
shared uint base;
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i == 0u) base = atomicAdd(count, 8u);
  barrier();
  r[base + i] = x[gl_GlobalInvocationID.x];
})";
  const Words in = random_words(64, 100000, 5);
  const auto run = [](const std::vector<Words>& before, std::mt19937& random) {
    Words out;
    for (const std::uint32_t group : shuffled(8, random)) {
      for (std::uint32_t k = 0; k < 8; ++k) out.push_back(before[0][8 * group + k]);
    }
    return std::vector<Words>{before[0], {64}, out};
  };
  const auto is_possible = [in](const std::vector<Words>& after) {
    std::vector<Words> left, there;
    for (std::size_t k = 0; k < 64; k += 8) {
      left.emplace_back(in.begin() + static_cast<std::ptrdiff_t>(k),
                        in.begin() + static_cast<std::ptrdiff_t>(k) + 8);
      there.emplace_back(after[2].begin() + static_cast<std::ptrdiff_t>(k),
                         after[2].begin() + static_cast<std::ptrdiff_t>(k) + 8);
    }
    std::ranges::sort(left);
    std::ranges::sort(there);
    return left == there && after[1][0] == 64;
  };
  return {"slots for each workgroup, through shared memory",
          "",
          8,
          4,
          {in, Words(1), Words(64)},
          run,
          is_possible,
          {1, 2},
          text};
}

/// What the shader computes from a word of its input, in double precision.
double computed_of(std::uint32_t word) {
  return std::exp(static_cast<double>(std::bit_cast<float>(word))) * 0.375;
}
bool is_computed(std::uint32_t word, double value) {
  return std::abs(static_cast<double>(std::bit_cast<float>(word)) - value) <= 2e-6 * value;
}

/// Floats that are computed. A counter says where they go, and whether they do. `told`: each invocation also says its slot.
Program limited_slots(bool told) {
  const std::string text = R"(#version 460
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer In { float x[]; };
layout(binding = 1) buffer Count { uint count; };
layout(binding = 2) buffer Out { float r[]; };
layout(binding = 3) buffer Slots { uint slots[]; };
void main() {
  uint i = gl_LocalInvocationIndex, slot = atomicAdd(count, 1u);
  if (slot < 20u) r[slot] = 0.375 * exp(x[i]);
)" + std::string(told ? "  slots[i] = slot;\n}" : "}");
  Words in;
  for (std::size_t i = 0; i < 32; ++i)
    in.push_back(std::bit_cast<std::uint32_t>(0.03125f * static_cast<float>(i * 7 % 32)));
  const auto run = [told](const std::vector<Words>& before, std::mt19937& random) {
    Words out(24), slots(32);
    const Words order = shuffled(32, random);
    for (std::uint32_t slot = 0; slot < 32; ++slot) {
      // A float next to the value, as devices round exp.
      const auto value = static_cast<float>(computed_of(before[0][order[slot]]));
      if (slot < 20) out[slot] = std::bit_cast<std::uint32_t>(value) + random() % 2;
      if (told) slots[order[slot]] = slot;
    }
    return std::vector<Words>{before[0], {32}, out, slots};
  };
  const auto is_possible = [in, told](const std::vector<Words>& after) {
    std::vector<bool> taken(32);
    for (std::uint32_t slot = 0; slot < 24; ++slot) {
      if (slot >= 20) {
        if (after[2][slot] != 0) return false;
        continue;
      }
      std::size_t i = 0;
      while (i < 32 && !is_computed(after[2][slot], computed_of(in[i]))) ++i;
      if (i == 32 || taken[i] || (told && after[3][i] != slot)) return false;
      taken[i] = true;
    }
    Words slots = after[3];
    std::ranges::sort(slots);
    const bool once = std::ranges::adjacent_find(slots) == slots.end() && slots.back() == 31;
    return after[1][0] == 32 && (told ? once : slots.back() == 0);
  };
  return {told ? "computed floats in slots of a counter that each invocation tells, up to a limit"
               : "computed floats in slots of a counter, up to a limit",
          "",
          1,
          8,
          {in, Words(1), Words(24), Words(32)},
          run,
          is_possible,
          {1, 2, 3},
          text,
          {0, 2}};
}

std::vector<Program> programs() {
  return {allocation(),     shared_slots(), counting_sort(),      hash_table(),
          exchange_chain(), first_wins(),   limited_slots(false), limited_slots(true)};
}

/// Judges results of a program.
class Captured {
 public:
  explicit Captured(const Program& program)
      : program_(program), replay_(job_of(program)), judge_(replay_) {}

  judgement::Judgement judge(const std::vector<Words>& after) {
    judgement::Contents outputs(after.size());
    for (const std::size_t k : program_.judged) outputs[k] = bytes_of(after[k]);
    return judge_(outputs);
  }

 private:
  static job::Job job_of(const Program& program) {
    const Module module = program.file.empty() ? Module::from_glsl(program.text, {}, "slots.comp")
                                               : Module::load(program.file);
    job::Job made;
    made.source = program.file;
    made.words.assign(module.words().begin(), module.words().end());
    made.subgroup_size = program.size;
    made.groups = {program.groups, 1, 1};
    for (std::size_t k = 0; k < program.before.size(); ++k) {
      job::Binding& binding = made.bindings.emplace_back();
      binding.binding = static_cast<std::uint32_t>(k);
      const bool is_float = std::ranges::find(program.floats, k) != program.floats.end();
      binding.type = is_float ? npy::Dtype::float32 : npy::Dtype::uint32;
      binding.input = bytes_of(program.before[k]);
      binding.writable = std::ranges::find(program.judged, k) != program.judged.end();
    }
    return made;
  }

  const Program& program_;
  job::Replay replay_;
  judgement::Judge judge_;
};

/// Numbers that may be in place of another one in a device's buffers.
Words mistakes(const Words& words, std::size_t at) {
  const std::uint32_t nan = 0x7fc00000, own = words[at];
  return {own + 1,
          own ^ 0x40,
          0,
          nan,
          0xdeadbeef,
          words[(at + 1) % words.size()],
          words[(at + words.size() / 2) % words.size()]};
}

struct Planted {
  std::size_t all = 0, caught = 0;
};

/// Makes numbers of a result wrong, and judges those results that no order leaves.
void plant(const Program& program, Captured& device, const std::vector<Words>& right,
           Planted& planted) {
  for (const std::size_t buffer : program.judged) {
    const std::size_t step = std::max<std::size_t>(1, right[buffer].size() / 2);
    for (std::size_t at = step / 2; at < right[buffer].size(); at += step) {
      for (const std::uint32_t wrong : mistakes(right[buffer], at)) {
        std::vector<Words> after = right;
        after[buffer][at] = wrong;
        if (program.is_possible(after)) continue;
        const judgement::Judgement judged = device.judge(after);
        ++planted.all;
        planted.caught += judged.count(Verdict::wrong) > 0 ? 1 : 0;
        if (judged.count(Verdict::wrong) == 0)
          UNSCOPED_INFO("buffer " << buffer << "[" << at << "] = " << wrong << " not "
                                  << right[buffer][at]);
      }
    }
  }
}

}  // namespace

TEST_CASE("the order of a device's atomics is found, and what no order gives is wrong") {
  std::ifstream file(LOCKSTEP_SOURCE_DIR "/docs/reference/oracle.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const Program& program : programs()) {
    DYNAMIC_SECTION(program.name) {
      std::mt19937 random(17);
      Planted planted;
      Captured device(program);
      for (int k = 0; k < 3; ++k) {
        const std::vector<Words> right = program.run(program.before, random);
        REQUIRE(program.is_possible(right));
        const judgement::Judgement judged = device.judge(right);
        CHECK(judged.count(Verdict::wrong) + judged.count(Verdict::open) == 0);
        CHECK(judged.count(Verdict::unordered) > 0);
        if (k == 0) plant(program, device, right, planted);
      }
      CHECK(planted.caught == planted.all);
      const std::string row = "| " + program.name + " | " + std::to_string(planted.all) + " | " +
                              std::to_string(planted.caught) + " |";
      INFO(row);
      CHECK(page.find(row) != page.npos);
    }
  }
}
