// SPDX-License-Identifier: Apache-2.0
// Times and days. See late.h.
#include "grader/late.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <regex>

#include "grader/judge.h"

namespace lockstep::grader {
namespace {

constexpr int64_t kDay = 86400;

}  // namespace

std::optional<int64_t> parse_time(const std::string& text) {
  static const std::regex form(
      R"((\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})? ?(?:Z|UTC|([+-])(\d{2}):?(\d{2})))");
  std::smatch part;
  if (text.size() > 64 || !std::regex_match(text, part, form)) return std::nullopt;
  const auto number = [&](int i) { return std::stoi(part[i].str()); };
  const std::chrono::year_month_day day{std::chrono::year(number(1)),
                                        std::chrono::month(static_cast<unsigned>(number(2))),
                                        std::chrono::day(static_cast<unsigned>(number(3)))};
  // A minute of 61 seconds is a minute of 60 and one.
  if (!day.ok() || number(4) > 23 || number(5) > 59 || number(6) > 60) return std::nullopt;
  int64_t offset = 0;
  if (part[7].matched) {
    if (number(8) > 23 || number(9) > 59) return std::nullopt;
    offset = (number(8) * 3600 + number(9) * 60) * (part[7].str() == "-" ? -1 : 1);
  }
  return std::chrono::sys_days(day).time_since_epoch().count() * kDay + number(4) * 3600 +
         number(5) * 60 + number(6) - offset;
}

std::string utc_text(int64_t seconds) {
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto days = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(days);
  const int64_t rest = (time - days).count();
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", int(date.year()),
                unsigned(date.month()), unsigned(date.day()), int(rest / 3600), int(rest / 60 % 60),
                int(rest % 60));
  return text;
}

Lateness lateness(const LatePolicy& policy, int64_t submitted) {
  Lateness late;
  late.seconds = std::max<int64_t>(0, submitted - policy.due);
  if (late.seconds <= policy.grace_s) return late;
  const int64_t days = (late.seconds + kDay - 1) / kDay;
  late.days = static_cast<int>(std::min<int64_t>(days, 100000));
  late.keeps = days > policy.max_days
                   ? 0
                   : std::max(0.0, 1 - policy.per_day / 100 * static_cast<double>(days));
  late.words = std::to_string(days) + (days == 1 ? " day late (" : " days late (") +
               utc_text(submitted) + "): " + format_number((1 - late.keeps) * 100) + "% off";
  return late;
}

}  // namespace lockstep::grader
