#include "explain/rows.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "explain/languages.hpp"

namespace lockstep::explain {
namespace {

using spec::Form;

struct Named {
  std::string_view name;
  OtherNames names;
};

#define LOCKSTEP_ROW(name, ...) Named{#name, {__VA_ARGS__}},
constexpr Named function_names[] = {LOCKSTEP_NAMES_IN_OTHER_LANGUAGES(LOCKSTEP_ROW)};
constexpr Named variable_names[] = {LOCKSTEP_VARIABLES_IN_OTHER_LANGUAGES(LOCKSTEP_ROW)};
constexpr Named barrier_names[] = {LOCKSTEP_BARRIERS_IN_OTHER_LANGUAGES(LOCKSTEP_ROW)};
#undef LOCKSTEP_ROW

constexpr bool same_rows(std::span<const Named> names, std::span<const spec::BuiltIn> table) {
  if (names.size() != table.size()) return false;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k].name != table[k].name) return false;
  return true;
}
static_assert(same_rows(function_names, spec::functions()), "add the missing row in languages.hpp");
static_assert(same_rows(variable_names, spec::variables()), "add the missing row in languages.hpp");
static_assert(same_rows(barrier_names, spec::barriers()), "add the missing row in languages.hpp");

struct Operation {
  std::string_view operation, op;
};
constexpr Operation operations[] = {
#define LOCKSTEP_ROW(name, family, types, operation, operator_, ...) {#operation, #operator_},
    LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};

std::vector<Row> make_rows() {
  std::vector<Row> all;
  const auto add = [&](Row::Kind kind, std::span<const spec::BuiltIn> table,
                       std::span<const Named> names) {
    for (std::size_t k = 0; k < table.size(); ++k)
      all.push_back({&table[k], kind, "", "", names[k].names});
  };
  add(Row::Kind::variable, spec::variables(), variable_names);
  add(Row::Kind::barrier, spec::barriers(), barrier_names);
  const std::size_t before = all.size();
  add(Row::Kind::function, spec::functions(), function_names);
  for (std::size_t k = before; k < all.size(); ++k) {
    all[k].operation = operations[k - before].operation;
    all[k].op = operations[k - before].op;
  }
  return all;
}

/// The name without how it is called.
std::string_view plain(std::string_view name) { return name.substr(0, name.find_first_of(" (")); }

bool is_mask(const Row& row) { return row.name().ends_with("Mask"); }

std::string_view index_name(const Row& row) {
  if (row.operation == "shuffle_xor") return "mask";
  if (row.operation == "shuffle_up" || row.operation == "shuffle_down" ||
      row.operation == "rotate" || row.operation == "clustered_rotate")
    return "delta";
  return row.operation == "quad_broadcast" ? "index" : "id";
}

std::string_view noun(std::string_view op) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> nouns{{
      {"add", "sum"},
      {"mul", "product"},
      {"min", "least"},
      {"max", "greatest"},
      {"band", "bitwise and"},
      {"bor", "bitwise or"},
      {"bxor", "bitwise exclusive or"},
  }};
  const auto found = std::ranges::find(nouns, op, &decltype(nouns)::value_type::first);
  return found == nouns.end() ? "" : found->second;
}

std::string meaning_of_variable(std::string_view name) {
  if (name == "gl_SubgroupSize")
    return "The number of lanes in a subgroup, even if it is not full. The same in all "
           "lanes.";
  if (name == "gl_SubgroupInvocationID")
    return "The number of the lane, from 0 up to the subgroup size less 1.";
  if (name == "gl_NumSubgroups") return "The number of subgroups of the workgroup.";
  if (name == "gl_SubgroupID") return "The number of the subgroup in its workgroup, from 0.";
  const std::string_view which = name.substr(11, 2);
  const std::string_view bits = which == "Eq"   ? "its own bit"
                                : which == "Ge" ? "the bits of itself and the lanes above"
                                : which == "Gt" ? "the bits of the lanes above"
                                : which == "Le" ? "the bits of itself and the lanes below"
                                                : "the bits of the lanes below";
  return fmt::format(
      "Each lane gets a ballot with {} set. Lanes count whether or not they are active.", bits);
}

std::string meaning_of_barrier(std::string_view name) {
  if (name == "subgroupBarrier")
    return "The active lanes wait until all of them are here; what they wrote before is then "
           "visible "
           "to each other. It does not bring diverged lanes together.";
  const std::string_view memory = name.ends_with("Buffer")   ? "to buffers"
                                  : name.ends_with("Shared") ? "to shared memory"
                                  : name.ends_with("Image")
                                      ? "to images"
                                      : "to buffers, shared memory and images";
  return fmt::format(
      "Orders the lane's own accesses {}, as the subgroup sees them. No lane waits for another.",
      memory);
}

