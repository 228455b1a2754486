// SPDX-License-Identifier: Apache-2.0
// See small_checks.h.
#include "common/harness/small_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <thread>

#include "common/backend/fault_words.h"
#include "common/base/error.h"
#include "common/base/processors.h"
#include "common/harness/launch_plan.h"
#include "common/harness/trials.h"

namespace lockstep {
namespace {

constexpr int64_t kMostOperations = 4'000'000;  // of floating point, of a check's useful work
constexpr int64_t kMostElements = 200'000;      // of a check

// Sizes that divide by nothing and the least there is, in blocks that divide by nothing; then,
// where the command line gives the shape, in the smallest blocks.
struct Awkward {
  int64_t vectors, blocks;
  int warps;
};
constexpr Awkward kAwkward[] = {{1, 3, 5},    {37, 3, 5}, {1000, 3, 5},
                                {1001, 3, 5}, {37, 2, 1}, {1001, 2, 1}};
constexpr size_t kOfNoShape = 4;  // of these

}  // namespace

std::optional<Job> check_of(const Assignment& assignment, const Job& job, int64_t vectors,
                            int64_t blocks, int warps) {
  for (const Case& c : assignment.cases({0, vectors})) {
    if (c.kernel != job.c.kernel || c.library) continue;
    const UsefulWork work = assignment.work(c);
    if (work.elements > assignment.work(job.c).elements / kMuchSmaller ||
        work.elements > kMostElements || work.fp_operations > kMostOperations)
      continue;
    Job check = job;
    check.c = c;
    check.vectors = vectors;
    check.counters = check.times = false;
    check.fresh_inputs = check.quiet = true;
    if (job.warps > 0) check.blocks = blocks, check.warps = warps;
    return check;
  }
  return std::nullopt;
}

std::vector<Job> checks_before(const Assignment& assignment, const Options& options,
                               const std::vector<Job>& jobs) {
  // Of which a homework makes several numbers, rows and columns: with and without common factors.
  constexpr int64_t kOwn[] = {12, 20, 44, 61, 84, 100, 122, 150, 191, 222, 250, 256};
  constexpr int64_t kOfAWarp = 2400;  // elements, a warp in each of two blocks
  std::vector<Job> checks;
  if (options.vectors || options.lane_order != 0) return checks;
  const auto add = [&](const auto& make) {
    try {
      if (std::optional<Job> check = make()) checks.push_back(std::move(*check));
    } catch (const Error&) {
      return;  // a size that the homework refuses
    }
  };
  Sizes sizes(assignment);
  std::set<std::string> seen;
  for (const Job& job : jobs) {
    if (job.c.library) continue;
    if (seen.insert(job.c.kernel).second) {
      for (const Awkward& one :
           std::span(kAwkward).first(job.warps == 0 ? kOfNoShape : std::size(kAwkward)))
        add([&] { return check_of(assignment, job, one.vectors, one.blocks, one.warps); });
      if (job.warps == 0)
        for (const int64_t vectors : kOwn)
          add([&] { return check_of(assignment, job, vectors, 0, 0); });
    }
    const int64_t elements = std::min<int64_t>(kOfAWarp * std::max(job.warps, 8),
                                               assignment.work(job.c).elements / kMuchSmaller);
    if (elements > 0)
      add([&] {
        return check_of(assignment, job, sizes.least(job.c.kernel, elements), 2, job.warps);
      });
  }
  return checks;
}

namespace {

constexpr int kMostHung = 2;

// Keeps what it is told, to be told in its turn.
class KeptReport : public Report {
 public:
  void row(const Row& row) override { kept_.push_back({row, {}}); }
  void kernel_output(const std::string& text) override { kept_.push_back({{}, text}); }
  void tell(Report& to) const {
    for (const Kept& one : kept_)
      if (one.row)
        to.row(*one.row);
      else
        to.kernel_output(one.text);
  }
  // The first of what is wrong; nullptr: nothing is.
  Row* first_row() {
    for (Kept& one : kept_)
      if (one.row) return &*one.row;
    return nullptr;
  }

