#include <lockstep/exec/frames.hpp>

#include <vector>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;

std::vector<int> lines(const Frames& frames) {
  std::vector<int> all;
  for (const Frame& frame : frames) all.push_back(frame.where.line);
  return all;
}

TEST_CASE("frames are a stack") {
  Frames frames;
  CHECK(frames.empty());
  for (const int line : {1, 2, 3}) frames.push(Frame::Kind::loop, {"kernel.hpp", line});
  CHECK(lines(frames) == std::vector{1, 2, 3});
  CHECK(frames.size() == 3);
  CHECK(frames[1].where.line == 2);
  CHECK(frames.back().kind == Frame::Kind::loop);
  frames.pop();
  frames.pop();
  CHECK(lines(frames) == std::vector{1});
  frames.push(Frame::Kind::call, {"kernel.hpp", 4});
  CHECK(lines(frames) == std::vector{1, 4});
  CHECK(frames.back().kind == Frame::Kind::call);
  frames.clear();
  CHECK(lines(frames).empty());
}

TEST_CASE("a frame has nothing of an earlier one, which is there until the next push") {
  Frames frames;
  Frame& first = frames.push(Frame::Kind::selection, {"kernel.hpp", 1});
  const int other = 0;
  for (Tangles* tangles : {&first.header, &first.waiting, &first.arrived, &first.continuing})
    *tangles = {{LaneSet::lane(1)}, {LaneSet::lane(2)}, {LaneSet::lane(3)}};
  first.promised = true;
  first.trips = 5;
  first.other = &other;
  first.late.push_back({&other, LaneSet::lane(4), {}, {}});
  const Frame& removed = frames.pop();
  CHECK(removed.where.line == 1);
  CHECK(removed.arrived.size() == 3);
  CHECK(removed.trips == 5);
  const Frame& second = frames.push(Frame::Kind::loop, {"kernel.hpp", 2});
  for (const Tangles* tangles :
       {&second.header, &second.waiting, &second.arrived, &second.continuing})
    CHECK(tangles->empty());
  CHECK_FALSE(second.promised);
  CHECK(second.trips == 0);
  CHECK(second.other == nullptr);
  CHECK(second.late.empty());
}

TEST_CASE("a frame is pushed with what it has") {
  Frame frame;
  frame.kind = Frame::Kind::switch_statement;
  frame.where = {"kernel.hpp", 6};
  frame.waiting = {{LaneSet::lane(7)}};
  frame.trips = 8;
  Frames frames;
  frames.push(frame);
  CHECK(frames.back().kind == Frame::Kind::switch_statement);
  CHECK(frames.back().where.line == 6);
  CHECK(frames.back().waiting == Tangles{{LaneSet::lane(7)}});
  CHECK(frames.back().trips == 8);
}

}  // namespace
