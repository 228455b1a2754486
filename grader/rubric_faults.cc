// SPDX-License-Identifier: Apache-2.0
// Rubrics that can be bent. See rubric_faults.h.
#include "grader/rubric_faults.h"

#include <algorithm>

#include "common/harness/metrics.h"
#include "grader/cost_table.h"

namespace lockstep::grader {
namespace {

class Faults {
 public:
  Faults(const Rubric& rubric, const SizeOfKernel& default_sizes)
      : rubric_(rubric), default_sizes_(default_sizes) {}

  std::vector<std::string> find() {
    for (const CheckRule& check : rubric_.checks) {
      left_to_luck(check);
      if (check.kind != CheckKind::kMetric) continue;
      diluted(check);
      unpinned(check);
      unbounded(check);
      passes_by_the_table(check);
    }
    for (const RunRule& run : rubric_.runs) {
      if (is_judged(run)) known_beforehand(run), tells_that_it_counts(run);
      if (run.counters) counted_for_nothing(run);
      right_for_nothing(run);
    }
    holes();
    never_launched();
    bounded_where_it_matters();
    launched_where_it_matters();
    for (const auto& [kernel, check] : kernels_with_points()) {
      counted_without_gaps(kernel, *check);
      launched_by_default(kernel, *check);
    }
    return std::move(faults_);
  }

 private:
  void add(int line, const std::string& text) {
    faults_.push_back(rubric_.path + ":" + std::to_string(line) + ": " + text);
  }

  bool is_judged(const RunRule& run) const {
    return std::any_of(rubric_.checks.begin(), rubric_.checks.end(), [&](const CheckRule& check) {
      return check.kind != CheckKind::kCorrect && contains(check.runs, run.id);
    });
  }

  void diluted(const CheckRule& check) {
    for (const MetricInfo& info : all_metrics())
      if (info.name == check.metric && info.dilutable)
        add(check.line, "check " + check.id + " can be diluted: useless work improves " +
                            info.name + (info.total.empty() ? "" : "; use " + info.total));
  }

  static bool contains(const std::vector<std::string>& list, const std::string& one) {
    return std::find(list.begin(), list.end(), one) != list.end();
  }

  // What no check looks at costs nothing: points for one figure need bounds for all the others.
  void unbounded(const CheckRule& check) {
    if (check.points == 0) return;
    for (const std::string& id : check.runs)
      for (const std::string& kernel : rubric_.kernels_of(check))
        if (const RunRule& run = *rubric_.find_run(id); contains(run.kernels, kernel))
          if (const Cost* cost = first_unbounded(run, kernel, true))
            return add(check.line, "check " + check.id + " gives points for " + kernel +
                                       " in run " + id + ", whose " + cost->metric +
                                       " no check bounds; add one of kind \"costs\"");
  }

  // What the program's own table shows is what is to be good: counted, it must be looked at.
  void passes_by_the_table(const CheckRule& check) {
    if (check.points == 0) return;
    for (const std::string& kernel : rubric_.kernels_of(check)) {
      const auto own = default_sizes_.find(kernel);
      if (own == default_sizes_.end()) continue;
      const RunRule* passed_by = nullptr;
      bool seen = false;
      for (const RunRule& run : rubric_.runs) {
        if (!run.counters || !contains(run.kernels, kernel) || run.sizes.from > own->second ||
            run.sizes.to < own->second)
          continue;
        seen |= contains(check.runs, run.id) || contains(check.passes_by, run.id);
        passed_by = &run;
      }
      if (passed_by != nullptr && !seen)
        return add(check.line, "check " + check.id + " does not look at run " + passed_by->id +
                                   ", which counts " + kernel + " with as much to do as ./" +
                                   rubric_.homework + " has by default (" +
                                   std::to_string(own->second) +
                                   "), so poor work passes in the very table that it prints; name "
                                   "that run, or say passes_by = [\"" +
                                   passed_by->id + "\"] and why");
    }
  }

  // What is counted and not bounded may be as poor as anybody likes, in a shape of its own. What
  // hangs on the shape is not asked for where the student chooses it.
  void counted_for_nothing(const RunRule& run) {
    for (const std::string& kernel : run.kernels)
      if (const Cost* cost = first_unbounded(run, kernel, false))
        add(run.line, "run " + run.id + " counts " + kernel + ", whose " + cost->metric +
                          " no check with points bounds there; add one of kind \"costs\"");
  }

  // What is launched is worth something where it is right: by itself, or for its counts.
  void right_for_nothing(const RunRule& run) {
    for (const std::string& kernel : run.kernels)
      if (std::none_of(rubric_.checks.begin(), rubric_.checks.end(), [&](const CheckRule& check) {
            const bool here = check.kind != CheckKind::kCorrect || contains(check.runs, run.id);
            return here && matters(check) && contains(rubric_.kernels_of(check), kernel);
          }))
        return add(run.line, "run " + run.id + " launches " + kernel +
                                 ", which may be wrong: no check with points looks at it");
  }

