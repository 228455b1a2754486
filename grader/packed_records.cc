// SPDX-License-Identifier: Apache-2.0
// Records, plan and counts by line as text. See packed_records.h. What is read decides about
// points, so every field that judging needs must be there, once and with its type.
#include "grader/packed_records.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "common/base/error.h"
#include "common/harness/plan_json.h"
#include "grader/columns.h"

namespace lockstep::grader {
namespace {

using nlohmann::json;

[[noreturn]] void malformed(const std::string& what) {
  throw Error("the results hold a record that is not as a grader writes it: " + what,
              kExitCannotRun);
}

// Cells are JSON text.
template <typename T>
T number_of(std::string_view cell) {
  T value{};
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) malformed("a number");
  return value;
}

std::string text_of(std::string_view cell) {
  if (cell.size() < 2 || cell.front() != '"') malformed("a text");
  if (cell.find('\\') == std::string_view::npos)
    return std::string(cell.substr(1, cell.size() - 2));
  return json::parse(cell).get<std::string>();
}

double real_of(std::string_view cell) {
  if (cell == "\"nan\"") return std::nan("");
  if (cell == "\"inf\"") return HUGE_VAL;
  if (cell == "\"-inf\"") return -HUGE_VAL;
  return number_of<double>(cell);
}

Tier tier_of(std::string_view cell) {
  for (const Tier tier : {Tier::kMeasured, Tier::kExact, Tier::kPredicted})
    if (cell.size() > 2 && cell.substr(1, cell.size() - 2) == to_string(tier)) return tier;
  malformed("a tier");
}

Dim3 dim_of(std::string_view cell) {
  const size_t first = cell.find(','), last = cell.rfind(',');
  if (cell.front() != '[' || cell.back() != ']' || first == last) malformed("a shape");
  return {number_of<uint32_t>(cell.substr(1, first - 1)),
          number_of<uint32_t>(cell.substr(first + 1, last - first - 1)),
          number_of<uint32_t>(cell.substr(last + 1, cell.size() - last - 2))};
}

template <typename T>
T whole_or_unknown(std::string_view cell) {
  return cell == "null" ? T{-1} : number_of<T>(cell);
}

using Set = void (*)(std::string_view, Record*);

// The fields that each record must have here.
constexpr std::pair<std::string_view, Set> kFields[] = {
    {"/record",
     [](std::string_view c, Record*) {
       if (number_of<int>(c) != kRecordVersion) malformed("it is of another version");
     }},
    {"/kernel", [](std::string_view c, Record* r) { r->kernel = text_of(c); }},
    {"/elements", [](std::string_view c, Record* r) { r->elements = number_of<int64_t>(c); }},
    {"/input_bytes", [](std::string_view c, Record* r) { r->input_bytes = number_of<int64_t>(c); }},
    {"/grid", [](std::string_view c, Record* r) { r->grid = dim_of(c); }},
    {"/block", [](std::string_view c, Record* r) { r->block = dim_of(c); }},
    {"/registers", [](std::string_view c, Record* r) { r->registers = whole_or_unknown<int>(c); }},
    {"/spill_bytes",
     [](std::string_view c, Record* r) { r->spill_bytes = whole_or_unknown<int64_t>(c); }},
    {"/time_us",
     [](std::string_view c, Record* r) {
       if (c != "null") r->time_us = real_of(c);
     }},
    {"/check/status", [](std::string_view c, Record* r) { r->check.status = text_of(c); }},
    {"/check/fault_kind", [](std::string_view c, Record* r) { r->check.fault_kind = text_of(c); }},
    {"/check/message", [](std::string_view c, Record* r) { r->check.message = text_of(c); }},
    {"/check/quoted", [](std::string_view c, Record* r) { r->check.quoted = Quoted(text_of(c)); }},
    {"/check/seed", [](std::string_view c, Record* r) { r->check.seed = number_of<uint64_t>(c); }}};

Set field_of(std::string_view path) {
  for (const auto& [name, set] : kFields)
    if (path == name) return set;
  return nullptr;
}

constexpr std::string_view kCounts = "/counts/", kDerived = "/derived/",
                           kUnavailable = "/unavailable/";

bool is_judged_by(std::string_view path, const MetricNames& metrics) {
  for (const std::string_view prefix : {kCounts, kDerived})
    if (path.starts_with(prefix)) {
      const std::string_view rest = path.substr(prefix.size());
      return metrics.contains(rest.substr(0, rest.rfind('/')));
    }
  if (path.starts_with(kUnavailable)) return metrics.contains(path.substr(kUnavailable.size()));
  return field_of(path) != nullptr;
}

// Fills records from columns.
class Figures {
 public:
  void take(const JsonColumn& column) {
    const size_t most = *std::max_element(column.at.begin(), column.at.end());
    if (most >= records_.size()) records_.resize(most + 1), fields_.resize(most + 1);
    const std::string_view path = column.path;
    if (path.starts_with(kCounts))
      take_count(
          column, kCounts.size(), [](Record & r) -> auto& { return r.counts.values; });
    else if (path.starts_with(kDerived))
      take_count(
          column, kDerived.size(), [](Record & r) -> auto& { return r.derived; });
    else if (path.starts_with(kUnavailable))
      take_reason(column, std::string(path.substr(kUnavailable.size())));
    else
      take_field(column, field_of(path));
  }
  std::vector<Record> done() && {
    for (const size_t fields : fields_)
      if (fields != std::size(kFields)) malformed("a field is missing");
    if (!halves_.empty()) malformed("a count without value or tier");
    return std::move(records_);
  }

