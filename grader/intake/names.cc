// SPDX-License-Identifier: Apache-2.0
// What the names of files and folders tell that Canvas, Moodle and GitHub give. Where a student
// chose a part of a name, that part is not looked into.
#include <algorithm>
#include <cstdlib>

#include "grader/file_names.h"
#include "grader/intake/intake.h"

namespace lockstep::grader {
namespace {

constexpr size_t kMostDigits = 18;

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= kMostDigits &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<std::string> split(const std::string& text, char mark) {
  std::vector<std::string> parts;
  for (size_t at = 0;;) {
    const size_t end = text.find(mark, at);
    parts.push_back(text.substr(at, end - at));
    if (end == std::string::npos) return parts;
    at = end + 1;
  }
}

// "hw02-3.cu" -> "hw02.cu" and 3; "hw02.cu" and 0.
int64_t repetition_of(std::string* name) {
  const std::string base = stem(*name), ending = name->substr(base.size());
  const size_t dash = base.rfind('-');
  if (dash == std::string::npos || !is_number(base.substr(dash + 1))) return 0;
  *name = base.substr(0, dash) + ending;
  return std::strtoll(base.c_str() + dash + 1, nullptr, 10);
}

}  // namespace

// name_[LATE_]USER_UPLOAD_FILE: Canvas takes care that no name holds a number between two marks, so
// the first two numbers that follow each other are its own.
Arrival canvas_arrival(const SubmissionEntry& entry, const std::string& file_name) {
  Arrival arrival{entry, "", {}, {}};
  const std::vector<std::string> parts = split(entry.identity, '_');
  for (size_t i = 1; i + 2 < parts.size(); ++i) {
    if (!is_number(parts[i]) || !is_number(parts[i + 1])) continue;
    arrival.student = parts[i];
    arrival.marked_late = parts[i - 1] == "LATE" && i > 1;
    std::string file = parts[i + 2];
    for (size_t rest = i + 3; rest < parts.size(); ++rest) file += "_" + parts[rest];
    const std::string whole = file;
    const int64_t repetition = repetition_of(&file);
    // One who calls a file "hw02-1.cu" may be asked for one of that name.
    arrival.wanted = folded(file) == folded(file_name) || folded(whole) == folded(file_name);
    arrival.order = {repetition, std::strtoll(parts[i + 1].c_str(), nullptr, 10)};
    return arrival;
  }
  return arrival;
}

// A folder "Full Name_NUMBER_assignsubmission_file_", or in the form without folders a file with
// its own name behind. Before and behind stands what a student may have chosen: so of a folder the
// end counts, and of a file the only place where it could be.
Arrival moodle_arrival(const SubmissionEntry& entry) {
  static const std::string mark = "_assignsubmission_file_";
  Arrival arrival{entry, "", {}, {}};
  const std::string& name = entry.identity;
  const size_t at = name.rfind(mark);
  if (at == std::string::npos || at == 0) return arrival;
  if (!name.ends_with(mark) && name.find(mark) != at) return arrival;
  const size_t before = name.rfind('_', at - 1);
  if (before == std::string::npos) return arrival;
  const std::string number = name.substr(before + 1, at - before - 1);
  if (is_number(number)) arrival.student = number;
  return arrival;
}

// PREFIX-username, a clone; GitHub's names are of letters, figures and single dashes.
Arrival github_arrival(const SubmissionEntry& entry, const std::string& prefix) {
  Arrival arrival{entry, "", {}, {}};
  if (!entry.identity.starts_with(prefix)) return arrival;
  const std::string user = entry.identity.substr(prefix.size());
  const bool plain = std::all_of(user.begin(), user.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_';
  });
  if (user.empty() || !plain) return arrival;
  arrival.student = user;
  if (std::optional<Submitted> commit = commit_of_clone(entry.path)) arrival.submitted = *commit;
  return arrival;
}

}  // namespace lockstep::grader
