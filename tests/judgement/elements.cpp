#include "judgement/elements.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <vector>

/// \file
/// Verdicts on the elements of a buffer.

namespace {

using namespace lockstep::judgement;
using lockstep::npy::Dtype;
namespace oracle = lockstep::oracle;
using Kind = oracle::Allowed::Kind;

struct Buffer {
  std::vector<float> values;
  oracle::Bounds reference;

  void allow(std::size_t index, const oracle::Allowed& allowed) {
    reference.memory.store(reinterpret_cast<const std::byte*>(&values[index]), 4, allowed);
  }
  Elements judge(const std::vector<float>& device, const std::vector<float>& legal = {}) const {
    const auto bytes = std::as_bytes(std::span(values));
    Compared compared{bytes.data(), bytes, std::as_bytes(std::span(device)), {}};
    if (!legal.empty()) compared.legal.push_back({"left fold", std::as_bytes(std::span(legal))});
    return lockstep::judgement::judge(Dtype::float32, compared, reference);
  }
};

TEST_CASE("each element has a verdict") {
  Buffer buffer{{0, 1, 2, 3, 4, 5, 6}, {}};
  buffer.allow(2, oracle::numbers({1.5, 2.5}, 0));
  buffer.allow(3, oracle::numbers({2.5, 3.5}, 0));
  buffer.allow(4, oracle::any(Kind::open, oracle::Why::comparison, 1));
  buffer.allow(5, oracle::any(Kind::undefined, oracle::Why::domain, 1));
  buffer.reference.lines = {{"x.comp", 7}};
  const Elements judged = buffer.judge({0, 9, 2.25f, 4, 9, 9, 6});
  using V = Verdict;
  const std::vector<std::pair<Verdict, std::size_t>> runs{
      {V::equal, 1}, {V::wrong, 1},     {V::allowed, 1}, {V::wrong, 1},
      {V::open, 1},  {V::undefined, 1}, {V::equal, 1}};
  CHECK(judged.runs == runs);
  CHECK(judged.count(V::wrong) == 2);
  CHECK(judged.worst.index == 1);
  REQUIRE(judged.first.size() == 4);
  CHECK(judged.first[1].low == "2.5");
  CHECK(judged.first[3].reason ==
        "x.comp:7: an operand is, or may be, outside the operation's domain");
  CHECK(judged.first[2].reason == "x.comp:7: rounding decides a comparison");
}

TEST_CASE("the allowed element that is closest to its bounds is the worst") {
  Buffer buffer{{1, 1, 1}, {}};
  for (const std::size_t k : {0u, 1u, 2u}) buffer.allow(k, oracle::numbers({0.5, 2}, 0));
  const Elements judged = buffer.judge({1.25f, 0.625f, 1.5f});
  CHECK(judged.count(Verdict::allowed) == 3);
  CHECK(judged.worst.index == 1);
  CHECK(judged.worst.share == 0.75);
  CHECK(judged.worst.ulps == 0.375 / 0x1p-24);
}

TEST_CASE("NaN equals NaN, and a zero of either sign is the same only within bounds") {
  Buffer buffer{{std::nanf(""), 0, 0}, {}};
  buffer.allow(2, oracle::numbers({0, 0}, 0));
  const Elements judged = buffer.judge({-std::nanf("1"), -0.f, -0.f});
  CHECK(judged.count(Verdict::equal) == 1);
  CHECK(judged.count(Verdict::wrong) == 1);
  CHECK(judged.count(Verdict::allowed) == 1);
}

TEST_CASE("the bits of another legal run are equal, and it is named") {
  const Buffer buffer{{1, 2, 3}, {}};
  const Elements judged = buffer.judge({1, 5, 4}, {1, 5, 9});
  CHECK(judged.count(Verdict::equal) == 2);
  CHECK(judged.count(Verdict::wrong) == 1);
  CHECK(judged.order == "left fold");
}

TEST_CASE("elements that depend on an order are compared as a whole") {
  Buffer buffer{{1, 2, 3, 4}, {}};
  for (const std::size_t k : {0u, 1u, 2u})
    buffer.allow(k, oracle::any(Kind::unordered, oracle::Why::atomic, 0));
  CHECK(buffer.judge({3, 1, 2, 4}).count(Verdict::unordered) == 3);
  CHECK(buffer.judge({1, 3, 2, 4}).count(Verdict::unordered) == 2);
  CHECK(buffer.judge({1, 3, 9, 4}).count(Verdict::open) == 2);
  CHECK(buffer.judge({2, 1, 3, 9}).count(Verdict::wrong) == 1);
}

TEST_CASE("integers are judged by their bits") {
  std::vector<std::uint32_t> mine{1, 2, 3}, device{1, 2, 4};
  oracle::Bounds reference;
  const auto bytes = std::as_bytes(std::span(mine));
  const Elements judged =
      judge(Dtype::uint32, {bytes.data(), bytes, std::as_bytes(std::span(device)), {}}, reference);
  CHECK(judged.count(Verdict::wrong) == 1);
  CHECK(judged.worst.reference == "3");
  CHECK(judged.worst.device == "4");
}

}  // namespace
