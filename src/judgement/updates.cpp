#include "judgement/updates.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lockstep::judgement {
namespace {

using spirv::Operator;

/// Sums of different numbers have at most this many values.
constexpr std::uint64_t most_sums = 4096;

bool is_counted(Operator op) { return op == Operator::add || op == Operator::sub; }
bool are_all(const std::vector<Turn>& turns, Operator op) {
  return std::ranges::all_of(turns, [&](const Turn& turn) { return turn.op == op; });
}
bool claims(const Turn& turn, std::uint64_t initial) {
  return turn.op == Operator::compare_exchange && turn.compare == initial && turn.value != initial;
}

/// What a counter has before each of its turns.
std::vector<std::uint64_t> counts(const std::vector<Turn>& turns, std::uint64_t initial) {
  std::vector<std::uint64_t> all;
  for (const Turn& turn : turns) {
    all.push_back(initial);
    initial = turn.after(initial);
  }
  std::vector<std::uint64_t> sorted = all;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) all.clear();
  return all;
}

/// The sums of some of the numbers, but not of all; nothing if there are too many.
std::vector<std::uint64_t> sums(const std::vector<Turn>& turns, std::uint64_t initial) {
  std::uint64_t total = 0;
  for (const Turn& turn : turns) {
    if (turn.value > most_sums || total > most_sums) return {};
    total += turn.value;
  }
  if (total == 0 || total > most_sums || initial > ~std::uint32_t{0} - total) return {};
  const auto last = static_cast<std::size_t>(total);
  std::vector<bool> reached(last + 1);
  reached[0] = true;
  for (const Turn& turn : turns) {
    const auto value = static_cast<std::size_t>(turn.value);
    for (std::size_t k = last + 1; k-- > value;) reached[k] = reached[k] || reached[k - value];
  }
  std::vector<std::uint64_t> all;
  for (std::size_t k = 0; k < last; ++k) {
    if (reached[k]) all.push_back(initial + k);
  }
  return all;
}

std::vector<std::uint64_t> values(const std::vector<Turn>& turns, std::uint64_t initial) {
  std::vector<std::uint64_t> all{initial};
  for (const Turn& turn : turns) {
    if (std::ranges::find(all, turn.value) == all.end()) all.push_back(turn.value);
  }
  return all;
}

}  // namespace

std::size_t Update::number_of(std::uint64_t returned) const {
  return static_cast<std::size_t>(std::ranges::find(returns, returned) - returns.begin());
}

Updates::Updates(const GuidedRun& first, Contents inputs, const Contents& device)
    : inputs_(std::move(inputs)), device_(device) {
  std::map<Cell, std::vector<Turn>> turns;
  for (const auto& [unit, path] : first.paths()) {
    for (const Turn& turn : path.turns) turns[turn.cell].push_back(turn);
    for (const Store& store : path.stores) stored_.insert(store.at);
  }
  for (const auto& [cell, all] : turns) {
    if (std::ranges::any_of(all, &Turn::ordered)) add(cell, all, first.initial().at(cell));
  }
}

void Updates::add(const Cell& cell, const std::vector<Turn>& turns, std::uint64_t initial) {
  Update update{.initial = initial, .returns = {}, .turns = turns.size()};
  for (const Turn& turn : turns) update.sum += turn.value;
  const auto is_like_first = [&](const Turn& turn) {
    return turn.op == turns[0].op && turn.value == turns[0].value;
  };
  const bool used = std::ranges::all_of(turns, &Turn::ordered);
  if (is_counted(turns[0].op) && std::ranges::all_of(turns, is_like_first)) {
    update.returns = counts(turns, initial);
  } else if (are_all(turns, Operator::add) && used) {
    update.kind = Update::Kind::tiles;
    update.returns = sums(turns, initial);
  } else if (are_all(turns, Operator::exchange)) {
    update.kind = Update::Kind::exchange;
    update.returns = values(turns, initial);
    update.last = stored_.contains(cell.at) ? std::nullopt : number_in(device_, turns[0]);
  } else if (are_all(turns, Operator::compare_exchange)) {
    for (const Turn& turn : turns) understood_ = understood_ && add_claim(turn);
    return;
  }
  if (update.returns.empty()) understood_ = false;
  updates_.emplace(cell, std::move(update));
}

bool Updates::add_claim(const Turn& turn) {
  const auto initial = number_in(inputs_, turn), last = number_in(device_, turn);
  if (!initial || !last || turn.cell.epoch != 0 || stored_.contains(turn.cell.at) ||
      !claims(turn, *initial))
    return false;
  Update update{.kind = Update::Kind::claim, .initial = *initial, .last = last, .returns = {}};
  update.returns.push_back(*initial);
  if (*last != *initial) update.returns.push_back(*last);
  updates_.try_emplace(turn.cell, std::move(update));
  return true;
}

std::optional<std::uint64_t> Updates::number_in(const Contents& contents, const Turn& turn) const {
  const Location& at = turn.cell.at;
  if (at.part >= contents.size() || at.byte + turn.bytes > contents[at.part].size()) return {};
  std::uint64_t bits = 0;
  std::memcpy(&bits, contents[at.part].data() + at.byte, turn.bytes);
  return bits;
}

const std::vector<std::uint64_t>* Updates::of(const Turn& turn) {
  if (turn.op == Operator::load) understood_ = false;
  auto found = updates_.find(turn.cell);
  if (found == updates_.end() && turn.op == Operator::compare_exchange && add_claim(turn))
    found = updates_.find(turn.cell);
  if (found == updates_.end()) {
    understood_ = understood_ && !turn.ordered;
    return nullptr;
  }
  const Update& update = found->second;
  if (update.kind == Update::Kind::claim && !claims(turn, update.initial)) understood_ = false;
  return turn.ordered ? &update.returns : nullptr;
}

bool Updates::are_those_of(const GuidedRun& run) const {
  std::map<Cell, std::pair<std::size_t, std::uint64_t>> made;
  for (const auto& [unit, path] : run.paths()) {
    for (const Turn& turn : path.turns) {
      ++made[turn.cell].first;
      made[turn.cell].second += turn.value;
    }
  }
  return std::ranges::all_of(updates_, [&](const auto& entry) {
    const auto& [cell, update] = entry;
    if (update.kind == Update::Kind::claim) return true;
    const auto found = made.find(cell);
    return found != made.end() && found->second == std::pair(update.turns, update.sum);
  });
}

}  // namespace lockstep::judgement
