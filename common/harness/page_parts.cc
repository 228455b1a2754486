// SPDX-License-Identifier: Apache-2.0
#include "common/harness/page_parts.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "common/base/text.h"
#include "common/harness/columns.h"
#include "common/harness/metrics.h"

namespace lockstep {
namespace {

using nlohmann::json;

constexpr uint64_t kWarp = 32;

// Figures that a person compares; those of the launch's shape are the plot's other axis.
std::vector<std::string> plotted_metrics(const std::vector<Record>& own,
                                         const std::vector<Record>& reference) {
  const std::set<std::string> shape = {metric::kWarpsPerBlock, metric::kThreadsPerBlock,
                                       metric::kBlocks};
  std::set<std::string> there;
  for (const auto* records : {&own, &reference})
    for (const Record& record : *records)
      for (const auto& [name, count] : record.derived)
        if (!shape.contains(name)) there.insert(name);
  std::vector<std::string> metrics;
  for (const char* first : {metric::kTimeUs, metric::kInstPerElement})
    if (there.erase(first) > 0) metrics.push_back(first);
  metrics.insert(metrics.end(), there.begin(), there.end());
  return metrics;
}

std::string meaning_of(const std::string& metric) {
  for (const MetricInfo& info : all_metrics())
    if (info.name == metric) return info.meaning;
  return metric;
}

json points_of(const std::vector<Record>& records, const std::string& kernel) {
  json points = json::array();
  for (const Record& record : records) {
    if (record.kernel != kernel || record.derived.empty()) continue;
    json values = json::object();
    for (const auto& [name, count] : record.derived) values[name] = count.value;
    points.push_back({(record.block.count() + kWarp - 1) / kWarp, values});
  }
  return points;
}

}  // namespace

json facts_json(const std::vector<std::pair<std::string, std::string>>& facts) {
  json list = json::array();
  for (const auto& [name, value] : facts) list.push_back(json::array({name, value}));
  return list;
}

std::string file_name(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

json source_part(const std::string& file, const std::string& text, const std::string& words) {
  json lines = json::array();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(next_source_line(text, at), text.size());
    std::string line = text.substr(at, end - at);
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    lines.push_back(printable(line, true));
    at = end;
  }
  return {{"file", file}, {"words", words}, {"lines", lines}};
}

json code_part(const MachineCode& code, const std::string& student_file) {
  json part = json::parse(to_json(code));
  part.erase("files");
  part["student_file"] = -1;
  for (size_t i = 0; i < code.files.size(); ++i)
    if (file_name(code.files[i]) == student_file) part["student_file"] = i;
  return part;
}

json kernels_part(const std::vector<Record>& records, const std::string& student_file) {
  std::map<std::string, std::map<int, std::map<std::string, double>>> lines;
  std::map<std::string, int64_t> elements;
  std::vector<std::string> order;
  for (const Record& record : records) {
    if (record.counts.lines.empty()) continue;
    if (elements.count(record.kernel) == 0) order.push_back(record.kernel);
    elements[record.kernel] += record.elements;
    for (const LineCounts& line : record.counts.lines)
      if (file_name(line.file) == student_file)
        for (const auto& [metric, count] : line.counts)
          lines[record.kernel][line.line][metric] += count.value;
  }
  json kernels = json::array();
  for (const std::string& kernel : order) {
    json all = json::array();
    for (const auto& [line, counts] : lines[kernel]) all.push_back({line, counts});
    kernels.push_back({{"name", kernel}, {"elements", elements[kernel]}, {"lines", all}});
  }
  return kernels;
}

json plots_part(const std::vector<Record>& own, const std::vector<Record>& reference,
                const PlotNames& names) {
  json metrics = json::array(), kernels = json::array();
  for (const std::string& metric : plotted_metrics(own, reference))
    metrics.push_back(
        {{"key", metric}, {"heading", column_of(metric).heading}, {"meaning", meaning_of(metric)}});
  std::vector<std::string> order;
  for (const Record& record : own)
    if (!record.derived.empty() &&
        std::find(order.begin(), order.end(), record.kernel) == order.end())
      order.push_back(record.kernel);
  for (const std::string& kernel : order)
    kernels.push_back({{"name", kernel},
                       {"points", points_of(own, kernel)},
                       {"reference", points_of(reference, kernel)}});
  if (metrics.empty() || kernels.empty()) return nullptr;
  return {{"own", names.own},
          {"reference_name", names.reference},
          {"sweep", names.sweep},
          {"metrics", metrics},
          {"kernels", kernels}};
}

json note_of(const std::string& words, const std::string& student_file) {
  const std::string start = student_file + ":";
  if (words.rfind(start, 0) != 0) return nullptr;
  int line = 0;
  const char* end = words.data() + words.size();
  const auto [stop, error] = std::from_chars(words.data() + start.size(), end, line);
  if (error != std::errc() || stop == end || *stop != ':' || line < 1) return nullptr;
  const std::string rest(stop + 1, end);
  return {{"line", line},
          {"words", rest.substr(std::min(rest.find_first_not_of(' '), rest.size()))}};
}

}  // namespace lockstep