std::string meaning_of_combining(const Row& row) {
  const std::string what =
      fmt::format("Each active lane gets the {} of the values of ", noun(row.op));
  if (row.operation == "reduce") return what + "all active lanes.";
  if (row.operation == "inclusive_scan")
    return what + "the active lanes up to and including itself.";
  if (row.operation == "exclusive_scan")
    return what +
           "the active lanes below it. The first active lane gets the identity of the operation.";
  if (row.operation == "clustered")
    return what + "the active lanes of its cluster: clusterSize consecutive lanes, aligned.";
  const std::string_view which = row.operation == "partitioned_reduce" ? "."
                                 : row.operation == "partitioned_inclusive_scan"
                                     ? ", up to and including itself."
                                     : ", below it.";
  return what + "the active lanes that its ballot names" + std::string(which);
}

}  // namespace

std::span<const Row> rows() {
  static const std::vector<Row> all = make_rows();
  return all;
}

const Row* find_row(std::string_view name) {
  const auto found = std::ranges::find(rows(), name, &Row::name);
  return found == rows().end() ? nullptr : &*found;
}

std::vector<const Row*> rows_named_elsewhere(std::string_view name) {
  std::vector<const Row*> found;
  for (const Row& row : rows()) {
    // ARB's and core GLSL's names come after the subgroup built-ins of the same meaning.
    if (row.kind == Row::Kind::function && !row.name().starts_with("subgroup")) continue;
    for (const std::string_view other :
         {row.names.hlsl, row.names.cuda, row.names.wgsl, row.names.metal})
      if (!other.empty() && plain(other) == name && (found.empty() || found.back() != &row))
        found.push_back(&row);
  }
  return found;
}

std::string signature(const Row& row) {
  const std::string_view name = row.name();
  if (row.kind == Row::Kind::variable)
    return fmt::format("{} {}", is_mask(row) ? "uvec4" : "uint", name);
  if (row.kind == Row::Kind::barrier) return fmt::format("void {}()", name);
  const std::string_view value = row.built_in->types == "bool" ? "bool" : "T";
  switch (row.built_in->form) {
    case Form::nothing:
      return fmt::format("bool {}()", name);
    case Form::condition:
      return fmt::format("bool {}(bool value)", name);
    case Form::condition_to_ballot:
      return fmt::format("{} {}(bool value)", name == "ballotARB" ? "uint64_t" : "uvec4", name);
    case Form::comparison:
      return fmt::format("bool {}({} value)", name, value);
    case Form::value:
      return fmt::format("T {}(T value)", name);
    case Form::value_to_ballot:
      return fmt::format("uvec4 {}(T value)", name);
    case Form::value_index:
      return fmt::format("T {}(T value, uint {})", name, index_name(row));
    case Form::value_index_cluster:
      return fmt::format("T {}(T value, uint delta, uint clusterSize)", name);
    case Form::value_cluster:
      return fmt::format("T {}(T value, uint clusterSize)", name);
    case Form::value_ballot:
      return fmt::format("T {}(T value, uvec4 ballot)", name);
    case Form::ballot:
      return fmt::format("{} {}(uvec4 value)", row.operation == "inverse_ballot" ? "bool" : "uint",
                         name);
    case Form::ballot_index:
      return fmt::format("bool {}(uvec4 value, uint index)", name);
  }
  return {};
}

std::string types_of_value(const Row& row) {
  const std::string_view types = row.built_in->types;
  if (types == "T5") return "float, double, int, uint, bool, the extended types, and vectors";
  if (types == "TN") return "float, double, int, uint, the extended types, and vectors";
  if (types == "TI") return "int, uint, bool, the extended integers, and vectors";
  if (types == "float, int, uint") return "float, int, uint, and vectors";
  return {};
}

std::vector<std::string_view> extensions_of(const Row& row) {
  std::vector<std::string_view> all{"GL_KHR_shader_subgroup_basic"};
  const std::string_view own = row.built_in->place.extension;
  if (own == "GL_EXT_shader_quad_control")
    all.insert(all.end(), {"GL_KHR_shader_subgroup_vote", "GL_KHR_shader_subgroup_quad"});
  if (own.starts_with("GL_") && own != all.front()) all.push_back(own);
  if (row.name() == "ballotARB") all.push_back("GL_ARB_gpu_shader_int64");
  return all;
}

