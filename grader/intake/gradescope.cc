// SPDX-License-Identifier: Apache-2.0
// Gradescope's export: folders "submission_123", and submission_metadata.yml beside them. What
// Gradescope wrote is known by its place: below a submission's folder students choose the names.
#include <algorithm>
#include <filesystem>
#include <set>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/archive_walk.h"
#include "grader/file_names.h"
#include "grader/intake/gradescope_file.h"
#include "grader/intake/intake.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{256} << 20;

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
  throw Error(place + ": " + why +
              "; expected one file of this name beside the folders of submissions, as Gradescope's "
              "export has it");
}

// What is there by that name, or by one that some machine takes for it.
struct Found {
  size_t times = 0;
  std::string problem = {}, text = {};
};

Found found_in_folder(const std::string& folder) {
  Found found;
  for (const fs::directory_entry& item : fs::directory_iterator(folder)) {
    const std::string name = item.path().filename();
    if (folded(name) != folded(kGradescopeFile)) continue;
    ++found.times;
    if (name != kGradescopeFile) continue;
    if (fs::is_regular_file(item.symlink_status()))
      found.text = read_file(item.path(), kMostBytes);
    else
      found.problem = "is no regular file";
  }
  return found;
}

Found found_in_archive(const std::string& path, const std::string& place) {
  Found found;
  const std::string wanted = folded_path(place);
  const UnpackBudget budget(size_t{64} << 30, 900);
  walk_archive(path, PackedBy::kInstructor, budget, [&](const Member& member) {
    if (folded_path(member.path) != wanted && folded_path(member.also) != wanted) return;
    if (++found.times > 1 || member.path != place) return;
    found.problem = member.problem;
    if (found.problem.empty() && !member.regular) found.problem = kNotRegular;
    if (found.problem.empty()) found.problem = member.contents(kMostBytes, &found.text);
  });
  return found;
}

std::map<std::string, GradescopeTold> told_by_export(const std::string& path,
                                                     const std::string& file_name) {
  const bool folder = fs::is_directory(path);
  const std::string name = folder ? kGradescopeFile : class_top(path, file_name) + kGradescopeFile;
  const std::string place = path + "/" + name;
  const Found found = folder ? found_in_folder(path) : found_in_archive(path, name);
  if (found.times > 1) refuse(place, "there are several");
  if (!found.problem.empty()) refuse(place, found.problem);
  if (found.times == 0 || found.text.empty()) refuse(place, "is not there, or is empty");
  return read_gradescope_file(found.text, place);
}

// Gradescope lets whoever hands in name others as members of a group, and asks them nothing. So one
// that names others does not take the place of what a student handed in with fewer: nobody decides
// here which of them counts.
void doubt_groups(const std::map<std::string, GradescopeTold>& told, Arrivals* all) {
  std::map<std::string, std::vector<Arrival*>> by_student;
  for (Arrival& arrival : *all)
    if (!arrival.student.empty()) by_student[arrival.student].push_back(&arrival);
  const auto members = [&](const Arrival& arrival) {
    const auto& students = told.at(arrival.entry.identity).students;
    return std::set<std::string>(students.begin(), students.end());
  };
  for (const auto& [student, arrivals] : by_student) {
    const Arrival& newest =
        **std::max_element(arrivals.begin(), arrivals.end(),
                           [](const Arrival* a, const Arrival* b) { return a->order < b->order; });
    const std::set<std::string> of_newest = members(newest);
    const bool names_more = std::any_of(arrivals.begin(), arrivals.end(), [&](const Arrival* one) {
      const std::set<std::string> had = members(*one);
      return !std::includes(had.begin(), had.end(), of_newest.begin(), of_newest.end());
    });
    if (!names_more) continue;
    for (Arrival* one : arrivals) {
      one->doubt = "names " + shown_word(student) +
                   ", who has handed in with others before or after; take away what does not count";
      one->student.clear();
      one->named = true;
    }
  }
}

}  // namespace

Arrivals gradescope_arrivals(const std::vector<SubmissionEntry>& entries, const std::string& path,
                             const std::string& file_name) {
  const std::map<std::string, GradescopeTold> told = told_by_export(path, file_name);
  Arrivals all;
  for (const SubmissionEntry& entry : entries) {
    const auto found = told.find(entry.identity);
    if (found == told.end() || found->second.students.empty()) {
      Arrival arrival{entry, "", {}, {}};
      arrival.named = found != told.end();
      if (arrival.named) arrival.doubt = "has no submitters in the export";
      all.push_back(arrival);
      continue;
    }
    // Of a group each has the submission.
    for (const std::string& student : found->second.students)
      all.push_back({entry, student, found->second.submitted, found->second.order});
  }
  doubt_groups(told, &all);
  return all;
}

}  // namespace lockstep::grader
