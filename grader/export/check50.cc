// SPDX-License-Identifier: Apache-2.0
// check50's JSON, one file a student. What was not measured has passed null, as what could not be
// tried; an infrastructure error is check50's own "error".
#include "grader/export/write.h"

namespace lockstep::grader {
namespace {

Json lines_of(const std::string& text) {
  Json lines = Json::array();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

Json check50_result(const SheetCheck& c) {
  Json one = {{"name", c.id}, {"description", c.title}};
  const bool tried = c.points && c.waits_for.empty();
  one["passed"] = tried ? Json(c.status == CheckStatus::kPass) : Json();
  one["log"] = lines_of(c.text);
  one["cause"] = Json();
  if (one["passed"] != true) {
    const std::string why = !c.points              ? "not measured on this device"
                            : !c.waits_for.empty() ? "waits for " + c.waits_for
                            : c.text.empty()       ? mark_of(c.status)
                                                   : c.text.substr(0, c.text.find('\n'));
    one["cause"] = {{"rationale", why}, {"help", Json()}};
  }
  one["data"] = {{"points", points_json(c.points)}, {"max_points", rounded(c.max_points)}};
  one["dependency"] = c.waits_for.empty() ? Json() : Json(c.waits_for);
  return one;
}

}  // namespace

Exported export_check50(const Sheet& sheet, const FormatSettings& settings) {
  const auto slug = settings.environment.find("CHECK50_SLUG");
  return for_each_row(sheet, "check50.json", [&](const SheetRow& row, std::string*) {
    Json out = {{"slug", slug == settings.environment.end() ? sheet.homework : slug->second},
                {"version", "lockstep"}};
    if (row.kind == VerdictKind::kInfraError) {
      out["error"] = {{"type", "InfrastructureError"},
                      {"value", row.why_no_points},
                      {"traceback", Json::array()},
                      {"data", Json::object()}};
      return std::optional(json_text(out));
    }
    out["results"] = Json::array();
    for (const SheetCheck& c : row.checks) out["results"].push_back(check50_result(c));
    return std::optional(json_text(out));
  });
}

}  // namespace lockstep::grader