 private:
  struct Kept {
    std::optional<Row> row;
    std::string text;
  };
  std::vector<Kept> kept_;
};

// Whether the message may lack the cause: of masks and barriers the run itself tells it.
bool is_open(const CheckResult& check) {
  if (check.status != "fault") return check.status == "wrong" && !check.settled;
  for (const char* kind : {"out_of_bounds", "null_pointer", "misaligned", "read_only", "race",
                           "uninitialized", "too_slow"})
    if (check.fault_kind == kind) return true;
  return false;
}

// What mends it, behind what is wrong, or what the fault is. That is the line to look at first; by
// the line that was found before, other kernels with the same mistake are known (problem_list.cc).
void add_mends(const std::vector<Mend>& mends, const std::string& student_file,
               CheckResult* check) {
  if (mends.empty()) return;
  const bool wrong = check->status == "wrong";
  std::string words = "\n  " + words_of_mends(mends);
  std::string& message = check->message;
  // What others are wrong with may be right by chance.
  if (mends[0].alone && check->fault_line > 0) {
    message.insert(std::min(message.find("\n  The first:"), message.size()), words);
    return;
  }
  const std::string before = fault_place(check->fault_file, check->fault_line, student_file);
  if (message.starts_with(before)) message.erase(0, before.size());
  message.insert(0, fault_place(mends[0].change.file, mends[0].change.line, student_file));
  const size_t line = std::min(message.find('\n'), message.size());
  const size_t sentence = wrong ? line : std::min(message.find(". "), line);
  if (sentence < line) {
    message.replace(sentence, 2, ".\n  ");
    message.insert(sentence + 1, words);
  } else {
    message.insert(line, words);
  }
}

// The checks of a kernel, and what came of them.
struct Share {
  std::vector<Job> jobs;
  KeptReport report;
  std::set<std::string> wrong, right_shapes;
  bool hung = false;
};

std::vector<Share> shares_of(const std::vector<Job>& checks) {
  std::vector<Share> shares;
  std::map<std::string, size_t> by_kernel;
  for (const Job& check : checks) {
    const auto [at, fresh] = by_kernel.emplace(check.c.kernel, shares.size());
    if (fresh) shares.emplace_back();
    shares[at->second].jobs.push_back(check);
  }
  return shares;
}

class Lanes {
 public:
  Lanes(const Assignment& assignment, const MeasureOptions& options, std::vector<Share>* shares)
      : assignment_(assignment), options_(options), shares_(*shares) {
    options_.checks_only = true;
    options_.most_timeouts = 1;
  }

  // What small changes of the code tell of the first kernels that are wrong, in their order: one
  // instance of a template tells for all.
  void try_changes(Report* report) {
    constexpr size_t kMostKernels = 2;
    constexpr int kMostThreads = 8;
    // Of what does not end, each change that does not help takes all of its steps.
    constexpr std::chrono::milliseconds kTime{5000}, kTimeOfEndless{1000};
    std::vector<Share*> wrong;
    std::set<std::string> names;
    for (Share& share : shares_) {
      const Row* const row = share.report.first_row();
      if (row == nullptr || !is_open(row->record.check) || wrong.size() == kMostKernels) continue;
      if (names.insert(template_of(share)).second) wrong.push_back(&share);
    }
    if (wrong.empty() || options_.debug_ptx.empty()) return;
    TrialOptions trial;
    trial.debug_ptx = options_.debug_ptx;
    trial.open = options_.open_debug;
    trial.threads = std::min(processors(), kMostThreads);
    Trials trials(assignment_, trial);
    for (Share* share : wrong) {
      Row& row = *share->report.first_row();
      report->progress("looking for what makes " + row.c.kernel + " right");
      const bool endless = row.record.check.fault_kind == "too_slow";
      add_mends(trials.find(wrong_kernel(*share),
                            endless ? std::vector<WrongKernel>() : other_instances(*share),
                            endless ? kTimeOfEndless : kTime),
                assignment_.student_file(), &row.record.check);
    }
  }

