// SPDX-License-Identifier: Apache-2.0
// Workers over one list. A worker compiles its submission, waits for a device, has it executed
// and stores the result; so one GPU is never shared and never idle while others compile.
#include "grader/class_run.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "common/base/error.h"
#include "common/base/processors.h"
#include "grader/intake/intake.h"
#include "grader/names.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

// Devices that are free. The emulator is as many devices as there are workers.
class Devices {
 public:
  explicit Devices(int count) {
    for (int i = 0; i < count; ++i) free_.push_back(i);
  }
  int take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !free_.empty(); });
    int device = free_.back();
    free_.pop_back();
    return device;
  }
  void give_back(int device) {
    std::lock_guard lock(mutex_);
    free_.push_back(device);
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> free_;
};

class ClassRun {
 public:
  ClassRun(const ClassOptions& options, GradingSession& session, Store& store,
           const ClassEvents& events)
      : options_(options),
        session_(session),
        store_(store),
        events_(events),
        gpu_(session.machine().backend == "gpu"),
        jobs_(options.jobs > 0 ? options.jobs : processors()),
        devices_(gpu_ ? static_cast<int>(session.machine().devices.size()) : jobs_) {}

  ClassProgress run() {
    entries_ = list_submissions(options_.submissions, session_.rubric().file,
                                options_.results + "/unpacked");
    if (!options_.platform.empty() || options_.table != nullptr) take_in_platform();
    if (entries_.empty()) throw Error(options_.submissions + ": there are no submissions in it");
    progress_.total = entries_.size();
    for (const SubmissionEntry& entry : entries_) progress_.identities.insert(entry.identity);
    // What anybody is called hangs on who is there now, whatever it was when they were graded.
    const std::string& homework = session_.rubric().homework;
    store_.show_as(homework, names_of_all(entries_, store_.identities(homework)));
    start_ = monotonic_seconds();
    std::vector<std::thread> workers;
    for (int slot = 0; slot < jobs_; ++slot) workers.emplace_back([this, slot] { work(slot); });
    for (std::thread& worker : workers) worker.join();
    remove_tree(options_.results + "/unpacked");
    if (failure_) std::rethrow_exception(failure_);
    progress_.seconds = monotonic_seconds() - start_;
    return progress_;
  }

 private:
  void take_in_platform() {
    const Rubric& rubric = session_.rubric();
    IntakeOptions how{options_.platform, options_.submissions, rubric.file, options_.assignment,
                      options_.table};
    if (how.assignment.empty()) how.assignment = rubric.homework;
    Intake intake = take_in(how, std::move(entries_));
    entries_ = std::move(intake.entries);
    store_.set_submitted(rubric.homework, intake.submitted);
    for (const std::string& note : intake.notes)
      if (events_.note) events_.note(note);
  }

  // Slots from 1: 0 is the reference's.
  void work(int slot) {
    try {
      while (const SubmissionEntry* entry = next()) grade_one(*entry, slot + 1);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  const SubmissionEntry* next() {
    std::lock_guard lock(mutex_);
    if (failure_ || next_ == entries_.size()) return nullptr;
    return &entries_[next_++];
  }

  // What a submission may make us hold is bounded. Where there is not even so much, or where it
  // cannot be read, nobody else goes without a result, and the next run tries it again.
  void grade_one(const SubmissionEntry& entry, int slot) {
    try {
      StagedSubmission staged;
      if (std::string why = unreadable(entry, &staged); !why.empty())
        return keep(session_.not_graded(entry, why), std::nullopt);
      std::optional<Graded> before = last_grading(staged);
      if (before && !options_.regrade && is_unchanged(*before, staged)) {
        std::lock_guard lock(mutex_);
        ++progress_.unchanged;
        --progress_.total;
        if (events_.unchanged) events_.unchanged(*before);
        return;
      }
      keep(execute(staged, slot), before);
    } catch (const std::bad_alloc&) {
      keep(session_.not_graded(entry, "there is not enough memory here to grade it"), std::nullopt);
    }
  }

  // Why this machine cannot read it; what is wrong with itself is in *staged.
  std::string unreadable(const SubmissionEntry& entry, StagedSubmission* staged) const {
    try {
      *staged = stage_submission(entry, session_.rubric().file);
      return {};
    } catch (const Error& e) {
      return e.what();
    }
  }

  void keep(GradeResult result, const std::optional<Graded>& before) {
    std::lock_guard lock(mutex_);
    store_.add(&result.graded, result.plan, result.records);
    store_.add_solution(result.graded, result.solution);
    ++progress_.done;
    progress_.seconds = monotonic_seconds() - start_;
    progress_.eta_seconds =
        progress_.seconds / double(progress_.done) * double(progress_.total - progress_.done);
    if (events_.graded) events_.graded(result.graded, before ? &*before : nullptr, progress_);
  }

  GradeResult execute(const StagedSubmission& staged, int slot) {
    std::string folder;
    BuildResult build = session_.build(staged, slot, &folder);
    // Nothing is executed of what does not compile, so no device is waited for; where we could not
    // compile it, we try again.
    const bool may_run = build.good() || build.unanswered();
    int device = may_run ? devices_.take() : -1;
    struct Return {
      Devices& devices;
      int device;
      ~Return() {
        if (device >= 0) devices.give_back(device);
      }
    } give_back{devices_, device};
    return session_.finish(staged, build, folder, slot, gpu_ && device >= 0 ? device : 0);
  }

  std::optional<Graded> last_grading(const StagedSubmission& staged) {
    std::lock_guard lock(mutex_);
    return store_.latest(session_.rubric().homework, staged.identity, session_.machine().backend);
  }

  bool is_unchanged(const Graded& before, const StagedSubmission& staged) const {
    return before.content_hash == staged.hash && before.config_hash == session_.config_hash() &&
           before.verdict.kind != VerdictKind::kInfraError;
  }

  const ClassOptions& options_;
  GradingSession& session_;
  Store& store_;
  const ClassEvents& events_;
  const bool gpu_;
  const int jobs_;
  Devices devices_;
  std::vector<SubmissionEntry> entries_;
  double start_ = 0;

  std::mutex mutex_;  // of all below, and of the store
  size_t next_ = 0;
  ClassProgress progress_;
  std::exception_ptr failure_;
};

}  // namespace

ClassProgress run_class(const ClassOptions& options, GradingSession& session, Store& store,
                        const ClassEvents& events) {
  return ClassRun(options, session, store, events).run();
}

}  // namespace lockstep::grader