 private:
  void take_field(const JsonColumn& column, Set set) {
    for (size_t i = 0; i < column.at.size(); ++i) {
      ++fields_[column.at[i]];
      set(column.cell(i), &records_[column.at[i]]);
    }
  }
  void take_reason(const JsonColumn& column, const std::string& metric) {
    for (size_t i = 0; i < column.at.size(); ++i)
      records_[column.at[i]].counts.unavailable[metric] = text_of(column.cell(i));
  }
  // ".../NAME/value" and ".../NAME/tier"; an empty object has neither.
  template <typename MapOf>
  void take_count(const JsonColumn& column, size_t begin, MapOf map_of) {
    const size_t slash = column.path.rfind('/');
    if (slash < begin) malformed(std::string(column.path));
    const std::string name(column.path.substr(begin, slash - begin));
    const bool is_value = column.path.substr(slash) == "/value";
    if (!is_value && column.path.substr(slash) != "/tier") malformed(std::string(column.path));
    const auto whole = std::pair(column.at.front(), column.path.substr(0, slash));
    const auto [half, is_first] = halves_.try_emplace(whole);
    std::vector<Count*>& counts = half->second;  // of std::map: they stay where they are
    for (const size_t place : column.at) {
      if (!is_first) break;
      auto& all = map_of(records_[place]);
      counts.push_back(&all.try_emplace(all.end(), name)->second);
    }
    for (size_t i = 0; i < counts.size(); ++i)
      if (is_value)
        counts[i]->value = real_of(column.cell(i));
      else
        counts[i]->tier = tier_of(column.cell(i));
    if (!is_first) halves_.erase(half);
  }

  std::vector<Record> records_;
  std::vector<size_t> fields_;  // how many each has
  // What has a value and no tier yet, or the other way round, by the group's first place and path.
  std::map<std::pair<size_t, std::string_view>, std::vector<Count*>> halves_;
};

// A launch's counts at one line.
struct Place {
  std::vector<size_t> launches;
  std::vector<const LineCounts*> counts;
};

json counts_of(const Place& place) {
  std::map<std::string, std::vector<double>> counts;
  for (size_t i = 0; i < place.counts.size(); ++i)
    for (const auto& [metric, count] : place.counts[i]->counts) {
      if (count.value == 0) continue;
      std::vector<double>& cells = counts[metric];
      cells.resize(place.counts.size());
      cells[i] = count.value;
    }
  return counts;
}

// Calls `use` with file, line, launch and the counts of that launch there that are not 0.
template <typename Use>
void for_each_line(const std::string& text, Use use) {
  if (text.empty()) return;
  try {
    for (const json& place : json::parse(text)) {
      const std::string file = place.at(0);
      const int line = place.at(1);
      const std::vector<size_t> launches = place.at(2);
      for (size_t i = 0; i < launches.size(); ++i) {
        std::map<std::string, double> counts;
        for (const auto& [metric, cells] : place.at(3).items())
          if (const double value = cells.at(i); value != 0) counts[metric] = value;
        use(file, line, launches[i], counts);
      }
    }
  } catch (const json::exception&) {
    throw Error("the results hold counts by line that are not as a grader writes them",
                kExitCannotRun);
  }
}

}  // namespace

