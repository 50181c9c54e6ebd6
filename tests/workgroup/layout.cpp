#include <lockstep/workgroup/layout.hpp>

#include <vector>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;
using Rule = LayoutRule;
using Offsets = std::vector<std::uint32_t>;

struct Laid {
  Offsets offsets;
  TypeLayout whole;
};

Laid lay_out(Rule rule, const std::vector<TypeLayout>& members) {
  StructLayout layout(rule);
  Laid laid;
  for (const TypeLayout member : members) laid.offsets.push_back(layout.add(member));
  laid.whole = layout.layout();
  return laid;
}

TypeLayout vec(Rule rule, std::uint32_t n) { return vector_layout(rule, 4, n); }
constexpr TypeLayout one_float = scalar_layout(4);

TEST_CASE("layout: vectors") {
  for (const Rule rule : {Rule::std430, Rule::std140}) {
    CHECK(vec(rule, 2) == TypeLayout{8, 8});
    CHECK(vec(rule, 3) == TypeLayout{16, 12});
    CHECK(vec(rule, 4) == TypeLayout{16, 16});
    CHECK(vector_layout(rule, 8, 2) == TypeLayout{16, 16});
    CHECK(vector_layout(rule, 8, 3) == TypeLayout{32, 24});
    CHECK(vector_layout(rule, 8, 4) == TypeLayout{32, 32});
    CHECK(vector_layout(rule, 2, 3) == TypeLayout{8, 6});
    CHECK(vector_layout(rule, 1, 3) == TypeLayout{4, 3});
  }
  CHECK(vec(Rule::scalar, 3) == TypeLayout{4, 12});
  CHECK(vector_layout(Rule::scalar, 8, 4) == TypeLayout{8, 32});
  CHECK(scalar_layout(8) == TypeLayout{8, 8});
}

TEST_CASE("layout: arrays") {
  CHECK(array_layout(Rule::std140, one_float, 3) == TypeLayout{16, 48});
  CHECK(array_layout(Rule::std430, one_float, 3) == TypeLayout{4, 12});
  CHECK(array_layout(Rule::scalar, one_float, 3) == TypeLayout{4, 12});
  CHECK(array_stride(Rule::std140, vec(Rule::std140, 3)) == 16);
  CHECK(array_stride(Rule::std430, vec(Rule::std430, 3)) == 16);
  CHECK(array_stride(Rule::scalar, vec(Rule::scalar, 3)) == 12);
  CHECK(array_layout(Rule::std430, vec(Rule::std430, 3), 2) == TypeLayout{16, 32});
  CHECK(array_layout(Rule::scalar, vec(Rule::scalar, 3), 2) == TypeLayout{4, 24});
  CHECK(array_layout(Rule::std430, one_float, 0) == TypeLayout{4, 0});
  CHECK(array_layout(Rule::scalar, one_float, 0) == TypeLayout{4, 0});
  // Of arrays: float[3][2].
  const TypeLayout inner = array_layout(Rule::std140, one_float, 2);
  CHECK(array_layout(Rule::std140, inner, 3) == TypeLayout{16, 96});
}

TEST_CASE("layout: matrices") {
  CHECK(matrix_layout(Rule::std140, 4, 3, 3) == TypeLayout{16, 48});
  CHECK(matrix_layout(Rule::std430, 4, 3, 3) == TypeLayout{16, 48});
  CHECK(matrix_layout(Rule::scalar, 4, 3, 3) == TypeLayout{4, 36});
  CHECK(matrix_stride(Rule::std140, 4, 2, 2) == 16);
  CHECK(matrix_stride(Rule::std430, 4, 2, 2) == 8);
  CHECK(matrix_stride(Rule::scalar, 4, 4, 3) == 12);
  // Two columns of three: by columns 2 * 16, by rows 3 * 8.
  CHECK(matrix_layout(Rule::std430, 4, 2, 3) == TypeLayout{16, 32});
  CHECK(matrix_layout(Rule::std430, 4, 2, 3, true) == TypeLayout{8, 24});
  CHECK(matrix_stride(Rule::std430, 4, 2, 3, true) == 8);
  CHECK(matrix_layout(Rule::std430, 8, 4, 4) == TypeLayout{32, 128});
}

TEST_CASE("layout: structs") {
  for (const Rule rule : {Rule::std430, Rule::std140}) {
    const Laid fourth_slot = lay_out(rule, {vec(rule, 3), one_float});
    CHECK(fourth_slot.offsets == Offsets{0, 12});
    CHECK(fourth_slot.whole == TypeLayout{16, 16});
    const Laid aligned = lay_out(rule, {one_float, vec(rule, 3)});
    CHECK(aligned.offsets == Offsets{0, 16});
    CHECK(aligned.whole == TypeLayout{16, 32});
    const Laid three = lay_out(rule, {vec(rule, 2), vec(rule, 3), one_float});
    CHECK(three.offsets == Offsets{0, 16, 28});
    CHECK(three.whole == TypeLayout{16, 32});
  }
  const Laid tight = lay_out(Rule::scalar, {vec(Rule::scalar, 3), one_float});
  CHECK(tight.offsets == Offsets{0, 12});
  CHECK(lay_out(Rule::scalar, {one_float, vec(Rule::scalar, 3)}).offsets == Offsets{0, 4});
  const Laid three = lay_out(Rule::scalar, {vec(Rule::scalar, 2), vec(Rule::scalar, 3), one_float});
  CHECK(three.offsets == Offsets{0, 8, 20});
  CHECK(three.whole == TypeLayout{4, 24});
}

TEST_CASE("layout: structs inside, and who may use their padding") {
  // struct { double a; float b; } and a float behind it.
  for (const Rule rule : {Rule::std430, Rule::std140, Rule::scalar}) {
    const TypeLayout inner = lay_out(rule, {scalar_layout(8), one_float}).whole;
    const Laid outer = lay_out(rule, {inner, one_float});
    const std::uint32_t behind = rule == Rule::scalar ? 12 : 16;
    CHECK(outer.offsets == Offsets{0, behind});
    CHECK(inner.alignment == (rule == Rule::std140 ? 16u : 8u));
    CHECK(outer.whole.size == (rule == Rule::scalar ? 16u : rule == Rule::std430 ? 24u : 32u));
  }
  // Elements of an array of such structs.
  CHECK(array_stride(Rule::scalar, {8, 12}) == 16);
  CHECK(array_layout(Rule::scalar, {8, 12}, 2) == TypeLayout{8, 28});
  CHECK(lay_out(Rule::std430, {}).whole == TypeLayout{1, 0});
}

}  // namespace
