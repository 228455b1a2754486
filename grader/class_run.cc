// SPDX-License-Identifier: Apache-2.0
// Workers over one list. A worker compiles its submission, waits for a device, has it executed
// and stores the result (executor.h).
#include "grader/class_run.h"

#include <algorithm>
#include <mutex>
#include <thread>

#include "common/base/error.h"
#include "common/base/processors.h"
#include "grader/executor.h"
#include "grader/intake/intake.h"
#include "grader/names.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

class ClassRun {
 public:
  ClassRun(const ClassOptions& options, GradingSession& session, Store& store,
           const ClassEvents& events)
      : options_(options),
        session_(session),
        store_(store),
        events_(events),
        jobs_(options.jobs > 0 ? options.jobs : processors()),
        executor_(session, jobs_, events.note) {}

  ClassProgress run() {
    entries_ = list_class(options_, session_.rubric(), store_, events_);
    progress_.total = entries_.size();
    for (const SubmissionEntry& entry : entries_) progress_.identities.insert(entry.identity);
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
      if (std::string why = unreadable(entry, session_.rubric().file, &staged); !why.empty())
        return keep(session_.not_graded(entry, why), std::nullopt);
      std::optional<Graded> before = last_grading(staged);
      if (before && !options_.regrade && is_unchanged(*before, staged, session_)) {
        std::lock_guard lock(mutex_);
        ++progress_.unchanged;
        --progress_.total;
        if (events_.unchanged) events_.unchanged(*before);
        return;
      }
      keep(executor_.grade(staged, slot), before);
    } catch (const std::bad_alloc&) {
      keep(session_.not_graded(entry, "there is not enough memory here to grade it"), std::nullopt);
    }
  }

  void keep(GradeResult result, const std::optional<Graded>& before) {
    std::lock_guard lock(mutex_);
    store_.add(&result.graded, result.plan, result.records, result.solution);
    ++progress_.done;
    progress_.seconds = monotonic_seconds() - start_;
    progress_.eta_seconds =
        progress_.seconds / double(progress_.done) * double(progress_.total - progress_.done);
    if (events_.graded) events_.graded(result.graded, before ? &*before : nullptr, progress_);
  }

  std::optional<Graded> last_grading(const StagedSubmission& staged) {
    std::lock_guard lock(mutex_);
    return store_.latest(session_.rubric().homework, staged.identity, session_.machine().backend);
  }

  const ClassOptions& options_;
  GradingSession& session_;
  Store& store_;
  const ClassEvents& events_;
  const int jobs_;
  Executor executor_;
  std::vector<SubmissionEntry> entries_;
  double start_ = 0;

  std::mutex mutex_;  // of all below, and of the store
  size_t next_ = 0;
  ClassProgress progress_;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<SubmissionEntry> list_class(const ClassOptions& options, const Rubric& rubric,
                                        Store& store, const ClassEvents& events) {
  LeftBehind left;
  std::vector<SubmissionEntry> entries =
      list_submissions(options.submissions, rubric.file, options.results + "/unpacked", {}, &left);
  if (options.platform == "gradescope") left.names.erase(kGradescopeFile);  // it is read
  for (const std::string& note : left.notes())
    if (events.note) events.note(note);
  if (!options.platform.empty() || options.table != nullptr) {
    IntakeOptions how{options.platform, options.submissions, rubric.file, options.assignment,
                      options.table};
    if (how.assignment.empty()) how.assignment = rubric.homework;
    Intake intake = take_in(how, std::move(entries));
    entries = std::move(intake.entries);
    store.set_submitted(rubric.homework, intake.submitted);
    for (const std::string& note : intake.notes)
      if (events.note) events.note(note);
  }
  if (entries.empty()) throw Error(options.submissions + ": there are no submissions in it");
  // What anybody is called hangs on who is there now, whatever it was when they were graded.
  store.show_as(rubric.homework, names_of_all(entries, store.identities(rubric.homework)));
  std::map<std::string, std::string> members;
  for (const SubmissionEntry& entry : entries) members[entry.identity] = entry.name;
  store.set_members(rubric.homework, members);
  return entries;
}

std::string unreadable(const SubmissionEntry& entry, const std::string& file_name,
                       StagedSubmission* staged) {
  try {
    *staged = stage_submission(entry, file_name);
    return {};
  } catch (const Error& e) {
    return e.what();
  }
}

bool is_unchanged(const Graded& before, const StagedSubmission& staged,
                  const GradingSession& session) {
  return before.content_hash == staged.hash && before.config_hash == session.config_hash() &&
         before.verdict.kind != VerdictKind::kInfraError;
}

ClassProgress run_class(const ClassOptions& options, GradingSession& session, Store& store,
                        const ClassEvents& events) {
  return ClassRun(options, session, store, events).run();
}

}  // namespace lockstep::grader
