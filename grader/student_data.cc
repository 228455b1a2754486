// SPDX-License-Identifier: Apache-2.0
// A submission's page. See pages.h.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/harness/page_parts.h"
#include "grader/pages.h"
#include "grader/report.h"
#include "grader/sha256.h"

namespace lockstep::grader {
namespace {

using nlohmann::json;

json check_json(const CheckOutcome& c) {
  json costs = json::array();
  for (const CostLine& cost : c.costs)
    costs.push_back({{"words", cost.words}, {"quoted", cost.source.lines()}});
  json one = {{"id", c.id},         {"title", c.title},         {"status", to_string(c.status)},
              {"points", c.points}, {"max", c.max_points},      {"hidden", c.hidden},
              {"blocks", c.blocks}, {"waits_for", c.waits_for}, {"kernel", c.kernel},
              {"tier", c.tier},     {"message", c.message},     {"quoted", c.quoted.lines()},
              {"costs", costs},     {"hint", c.hint},           {"reproduce", c.reproduce}};
  one["measured"] = c.measured ? json(*c.measured) : json();
  one["threshold"] = c.threshold ? json(*c.threshold) : json();
  return one;
}

// What checks say of single lines stands beside those, once.
json notes_of(const Verdict& verdict, const std::string& student_file) {
  json notes = json::array();
  std::set<std::string> told;
  const auto add = [&](const std::string& words, const std::string& kernel) {
    json note = note_of(words, student_file);
    if (note.is_null() || !told.insert(words + kernel).second) return;
    if (!kernel.empty()) note["words"] = note["words"].get<std::string>() + " in " + kernel;
    notes.push_back(std::move(note));
  };
  for (const CheckOutcome& c : verdict.checks) {
    if (c.status == CheckStatus::kPass) continue;
    add(c.message.substr(0, c.message.find('\n')), "");
    for (const CostLine& cost : c.costs) add(cost.words, c.kernel);
  }
  return notes;
}

// The counts by line as the store has them, of the student's file.
json kernels_json(const std::string& by_line, const std::string& student_file) {
  json kernels = json::array();
  if (by_line.empty()) return kernels;
  const json kept = json::parse(by_line);
  for (const auto& [kernel, sum] : kept.items()) {
    json lines = json::array();
    for (const json& line : sum.at("lines"))
      if (file_name(line.at(0).get<std::string>()) == student_file)
        lines.push_back({line.at(1), line.at(2)});
    kernels.push_back({{"name", kernel}, {"elements", sum.at("elements")}, {"lines", lines}});
  }
  return kernels;
}

json facts_of(const Graded& g) {
  const auto seconds = [](double s) { return format_number(std::round(s * 10) / 10) + " s"; };
  const bool emulated = g.backend == "emulator";
  return facts_json(
      {{"Device", g.device + (emulated ? ", emulated: counts are exact or predicted" : "")},
       {"Driver", g.driver.empty() ? "none" : g.driver},
       {"Architecture", g.arch},
       {"Compiler", g.compiler},
       {"Seed", std::to_string(g.seed)},
       {"Sandbox", g.sandbox},
       {"Attempts", std::to_string(g.attempts)},
       {"Compiled in", seconds(g.build_seconds)},
       {"Run in", seconds(g.run_seconds)},
       {g.judged_from == 0 ? "Graded at" : "Judged anew at", g.finished_at},
       {"Graded file", g.file.empty() ? "the submission itself" : g.file},
       {"SHA-256 of the source", g.content_hash},
       {"SHA-256 of the module", g.module_hash.empty() ? "none was made" : g.module_hash}});
}

void add_verdict(const Graded& g, json* page) {
  const Verdict& v = g.verdict;
  const bool nothing_run = v.kind == VerdictKind::kStudentError && g.module_hash.empty();
  json checks = json::array();
  const CheckOutcome* first = nullptr;
  for (const CheckOutcome& c : v.checks) {
    if (nothing_run) break;
    checks.push_back(check_json(c));
    const bool missed = c.status == CheckStatus::kFail || c.status == CheckStatus::kPartial;
    if (missed && c.waits_for.empty() && first == nullptr) first = &c;
  }
  page->update({{"verdict", to_string(v.kind)},
                {"words", verdict_words(v)},
                {"points", v.kind == VerdictKind::kInfraError ? json() : json(v.points)},
                {"max", v.max_points},
                {"undecided", v.kind == VerdictKind::kInfraError ? 0 : v.undecided_points},
                {"review", v.review_points},
                {"sandbox", g.sandbox},
                {"message", is_told(v) && !nothing_run ? "" : v.message},
                {"quoted", is_told(v) && !nothing_run ? Quoted().lines() : v.quoted.lines()},
                {"checks_title", "Checks"},
                {"checks", checks}});
  std::string words;
  if (first != nullptr) words = first->title + (first->hint.empty() ? "" : ". " + first->hint);
  (*page)["first"] = words;
}

}  // namespace

std::string page_file(const std::string& shown, const std::string& identity) {
  std::string name;
  for (const char c : shown) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain)
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
    if (name.size() == 40) break;
  }
  if (!name.empty() && name.back() != '-') name += '-';
  return name + sha256(identity).substr(0, 24) + ".html";
}

json student_data(const StudentParts& parts, const PageNames& names, const std::string& back) {
  const Graded& g = parts.graded;
  json page = {{"homework", g.homework}, {"name", g.submission}, {"back", back}};
  add_verdict(g, &page);
  page["facts"] = facts_of(g);
  page["notes"] = notes_of(g.verdict, names.student_file);
  page["kernels"] = parts.kernels;
  page["source"] =
      parts.source.empty()
          ? json()
          : source_part(
                names.student_file, parts.source,
                parts.kernels.empty()
                    ? "No launch was counted by line."
                    : "Counts are sums over all launches that were counted. Sectors are 32 "
                      "bytes of global memory; ideal is what the bytes asked for would fill.");
  page["code"] = nullptr;
  page["no_code"] = g.module_hash.empty() ? "nothing could be compiled."
                                          : "this grading was made before it was kept.";
  if (!parts.code.empty())
    page["code"] = code_part(machine_code_from_json(parts.code), names.student_file);
  page["plots"] = plots_part(parts.records, parts.solution, PlotNames());
  return page;
}

json student_data(Store& store, const Graded& g, const PageNames& names, const std::string& back) {
  return student_data(
      {g, store.source_of(g).value_or(""),
       kernels_json(store.by_line_of(g).value_or(""), names.student_file),
       store.code_of(g.module_hash).value_or(""), store.records_of(g), store.solution_of(g)},
      names, back);
}

}  // namespace lockstep::grader
