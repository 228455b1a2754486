// SPDX-License-Identifier: Apache-2.0
// Late submissions: by the time at which a platform says that one was handed in, never by the time
// at which it is graded. What is taken off stands beside the points, and in no check.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::grader {

// A rubric's [late].
struct LatePolicy {
  int64_t due = 0;      // seconds since 1970, UTC
  double per_day = 0;   // percent of what was earned, for each day that has begun
  int max_days = 0;     // later than these days nothing is earned
  int64_t grace_s = 0;  // as long after `due` it is not late; days are counted from `due` on
};

struct Lateness {
  int64_t seconds = 0;  // after `due`
  int days = 0;         // begun; 0: in time, or within the grace
  double keeps = 1;     // of the points earned, from 0 to 1
  std::string words;    // "2 days late (2026-11-22T10:00:00Z): 20% off"; empty: in time
};

// "2026-11-20T23:59:00Z", with a blank for the T, with a fraction of a second, or with an offset
// like -07:00, with or without a blank before: seconds since 1970. Nothing where it is no time, or
// tells no zone.
std::optional<int64_t> parse_time(const std::string& text);
// "2026-11-20T23:59:00Z".
std::string utc_text(int64_t seconds);

Lateness lateness(const LatePolicy& policy, int64_t submitted);

}  // namespace lockstep::grader
