// SPDX-License-Identifier: Apache-2.0
// What must be executed is found by comparing: the parts that execution depends on, the launches
// that the rubric plans with the grading's seed, and those that it needs of the solution. See
// rejudge.h.
#include "grader/rejudge.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>

#include "common/base/error.h"
#include "grader/packed_records.h"
#include "grader/session.h"

namespace lockstep::grader {
namespace {

// What gradings with one seed have in common.
struct Draw {
  std::string why;  // they must be executed; empty: they need not
  std::vector<GradedLaunch> plan;
  Reference reference;
};

// The solution as the rubric's checks need it, of what was launched of it; nothing where some was
// not.
std::optional<Reference> reference_of(std::vector<GradedLaunch> plan, uint64_t seed,
                                      const std::vector<GradedLaunch>& launched,
                                      const std::vector<Record>& records) {
  Reference reference{seed, true, std::move(plan), {}};
  for (const GradedLaunch& wanted : reference.plan) {
    const auto found = std::find_if(launched.begin(), launched.end(), [&](const GradedLaunch& one) {
      return one.launch == wanted.launch;
    });
    const size_t at = static_cast<size_t>(found - launched.begin());
    if (at >= records.size() || records[at].kernel != wanted.launch.kernel) return std::nullopt;
    reference.records.push_back(records[at]);
  }
  return reference;
}

// One grading's part of the store, to be judged on any thread.
struct Work {
  Rejudged* result = nullptr;
  std::shared_ptr<const Draw> draw;
  StoredLaunches launches;
  std::string source;
};

class Rejudge {
 public:
  Rejudge(Store& store, const RejudgeTerms& terms)
      : store_(store), terms_(terms), metrics_(judged_metrics(terms.rubric)) {}

  std::vector<Rejudged> run(int jobs) {
    std::vector<Rejudged> all;
    for (Graded& graded : store_.all_latest(terms_.rubric.homework, terms_.backend))
      all.push_back({std::move(graded), std::nullopt, ""});
    constexpr size_t kAtOnce = 256;  // so many are held in memory with their launches
    for (size_t begin = 0; begin < all.size(); begin += kAtOnce) {
      std::vector<Work> work;
      for (size_t i = begin; i < std::min(begin + kAtOnce, all.size()); ++i)
        look_at(&all[i], &work);
      judge_all(&work, jobs);
    }
    return all;
  }

 private:
  // Decides what can be decided without the records; else adds to *work.
  void look_at(Rejudged* one, std::vector<Work>* work) {
    const Graded& g = one->before;
    if (g.config_hash == config_of(g.arch)) return;
    const Verdict& v = g.verdict;
    one->why = difference(g);
    if (v.kind == VerdictKind::kInfraError) one->why = "nothing could be found out about it";
    if (!one->why.empty()) return;
    std::optional<StoredLaunches> launches = store_.launches_of(g);
    const bool is_error = v.kind == VerdictKind::kStudentError;
    if (is_error && (!launches || v.reason == "ungradable"))
      return keep(one, student_error(terms_.rubric, v.reason, v.message, v.quoted));
    if (!launches) {
      one->why = "its records are not in the results";
      return;
    }
    const std::shared_ptr<const Draw> draw = draw_of(g, launches->plan);
    one->why = draw->why;
    if (one->why.empty())
      work->push_back({one, draw, std::move(*launches), store_.source_of(g).value_or("")});
  }

  // "" where everything that its execution depended on is as it would be now.
  std::string difference(const Graded& g) {
    const auto known = store_.execution_of(g.execution_hash);
    if (!known) return "it was graded before it was kept what it was executed with";
    auto [found, is_new] = differences_.try_emplace({g.execution_hash, g.arch});
    if (is_new) found->second = differing_parts(parts_from_json(*known), parts_of(g.arch));
    return found->second.empty() ? "" : "changed since: " + found->second;
  }

  // The architecture is that of the device it was executed on.
  const ExecutionParts& parts_of(const std::string& arch) {
    auto [found, is_new] = parts_.try_emplace(arch);
    if (is_new) {
      Toolchain tools = terms_.tools;
      tools.arch = arch;
      found->second = execution_parts(terms_.rubric, tools, terms_.cage);
    }
    return found->second;
  }

  const std::string& config_of(const std::string& arch) {
    std::string& hash = configs_[arch];
    if (hash.empty()) hash = config_hash(terms_.rubric, parts_of(arch));
    return hash;
  }

  std::shared_ptr<const Draw> draw_of(const Graded& g, const std::string& plan) {
    auto& draw = draws_[{plan, g.config_hash, g.seed}];
    if (!draw) draw = std::make_shared<const Draw>(make_draw(g, plan));
    return draw;
  }

