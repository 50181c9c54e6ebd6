#include "judgement/possible.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/module.hpp>

#include "judgement/judge.hpp"
#include "judgement/made_job.hpp"

/// \file
/// Results of atomics whose order is not found: right ones in any order are not wrong, and what no order leaves is.

namespace {

using namespace lockstep;
using namespace lockstep::test;
using judgement::Verdict;
using Words = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

constexpr std::uint32_t count = 64;

Words order(std::uint32_t seed) {
  std::mt19937 random(seed);
  Words all(count);
  std::iota(all.begin(), all.end(), 0u);
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

/// A program with a counter, inputs, results, and a maximum before each update, which is not followed.
class Judged {
 public:
  Judged(const std::string& type, const std::string& body, npy::Dtype result, const Floats& in,
         std::size_t results = count) {
    const Module module = Module::from_glsl(
        "#version 460\nlayout(local_size_x = 16) in;\n"
        "layout(binding = 0) buffer Count { uint count; uint tail; uint peak; };\n"
        "layout(binding = 1) readonly buffer In { float x[]; };\n"
        "layout(binding = 2) buffer Out { " +
            type +
            " r[]; };\nlayout(binding = 3) buffer Peaks { uint peaks[]; };\n"
            "void main() {\nuint i = gl_GlobalInvocationID.x;\n"
            "peaks[i] = atomicMax(peak, i);\n" +
            body + "\n}\n",
        {}, "slots.comp");
    job::Job made;
    made.source = "slots.comp";
    made.words.assign(module.words().begin(), module.words().end());
    made.subgroup_size = 8;
    made.groups = {count / 16, 1, 1};
    made.bindings.resize(4);
    for (std::uint32_t k = 0; k < 4; ++k) made.bindings[k].binding = k;
    made.bindings[0].type = made.bindings[3].type = npy::Dtype::uint32;
    made.bindings[1].type = npy::Dtype::float32;
    made.bindings[2].type = result;
    made.bindings[0].input = bytes_of(Words(3));
    made.bindings[1].input = bytes_of(in);
    made.bindings[2].input = bytes_of(Words(results, 0xabcdef01));
    made.bindings[3].input = bytes_of(Words(count));
    for (const std::size_t k : {0u, 2u, 3u}) made.bindings[k].writable = true;
    replay_.emplace(std::move(made));
    judge_.emplace(*replay_);
  }

  template <class T>
  std::size_t wrong(const std::vector<T>& out) {
    judgement::Contents outputs(4);
    outputs[2] = bytes_of(out);
    return (*judge_)(outputs).count(Verdict::wrong);
  }
  std::size_t wrong_counts(const Words& counts) {
    judgement::Contents outputs(4);
    outputs[0] = bytes_of(counts);
    return (*judge_)(outputs).count(Verdict::wrong);
  }

 private:
  std::optional<job::Replay> replay_;
  std::optional<judgement::Judge> judge_;
};

Floats inputs() {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> within(-3, 3);
  Floats in(count);
  for (float& x : in) x = within(random);
  return in;
}

template <class T, class Change>
std::vector<T> changed(std::vector<T> from, Change change) {
  change(from);
  return from;
}

}  // namespace

TEST_CASE("each computed float in a slot is one that some invocation stores, and is there once") {
  const Floats in = inputs();
  Judged device("float", "r[atomicAdd(count, 1u)] = sqrt(abs(x[i])) * 3.0;", npy::Dtype::float32,
                in);
  std::mt19937 random(5);
  Floats right;
  for (const std::uint32_t i : order(1)) {
    float value = static_cast<float>(std::sqrt(static_cast<double>(std::abs(in[i]))) * 3);
    // A rounding that is allowed.
    if (random() % 2 == 0) value = std::nextafter(value, 9.0F);
    right.push_back(value);
  }
  CHECK(device.wrong(right) == 0);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(device.wrong(changed(right, [&](Floats& r) { r[9] = nan; })) == 1);
  CHECK(device.wrong(changed(right, [](Floats& r) { r[9] = -1; })) == 1);
  CHECK(device.wrong(changed(right, [](Floats& r) { r[9] *= 1.0001F; })) == 1);
  CHECK(device.wrong(changed(right, [](Floats& r) { r[9] = r[40]; })) == 1);
  CHECK(device.wrong_counts({count, 0, count - 1}) == 0);
  CHECK(device.wrong_counts({count - 1, 0, count - 1}) == 1);
  CHECK(device.wrong_counts({count, 0, count}) == 1);
}

TEST_CASE("numbers that a counter hands out are different, and below its last one") {
  Judged device("uint", "uint slot = atomicAdd(count, 3u);\nr[i] = slot;", npy::Dtype::uint32,
                inputs());
  Words right;
  for (const std::uint32_t k : order(2)) right.push_back(3 * k);
  CHECK(device.wrong(right) == 0);
  CHECK(device.wrong(changed(right, [](Words& r) { r[5] = 3 * count; })) == 1);
  CHECK(device.wrong(changed(right, [](Words& r) { r[5] += 1; })) == 1);
  CHECK(device.wrong(changed(right, [](Words& r) { r[5] = r[6]; })) == 1);
}

TEST_CASE("integers in slots are a permutation of what invocations store") {
  Judged device("uvec2", "uint slot = atomicAdd(count, 1u);\nr[slot] = uvec2(i * 5u, i / 2u);",
                npy::Dtype::uint32, inputs(), 2 * count);
  Words right;
  for (const std::uint32_t i : order(3)) {
    right.push_back(5 * i);
    right.push_back(i / 2);
  }
  CHECK(device.wrong(right) == 0);
  CHECK(device.wrong(changed(right, [](Words& r) { r[8] = r[10]; })) == 1);
  CHECK(device.wrong(changed(right, [](Words& r) { r[8] = 1; })) == 1);
  // A number that each of two invocations stores, a third time.
  CHECK(device.wrong(changed(right, [](Words& r) {
    const auto first = std::ranges::find_if(r, [](std::uint32_t x) { return x == 7; });
    r[first - r.begin() == 9 ? 11 : 9] = 7;
  })) >= 1);
  CHECK(device.wrong(changed(right, [](Words& r) { r[9] = count; })) == 1);
}

TEST_CASE("what is beside the slots may stay, and only what is stored there may come") {
  // Slots from both ends; a third of the invocations has none, and two numbers are those from before.
  Judged device("uint",
                "if (i % 3u == 1u) r[atomicAdd(count, 1u)] = i;\n"
                "if (i % 3u == 2u) r[63u - atomicAdd(tail, 1u)] = i + 1000u;",
                npy::Dtype::uint32, inputs());
  Words right(count, 0xabcdef01);
  std::uint32_t head = 0, tail = 0;
  for (const std::uint32_t i : order(4)) {
    if (i % 3 == 1) right[head++] = i;
    if (i % 3 == 2) right[63 - tail++] = i + 1000;
  }
  CHECK(device.wrong(right) == 0);
  CHECK(device.wrong(changed(right, [](Words& r) { r[3] = 0; })) == 1);
  CHECK(device.wrong(changed(right, [](Words& r) { r[60] = 1003; })) == 1);
}

TEST_CASE("where values depend on the order as well, nothing is impossible") {
  // A number that the counter's slots decide, one that may not be stored, and a counter that starts again.
  const Floats in = inputs();
  Judged computed("uint", "uint slot = atomicAdd(count, 1u);\nr[i] = slot * 2u + i;",
                  npy::Dtype::uint32, in);
  Words sums;
  for (const std::uint32_t k : order(6))
    sums.push_back(2 * k + static_cast<std::uint32_t>(sums.size()));
  CHECK(computed.wrong(sums) == 0);

  Judged guarded("uint", "uint slot = atomicAdd(count, 1u);\nif (slot < 32u) r[slot] = i;",
                 npy::Dtype::uint32, in);
  Words first(count, 0xabcdef01);
  const Words shuffled = order(7);
  std::copy_n(shuffled.begin(), 32, first.begin());
  CHECK(guarded.wrong(first) == 0);

  Judged twice("uint", "r[i] = atomicAdd(count, 1u);\nr[(i + 1u) % 64u] = atomicExchange(tail, i);",
               npy::Dtype::uint32, in);
  CHECK(twice.wrong(Words(count, 0)) == 0);
}
