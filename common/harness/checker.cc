// SPDX-License-Identifier: Apache-2.0
// Comparing outputs with the reference. See checker.h.
#include "common/harness/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include "common/base/parallel.h"

namespace lockstep {

namespace {

struct Tally : Errors {
  std::vector<int64_t> first;  // lowest indices, ascending
};

bool is_unwritten(const CheckedArray& a, int64_t i) {
  return a.poison && a.got->holds_pattern(static_cast<size_t>(i), *a.poison);
}

// Value gives an element of the array as a double. Nearly always all of a stretch is right.
template <typename Value>
Tally compare_range(const CheckedArray& a, int64_t begin, int64_t end, const Value& value) {
  constexpr int64_t kStretch = 512;
  Tally tally;
  const bool whole = element_bytes(a.got->type()) >= sizeof(*a.poison);  // a pattern an element
  const double* expected = a.expected->values.data();
  const double* tolerance = a.expected->tolerance.data();
  for (int64_t from = begin; from < end; from += kStretch) {
    const int64_t to = std::min(from + kStretch, end);
    const bool nothing = a.poison && a.got->all_hold_pattern(static_cast<size_t>(from),
                                                             static_cast<size_t>(to), *a.poison);
    int64_t errors = 0;
    if (nothing && whole && std::isnan(value(from)))  // which is never right
      errors = to - from;
    else
      for (int64_t i = from; i < to; i++) errors += !is_right(value(i), expected[i], tolerance[i]);
    tally.errors += errors;
    if (nothing) tally.unwritten += errors;
    for (int64_t i = from; i < to && errors > 0; i++) {
      const bool listed = tally.first.size() < kMaxMismatchesShown;
      if (nothing && !listed) break;
      if (is_right(value(i), expected[i], tolerance[i])) continue;
      errors--;
      if (!nothing && is_unwritten(a, i)) tally.unwritten++;
      if (listed) tally.first.push_back(i);
    }
  }
  return tally;
}

Tally compare_part(const CheckedArray& a, int64_t begin, int64_t end) {
  if (a.got->type() != ElementType::kF32)
    return compare_range(a, begin, end,
                         [&](int64_t i) { return a.got->value(static_cast<size_t>(i)); });
  const float* got = a.got->as<float>().data();  // by far the most of them
  return compare_range(a, begin, end, [got](int64_t i) { return double{got[i]}; });
}

Tally compare(const CheckedArray& a, int64_t elements) {
  Tally sum;
  std::mutex mutex;
  parallel_chunks(elements, 1, [&](int64_t begin, int64_t end) {
    const Tally part = compare_part(a, begin, end);
    const std::lock_guard<std::mutex> lock(mutex);
    sum.errors += part.errors;
    sum.unwritten += part.unwritten;
    sum.first.insert(sum.first.end(), part.first.begin(), part.first.end());
  });
  std::sort(sum.first.begin(), sum.first.end());
  if (sum.first.size() > kMaxMismatchesShown) sum.first.resize(kMaxMismatchesShown);
  return sum;
}

// Two numbers that differ by little need all their digits; %.9g has them for a float.
std::string describe_mismatch(const CheckedArray& a, const Mismatch& m, bool unwritten) {
  const std::string where = a.describe ? a.describe(m.index) : std::string();
  const int digits = is_floating(a.got->type()) ? 9 : 17;
  return fmt::format(
      "\n  {}[{}]{}: expected {:.{}g}, got {}", a.name, m.index,
      where.empty() ? "" : " (" + where + ")", m.expected, digits,
      unwritten ? "nothing, it was not written" : fmt::format("{:.{}g}", m.got, digits));
}

void report(const CheckedArray& a, const Tally& tally, CheckResult* result) {
  const size_t all = a.expected->values.size();
  result->message +=
      fmt::format("{}{} of {} element{} of {} {} wrong", result->message.empty() ? "" : "\n",
                  tally.errors, all, all == 1 ? "" : "s", a.name, tally.errors == 1 ? "is" : "are");
  if (tally.unwritten > 0)
    result->message +=
        fmt::format(", {} {} not written", tally.unwritten, tally.unwritten == 1 ? "was" : "were");
  if (result->first.size() < kMaxMismatchesShown) result->message += "; the first:";
  for (const int64_t i : tally.first) {
    if (result->first.size() >= kMaxMismatchesShown) break;
    result->first.push_back(
        {a.name, i, a.expected->values[i], a.got->value(static_cast<size_t>(i))});
    result->message += describe_mismatch(a, result->first.back(), is_unwritten(a, i));
  }
}

}  // namespace

CheckedArray checked_array(const Assignment& assignment, const Case& c, const ArraySpec& spec,
                           const Assignment::Expected& expected, const HostArray& got,
                           uint32_t poison) {
  CheckedArray array;
  array.name = spec.name;
  array.expected = &expected;
  array.got = &got;
  if (!spec.has_input()) array.poison = poison;
  array.describe = [&](int64_t i) { return assignment.describe_index(c, spec, i); };
  return array;
}

bool is_right_at(const Assignment::Expected& expected, const HostArray& got, size_t i) {
  return is_right(got.value(i), expected.values[i], expected.tolerance[i]);
}

Errors count_errors(const CheckedArray& array) {
  return compare(array, static_cast<int64_t>(array.got->size()));
}

CheckResult check_outputs(const std::vector<CheckedArray>& arrays) {
  CheckResult result;
  result.status = "correct";
  for (const CheckedArray& a : arrays) {
    const int64_t wanted = static_cast<int64_t>(a.expected->values.size());
    const int64_t common = std::min(wanted, static_cast<int64_t>(a.got->size()));
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

namespace {

// The number c for which every wrong element is value(expected, other, c); nullopt: there is none.
// `of` solves that for one element.
using Solve = std::function<double(double got, double expected, double other)>;
using Value = std::function<double(double c, double expected, double other)>;
std::optional<double> common_number(const CheckedArray& a,
                                    const std::function<double(int64_t)>& other, const Solve& of,
                                    const Value& value) {
  const size_t n = std::min(a.expected->values.size(), a.got->size());
  std::optional<double> c;
  double largest = 0;
  size_t wrong = 0;
  for (size_t i = 0; i < n; i++) {  // solved where the other value is largest
    const double expected = a.expected->values[i], got = a.got->value(i);
    if (is_right(got, expected, a.expected->tolerance[i])) continue;
    if (++wrong; std::fabs(other(static_cast<int64_t>(i))) <= largest) continue;
    largest = std::fabs(other(static_cast<int64_t>(i)));
    c = of(got, expected, other(static_cast<int64_t>(i)));
  }
  if (!c || wrong < 3 || !std::isfinite(*c)) return std::nullopt;
  for (size_t i = 0; i < n; i++) {
    const double expected = a.expected->values[i], tolerance = a.expected->tolerance[i];
    const double got = a.got->value(i);
    if (is_right(got, expected, tolerance)) continue;
    const double with_c = value(*c, expected, other(static_cast<int64_t>(i)));
    if (!is_right(got, with_c, 4 * tolerance + 1e-5 * std::fabs(with_c))) return std::nullopt;
  }
  return c;
}

std::string times_words(double c) {
  if (std::fabs(c + 1) < 1e-4) return "the opposite";
  if (c != 0 && std::fabs(c) < 1 && std::fabs(1 / c - std::round(1 / c)) < 1e-3)
    return fmt::format("1/{:.0f}", std::round(1 / c));
  return fmt::format("{:.6g} times", c);
}

bool is_each(const CheckedArray& a, const std::vector<HostArray>& inputs,
             const Assignment::Confusion& confusion) {
  const size_t n = std::min(a.expected->values.size(), a.got->size());
  bool any = false;
  for (size_t i = 0; i < n; i++) {
    const double expected = a.expected->values[i], tolerance = a.expected->tolerance[i];
    const double got = a.got->value(i);
    if (is_right(got, expected, tolerance)) continue;
    const double other = confusion.value(inputs, static_cast<int64_t>(i));
    if (!is_right(got, other, std::max(tolerance, 1e-6 * std::fabs(other)))) return false;
    any = true;
  }
  return any;
}

}  // namespace

std::string confused_with(const CheckedArray& a, const std::vector<HostArray>& inputs,
                          const std::vector<Assignment::Confusion>& confusions) {
  for (const Assignment::Confusion& confusion : confusions) {
    if (!confusion.off_by_multiple && is_each(a, inputs, confusion)) return "is " + confusion.words;
    if (!confusion.off_by_multiple) continue;
    const std::optional<double> c = common_number(
        a, [&](int64_t i) { return confusion.value(inputs, i); },
        [](double got, double expected, double other) { return (got - expected) / other; },
        [](double c, double expected, double other) { return expected + c * other; });
    if (c) return fmt::format("is off by {:.6g} times {}", *c, confusion.words);
  }
  const std::optional<double> c = common_number(
      a, [&](int64_t i) { return a.expected->values[static_cast<size_t>(i)]; },
      [](double got, double expected, double) { return got / expected; },
      [](double c, double expected, double) { return c * expected; });
  if (c && std::fabs(*c - 1) < 1e-4) return "is nearly what it should be: it lacks precision";
  return c && *c != 0 ? fmt::format("is {} of what it should be", times_words(*c)) : "";
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
      fmt::format("{} byte{} outside of {} {} written, the first {}", result.errors,
                  result.errors == 1 ? "" : "s", array, result.errors == 1 ? "was" : "were", where);
  return result;
}

CheckResult check_input(const std::string& array, const HostArray& before, const HostArray& after) {
  CheckResult result;
  result.status = "correct";
  result.checked = static_cast<int64_t>(before.size());
  if (before.bytes() == after.bytes() &&
      std::memcmp(before.data(), after.data(), before.bytes()) == 0)
    return result;
  result.status = "input_changed";
  const size_t size = element_bytes(before.type());
  const auto element = [size](const HostArray& a, size_t i) {
    return static_cast<const uint8_t*>(a.data()) + i * size;
  };
  for (size_t i = 0; i < before.size(); i++) {
    const bool there = i < after.size();
    if (there && std::memcmp(element(before, i), element(after, i), size) == 0) continue;
    if (result.errors++ >= kMaxMismatchesShown) continue;
    const double now = there ? after.value(i) : std::numeric_limits<double>::quiet_NaN();
    result.first.push_back({array, static_cast<int64_t>(i), before.value(i), now});
  }
  result.message =
      fmt::format("{} of the input {} changed; the kernel must not write to it",
                  result.errors == 1 ? "1 element" : fmt::format("{} elements", result.errors),
                  array + (result.errors == 1 ? " was" : " were"));
  if (!result.first.empty())
    result.message += fmt::format("; the first is {}[{}]", array, result.first[0].index);
  return result;
}

}  // namespace lockstep
