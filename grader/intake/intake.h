// SPDX-License-Identifier: Apache-2.0
// Classes as platforms give them: whose a submission is, and when it was handed in, told by the
// platform's own naming and not by the student's. It renames what list_submissions() found, so that
// all that holds for names of files holds here. docs/platforms/ describes each.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/stage.h"
#include "grader/store.h"
#include "grader/students.h"

namespace lockstep::grader {

struct IntakeOptions {
  std::string platform;    // "gradescope", "canvas", "moodle", "github"; empty: plain files
  std::string path;        // the class: a folder or an archive
  std::string file_name;   // that the rubric asks for
  std::string assignment;  // github: what stands before "-username"
  const StudentTable* table = nullptr;
};

struct Intake {
  std::vector<SubmissionEntry> entries;        // one for each student, by name
  std::map<std::string, Submitted> submitted;  // by identity, of all entries
  std::vector<std::string> notes;              // for the instructor, a line each
};

// Throws Error where the platform's own file cannot be read.
Intake take_in(const IntakeOptions& options, std::vector<SubmissionEntry> entries);

// Whether a file may be what the rubric asks for, by its name: any, an archive that is called so
// ("hw02.zip"), or the file itself.
enum class Wanted { kAny, kArchive, kFile };
Wanted wanted_by_name(const std::string& name, const std::string& file_name);

// What a platform tells of one entry.
struct Arrival {
  SubmissionEntry entry;  // with the file's or folder's own name as identity
  std::string student;    // as the platform calls them; empty: not known
  Submitted submitted;
  std::vector<int64_t> order;  // the larger is the newer, of one student's
  bool marked_late = false;    // in words only
  Wanted wanted = Wanted::kFile;
  bool named = false;      // as the platform names submissions, though nobody's
  std::string doubt = {};  // why it is nobody's then
};

// How each reads an entry. An entry may be several students'.
using Arrivals = std::vector<Arrival>;
Arrival canvas_arrival(const SubmissionEntry& entry, const std::string& file_name);
Arrival moodle_arrival(const SubmissionEntry& entry, const std::string& file_name);
Arrival github_arrival(const SubmissionEntry& entry, const std::string& prefix);
// `path`: of the class, beside whose submissions the export's submission_metadata.yml lies.
Arrivals gradescope_arrivals(const std::vector<SubmissionEntry>& entries, const std::string& path,
                             const std::string& file_name);

// The commit that a clone stands at; its configuration, which its author may have written, is not
// read. Nothing where it is no clone, or there is no git here.
std::optional<Submitted> commit_of_clone(const std::string& folder);

}  // namespace lockstep::grader