std::string plan_text(const std::vector<GradedLaunch>& plan) {
  std::vector<json> launches;
  for (const GradedLaunch& one : plan) {
    launches.push_back(json_of(one.launch));
    launches.back()["run"] = one.run;
  }
  return to_columns(launches);
}

std::vector<GradedLaunch> plan_from_text(const std::string& text) {
  std::vector<GradedLaunch> plan;
  try {
    for (const json& l : from_columns(text, kMostLaunches))
      plan.push_back({l.at("run"), planned_launch(l)});
  } catch (const json::exception&) {
    throw Error("the results hold a plan that is not as a grader writes it", kExitCannotRun);
  }
  return plan;
}

bool same_launches(const std::vector<GradedLaunch>& a, const std::vector<GradedLaunch>& b) {
  const auto same = [](const GradedLaunch& x, const GradedLaunch& y) {
    return x.launch == y.launch;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

std::string records_text(const std::vector<std::string>& lines) {
  std::vector<json> values;
  for (const std::string& line : lines) {
    json value = json::parse(line, nullptr, false);
    values.push_back(value.is_discarded() ? json(line) : std::move(value));
  }
  return to_columns(values);
}

std::string records_text(const std::vector<Record>& records) {
  std::vector<std::string> lines;
  for (const Record& record : records) {
    Record brief = record;
    brief.counts.lines.clear();
    lines.push_back(to_json_line(brief));
  }
  return records_text(lines);
}

std::vector<Record> records_from_text(const std::string& text) {
  std::vector<Record> records;
  for (const json& value : from_columns(text, kMostLaunches)) {
    try {
      records.push_back(record_from_json_line(value.dump()));
    } catch (const std::exception&) {  // of an earlier version
    }
  }
  return records;
}

std::vector<Record> figures_from_text(const std::string& text, const MetricNames& metrics) {
  Figures figures;
  try {
    read_columns(
        text, kMostLaunches, [&](std::string_view path) { return is_judged_by(path, metrics); },
        [&](const JsonColumn& column) { figures.take(column); });
  } catch (const json::exception& e) {
    malformed(e.what());
  }
  return std::move(figures).done();
}

std::string lines_text(const std::vector<Record>& records) {
  std::map<std::pair<std::string, int>, Place> places;
  for (size_t i = 0; i < records.size(); ++i)
    for (const LineCounts& line : records[i].counts.lines) {
      Place& place = places[{line.file, line.line}];
      place.launches.push_back(i);
      place.counts.push_back(&line);
    }
  json all = json::array();
  for (const auto& [where, place] : places)
    all.push_back({where.first, where.second, place.launches, counts_of(place)});
  return places.empty() ? "" : all.dump(-1, ' ', true, json::error_handler_t::replace);
}

std::map<size_t, std::vector<LineCounts>> lines_from_text(const std::string& text) {
  std::map<size_t, std::vector<LineCounts>> launches;
  for_each_line(text, [&](const std::string& file, int line, size_t launch, const auto& counts) {
    LineCounts& one = launches[launch].emplace_back(file, line);
    for (const auto& [metric, value] : counts) one.counts[metric] = {value, Tier::kPredicted};
  });
  return launches;
}

std::string by_line_text(const std::string& records, const std::string& lines) {
  const std::vector<json> launches = from_columns(records, kMostLaunches);
  struct Sum {
    std::set<size_t> launches;
    int64_t elements = 0;
    std::map<std::pair<std::string, int>, std::map<std::string, double>> lines;
  };
  std::map<std::string, Sum> sums;
  for_each_line(lines, [&](const std::string& file, int line, size_t at, const auto& counts) {
    if (at >= launches.size()) return;
    Sum& sum = sums[launches[at].value("kernel", "")];
    if (sum.launches.insert(at).second) sum.elements += launches[at].value("elements", int64_t{0});
    for (const auto& [metric, value] : counts) sum.lines[{file, line}][metric] += value;
  });
  json all = json::object();
  for (const auto& [kernel, sum] : sums) {
    json by_line = json::array();
    for (const auto& [place, counts] : sum.lines)
      by_line.push_back({place.first, place.second, counts});
    all[kernel] = {
        {"elements", sum.elements}, {"launches", sum.launches.size()}, {"lines", by_line}};
  }
  return sums.empty() ? "" : all.dump(-1, ' ', true, json::error_handler_t::replace);
}

}  // namespace lockstep::grader