  // Rows of the handout's own table.
  void never_launched() {
    std::vector<std::string> launched = rubric_.given_rows;
    for (const RunRule& run : rubric_.runs)
      launched.insert(launched.end(), run.kernels.begin(), run.kernels.end());
    for (const auto& [kernel, size] : default_sizes_)
      if (!contains(launched, kernel))
        add(1,
            kernel + " is a row of the table that ./" + rubric_.homework +
                " prints, and no run launches it, so it may be wrong there; name it in a run, or "
                "among given_rows if it is none of the student's");
  }

  // Of the costs, but for those of a shape that is the student's; nullptr: all are bounded.
  const Cost* first_unbounded(const RunRule& run, const std::string& kernel,
                              bool of_own_shape) const {
    for (const Cost& cost : cost_table()) {
      const bool of_shape = cost.metric == std::string(metric::kCriticalPath) ||
                            cost.metric == std::string(metric::kResidencyShortfall);
      if ((of_own_shape || !run.own_shape || !of_shape) && !bounded(cost, run.id, kernel))
        return &cost;
    }
    return nullptr;
  }

  // By a check that has points, or that one with points requires.
  bool bounded(const Cost& cost, const std::string& run, const std::string& kernel) const {
    return std::any_of(rubric_.checks.begin(), rubric_.checks.end(), [&](const CheckRule& check) {
      const std::vector<std::string> metrics = metrics_of(check);
      return std::any_of(metrics.begin(), metrics.end(),
                         [&](const std::string& one) { return find_cost(one) == &cost; }) &&
             contains(check.runs, run) && contains(rubric_.kernels_of(check), kernel) &&
             matters(check);
    });
  }

  bool matters(const CheckRule& check) const {
    return check.points > 0 ||
           std::any_of(rubric_.checks.begin(), rubric_.checks.end(), [&](const CheckRule& other) {
             return other.points > 0 && contains(other.requires_checks, check.id);
           });
  }

  // The largest sizes and shapes are what a homework is about; counts of small ones say nothing of
  // them.
  void bounded_where_it_matters() {
    for (const CheckRule& check : rubric_.checks) {
      if (check.kind != CheckKind::kCosts) continue;
      const std::vector<std::string> kernels = rubric_.kernels_of(check);
      auto most = [&](auto value) {
        int64_t all = 0, counted = 0;
        for (const RunRule& run : rubric_.runs) {
          if (std::any_of(run.kernels.begin(), run.kernels.end(),
                          [&](const std::string& kernel) { return contains(kernels, kernel); }))
            all = std::max(all, value(run));
          if (contains(check.runs, run.id)) counted = std::max(counted, value(run));
        }
        return counted >= all;
      };
      if (!most([](const RunRule& r) { return r.sizes.to; }) || !most(most_blocks) ||
          !most([](const RunRule& r) { return r.shape_warps.to; }))
        add(check.line, "check " + check.id +
                            " counts smaller sizes, grids or blocks alone than other runs draw, so "
                            "poor work passes where it matters; let one of its runs draw as large "
                            "ones");
    }
  }

  // What is worth points in small launches alone need not be right where the others must be.
  void launched_where_it_matters() {
    auto most = [&](auto value, const std::string* kernel) {
      int64_t out = 0;
      for (const RunRule& run : rubric_.runs)
        if (kernel == nullptr || (contains(run.kernels, *kernel) && run.drawn_kernels == 0))
          out = std::max(out, value(run));
      return out;
    };
    auto lacks = [&](auto value, const std::string& kernel) {
      return most(value, &kernel) < most(value, nullptr);
    };
    // Sizes of different kernels are alike where it is not known how large each is by default.
    auto lacks_sizes = [&](const std::string& kernel) {
      auto size = [](const RunRule& r) { return largest(r.sizes, r.vectors); };
      const auto own = default_sizes_.find(kernel);
      return most(size, &kernel) < (own != default_sizes_.end()
                                        ? std::min(own->second, largest_of(kernel))
                                        : most(size, nullptr));
    };
    std::vector<std::string> told;
    for (const CheckRule& check : rubric_.checks)
      for (const std::string& kernel : rubric_.kernels_of(check)) {
        if (check.kind == CheckKind::kCorrect || check.points == 0 || contains(told, kernel))
          continue;
        if (!lacks_sizes(kernel) && !lacks(most_blocks, kernel) &&
            !lacks([](const RunRule& r) { return largest(r.shape_warps, r.warps); }, kernel))
          continue;
        told.push_back(kernel);
        add(check.line, "check " + check.id + " gives points for " + kernel +
                            ", which no run is sure to launch with sizes, grids or blocks as large "
                            "as other kernels' (sizes: as by default), so it may be wrong there; "
                            "let a run without random_kernels draw as large ones");
      }
  }

