// SPDX-License-Identifier: Apache-2.0
// One submission for each student. See intake.h.
#include "grader/intake/intake.h"

#include <algorithm>
#include <tuple>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/file_names.h"
#include "grader/late.h"
#include "grader/names.h"

namespace lockstep::grader {
namespace {

Arrivals arrivals_of(const IntakeOptions& options, const std::vector<SubmissionEntry>& entries) {
  if (options.platform == "gradescope")
    return gradescope_arrivals(entries, options.path, options.file_name);
  Arrivals all;
  for (const SubmissionEntry& entry : entries) {
    if (options.platform == "canvas")
      all.push_back(canvas_arrival(entry, options.file_name));
    else if (options.platform == "moodle")
      all.push_back(moodle_arrival(entry, options.file_name));
    else if (options.platform == "github")
      all.push_back(github_arrival(entry, options.assignment + "-"));
    else
      all.push_back({entry, "", {}, {}});
  }
  return all;
}

class Taker {
 public:
  explicit Taker(const IntakeOptions& options) : options_(options) {}

  Intake take(const std::vector<SubmissionEntry>& entries) {
    const Arrivals arrivals = arrivals_of(options_, entries);
    require_named(arrivals);
    for (const Arrival& arrival : arrivals) add(arrival);
    for (auto& [identity, arrivals] : by_identity_) keep_newest(identity, &arrivals);
    if (options_.table != nullptr) map_to_students();
    finish();
    return std::move(intake_);
  }

 private:
  void note(const std::string& text) { intake_.notes.push_back(text); }

  // Of a class that another platform named, or a later version of this one, all would be absent.
  void require_named(const Arrivals& arrivals) const {
    if (options_.platform.empty()) return;
    size_t unnamed = 0;
    std::string one;
    for (const Arrival& arrival : arrivals) {
      if (!arrival.student.empty() || arrival.named || arrival.entry.other) continue;
      if (++unnamed == 1) one = arrival.entry.identity;
    }
    if (unnamed * 2 <= arrivals.size()) return;
    throw Error(options_.path + ": " + std::to_string(unnamed) + " of " +
                std::to_string(arrivals.size()) + " submissions are not named as " +
                options_.platform + " names them, like " + shown_word(one) +
                ": whose they are is not known. docs/platforms/ has the names; is another --from "
                "right, or a folder further in? Without --from names are taken as they are");
  }

  void add(const Arrival& arrival) {
    std::string identity = arrival.entry.identity;
    if (!arrival.student.empty())
      identity = platform_identity(options_.platform, arrival.student);
    else if (!arrival.doubt.empty())
      note(shown_word(identity) + " " + arrival.doubt +
           ": it is graded under the name of its file or folder");
    else if (!options_.platform.empty())
      note(shown_word(identity) + " is not named as " + options_.platform +
           " names submissions: it is graded under the name of its file or folder");
    Arrivals& arrivals = by_identity_[identity];
    const bool is_there = std::any_of(arrivals.begin(), arrivals.end(), [&](const Arrival& other) {
      return other.entry.path == arrival.entry.path;
    });
    if (!is_there) arrivals.push_back(arrival);
  }

  // An archive of tables, handed in with that of the source, is told by what is in it alone.
  bool can_be_taken(const Arrival& arrival) const {
    if (arrival.entry.other || !arrival.entry.problem.empty()) return false;
    if (archive_kind(arrival.entry.path) == nullptr) return true;
    try {
      return stage_submission(arrival.entry, options_.file_name).problem.empty();
    } catch (const Error&) {
      return true;  // this machine's fault, which grading tells
    }
  }

  // Of one student's the file that is asked for goes before others, then what can be taken, then
  // the newest. So many of the newest are opened: no student's archives take all day.
  Arrivals::const_iterator best_of(Arrivals* arrivals) const {
    constexpr ptrdiff_t kMostOpened = 8;
    std::stable_sort(arrivals->begin(), arrivals->end(), [](const Arrival& a, const Arrival& b) {
      return std::tie(a.wanted, a.order) > std::tie(b.wanted, b.order);
    });
    const auto first = arrivals->cbegin();
    if (arrivals->size() == 1) return first;
    const auto end = first + std::min(kMostOpened, std::ssize(*arrivals));
    for (auto one = first; one != end && one->wanted == first->wanted; ++one)
      if (can_be_taken(*one)) return one;
    return first;
  }