  Draw make_draw(const Graded& g, const std::string& plan) {
    Draw draw;
    draw.plan = plan_submission(terms_.rubric, g.seed);
    std::vector<GradedLaunch> launched = store_.plan_of(plan), besides;
    if (launched.size() > draw.plan.size()) {
      const auto behind = launched.begin() + static_cast<std::ptrdiff_t>(draw.plan.size());
      besides.assign(behind, launched.end());
      launched.erase(behind, launched.end());
    }
    if (!same_launches(draw.plan, launched)) {
      draw.why = "the rubric asks for other launches";
      return draw;
    }
    draw.plan.insert(draw.plan.end(), besides.begin(), besides.end());
    std::vector<GradedLaunch> wanted = plan_solution_of(terms_.rubric, draw.plan);
    if (!has_solution()) {
      draw.reference = recorded(g);
    } else if (wanted.empty()) {
      draw.reference = {g.seed, true, {}, {}};
    } else {
      const auto launches = store_.solution_launches(g);
      std::optional<Reference> found;
      if (launches)
        found = reference_of(std::move(wanted), g.seed, store_.plan_of(launches->plan),
                             figures_from_text(launches->records.text(), metrics_));
      if (found)
        draw.reference = std::move(*found);
      else
        draw.why = "the rubric compares with launches that were not made of the solution";
    }
    return draw;
  }

  bool has_solution() const {
    const Rubric& rubric = terms_.rubric;
    return !rubric.solution.empty() &&
           !file_or_nothing(terms_.tools.top + "/" + rubric.solution).empty();
  }

  // Where there is no solution, what was recorded of it.
  Reference recorded(const Graded& g) const {
    const std::string path = terms_.tools.top + "/" + g.homework + "/recorded.json";
    for (Reference& one :
         read_recorded(file_or_nothing(path), path, terms_.rubric, g.backend, g.arch))
      if (one.seed == g.seed) return std::move(one);
    return {g.seed, false, {}, {}};
  }

  void judge_all(std::vector<Work>* work, int jobs) {
    std::atomic<size_t> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto judge_some = [&] {
      try {
        for (size_t i = next++; i < work->size(); i = next++) judge_one((*work)[i]);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
      }
    };
    std::vector<std::thread> threads;
    for (int i = 1; i < jobs; ++i) threads.emplace_back(judge_some);
    judge_some();
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
  }

  void judge_one(const Work& work) const {
    const Graded& g = work.result->before;
    const std::vector<Record> records = figures_from_text(work.launches.records.text(), metrics_);
    for (size_t i = 0; i < records.size(); ++i)
      if (i >= work.draw->plan.size() || records[i].kernel != work.draw->plan[i].launch.kernel)
        throw Error(store_.path() + ": the launches of " + g.submission + " are not those planned",
                    kExitCannotRun);
    JudgeInput input{terms_.rubric, work.draw->plan, records, work.draw->reference,
                     g.backend,     work.source,     g.ended};
    std::optional<std::map<size_t, std::vector<LineCounts>>> lines;
    input.lines = [&](size_t launch) {
      if (!lines) lines = lines_from_text(work.launches.lines.text());
      return (*lines)[launch];
    };
    Verdict verdict = judge(input);
    if (g.attempts < kAttempts && is_doubtful(verdict, records, g.backend))
      work.result->why =
          "a figure is missing or too high, as a card's may be for once: it is tried again";
    else
      keep(work.result, std::move(verdict));
  }

  void keep(Rejudged* one, Verdict verdict) const {
    Graded now = one->before;
    now.id = 0;
    now.config_hash = configs_.at(now.arch);
    now.judged_from = one->before.judged_from != 0 ? one->before.judged_from : one->before.id;
    now.finished_at = utc_now();
    now.verdict = std::move(verdict);
    one->now = std::move(now);
  }

  Store& store_;
  const RejudgeTerms& terms_;
  const MetricNames metrics_;
  std::map<std::string, ExecutionParts> parts_;                             // by architecture
  std::map<std::string, std::string> configs_;                              // likewise
  std::map<std::pair<std::string, std::string>, std::string> differences_;  // by hash and that
  // By plan, configuration and seed.
  std::map<std::tuple<std::string, std::string, uint64_t>, std::shared_ptr<const Draw>> draws_;
};

}  // namespace

std::vector<Rejudged> rejudge(Store& store, const RejudgeTerms& terms, int jobs) {
  return Rejudge(store, terms).run(jobs);
}

}  // namespace lockstep::grader