std::string meaning(const Row& row) {
  if (row.kind == Row::Kind::variable) return meaning_of_variable(row.name());
  if (row.kind == Row::Kind::barrier) return meaning_of_barrier(row.name());
  if (row.op != "none") return meaning_of_combining(row);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 24> sentences{{
      {"elect", "True in the active lane with the lowest number, false in all others."},
      {"all", "Whether the value is true in all active lanes. The same in each of them."},
      {"any", "Whether the value is true in any active lane. The same in each of them."},
      {"all_equal", "Whether all active lanes hold the same value. The same in each of them."},
      {"broadcast", "Each active lane gets the value of the lane that id names."},
      {"broadcast_first", "Each active lane gets the value of the first active lane."},
      {"ballot",
       "Each active lane gets a bit for each lane: set if that lane is active and its value is "
       "true."},
      {"inverse_ballot", "Each active lane gets its own bit of the ballot."},
      {"ballot_bit_extract", "Each active lane gets the bit of the ballot that index names."},
      {"ballot_bit_count", "The number of bits set in the ballot, below the subgroup size."},
      {"ballot_inclusive_bit_count",
       "Each active lane gets the number of bits set up to and including its own."},
      {"ballot_exclusive_bit_count", "Each active lane gets the number of bits set below its own."},
      {"ballot_find_lsb", "The number of the lowest bit set in the ballot."},
      {"ballot_find_msb",
       "The number of the highest bit set in the ballot, below the subgroup size."},
      {"shuffle", "Each active lane gets the value of the lane that its id names."},
      {"shuffle_xor", "Each active lane gets the value of the lane with the number lane ^ mask."},
      {"shuffle_up", "Each active lane gets the value of the lane delta below it."},
      {"shuffle_down", "Each active lane gets the value of the lane delta above it."},
      {"rotate",
       "Each active lane gets the value of the lane delta above it, wrapping around to lane 0 "
       "after the last."},
      {"clustered_rotate",
       "Each active lane gets the value of the lane delta above it, wrapping around within its "
       "cluster."},
      {"quad_broadcast",
       "Each active lane gets the value of the lane of its quad that index names."},
      {"quad_all", "Whether the value is true in all active lanes of the quad."},
      {"quad_any", "Whether the value is true in any active lane of the quad."},
      {"partition", "Each active lane gets a ballot of the active lanes that hold the same value."},
  }};
  if (row.name() == "subgroupQuadSwapHorizontal")
    return "Lanes 0 and 1 of each quad swap values, and lanes 2 and 3.";
  if (row.name() == "subgroupQuadSwapVertical")
    return "Lanes 0 and 2 of each quad swap values, and lanes 1 and 3.";
  if (row.name() == "subgroupQuadSwapDiagonal")
    return "Lanes 0 and 3 of each quad swap values, and lanes 1 and 2.";
  const auto found =
      std::ranges::find(sentences, row.operation, &decltype(sentences)::value_type::first);
  return found == sentences.end() ? std::string() : std::string(found->second);
}

std::string undefined_where(const Row& row) {
  std::string text(row.built_in->undefined);
  if (text.empty())
    return row.kind == Row::Kind::function ? "Nowhere: each active lane gets a result." : "";
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

std::vector<std::string> nearest(std::string_view text, std::span<const std::string> names) {
  const auto lower = [](std::string_view word) {
    std::string out(word);
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
  };
  const std::string wanted = lower(text);
  const auto between = [&](const std::string& other) {
    std::vector<std::size_t> last(other.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      std::vector<std::size_t> next{i + 1};
      for (std::size_t j = 0; j < other.size(); ++j)
        next.push_back(
            std::min({last[j + 1] + 1, next[j] + 1, last[j] + (wanted[i] == other[j] ? 0u : 1u)}));
      last = std::move(next);
    }
    // "shuffle" is a part of several names and further from all of them than from "scopes".
    const bool is_part = wanted.size() >= 3 && other.find(wanted) != std::string::npos;
    return is_part ? (other.size() - wanted.size()) / 8 : last.back();
  };
  // Most names start with the same word, which people leave out.
  const auto distance = [&](const std::string& name) {
    const std::string other = lower(name);
    constexpr std::string_view start = "subgroup";
    if (!other.starts_with(start) || wanted.starts_with(start)) return between(other);
    return std::min(between(other), between(other.substr(start.size())));
  };
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : names) {
    const std::size_t far = distance(name);
    if (far <= std::max<std::size_t>(3, wanted.size() / 3)) found.emplace_back(far, name);
  }
  std::ranges::stable_sort(found, {}, &decltype(found)::value_type::first);
  std::vector<std::string> best;
  for (std::size_t k = 0; k < std::min<std::size_t>(found.size(), 4); ++k)
    best.push_back(found[k].second);
  return best;
}

}  // namespace lockstep::explain
