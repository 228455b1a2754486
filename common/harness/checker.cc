// SPDX-License-Identifier: Apache-2.0
// Comparing outputs with the reference. See checker.h.
#include "common/harness/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include "common/base/parallel.h"

namespace lockstep {
namespace {

struct Tally {
  int64_t errors = 0;
  int64_t unwritten = 0;
  std::vector<int64_t> first;  // lowest indices, ascending
};

bool is_right(float got, double expected, double tolerance) {
  const double error = std::fabs(static_cast<double>(got) - expected);
  return error <= tolerance;  // false for NaN
}

Tally compare_range(const CheckedArray& a, int64_t begin, int64_t end) {
  Tally tally;
  const double* expected = a.expected->values.data();
  const double* tolerance = a.expected->tolerance.data();
  for (int64_t i = begin; i < end; i++) {
    if (is_right(a.got[i], expected[i], tolerance[i])) continue;
    tally.errors++;
    if (std::bit_cast<uint32_t>(a.got[i]) == a.poison) tally.unwritten++;
    if (tally.first.size() < kMaxMismatchesShown) tally.first.push_back(i);
  }
  return tally;
}

Tally compare(const CheckedArray& a, int64_t elements) {
  Tally sum;
  std::mutex mutex;
  parallel_chunks(elements, 1, [&](int64_t begin, int64_t end) {
    const Tally part = compare_range(a, begin, end);
    const std::lock_guard<std::mutex> lock(mutex);
    sum.errors += part.errors;
    sum.unwritten += part.unwritten;
    sum.first.insert(sum.first.end(), part.first.begin(), part.first.end());
  });
  std::sort(sum.first.begin(), sum.first.end());
  if (sum.first.size() > kMaxMismatchesShown) sum.first.resize(kMaxMismatchesShown);
  return sum;
}

std::string describe_mismatch(const CheckedArray& a, const Mismatch& m, bool unwritten) {
  const std::string where = a.describe ? a.describe(m.index) : std::string();
  return fmt::format("\n  {}[{}]{}: expected {:.9g}, got {}", a.name, m.index,
                     where.empty() ? "" : " (" + where + ")", m.expected,
                     unwritten ? "nothing, it was not written" : fmt::format("{:.9g}", m.got));
}

// Two numbers that differ by little need all their digits; %.9g has them for a float.
void report(const CheckedArray& a, const Tally& tally, CheckResult* result) {
  result->message +=
      fmt::format("{}{} of {} elements of {} are wrong", result->message.empty() ? "" : "\n",
                  tally.errors, a.expected->values.size(), a.name);
  if (tally.unwritten > 0) result->message += fmt::format(", {} were not written", tally.unwritten);
  result->message += "; the first:";
  for (const int64_t i : tally.first) {
    if (result->first.size() >= kMaxMismatchesShown) break;
    const bool unwritten = std::bit_cast<uint32_t>(a.got[i]) == a.poison;
    result->first.push_back({a.name, i, a.expected->values[i], a.got[i]});
    result->message += describe_mismatch(a, result->first.back(), unwritten);
  }
}

}  // namespace

CheckResult check_outputs(const std::vector<CheckedArray>& arrays) {
  CheckResult result;
  result.status = "correct";
  for (const CheckedArray& a : arrays) {
    const int64_t wanted = static_cast<int64_t>(a.expected->values.size());
    const int64_t common = std::min(wanted, a.elements);
    result.checked += wanted;
    Tally tally = compare(a, common);
    tally.errors += wanted - common;
    if (tally.errors == 0) continue;
    result.status = "wrong";
    result.errors += tally.errors;
    report(a, tally, &result);
    if (common < wanted)
      result.message += fmt::format("\n  {} ends after {} elements", a.name, common);
  }
  return result;
}

CheckResult check_guards(const std::string& array, const std::vector<uint8_t>& guards,
                         uint8_t guard_byte) {
  CheckResult result;
  result.status = "correct";
  result.checked = static_cast<int64_t>(guards.size());
  const int64_t zone = result.checked / 2;
  int64_t first = -1;
  for (int64_t i = 0; i < result.checked; i++) {
    if (guards[i] == guard_byte) continue;
    result.errors++;
    if (first < 0) first = i;
  }
  if (result.errors == 0) return result;
  result.status = "guard";
  std::string where = "right past its end";
  if (first < zone) where = fmt::format("{} bytes before its start", zone - first);
  if (first > zone) where = fmt::format("{} bytes past its end", first - zone);
  result.message =
      fmt::format("{} bytes outside of {} were written, the first {}", result.errors, array, where);
  return result;
}

CheckResult check_input(const std::string& array, const std::vector<float>& before,
                        const std::vector<float>& after) {
  CheckResult result;
  result.status = "correct";
  result.checked = static_cast<int64_t>(before.size());
  if (before.size() == after.size() &&
      std::memcmp(before.data(), after.data(), before.size() * sizeof(float)) == 0)
    return result;
  result.status = "input_changed";
  for (size_t i = 0; i < before.size(); i++) {
    const float now = i < after.size() ? after[i] : std::numeric_limits<float>::quiet_NaN();
    if (std::bit_cast<uint32_t>(now) == std::bit_cast<uint32_t>(before[i])) continue;
    if (result.errors++ >= kMaxMismatchesShown) continue;
    result.first.push_back({array, static_cast<int64_t>(i), before[i], now});
  }
  result.message = fmt::format(
      "{} elements of the input {} were changed; the kernel must not "
      "write to it",
      result.errors, array);
  if (!result.first.empty())
    result.message += fmt::format("; the first is {}[{}]", array, result.first[0].index);
  return result;
}

}  // namespace lockstep
