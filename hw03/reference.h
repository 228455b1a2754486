// SPDX-License-Identifier: Apache-2.0
// Homework 3, the instructor's part: what each element of an output is to be, in double, and by how
// much float arithmetic may miss it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "common/harness/assignment.h"
#include "common/harness/random_input.h"

namespace lockstep {

inline constexpr double kRounding = 0x1p-24;
inline constexpr int kWarp = 32;
inline constexpr int kPicks = 100;  // the student's file has these two as well
inline constexpr int kRepeats = 100;
inline constexpr double kKept = 0.75;  // of busy()

// What a case is about: its parameter "part".
enum Part : int64_t { kSaxpy, kMatrix, kSegment, kGroup, kAny, kBranches, kBusy };

inline Part part_of(const Case& c) { return static_cast<Part>(c.parameter("part")); }

inline bool is_gather(const Case& c) {
  return part_of(c) == kSegment || part_of(c) == kGroup || part_of(c) == kAny;
}

// The a of saxpy: another number for each n, from 1/8 to 8, of either sign. Executions of a launch
// differ in their inputs, but not in their arguments.
inline float factor_of(const Case& c) {
  const auto n = static_cast<uint64_t>(c.parameter("n"));
  const uint64_t bits = random_bits(0, 1, n);
  const float sign = (bits & 1) != 0 ? -1 : 1;
  return std::ldexp(sign * (1.5f + random_float(0, 0, n) / 2),
                    static_cast<int>((bits >> 1) % 6) - 3);
}

// As the student's pick() does.
inline uint32_t pick(uint32_t seed, int64_t bound) {
  seed = (seed ^ seed >> 16) * 0x7feb352du;
  seed = (seed ^ seed >> 15) * 0x846ca68bu;
  return static_cast<uint32_t>(uint64_t{seed ^ seed >> 16} * static_cast<uint64_t>(bound) >> 32);
}

// A case's numbers, looked up once: a reference asks for millions of elements.
struct Numbers {
  explicit Numbers(const Case& c) : part(part_of(c)), n(c.parameter("n")), a(factor_of(c)) {
    if (part == kGroup) group = kWarp * c.parameter("segments");
    if (part == kBusy) turns = c.parameter("turns");
  }
  Part part;
  int64_t n, group = 0, turns = 0;  // group: elements of one
  double a;
};

// A value and by how much float arithmetic may miss it.
struct Value {
  double value = 0, tolerance = 0;
};

inline Value saxpy_value(double a, float x, float y) {
  const double product = a * x;
  return {product + y, 2 * kRounding * (std::fabs(product) + std::fabs(y))};
}

// Of out[i] to out[i + count - 1], all of one warp: what its threads share is picked once. Sums in
// any order.
inline void gather(const Numbers& c, std::span<const float> in, int64_t i, int count, Value* out) {
  const int64_t warp = i / kWarp;
  const int64_t group = c.part == kAny ? c.n : c.group;
  int64_t base = c.part == kGroup ? pick(static_cast<uint32_t>(warp), c.n / group) * group : 0;
  double sum[kWarp] = {}, magnitudes[kWarp] = {};
  for (int k = 0; k < kPicks; k++) {
    if (c.part == kSegment)
      base = int64_t{pick(static_cast<uint32_t>(warp * kPicks + k), c.n / kWarp)} * kWarp;
    for (int j = 0; j < count; j++) {
      const int64_t at = c.part == kSegment
                             ? (i + j) % kWarp
                             : pick(static_cast<uint32_t>((i + j) * kPicks + k), group);
      const double value = in[base + at];
      sum[j] += value;
      magnitudes[j] += std::fabs(value);
    }
  }
  for (int j = 0; j < count; j++) out[j] = {sum[j], 1.1 * kRounding * kPicks * magnitudes[j]};
}

// Each operation rounds once, and what it rounds is no larger than the largest on the way.
inline Value branched(float in, float by, int64_t operation) {
  double value = in;
  double largest = std::fabs(value);
  for (int k = 0; k < kRepeats; k++) {
    value = operation == 0   ? value + by
            : operation == 1 ? value - by
            : operation == 2 ? value * by
                             : value / by;
    largest = std::max(largest, std::fabs(value));
  }
  if (operation >= 2) largest = std::fabs(value);  // errors shrink and grow with the value
  return {value, 2 * kRounding * kRepeats * largest + std::numeric_limits<float>::denorm_min()};
}

// What a turn rounds, the next ones reduce to three quarters: four roundings' worth remains of each
// of the two that a turn makes. Values stay below 4 * in.
inline Value busy_value(float in, int64_t turns) {
  const double limit = in / (1 - kKept);
  return {limit * (1 - std::pow(kKept, static_cast<double>(turns))),
          2 * 4 * 1.1 * kRounding * std::fabs(limit)};
}

}  // namespace lockstep