  // Those that have points for counts, with a check that gives them.
  std::map<std::string, const CheckRule*> kernels_with_points() const {
    std::map<std::string, const CheckRule*> kernels;
    for (const CheckRule& check : rubric_.checks)
      if (check.kind != CheckKind::kCorrect && check.points > 0)
        for (const std::string& kernel : rubric_.kernels_of(check)) kernels.emplace(kernel, &check);
    return kernels;
  }

  int64_t largest_of(const std::string& kernel) const {
    int64_t out = 0;
    for (const RunRule& run : rubric_.runs)
      if (contains(run.kernels, kernel)) out = std::max(out, largest(run.sizes, run.vectors));
    return out;
  }

  // Good work where it is counted, and any work between and above: a kernel can ask for its size.
  void counted_without_gaps(const std::string& kernel, const CheckRule& check) {
    // Below that part of the largest size, what is done once is most.
    constexpr int64_t kSmall = 16;
    const Range wanted = {std::max<int64_t>(largest_of(kernel) / kSmall, 1), largest_of(kernel)};
    const auto is_effort = [](const CheckRule& by) {
      return by.metric == metric::kWarpInstructions || by.metric == metric::kInstPerElement;
    };
    const auto is_costs = [](const CheckRule& by) { return by.kind == CheckKind::kCosts; };
    const auto lacks = [&](auto looks, const std::string& what) {
      std::vector<Range> counted;
      for (const CheckRule& by : rubric_.checks)
        if (looks(by) && matters(by) && contains(rubric_.kernels_of(by), kernel))
          for (const std::string& id : by.runs)
            if (const RunRule& run = *rubric_.find_run(id); contains(run.kernels, kernel))
              counted.push_back(run.sizes);
      if (!covered(wanted, counted))
        add(check.line, "check " + check.id + " gives points for " + kernel + ", whose " + what +
                            " no check that matters looks at on some sizes from " +
                            std::to_string(wanted.from) + " to " + std::to_string(wanted.to) +
                            ", so poor work passes there; let the sizes of its counted runs meet, "
                            "up to the largest (a run with random_kernels will do)");
    };
    lacks(is_effort, "instructions");
    lacks(is_costs, "other costs");
  }

  // What the handout's own table shows must be right, and good.
  void launched_by_default(const std::string& kernel, const CheckRule& check) {
    const auto found = default_sizes_.find(kernel);
    if (found == default_sizes_.end() || largest_of(kernel) >= found->second) return;
    add(check.line, "check " + check.id + " gives points for " + kernel +
                        ", which no run launches with more than " +
                        std::to_string(largest_of(kernel)) + " vectors; ./" + rubric_.homework +
                        " itself takes " + std::to_string(found->second) +
                        " on the emulator, where it may be wrong or poor; draw at least as many");
  }

  template <typename List>
  static int64_t largest(Range drawn, const List& listed) {
    int64_t out = drawn.to;
    for (int64_t one : listed) out = std::max(out, one);
    return out;
  }

  // Not of grids beyond what 16 bits number: some kernel is launched so, to see that it numbers
  // them.
  static int64_t most_blocks(const RunRule& run) {
    constexpr int64_t kNumbered = 65535;
    return run.shape_blocks.from > kNumbered ? 0 : largest(run.shape_blocks, run.blocks);
  }

  // A check that looks at none of what was drawn would pass.
  void left_to_luck(const CheckRule& check) {
    std::vector<std::string> never;
    const std::vector<std::string> kernels = rubric_.kernels_of(check);
    auto is_sure = [&](const std::vector<std::string>& of) {
      return std::any_of(check.runs.begin(), check.runs.end(), [&](const std::string& id) {
        const RunRule& run = *rubric_.find_run(id);
        auto others = std::count_if(run.kernels.begin(), run.kernels.end(), [&](const auto& one) {
          return std::find(of.begin(), of.end(), one) == of.end();
        });
        auto all = static_cast<std::ptrdiff_t>(run.kernels.size());
        return others < (run.drawn_kernels > 0 ? run.drawn_kernels : all);
      });
    };
    for (const std::string& kernel : kernels)
      if (check.kind == CheckKind::kCorrect && !is_sure({kernel})) never.push_back(kernel);
    if (!never.empty())
      add(check.line, "check " + check.id + " asks that " + never.front() +
                          " is right, and on some draws no run launches it; let a run without "
                          "random_kernels launch it");
    else if (!is_sure(kernels))
      add(check.line, "check " + check.id +
                          ": on some draws no run launches a kernel that it looks at, so it passes "
                          "unseen; let one of its runs draw among its kernels alone");
  }

