// SPDX-License-Identifier: Apache-2.0
// Verdicts as JSON. See report.h.
#include <fmt/format.h>

#include "grader/report.h"

namespace lockstep::grader {
namespace {

std::string hexadecimal(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

nlohmann::json check_json(const CheckOutcome& c) {
  using nlohmann::json;
  if (c.status == CheckStatus::kHidden) return {{"id", c.id}, {"hidden", true}};
  json costs = json::array();
  for (const CostLine& cost : c.costs)
    costs.push_back({{"words", cost.words}, {"quoted", cost.source.lines()}});
  json one = {{"id", c.id},         {"title", c.title},           {"status", to_string(c.status)},
              {"points", c.points}, {"max_points", c.max_points}, {"hidden", c.hidden},
              {"kernel", c.kernel}, {"message", c.message},       {"quoted", c.quoted.lines()},
              {"hint", c.hint},     {"reproduce", c.reproduce},   {"costs", costs},
              {"blocks", c.blocks}, {"waits_for", c.waits_for}};
  one["measured"] = c.measured ? json(*c.measured) : json();
  one["threshold"] = c.threshold ? json(*c.threshold) : json();
  one["tier"] = c.tier;
  return one;
}

}  // namespace

nlohmann::json report_json(const Graded& g) {
  using nlohmann::json;
  const Verdict& v = g.verdict;
  const bool no_sum = v.kind == VerdictKind::kInfraError || v.has_hidden();
  json checks = json::array();
  for (const CheckOutcome& c : v.checks) checks.push_back(check_json(c));
  return {{"homework", g.homework},
          {"submission", g.submission},
          {"identity", hexadecimal(g.identity)},
          {"verdict", to_string(v.kind)},
          {"reason", v.reason},
          {"message", v.message},
          {"quoted", v.quoted.lines()},
          {"points", no_sum ? json() : json(v.points)},
          {"max_points", v.has_hidden() ? json() : json(v.max_points)},
          {"undecided_points", v.undecided_points},
          {"review_points", v.review_points},
          {"checks", checks},
          {"seed", g.seed},
          {"draw", g.draw},
          {"attempts", g.attempts},
          {"backend", g.backend},
          {"device", g.device},
          {"driver", g.driver},
          {"node", g.node},
          {"arch", g.arch},
          {"compiler", g.compiler},
          {"sandbox", g.sandbox},
          {"file", g.file},
          {"content_hash", g.content_hash},
          {"module_hash", g.module_hash},
          {"config_hash", g.config_hash},
          {"judged_from", g.judged_from},
          {"build_seconds", g.build_seconds},
          {"run_seconds", g.run_seconds},
          {"finished_at", g.finished_at}};
}

std::string json_line(const nlohmann::json& value) {
  return value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::grader
