// SPDX-License-Identifier: Apache-2.0
#include "common/harness/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "common/base/error.h"
#include "common/harness/launch_plan.h"
#include "common/harness/session.h"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kWarp = 32;
constexpr int64_t kMostElements = 1 << 17;  // of a problem that is executed for each change
constexpr int64_t kTelling = 200;           // elements of one that few wrong changes make right
constexpr size_t kMostLines = 3;
constexpr uint64_t kLeastSteps = 20'000, kTimesTheSteps = 4, kStepsAnElement = 200,
                   kStepsAWarp = 2000;

// A job with its arrays on a debug backend.
class Trial {
 public:
  Trial(Backend& backend, const Assignment& assignment, const Job& job)
      : backend_(backend),
        elements_(assignment.work(job.c).elements),
        session_(backend, assignment, job.c, job.seed, nullptr) {
    LaunchContext context{
        backend.device(), job.blocks, job.warps * kWarp, read_constants(backend, assignment), {}};
    context.blocks_per_sm = [&](const Launch& launch) { return backend.max_blocks_per_sm(launch); };
    launches_ = session_.launches_of(job.c, context);
    steps_ = kLeastSteps + kStepsAnElement * static_cast<uint64_t>(elements_);
    for (const Launch& launch : launches_)
      steps_ += kStepsAWarp * launch.grid.count() * ((launch.block.count() + kWarp - 1) / kWarp);
    for (const ArraySpec& array : assignment.arrays(job.c))
      if (array.is_checked()) results_ += array.elements;
  }

  int64_t elements() const { return elements_; }
  uint64_t results() const { return results_; }
  const Sequence& launches() const { return launches_; }
  // Before anything is changed; notes how many steps that takes.
  bool is_right_as_given() {
    const uint64_t before = backend_.steps();
    bool rewrites = false, ended = false;
    races_ = session_.is_right(launches_, {.step_budget = steps_,
                                           .races = false,
                                           .rewrites = &rewrites,
                                           .failed = &failed_,
                                           .ended = &ended});
    early_ = !rewrites;
    taken_ = backend_.steps() - before;
    if (ended) steps_ = std::min(kTimesTheSteps * taken_ + kLeastSteps, steps_);
    return races_ && is_right();
  }
  uint64_t steps_taken() const { return taken_; }
  // What most changes that do not help fail in, at little cost.
  bool may_be_right() {
    return session_.is_right(
        launches_, {.step_budget = steps_, .races = races_, .early = early_, .failed = &failed_});
  }
  bool is_right() { return session_.is_right(launches_, {.step_budget = steps_}); }
  bool is_right_in_any_order() {
    return session_.is_right(launches_, {.step_budget = steps_of_check(elements_), .drawn = true});
  }
  WatchedWork work(const std::string& file) { return session_.work_of(launches_, steps_, file); }

 private:
  Backend& backend_;
  const int64_t elements_;
  Session session_;
  Sequence launches_;
  uint64_t steps_ = 0, taken_ = 0;
  bool races_ = false;  // nothing else is wrong
  bool early_ = false;
  Session::Trying::Place failed_;
  uint64_t results_ = 0;  // elements that are checked
};

// A change that helps must leave what the student wrote at work: all else that was executed still
// is, and nothing is done more often than before that needs not be. Else the best change would be
// one by which a wrong part is never reached, or by which everybody does everything.
bool keeps_at_work(const WatchedWork& before, const WatchedWork& after, int changed_line,
                   uint64_t elements) {
  if (after.stores > std::max(before.stores, elements)) return false;
  return std::all_of(before.lines.begin(), before.lines.end(),
                     [&](int line) { return line == changed_line || after.lines.contains(line); });
}

// How much longer or shorter a line becomes.
size_t added(const CodeMutation& change) {
  if (!change.phrase.empty()) return change.phrase.size();
  return std::max(change.instead.size(), change.is.size()) -
         std::min(change.instead.size(), change.is.size());
}

std::string words_of(const CodeMutation& change) {
  if (!change.phrase.empty()) return change.phrase;
  if (change.instead.empty()) return fmt::format("without `{}` in line {}", change.is, change.line);
  return fmt::format("with `{}` in place of `{}` in line {}", change.instead, change.is,
                     change.line);
}

}  // namespace

// What several threads share, each with a backend of its own that has the same changes.
class Trials::Search {
 public:
  Search(const Assignment& assignment, const std::vector<Job>& jobs, Clock::time_point end)
      : assignment_(assignment), jobs_(jobs), end_(end) {}

  void run_on(Backend& debug) {
    std::vector<std::unique_ptr<Trial>> trials = trials_on(debug);
    const std::vector<Trial*> wrong = wrong_of(trials);
    if (wrong.empty()) return;
    Trial* const telling = telling_of(wrong);
    const WatchedWork before = telling->work(assignment_.student_file());
    size_t first = 0;  // of a kernel's, among all changes
    for (const std::string& kernel : kernels_of(trials)) {
      const size_t all = debug.find_mutations(kernel, assignment_.student_file());
      for (size_t i; Clock::now() < end_.load() && (i = next_) < first + all;) {
        if (!next_.compare_exchange_strong(i, i + 1)) continue;
        if (!try_one(debug, kernel, i - first, wrong, trials)) continue;
        const WatchedWork after = telling->work(assignment_.student_file());
        const CodeMutation change = debug.mutation(i - first);
        if (keeps_at_work(before, after, change.line, telling->results()))
          keep(i, {change, after.lines.size(), after.stores, after.storing_threads});
      }
      debug.mutate(kernel, std::nullopt);
      first += all;
    }
  }

