#include <lockstep/exec/chooser.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/error.hpp>

namespace lockstep {
namespace {

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

/// The lines of "rejoin-none:12,14"; nothing for another text.
std::optional<std::vector<std::uint32_t>> read_lines(std::string_view text) {
  std::vector<std::uint32_t> lines;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::uint32_t line = 0;
    if (!read_number(text.substr(0, comma), line) || line == 0) return std::nullopt;
    lines.push_back(line);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  if (lines.empty()) return std::nullopt;
  return lines;
}

constexpr std::uint32_t most_repeats = 1u << 24;

/// "0,1x3,2" are 0, 1, 1, 1 and 2.
bool read_numbers(std::string_view text, std::vector<std::uint32_t>& numbers) {
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    const std::size_t times = word.find('x');
    std::uint32_t number = 0, count = 1;
    if (!read_number(word.substr(0, times), number)) return false;
    if (times != std::string_view::npos &&
        (!read_number(word.substr(times + 1), count) || count > most_repeats))
      return false;
    numbers.insert(numbers.end(), count, number);
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
    if (text.empty()) return false;
  }
  return true;
}

/// The next number of the SplitMix64 generator, whose state is one integer.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// The remainder, without a division where that is easy.
std::uint32_t below(std::uint32_t options, std::uint64_t random) {
  const bool power_of_two = (options & (options - 1)) == 0;
  return static_cast<std::uint32_t>(power_of_two ? random & (options - 1) : random % options);
}

Choice choice_named(std::string_view name) {
  for (const Choice choice : all_choices) {
    if (to_string(choice) == name) return choice;
  }
  std::vector<std::string_view> names;
  names.reserve(std::size(all_choices));
  for (const Choice choice : all_choices) names.push_back(to_string(choice));
  throw Error(
      fmt::format("'{}' is not a kind of choice: use one of {}", name, fmt::join(names, ", ")));
}

}  // namespace

std::string_view to_string(Choice choice) {
  switch (choice) {
    case Choice::rejoin:
      return "convergence";
    case Choice::switch_grouping:
      return "switch-grouping";
    case Choice::fallthrough:
      return "fallthrough";
    case Choice::late_break:
      return "late-break";
    case Choice::subgroup_order:
      return "subgroup-order";
    case Choice::side_order:
      return "side-order";
    case Choice::atomic_order:
      return "atomic-order";
    case Choice::reduction_order:
      return "reduction-order";
    case Choice::progress:
      return "progress";
  }
  return "?";
}

Chooser Chooser::only(std::span<const Choice> choices) const {
  Chooser chooser = *this;
  chooser.open_ = bits_of(choices);
  return chooser;
}

Chooser Chooser::parse(std::string_view text) {
  if (const std::size_t end = text.find('='); end != std::string_view::npos) {
    std::vector<Choice> choices;
    for (std::string_view kinds = text.substr(0, end);;) {
      const std::size_t comma = kinds.find(',');
      choices.push_back(choice_named(kinds.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      kinds.remove_prefix(comma + 1);
    }
    return parse(text.substr(end + 1)).only(choices);
  }
  if (text == "rejoin-all") return rejoin_all();
  if (text == "rejoin-none") return rejoin_none();
  const std::size_t colon = text.find(':');
  const std::string_view manner = text.substr(0, colon);
  const std::string_view rest =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  std::uint64_t seed = 0;
  if (manner == "random" && read_number(rest, seed)) return random(seed);
  std::vector<std::uint32_t> answers;
  if (manner == "rejoin-none" && colon != std::string_view::npos) {
    if (auto lines = read_lines(rest)) {
      Chooser chooser = rejoin_none();
      chooser.answers_ = std::move(*lines);
      return chooser;
    }
  }
  if (manner == "replay" && colon != std::string_view::npos && read_numbers(rest, answers))
    return replay(std::move(answers));
  throw Error(fmt::format(
      "'{}' is not a chooser: write rejoin-all, rejoin-none, rejoin-none:LINE,..., random:SEED or "
      "replay:0,1,2",
      text));
}

std::uint32_t Chooser::choose(std::uint32_t options, SourceLocation where, Choice choice) {
  if (!asks(choice)) return 0;
  std::uint32_t answer = 0;
  switch (manner_) {
    case Manner::rejoin_all:
      break;
    case Manner::rejoin_none:  // anywhere, or only in the lines that answers_ has then
      if (answers_.empty() ||
          std::ranges::find(answers_, static_cast<std::uint32_t>(where.line)) != answers_.end())
        answer = options - 1;
      break;
    case Manner::random:
      answer = below(options, next_random(random_));
      break;
    case Manner::replay:
      if (made_.size() == answers_.size() || answers_[made_.size()] >= options) {
        throw Error(
            fmt::format("{}:{}: the list of choices does not fit this run: answer {} of {} should "
                        "be one of {}; replay it with the kernel, input and sizes that made it",
                        where.file, where.line, made_.size(), answers_.size(), options));
      }
      answer = answers_[made_.size()];
      break;
    case Manner::start_with:
      if (made_.size() < answers_.size()) answer = std::min(answers_[made_.size()], options - 1);
      break;
  }
  keep({options, choice, where}, answer);
  return answer;
}

/// A run asks few questions often. Those whose place in the table of recent ones is taken are stored once more.
void Chooser::keep(const Question& question, std::uint32_t answer) {
  const SourceLocation& where = question.where;
  const auto line = static_cast<std::size_t>(where.line);
  const auto column = static_cast<std::size_t>(where.column);
  std::uint32_t& number = recent_[(line * 4 + column + question.options) % recent_.size()];
  const auto is_known = [&] {
    if (number >= different_.size()) return false;
    const Question& other = different_[number];
    return other.options == question.options && other.choice == question.choice &&
           other.where.line == where.line && other.where.column == where.column &&
           other.where.file == where.file;
  };
  if (!is_known()) {
    number = static_cast<std::uint32_t>(different_.size());
    different_.push_back(question);
  }
  made_.push_back(answer);
  asked_.push_back(number);
}

std::vector<Chooser::Question> Chooser::asked() const {
  std::vector<Question> all;
  all.reserve(asked_.size());
  for (const std::uint32_t number : asked_) all.push_back(different_[number]);
  return all;
}

std::uint32_t Chooser::choose_for_place(std::uint32_t options, SourceLocation where,
                                        Choice choice) {
  if (!asks(choice)) return 0;
  for (const AtPlace& known : by_place_) {
    if (known.line == where.line && known.choice == choice && known.file == where.file)
      return known.answer;
  }
  by_place_.push_back({where.file, where.line, choice, choose(options, where, choice)});
  return by_place_.back().answer;
}

std::string Chooser::to_text(const std::vector<std::uint32_t>& answers) {
  constexpr std::ptrdiff_t least_repeats = 8;
  std::vector<std::string> words;
  for (auto at = answers.begin(); at != answers.end();) {
    const auto end = std::find_if(at, answers.end(), [&](std::uint32_t a) { return a != *at; });
    if (end - at < least_repeats) {
      words.push_back(std::to_string(*at++));
    } else {
      words.push_back(fmt::format("{}x{}", *at, end - at));
      at = end;
    }
  }
  return fmt::format("{}", fmt::join(words, ","));
}

}  // namespace lockstep
