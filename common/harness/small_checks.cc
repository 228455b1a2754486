// SPDX-License-Identifier: Apache-2.0
// See small_checks.h.
#include "common/harness/small_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <optional>
#include <thread>

#include "common/base/error.h"
#include "common/harness/launch_plan.h"

namespace lockstep {
namespace {

constexpr int64_t kMuchSmaller = 4;  // so many times, at least, are checks before a measurement
constexpr int64_t kMostOperations = 4'000'000;  // of floating point, of a check's useful work

// A check of the job's kernel on a smaller problem; none where that is not much smaller, or of a
// size that the homework does not have.
std::optional<Job> check_of(const Assignment& assignment, const Job& job, int64_t vectors,
                            int64_t blocks, int warps) {
  for (const Case& c : assignment.cases({0, vectors})) {
    if (c.kernel != job.c.kernel || c.library) continue;
    const UsefulWork work = assignment.work(c);
    if (work.elements > assignment.work(job.c).elements / kMuchSmaller ||
        work.fp_operations > kMostOperations)
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

}  // namespace

std::vector<Job> checks_before(const Assignment& assignment, const Options& options,
                               const std::vector<Job>& jobs) {
  constexpr int64_t kAwkward[] = {1, 37, 1000, 1001};
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
    if (seen.insert(job.c.kernel).second)
      for (const int64_t vectors : kAwkward)
        add([&] { return check_of(assignment, job, vectors, 3, 5); });
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
  void row(const Row& row) override {
    kept_.push_back([row](Report& to) { to.row(row); });
  }
  void kernel_output(const std::string& text) override {
    kept_.push_back([text](Report& to) { to.kernel_output(text); });
  }
  void tell(Report& to) const {
    for (const auto& one : kept_) one(to);
  }

 private:
  std::vector<std::function<void(Report&)>> kept_;
};

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
  Lanes(assignment, options, &shares).run(lanes);
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