  void run(const CheckLanes& lanes) {
    const size_t others = lanes.open ? std::min<size_t>(lanes.most, shares_.size()) : 1;
    std::vector<std::thread> threads;
    for (size_t i = 1; i < others; ++i)
      threads.emplace_back([&] { guarded([&] { run_on_another(lanes); }); });
    guarded([&] {
      if (lanes.first != nullptr)
        run_on(*lanes.first);
      else
        run_on_another(lanes);
    });
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void run_on_another(const CheckLanes& lanes) {
    const std::unique_ptr<Backend> backend = lanes.open();
    backend->load_module(options_.module);
    run_on(*backend);
  }

  void run_on(Backend& backend) {
    while (hung_ < kMostHung && !failed_) {
      const size_t i = next_++;
      if (i >= shares_.size()) return;
      Share& share = shares_[i];
      Measurement measurement(backend, assignment_, options_, share.report);
      measurement.run(share.jobs);
      share.wrong = measurement.found_wrong();
      share.right_shapes = measurement.right_shapes();
      share.hung = measurement.ended_early();
      if (share.hung) ++hung_;
    }
  }

  static std::string template_of(const Share& share) { return base_name(share.jobs[0].c.kernel); }

  static WrongKernel wrong_kernel(Share& share) {
    if (share.report.first_row() == nullptr) return {share.jobs, false, 0, true};
    const CheckResult& check = share.report.first_row()->record.check;
    const bool races = check.fault_kind == "race" || check.fault_kind == "uninitialized";
    return {share.jobs, races, check.fault_line};
  }

  // Of the same template: two that are wrong, too, and end, and two that are right.
  std::vector<WrongKernel> other_instances(const Share& of) {
    std::vector<Share*> wrong, right;
    for (Share& share : shares_) {
      if (&share == &of || template_of(share) != template_of(of) || share.hung) continue;
      const Row* const row = share.report.first_row();
      if (row == nullptr)
        right.push_back(&share);
      else if (row->record.check.fault_kind != "too_slow")
        wrong.push_back(&share);
    }
    std::vector<WrongKernel> instances;
    for (const auto* some : {&wrong, &right}) {
      if (!some->empty()) instances.push_back(wrong_kernel(*some->back()));
      if (some->size() > 1) instances.push_back(wrong_kernel(*(*some)[(some->size() - 1) / 2]));
    }
    return instances;
  }

  template <typename Action>
  void guarded(const Action& action) {
    try {
      action();
    } catch (const KernelFault&) {
      // A module that cannot be loaded: the measurement tells.
    } catch (...) {
      if (!failed_.exchange(true)) failure_ = std::current_exception();
    }
  }

  const Assignment& assignment_;
  MeasureOptions options_;
  std::vector<Share>& shares_;
  std::atomic<size_t> next_ = 0;
  std::atomic<int> hung_ = 0;
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;
};

}  // namespace

Checked run_checks(const Assignment& assignment, const std::vector<Job>& checks,
                   const CheckLanes& lanes, const MeasureOptions& options, Report* report) {
  Checked checked;
  std::vector<Share> shares = shares_of(checks);
  if (shares.empty()) return checked;
  report->progress(fmt::format("{} kernels on small problems", shares.size()));
  Lanes all(assignment, options, &shares);
  all.run(lanes);
  all.try_changes(report);
  int hung = 0;
  for (const Share& share : shares) {
    share.report.tell(*report);
    checked.wrong.insert(share.wrong.begin(), share.wrong.end());
    checked.right_shapes.insert(share.right_shapes.begin(), share.right_shapes.end());
    hung += share.hung ? 1 : 0;
    if (hung < kMostHung) continue;
    checked.dead = fmt::format("{} launches before it have hung", hung);
    break;
  }
  return checked;
}

}  // namespace lockstep
