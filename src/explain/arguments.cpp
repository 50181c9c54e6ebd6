#include "explain/arguments.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep::explain {
namespace {

using spec::Form;

std::optional<std::int64_t> to_integer(std::string_view word) {
  int base = 10;
  if (word.starts_with("0x") || word.starts_with("0b")) {
    base = word[1] == 'x' ? 16 : 2;
    word.remove_prefix(2);
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<float> to_float(const std::string& word) {
  char* end = nullptr;
  const float value = std::strtof(word.c_str(), &end);
  if (word.empty() || *end != '\0') return std::nullopt;
  return value;
}

bool is_truth(std::string_view word) {
  return word == "true" || word == "false" || word == "T" || word == "F";
}

/// The narrowest kind that holds all words.
Kind kind_of(const std::vector<std::string>& words) {
  if (std::ranges::all_of(words, is_truth)) return Kind::boolean;
  bool negative = false;
  for (const std::string& word : words) {
    const auto value = to_integer(word);
    if (!value) return Kind::real;
    negative = negative || *value < 0;
  }
  return negative ? Kind::integer : Kind::natural;
}

Words to_value(Kind kind, const std::string& word, std::string_view option, int size) {
  const auto wrong = [&](std::string_view expected) {
    return Error(fmt::format("{} '{}': is not {}", option, word, expected));
  };
  if (kind == Kind::ballot) return to_words(parse_lanes(word, size));
  if (kind == Kind::boolean) {
    if (word == "true" || word == "T" || word == "1") return {1};
    if (word == "false" || word == "F" || word == "0") return {0};
    throw wrong("true or false");
  }
  if (kind == Kind::real) {
    const auto value = to_float(word);
    if (!value) throw wrong("a number");
    return {std::bit_cast<std::uint32_t>(*value)};
  }
  const auto value = to_integer(word);
  const std::int64_t least = kind == Kind::integer ? INT32_MIN : 0;
  const std::int64_t most = kind == Kind::integer ? INT32_MAX : UINT32_MAX;
  if (!value || *value < least || *value > most)
    throw wrong(kind == Kind::integer ? "an int of 32 bits" : "a uint of 32 bits");
  return {static_cast<std::uint32_t>(*value)};
}

Column column_of(std::string name, Kind kind, const std::vector<std::string>& words,
                 std::string_view option, int size) {
  Column column{std::move(name), kind, {}};
  for (int lane = 0; lane < size; ++lane)
    column.lanes.push_back(
        to_value(kind, words[static_cast<std::size_t>(lane) % words.size()], option, size));
  return column;
}

template <class F>
std::vector<std::string> for_lanes(int size, F&& value) {
  std::vector<std::string> words;
  for (int lane = 0; lane < size; ++lane) words.push_back(fmt::format("{}", value(lane)));
  return words;
}

/// Values of the first argument that show what the built-in does.
std::vector<std::string> usual_values(const Row& row, int size) {
  const std::string_view types = row.built_in->types;
  if (row.built_in->form == Form::ballot || row.built_in->form == Form::ballot_index)
    return {"0-" + std::to_string((size - 1) / 2)};
  if (types == "bool") return for_lanes(size, [](int lane) { return lane % 3 != 2; });
  if (row.operation == "all_equal") return {"7"};
  if (row.operation == "partition") return {"5", "8", "5", "5", "8", "9"};
  if (row.op == "mul") return {"2", "1", "3", "1"};
  if (row.op == "band") return {"15", "14", "13", "7"};
  if (row.op == "bor" || row.op == "bxor") return {"1", "2", "4", "8"};
  if (row.op == "min" || row.op == "max") return {"6", "4", "9", "2", "7", "1", "8", "3"};
  return for_lanes(size, [](int lane) { return 10 + lane; });
}

/// The name of the second parameter, as the signature has it.
std::string second_name(const Row& row) {
  const std::string text = signature(row);
  const std::size_t from = text.find(", ") + 2, space = text.find(' ', from) + 1;
  return text.substr(space, text.find_first_of(",)", space) - space);
}

std::vector<std::string> usual_second(const Row& row, int size) {
  if (row.built_in->form == Form::value_ballot)
    return for_lanes(size, [&](int lane) {
      std::string lanes;
      for (int other = lane % 2; other < size; other += 2)
        lanes += (lanes.empty() ? "" : ",") + std::to_string(other);
      return lanes;
    });
  if (row.built_in->form == Form::ballot_index)
    return for_lanes(size, [](int lane) { return lane; });
  if (row.operation == "shuffle") return for_lanes(size, [&](int lane) { return size - 1 - lane; });
  if (row.operation == "broadcast") return {size > 3 ? "3" : "0"};
  return {"1"};
}

void require_kind(const Row& row, Kind kind) {
  const std::string_view types = row.built_in->types;
  const bool fits = types == "T5" || (types == "TN" && kind != Kind::boolean) ||
                    (types == "TI" && kind != Kind::real) ||
                    (types == "float, int, uint" && kind != Kind::boolean);
  if (!fits) throw Error(fmt::format("--values: {} takes {}", row.name(), types_of_value(row)));
}

}  // namespace

std::vector<Column> columns_of(const Row& row, int size, const Arguments& arguments) {
  const auto words = [](const std::vector<std::string>& given, std::vector<std::string> usual) {
    return given.empty() ? std::move(usual) : given;
  };
  std::vector<Column> columns;
  const Form form = row.built_in->form;
  const bool has_value = row.kind == Row::Kind::function && form != Form::nothing;
  if (has_value) {
    const std::vector<std::string> values = words(arguments.values, usual_values(row, size));
    Kind kind = Kind::boolean;
    if (form == Form::ballot || form == Form::ballot_index) {
      kind = Kind::ballot;
    } else if (row.built_in->types != "bool") {
      kind = kind_of(values);
      require_kind(row, kind);
    }
    columns.push_back(column_of("value", kind, values, "--values", size));
  } else if (!arguments.values.empty()) {
    throw Error(fmt::format("--values: {} takes no value; remove it", row.name()));
  }
  const bool has_second = form == Form::value_index || form == Form::value_index_cluster ||
                          form == Form::value_ballot || form == Form::ballot_index;
  if (has_second) {
    columns.push_back(column_of(second_name(row),
                                form == Form::value_ballot ? Kind::ballot : Kind::natural,
                                words(arguments.second, usual_second(row, size)), "--with", size));
  } else if (!arguments.second.empty()) {
    throw Error(
        fmt::format("--with: {} takes no second argument of this kind; remove it", row.name()));
  }
  return columns;
}

}  // namespace lockstep::explain
