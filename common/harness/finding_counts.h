// SPDX-License-Identifier: Apache-2.0
// The counts of a launch beside what it needs, and what was found of them. Private to findings.cc
// and finding_instructions.cc.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "common/harness/findings.h"

namespace lockstep {

// Told from so large a share of the launch's on: of its sectors, wavefronts, instructions.
inline constexpr double kShare = 0.05;
// Of what the solution does with less: the compiler's version makes smaller differences.
inline constexpr double kShareOfAGoal = 0.1;
// Of a goal that is scaled: so much more is not worth a word.
inline constexpr double kLikeness = 1.5;
inline constexpr double kWarp = 32;

class FoundCounts {
 public:
  FoundCounts(const Counts& counts, const FoundIn& in) : counts_(counts), in_(in) {
    for (const LineCounts& line : counts.lines) {
      for (const auto& [name, count] : line.counts) totals_[name] += count.value;
      if (in.is_students(line.file)) own_.push_back(&line);
    }
  }

 protected:
  using Asks = Finding::Asks;
  // Of line_.
  double here(const char* name) const { return line_->of(name); }
  double total(const char* name) const {
    const auto at = totals_.find(name);
    return at == totals_.end() ? 0 : at->second;
  }
  // line: another than that of the counts.
  void tell(const char* kind, double needless, double all, const std::string& words,
            Asks asks = Asks::kNothing, const std::string& of_line = "", int line = 0) {
    if (line_ == nullptr || all <= 0 || needless / all < kShare) return;
    if (line == 0) line = line_->line;
    found_.push_back({needless / all, fmt::format("{}:{}", in_.student_file, line), kind, words,
                      of_line, line, asks});
  }
  // Also of instructions whose line is not known, where that is counted.
  double whole(const char* name) const {
    const Count* count = counts_.find(name);
    return count == nullptr ? total(name) : count->value;
  }
  double needed(const char* name) const {
    return in_.goal ? in_.goal->of(name) * (in_.goal->same_problem ? 1 : kLikeness) : 0;
  }
  // How much more there is of it than the solution needs; without a goal, all.
  double beyond_goal(const char* name) const { return std::max(0.0, whole(name) - needed(name)); }
  bool told(const char* kind) const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const Finding& f) { return f.kind == kind; });
  }
  const LineCounts* most_of(const char* name) const {
    const LineCounts* most = nullptr;
    for (const LineCounts* line : own_)
      if (line->of(name) > (most == nullptr ? 0 : most->of(name))) most = line;
    return most;
  }
  // What little is left over may be done anyhow; it should be little.
  std::string part_of(const LineCounts& line, const char* verb, const char* wanted) const {
    constexpr double kLeast = 0.02, kMost = 0.9;
    const double share = line.of(wanted) / std::max(total(wanted), 1.0);
    if (share < kLeast || share > kMost) return {};
    return fmt::format("; {:.0f} % of what the kernel {} it {} {}", 100 * share, verb, verb,
                       &line == line_ ? "here" : fmt::format("in line {}", line.line));
  }
  double an_element(double count) const {
    return count / std::max(1.0, static_cast<double>(in_.elements));
  }
  // By what was found, unless that is much the smaller part of what there is.
  bool is_explained(double share) const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const Finding& f) { return f.share >= share / 2; });
  }

  const Counts& counts_;
  const FoundIn& in_;
  std::map<std::string, double> totals_;
  std::vector<const LineCounts*> own_;  // of the student's file
  const LineCounts* line_ = nullptr;
  std::vector<Finding> found_;
};

struct Purpose;  // what instructions are for

// Where the kernel executes more instructions than are enough, and for what.
class FoundInstructions : public FoundCounts {
 protected:
  using FoundCounts::FoundCounts;
  void instructions();

 private:
  const Purpose* purpose_of(double excess) const;
  double more(const Purpose& purpose) const;
  std::string purpose_text(const Purpose* purpose) const;
  const LineCounts* line_of_an_array(double excess) const;
  double in_line(const LineCounts& line) const;
  double beside(int line) const;
  bool dearer_than_beside(double excess);
  static double loaded_at_once(const LineCounts& line);  // bytes of a thread
  std::string narrow_loads() const;
  const LineCounts* kept_loop(double excess) const;
  static bool has_few_turns(double entries, double all);
  std::string turns() const;
};

}  // namespace lockstep