  void keep_newest(const std::string& identity, Arrivals* arrivals) {
    const auto newest = best_of(arrivals);
    for (const Arrival& other : *arrivals)
      if (&other != &*newest) tell_passed_over(other.entry.identity, newest->entry.identity);
    if (newest->marked_late)
      note(shown_word(newest->entry.identity) + " is marked late by " + options_.platform +
           ", which tells no time; a table with a column 'submitted' does (--students)");
    SubmissionEntry entry = newest->entry;
    entry.identity = identity;
    intake_.submitted[identity] = newest->submitted;
    intake_.entries.push_back(std::move(entry));
  }

  void tell_passed_over(const std::string& identity, const std::string& counts) {
    note(shown_word(identity) + " is not graded: " + shown_word(counts) +
         " of the same student counts");
  }

  void map_to_students() {
    std::vector<std::string> identities;
    for (const SubmissionEntry& entry : intake_.entries)
      if (!entry.other) identities.push_back(entry.identity);
    StudentTable::Owners owners = options_.table->owners(identities);
    add_others(&owners);
    for (const auto& [student, several] : owners.several) tell_several(*student, several);
    missing_ = options_.table->all().size() - owners.of.size() - owners.several.size();
    for (SubmissionEntry& entry : intake_.entries) {
      if (const auto found = owners.of.find(entry.identity); found != owners.of.end())
        rename(&entry, *found->second);
      else if (whose(entry) == nullptr)
        note(shown_word(entry.identity) + " is nobody's in the table of students");
    }
  }

  const Student* whose(const SubmissionEntry& entry) const {
    return entry.other ? options_.table->find_of_any_ending(entry.identity)
                       : options_.table->find(entry.identity);
  }

  // What cannot be taken is a student's who has handed in nothing else; beside what can, as a
  // report or an image beside the source, it does not count.
  void add_others(StudentTable::Owners* owners) {
    std::map<const Student*, std::string> taken;
    for (const auto& [identity, student] : owners->of) taken[student] = identity;
    std::map<const Student*, std::vector<std::string>> others;
    std::erase_if(intake_.entries, [&](const SubmissionEntry& entry) {
      const Student* student = entry.other ? whose(entry) : nullptr;
      if (student == nullptr) return false;
      const auto found = taken.find(student);
      if (found == taken.end()) {
        others[student].push_back(entry.identity);
        return false;
      }
      tell_passed_over(entry.identity, found->second);
      intake_.submitted.erase(entry.identity);
      return true;
    });
    for (auto& [student, identities] : others) {
      std::vector<std::string>& several = owners->several[student];
      several.insert(several.end(), identities.begin(), identities.end());
      if (several.size() > 1) continue;
      owners->of[identities[0]] = student;
      owners->several.erase(student);
    }
  }

  // Nobody decides here which of them is the student's.
  void tell_several(const Student& student, const std::vector<std::string>& identities) {
    std::string names;
    for (const std::string& identity : identities)
      names += (names.empty() ? "" : ", ") + shown_word(identity);
    note(shown_word(student.key) + " has several submissions, each graded under its own name: " +
         names + "; take away those that do not count");
  }

  void rename(SubmissionEntry* entry, const Student& student) {
    Submitted submitted = intake_.submitted[entry->identity];
    intake_.submitted.erase(entry->identity);
    entry->identity = platform_identity("student", student.key);
    if (!student.submitted.empty())
      submitted = {utc_text(parse_time(student.submitted).value()), "table", submitted.commit};
    intake_.submitted[entry->identity] = submitted;
  }

  void finish() {
    if (missing_ > 0)
      note(std::to_string(missing_) + " of the table of students have handed in nothing");
    set_shown_names(&intake_.entries);
    std::sort(intake_.entries.begin(), intake_.entries.end(), [](const auto& a, const auto& b) {
      return a.name != b.name ? a.name < b.name : a.identity < b.identity;
    });
  }

  const IntakeOptions& options_;
  Intake intake_;
  std::map<std::string, Arrivals> by_identity_;
  size_t missing_ = 0;
};

}  // namespace

Intake take_in(const IntakeOptions& options, std::vector<SubmissionEntry> entries) {
  return Taker(options).take(entries);
}

}  // namespace lockstep::grader