  void known_beforehand(const RunRule& run) {
    if (run.drawn_sizes == 0 || !run.vectors.empty())
      add(run.line,
          "run " + run.id +
              " counts sizes that are known beforehand, so code for them alone passes; use "
              "random_vectors alone");
    if (!run.own_shape && (run.drawn_shapes == 0 || !run.blocks.empty()))
      add(run.line, "run " + run.id +
                        " counts a fixed launch shape, so code for it alone passes; use "
                        "random_shapes alone");
  }

  // What is counted alone can be recognised: it must lie within what is only checked.
  void tells_that_it_counts(const RunRule& counted) {
    std::vector<Range> sizes, blocks, warps;
    for (const RunRule& run : rubric_.runs) {
      if (run.counters) continue;
      if (run.drawn_sizes > 0) sizes.push_back(run.sizes);
      if (run.drawn_shapes > 0) blocks.push_back(run.shape_blocks);
      if (run.drawn_shapes > 0) warps.push_back(run.shape_warps);
    }
    if (counted.drawn_sizes > 0 && !covered(counted.sizes, sizes))
      add(counted.line, "run " + counted.id +
                            " counts sizes that no other run draws, so a kernel knows that it is "
                            "counted; let runs without counters draw from the same range");
    if (counted.drawn_shapes > 0 &&
        (!covered(counted.shape_blocks, blocks) || !covered(counted.shape_warps, warps)))
      add(counted.line, "run " + counted.id +
                            " counts launch shapes that no other run draws, so a kernel knows that "
                            "it is counted; let runs without counters draw from the same range");
  }

  void holes() {
    std::vector<Range> all;
    for (const RunRule& run : rubric_.runs) {
      if (run.drawn_sizes > 0) all.push_back(run.sizes);
      for (int64_t size : run.vectors) all.push_back({size, size});
    }
    Range whole = all.empty() ? Range{1, 1} : all.front();
    for (const Range& range : all)
      whole = {std::min(whole.from, range.from), std::max(whole.to, range.to)};
    if (!covered(whole, all))
      add(rubric_.runs.front().line,
          "there are sizes between " + std::to_string(whole.from) + " and " +
              std::to_string(whole.to) +
              " that no run can draw: nothing has to be right there; let the ranges meet");
  }

  static bool covered(Range wanted, std::vector<Range> by) {
    std::sort(by.begin(), by.end(), [](Range a, Range b) { return a.from < b.from; });
    for (const Range& range : by)
      if (range.from <= wanted.from && range.to >= wanted.from) {
        wanted.from = range.to + 1;
        if (wanted.from > wanted.to) return true;
      }
    return false;
  }

  // Who makes the kernel slower that others are compared with looks better.
  void unpinned(const CheckRule& check) {
    if (check.relative_to != RelativeTo::kKernel) return;
    for (const std::string& id : check.runs)
      if (rubric_.find_run(id)->drawn_kernels > 0)
        return add(check.line, "check " + check.id + " compares kernels of run " + id +
                                   ", which draws its kernels: the other may be missing; use "
                                   "relative_to = \"solution:" +
                                   check.base_kernel + "\"");
    for (const std::string& kernel : rubric_.kernels_of(check)) {
      std::string base = base_kernel_of(check.base_kernel, kernel);
      if (!is_pinned(base, check))
        return add(check.line, "check " + check.id + " compares with " + base +
                                   " of the same submission, which no check that it requires holds "
                                   "to the solution's " +
                                   check.metric +
                                   "; use relative_to = \"solution:" + check.base_kernel + "\"");
    }
  }

  bool is_pinned(const std::string& kernel, const CheckRule& by) const {
    for (const CheckRule& check : rubric_.checks) {
      std::vector<std::string> kernels = rubric_.kernels_of(check);
      bool required = std::find(by.requires_checks.begin(), by.requires_checks.end(), check.id) !=
                      by.requires_checks.end();
      bool holds = check.relative_to == RelativeTo::kSolution && check.metric == by.metric &&
                   !check.zero_at && (by.at_most ? check.at_most : check.at_least).has_value();
      bool all_runs = std::all_of(by.runs.begin(), by.runs.end(), [&](const std::string& run) {
        return std::find(check.runs.begin(), check.runs.end(), run) != check.runs.end();
      });
      if (required && holds && all_runs &&
          std::find(kernels.begin(), kernels.end(), kernel) != kernels.end())
        return true;
    }
    return false;
  }

  const Rubric& rubric_;
  const SizeOfKernel& default_sizes_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> rubric_faults(const Rubric& rubric, const SizeOfKernel& default_sizes) {
  return Faults(rubric, default_sizes).find();
}

}  // namespace lockstep::grader
