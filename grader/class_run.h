// SPDX-License-Identifier: Apache-2.0
// A whole class: compiled in parallel, executed one at a time on a GPU (several GPUs at once),
// stored as each is done. Killed at any moment and started again, it goes on where it was.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "grader/session.h"
#include "grader/store.h"
#include "grader/students.h"

namespace lockstep::grader {

struct ClassOptions {
  std::string submissions;  // folder or archive
  std::string results;      // folder
  bool regrade = false;
  int jobs = 0;  // submissions at one time; 0: one a processor
  // Whose naming the submissions have (grader/intake/intake.h); empty: plain files.
  std::string platform = {};
  std::string assignment = {};
  const StudentTable* table = nullptr;
};

struct ClassProgress {
  size_t done = 0, total = 0;  // of those that had to be graded
  size_t unchanged = 0;
  double seconds = 0, eta_seconds = 0;
  std::set<std::string> identities;  // who is in the class
};

// Called from one thread at a time. `before` is set when a submission is graded again.
struct ClassEvents {
  std::function<void(const Graded&, const Graded* before, const ClassProgress&)> graded;
  std::function<void(const Graded&)> unchanged;
  std::function<void(const std::string&)> note = {};  // about what was handed in, before grading
};

// Who is in the class, each with the name that is shown from now on, which the store is told, as
// it is when they handed in. Throws Error where nobody is.
std::vector<SubmissionEntry> list_class(const ClassOptions& options, const Rubric& rubric,
                                        Store& store, const ClassEvents& events);
// Why this machine cannot read a submission; what is wrong with itself is in *staged.
std::string unreadable(const SubmissionEntry& entry, const std::string& file_name,
                       StagedSubmission* staged);
// Whether a grading is the one that would be made now.
bool is_unchanged(const Graded& before, const StagedSubmission& staged,
                  const GradingSession& session);

// Grades what has to be. Throws Error; MachineUnwell after the submissions in work have ended.
ClassProgress run_class(const ClassOptions& options, GradingSession& session, Store& store,
                        const ClassEvents& events);

}  // namespace lockstep::grader
