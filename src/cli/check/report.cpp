#include "cli/check/report.hpp"

#include <charconv>
#include <cstddef>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/judgement_text.hpp"
#include "io/types.hpp"
#include "shader/front/source_texts.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string slot_of(const job::Binding& binding) {
  const std::string slot = binding.set == 0 ? fmt::format("{}", binding.binding)
                                            : fmt::format("{}:{}", binding.set, binding.binding);
  return binding.element == 0 ? slot : fmt::format("{}[{}]", slot, binding.element);
}

std::string title_of(const job::Binding& binding) {
  return fmt::format("{} {} ({})", binding.image ? "image" : "buffer", slot_of(binding),
                     binding.name);
}

std::string device_of(const job::Job& job) {
  return job.device.is_object() ? job.device.value("name", "") : "";
}

/// "  [3] is 1.5 on the device, 1.25 here, allowed 1.2 to 1.3".
std::string offender(const judgement::Element& judged,
                     const std::optional<lockstep::report::Writer>* writer) {
  std::string text = fmt::format("    {}: {} is {} on the device, {} here", name_of(judged.verdict),
                                 place_of(judged), judged.device, judged.reference);
  if (!judged.low.empty()) text += fmt::format(", {}", judgement::allowed_text(judged));
  if (!judged.reason.empty()) text += fmt::format("; {}", judged.reason);
  if (writer != nullptr)
    text += *writer ? fmt::format("; written by {}", text_of(**writer)) : "; never written";
  return text + "\n";
}

std::string text_of(const job::Job& job, const judgement::Buffer& judged) {
  const judgement::Elements& result = judged.result;
  std::string counts = text_of_counts(result);
  if (counts.empty()) counts = fmt::format("  {} equal\n", result.elements);
  std::string text = fmt::format("  {}:{}", title_of(job.bindings[judged.part]), counts.substr(1));
  for (std::size_t k = 0; k < result.first.size(); ++k)
    text += offender(result.first[k], k < judged.writers.size() ? &judged.writers[k] : nullptr);
  return text;
}

/// The lines that judged elements name, with their texts as the shader was compiled of them.
class Lines {
 public:
  explicit Lines(const job::Job& job) {
    for (const auto& [name, text] : spirv::source_texts(job.words)) {
      std::istringstream in(text);
      for (std::string line; std::getline(in, line);) texts_[name].push_back(line);
    }
  }

  void add(const std::string& file, int line) { named_.insert({file, line}); }
  /// Those in a text: "shader.comp:12".
  void add_named_in(const std::string& text) {
    for (const auto& [file, lines] : texts_) {
      const std::size_t at = text.find(file + ":");
      if (at == text.npos) continue;
      int line = 0;
      const char* const number = text.data() + at + file.size() + 1;
      std::from_chars(number, text.data() + text.size(), line);
      add(file, line);
    }
  }

  Json json() const {
    Json all = Json::array();
    for (const auto& [file, line] : named_) {
      const auto lines = texts_.find(file);
      if (lines == texts_.end() || line < 1 ||
          static_cast<std::size_t>(line) > lines->second.size())
        continue;
      const std::string& text = lines->second[static_cast<std::size_t>(line) - 1];
      all.push_back({{"file", file}, {"line", line}, {"text", text}});
    }
    return all;
  }

 private:
  std::map<std::string, std::vector<std::string>> texts_;
  std::set<std::pair<std::string, int>> named_;
};

}  // namespace

const char* CheckedJob::outcome() const {
  if (!error.empty()) return "error";
  return is_judged ? judgement.outcome() : "nothing to compare";
}

std::string text_of(const CheckedJob& checked, bool detailed) {
  if (!checked.error.empty())
    return fmt::format("error      {}: {}\n", checked.folder, checked.error);
  const job::Job& job = checked.job;
  std::string text = fmt::format("{:<9}  {}", checked.outcome(), checked.folder);
  if (!device_of(job).empty())
    text += fmt::format("  ({}, subgroups of {})", device_of(job), job.subgroup_size);
  text += "\n";
  const std::string_view outcome = checked.outcome();
  if (!detailed && (outcome == "right" || outcome == "allowed")) return text;
  for (const judgement::Buffer& judged : checked.judgement.buffers) text += text_of(job, judged);
  text += cli::text_of(checked.judgement.explanation);
  return text;
}

Json json_of(const CheckedJob& checked) {
  Json json{{"folder", checked.folder}, {"outcome", checked.outcome()}};
  if (!checked.error.empty()) {
    json["error"] = checked.error;
    return json;
  }
  const job::Job& job = checked.job;
  json["name"] = job.name;
  json["source"] = job.source;
  json["device"] = device_of(job);
  json["driver"] = job.device.is_object() ? job.device.value("driver", "") : "";
  json["subgroup_size"] = job.subgroup_size;
  json["groups"] = {job.groups.x, job.groups.y, job.groups.z};
  json["buffers"] = Json::array();
  Lines lines(job);
  for (const judgement::Buffer& judged : checked.judgement.buffers) {
    const job::Binding& binding = job.bindings[judged.part];
    Json buffer{{"set", binding.set},
                {"binding", binding.binding},
                {"element", binding.element},
                {"name", binding.name},
                {"type", lockstep::io::name_of(binding.type)},
                {"elements", judged.result.elements},
                {"counts", counts_of(judged.result)},
                {"verdicts", runs_of(judged.result)},
                {"worst", worst_of(judged.result)},
                {"order", judged.result.order}};
    buffer["first"] = Json::array();
    for (std::size_t k = 0; k < judged.result.first.size(); ++k) {
      const judgement::Element& element = judged.result.first[k];
      Json entry{{"index", element.index},
                 {"verdict", name_of(element.verdict)},
                 {"device", element.device},
                 {"reference", element.reference}};
      if (!element.path.empty()) entry["member"] = element.path;
      if (!element.low.empty()) {
        entry["low"] = element.low;
        entry["high"] = element.high;
      }
      if (!element.reason.empty()) entry["reason"] = element.reason;
      lines.add_named_in(element.reason);
      if (k < judged.writers.size()) {
        const auto& writer = judged.writers[k];
        if (writer) lines.add(writer->where.file, writer->where.line);
        entry["writer"] = json_of(writer);
      }
      buffer["first"].push_back(std::move(entry));
    }
    if (!judged.lanes.empty()) buffer["lanes"] = judged.lanes;
    json["buffers"].push_back(std::move(buffer));
  }
  json["lines"] = lines.json();
  if (checked.judgement.explanation) json["explanation"] = json_of(checked.judgement.explanation);
  if (checked.judgement.tried) json["tried"] = json_of(checked.judgement.tried);
  return json;
}

}  // namespace lockstep::cli
