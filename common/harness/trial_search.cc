// SPDX-License-Identifier: Apache-2.0
#include "common/harness/trial_search.h"

#include <algorithm>
#include <bit>
#include <ctime>
#include <numeric>

#include "common/base/error.h"
#include "common/harness/launch_plan.h"
#include "common/harness/session.h"

namespace lockstep {
namespace {

constexpr int kWarp = 32;
constexpr int64_t kMostElements = 1 << 17;  // of a problem that is executed for each change
constexpr int64_t kTelling = 200;           // elements of one that few wrong changes make right
constexpr uint64_t kLeastSteps = 20'000, kTimesTheSteps = 4, kMostTimes = 64, kStepsAnElement = 200,
                   kStepsAWarp = 20'000, kOfNoEnd = 10;

// Of this program, in nanoseconds.
int64_t processor_time() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return int64_t{1'000'000'000} * used.tv_sec + used.tv_nsec;
}

// Stores that lines other than the changed one have lost, while others have as many more.
uint64_t moved_stores(const WatchedWork& before, const WatchedWork& after, int changed_line) {
  uint64_t more = 0, fewer = 0;
  const auto of = [](const WatchedWork& work, int line) {
    const auto found = work.stores_of_line.find(line);
    return found == work.stores_of_line.end() ? 0 : found->second;
  };
  std::set<int> lines;
  for (const WatchedWork* work : {&before, &after})
    for (const auto& [line, stores] : work->stores_of_line) lines.insert(line);
  for (const int line : lines) {
    const uint64_t was = of(before, line), is = of(after, line);
    if (line != changed_line) (is > was ? more : fewer) += is > was ? is - was : was - is;
  }
  return std::min(more, fewer);
}

// A change that helps must leave what the student wrote at work: all else that was executed still
// is, no line does what another one did, and nothing is done more often than before that needs not
// be. Else the best change would be one by which a wrong part is never reached, or hardly ever, or
// by which everybody does everything.
bool keeps_at_work(const WatchedWork& before, const WatchedWork& after, int changed_line,
                   uint64_t elements) {
  constexpr uint64_t kLittle = 4;  // this part of the stores may move
  if (after.stores > std::max(before.stores, elements)) return false;
  if (!after.whole) return true;  // nobody knows of the rest
  if (moved_stores(before, after, changed_line) > before.stores / kLittle) return false;
  return std::all_of(before.lines.begin(), before.lines.end(),
                     [&](int line) { return line == changed_line || after.lines.contains(line); });
}

// How much longer or shorter a line becomes.
size_t added(const CodeMutation& change) {
  if (!change.phrase.empty()) return change.phrase.size();
  return std::max(change.instead.size(), change.is.size()) -
         std::min(change.instead.size(), change.is.size());
}

}  // namespace

// A job with its arrays on a debug backend.
class Trials::Search::Trial {
 public:
  Trial(Backend& backend, const Assignment& assignment, const Job& job)
      : backend_(backend),
        elements_(assignment.work(job.c).elements),
        session_(backend, assignment, job.c, job.seed, nullptr) {
    launches_ = session_.launches_of(
        job.c, launch_context(backend, job.blocks, job.warps, read_constants(backend, assignment)));
    for (const Launch& launch : launches_)
      least_ += kStepsAWarp * launch.grid.count() * ((launch.block.count() + kWarp - 1) / kWarp);
    steps_ = least_ + kStepsAnElement * static_cast<uint64_t>(elements_);
    for (const ArraySpec& array : assignment.arrays(job.c))
      if (array.role != Role::kInput) results_ += array.elements;
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
    if (ended)
      steps_ = std::min(
          kTimesTheSteps * taken_ + std::min(least_, kMostTimes * taken_ + kLeastSteps), steps_);
    else if (taken_ >= steps_)  // it may have no end: each change that does not help takes all
      steps_ /= kOfNoEnd;
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
  uint64_t least_ = kLeastSteps;  // what it may take to do what is not done yet
  uint64_t steps_ = 0, taken_ = 0;
  bool races_ = false;  // nothing else is wrong
  bool early_ = false;
  Session::Trying::Place failed_;
  uint64_t results_ = 0;  // elements that are there to be written
};

Trials::Search::Search(const Assignment& assignment, const WrongKernel& wrong,
                       std::chrono::milliseconds time, size_t threads,
                       std::vector<CodeMutation> like)
    : assignment_(assignment),
      jobs_(wrong.jobs),
      threads_(static_cast<int64_t>(threads)),
      last_(processor_time() + threads_ * std::chrono::nanoseconds(time).count()),
      end_(last_),
      races_(wrong.races),
      line_(wrong.line),
      right_(wrong.is_right),
      like_(std::move(like)) {}

void Trials::Search::go_on() {
  found_.clear();
  end_ = last_;
  ended_ = true;
}

bool Trials::Search::is_late() const { return processor_time() >= last_; }

Trials::Search::AllTrials Trials::Search::trials_on(Backend& debug) const {
  AllTrials trials;
  for (const Job& job : jobs_)
    if (assignment_.work(job.c).elements <= kMostElements)
      trials.push_back(std::make_unique<Trial>(debug, assignment_, job));
  std::stable_sort(trials.begin(), trials.end(),
                   [](const auto& a, const auto& b) { return a->elements() < b->elements(); });
  return trials;
}

// Those that are wrong, the least work first.
std::vector<Trials::Search::Trial*> Trials::Search::wrong_of(const AllTrials& trials) const {
  std::vector<Trial*> wrong;
  if (right_) return wrong;
  for (const auto& trial : trials)
    if (!trial->is_right_as_given()) wrong.push_back(trial.get());
  std::stable_sort(wrong.begin(), wrong.end(), [](const Trial* a, const Trial* b) {
    return a->steps_taken() < b->steps_taken();
  });
  return wrong;
}

// The smallest that is not too small to tell what a change does.
Trials::Search::Trial* Trials::Search::telling_of(const AllTrials& trials,
                                                  const std::vector<Trial*>& wrong) {
  for (Trial* trial : wrong)
    if (trial->elements() >= kTelling) return trial;
  if (!wrong.empty()) return wrong.back();
  for (const auto& trial : trials)
    if (trial->elements() >= kTelling) return trial.get();
  return trials.back().get();
}

std::vector<std::string> Trials::Search::kernels_of(const AllTrials& trials) {
  std::vector<std::string> kernels;
  for (const auto& trial : trials)
    for (const Launch& launch : trial->launches()) kernels.push_back(launch.kernel);
  std::sort(kernels.begin(), kernels.end());
  kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
  return kernels;
}

// In the order in which they are tried: those in the line that was told, the likeliest first, and
// where threads race, those that have them wait.
std::vector<size_t> Trials::Search::changes_of(Backend& debug, const std::string& kernel) const {
  std::vector<size_t> changes(debug.find_mutations(kernel, assignment_.student_file()));
  std::iota(changes.begin(), changes.end(), size_t{0});
  if (!like_.empty())
    std::erase_if(changes, [&](size_t i) {
      const CodeMutation change = debug.mutation(i);
      return std::none_of(like_.begin(), like_.end(),
                          [&](const CodeMutation& one) { return alike(one, change); });
    });
  const auto is_first = [&](size_t i) {
    const CodeMutation change = debug.mutation(i);
    return races_ ? change.orders : change.line == line_;
  };
  if (like_.empty()) std::stable_partition(changes.begin(), changes.end(), is_first);
  return changes;
}

bool Trials::Search::try_one(Backend& debug, const std::string& kernel, size_t change,
                             const std::vector<Trial*>& wrong, const AllTrials& trials) {
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

void Trials::Search::run_on(Backend& debug) {
  AllTrials trials = trials_on(debug);
  const std::vector<Trial*> wrong = wrong_of(trials);
  if (trials.empty() || (wrong.empty() && !right_)) return;
  Trial* const telling = telling_of(trials, wrong);
  const WatchedWork before = telling->work(assignment_.student_file());
  size_t first = 0;  // of a kernel's, among all changes
  for (const std::string& kernel : kernels_of(trials)) {
    const std::vector<size_t> changes = changes_of(debug, kernel);
    for (size_t i; (i = next_) < first + changes.size();) {
      if (processor_time() >= end_.load()) {
        ended_ = false;
        break;
      }
      if (!next_.compare_exchange_strong(i, i + 1)) continue;
      const size_t number = changes[i - first];
      if (!try_one(debug, kernel, number, wrong, trials)) {
        refuse(debug.mutation(number));
        continue;
      }
      const uint64_t steps = debug.steps();
      const WatchedWork after = telling->work(assignment_.student_file());
      const CodeMutation change = debug.mutation(number);
      if (keeps_at_work(before, after, change.line, telling->results()))
        keep(i, {change, after.lines.size(), after.stores, after.storing_threads,
                 debug.steps() - steps, after.passed_alone});
      else
        refuse(change);
    }
    debug.mutate(kernel, std::nullopt);
    first += changes.size();
  }
}

void Trials::Search::refuse(const CodeMutation& change) {
  if (like_.empty()) return;
  const std::lock_guard lock(mutex_);
  refused_.push_back(change);
}

bool Trials::Search::is_refused(const CodeMutation& change) const {
  return std::any_of(refused_.begin(), refused_.end(),
                     [&](const CodeMutation& one) { return alike(one, change); });
}

void Trials::Search::keep(size_t number, Mend mend) {
  constexpr std::chrono::nanoseconds kForOthers = std::chrono::milliseconds(1500);
  const std::lock_guard lock(mutex_);
  if (found_.empty())
    end_ = std::min(end_.load(), processor_time() + threads_ * kForOthers.count());
  found_.emplace_back(number, std::move(mend));
}

// Those with which most threads are at work, by powers of two, then, where threads race, barriers
// and what changes the line in which that was seen, then the likeliest. Of those alike: where
// threads wait, those in the kernel itself, at a barrier that is for all threads, and with which
// they wait least often; then those with which most lines are executed, nothing is done twice and
// most threads are at work; then the smaller one.
std::vector<Mend> Trials::Search::found() {
  const auto is_near = [this](const Mend& mend) {
    return !races_ || mend.change.orders || mend.change.line == line_;
  };
  std::sort(found_.begin(), found_.end(), [&](const auto& a, const auto& b) {
    const Mend &x = a.second, &y = b.second;
    const int at_work_x = std::bit_width(x.storing_threads);
    const int at_work_y = std::bit_width(y.storing_threads);
    if (at_work_x != at_work_y) return at_work_x > at_work_y;
    if (is_near(x) != is_near(y)) return is_near(x);
    if (x.change.rank != y.change.rank) return x.change.rank < y.change.rank;
    const bool wait = x.change.orders && y.change.orders;
    if (wait && x.change.in_kernel != y.change.in_kernel) return x.change.in_kernel;
    if (wait && x.passed_alone != y.passed_alone) return x.passed_alone < y.passed_alone;
    if (wait && x.steps != y.steps) return x.steps < y.steps;
    if (x.lines != y.lines) return x.lines > y.lines;
    if (x.stores != y.stores) return x.stores < y.stores;
    if (x.storing_threads != y.storing_threads) return x.storing_threads > y.storing_threads;
    const auto [added_x, added_y] = std::pair(added(x.change), added(y.change));
    return added_x != added_y ? added_x < added_y : a.first < b.first;
  });
  std::vector<Mend> mends;
  for (const auto& [number, mend] : found_) mends.push_back(mend);
  return mends;
}

}  // namespace lockstep