  // One for each line, the likeliest; of those alike the one with which most lines are executed,
  // nothing is done twice and most threads are at work, then the smaller one.
  std::vector<Mend> best() {
    std::sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) {
      const Mend &x = a.second, &y = b.second;
      if (x.change.rank != y.change.rank) return x.change.rank < y.change.rank;
      if (x.lines != y.lines) return x.lines > y.lines;
      if (x.stores != y.stores) return x.stores < y.stores;
      if (x.storing_threads != y.storing_threads) return x.storing_threads > y.storing_threads;
      const auto [added_x, added_y] = std::pair(added(x.change), added(y.change));
      return added_x != added_y ? added_x < added_y : a.first < b.first;
    });
    std::vector<Mend> mends;
    for (const auto& [number, mend] : found_) {
      const auto same_line = [&, &mend = mend](const Mend& other) {
        return other.change.line == mend.change.line && other.change.file == mend.change.file;
      };
      if (std::none_of(mends.begin(), mends.end(), same_line)) mends.push_back(mend);
    }
    return mends;
  }

 private:
  std::vector<std::unique_ptr<Trial>> trials_on(Backend& debug) const {
    std::vector<std::unique_ptr<Trial>> trials;
    for (const Job& job : jobs_)
      if (assignment_.work(job.c).elements <= kMostElements)
        trials.push_back(std::make_unique<Trial>(debug, assignment_, job));
    std::stable_sort(trials.begin(), trials.end(),
                     [](const auto& a, const auto& b) { return a->elements() < b->elements(); });
    return trials;
  }

  // Those that are wrong, the least work first.
  static std::vector<Trial*> wrong_of(const std::vector<std::unique_ptr<Trial>>& trials) {
    std::vector<Trial*> wrong;
    for (const auto& trial : trials)
      if (!trial->is_right_as_given()) wrong.push_back(trial.get());
    std::stable_sort(wrong.begin(), wrong.end(), [](const Trial* a, const Trial* b) {
      return a->steps_taken() < b->steps_taken();
    });
    return wrong;
  }

  // The smallest that is not too small to tell what a change does.
  static Trial* telling_of(const std::vector<Trial*>& wrong) {
    for (Trial* trial : wrong)
      if (trial->elements() >= kTelling) return trial;
    return wrong.back();
  }

  static std::vector<std::string> kernels_of(const std::vector<std::unique_ptr<Trial>>& trials) {
    std::vector<std::string> kernels;
    for (const auto& trial : trials)
      for (const Launch& launch : trial->launches()) kernels.push_back(launch.kernel);
    std::sort(kernels.begin(), kernels.end());
    kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
    return kernels;
  }

  static bool try_one(Backend& debug, const std::string& kernel, size_t change,
                      const std::vector<Trial*>& wrong,
                      const std::vector<std::unique_ptr<Trial>>& trials) {
    const auto all = [&](const auto& right) {
      return std::all_of(trials.begin(), trials.end(), right);
    };
    try {
      debug.mutate(kernel, change);
      return std::all_of(wrong.begin(), wrong.end(),
                         [](Trial* trial) { return trial->may_be_right(); }) &&
             all([](const auto& trial) { return trial->is_right(); }) &&
             all([](const auto& trial) { return trial->is_right_in_any_order(); });
    } catch (const Error&) {
      return false;  // it makes no code, or nothing that can be launched
    }
  }

  void keep(size_t number, Mend mend) {
    constexpr std::chrono::milliseconds kForOthers{1500};
    const std::lock_guard lock(mutex_);
    if (found_.empty()) end_ = std::min(end_.load(), Clock::now() + kForOthers);
    found_.emplace_back(number, std::move(mend));
  }

  const Assignment& assignment_;
  const std::vector<Job>& jobs_;
  std::atomic<Clock::time_point> end_;  // sooner where something is found
  std::atomic<size_t> next_ = 0;
  std::mutex mutex_;
  std::vector<std::pair<size_t, Mend>> found_;
};

Trials::Trials(const Assignment& assignment, TrialOptions options)
    : assignment_(assignment), options_(std::move(options)) {
  for (int i = 0; i < std::max(options_.threads, 1); i++)
    builds_.push_back(std::make_unique<DebugBuild>(options_.debug_ptx, options_.open));
}

Trials::~Trials() = default;

std::vector<Mend> Trials::find(const std::vector<Job>& jobs, std::chrono::milliseconds time) {
  Search search(assignment_, jobs, Clock::now() + time);
  const auto run_on = [&](DebugBuild& build) {
    try {
      if (Backend* const debug = build.backend()) search.run_on(*debug);
    } catch (const Error&) {
      return;  // what was found otherwise stands
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < builds_.size(); i++) threads.emplace_back([&, i] { run_on(*builds_[i]); });
  run_on(*builds_[0]);
  for (std::thread& thread : threads) thread.join();
  return search.best();
}

std::string words_of_mends(const std::vector<Mend>& mends) {
  if (mends.empty()) return {};
  std::string words = "All is right " + words_of(mends[0].change);
  for (size_t i = 1; i < std::min(mends.size(), kMostLines); i++)
    words += ", or " + words_of(mends[i].change);
  return words + ".";
}

}  // namespace lockstep
