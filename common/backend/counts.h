// SPDX-License-Identifier: Apache-2.0
// Counts of one launch or of several, whoever took them: a card's counters or the emulator.
// A count carries its tier; one that could not be had carries the reason instead, and is never 0.
// The names of the metrics are declared in metrics.h.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace lockstep {

enum class Tier {
  kMeasured,   // read from the card
  kExact,      // computed; equal to the card's, integer for integer
  kPredicted,  // by a model; the error is published in docs/
};

const char* to_string(Tier tier);  // "measured", "exact", "predicted"

struct Count {
  double value = 0;
  Tier tier = Tier::kMeasured;
};

// The counts that one source line caused.
struct LineCounts {
  std::string file;  // as the compiler recorded it
  int line = 0;
  std::map<std::string, Count> counts;
  double of(const std::string& name) const;  // 0 where the line has none
};

struct Counts {
  std::map<std::string, Count> values;             // by metric name
  std::map<std::string, std::string> unavailable;  // metric name -> reason
  std::vector<LineCounts> lines;                   // by file and line; may be empty

  // The value of a metric, or nullptr where it is not available.
  const Count* find(const std::string& name) const;
  // Counts of another launch: a metric that one of them lacks the sum lacks, with its reason; the
  // tier is the weaker one.
  void add(const Counts& other);
};

}  // namespace lockstep
