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

Wanted wanted_by_name(const std::string& name, const std::string& file_name) {
  if (folded(name) == folded(file_name)) return Wanted::kFile;
  const std::string base = folded(stem(name));
  const bool called_so = base == folded(file_name) || base == folded(stem(file_name));
  return called_so && archive_kind(name) != nullptr ? Wanted::kArchive : Wanted::kAny;
}

// name_[LATE_]USER_UPLOAD_FILE. Canvas takes numbers out of a name where marks stand on both sides,
// and other signs only then, and of a file's name it leaves both: a student can have two numbers
// that follow each other on either side. Where there are more than one such pair any of them may be
// Canvas', and a table of students decides nothing, since who is not in it can hand in, too.
Arrival canvas_arrival(const SubmissionEntry& entry, const std::string& file_name) {
  Arrival arrival{entry, "", {}, {}};
  const std::vector<std::string> parts = split(entry.identity, '_');
  std::vector<size_t> users;
  for (size_t i = 1; i + 2 < parts.size(); ++i)
    if (is_number(parts[i]) && is_number(parts[i + 1])) users.push_back(i);
  // What was typed into Canvas: name_[LATE_]USER_text.html.
  const bool typed = (parts.back() == "text.html" || parts.back() == "link.html") &&
                     parts.size() > 2 && is_number(parts[parts.size() - 2]);
  if (typed) users.push_back(parts.size() - 2);
  arrival.named = !users.empty();
  if (users.size() > 1)
    arrival.doubt = "may be Canvas' " + parts[users[0]] + "'s or " + parts[users[1]] +
                    "'s (--students with a column 'file' can say whose it is)";
  if (users.size() != 1) return arrival;
  const size_t at = users[0];
  arrival.student = parts[at];
  arrival.marked_late = parts[at - 1] == "LATE" && at > 1;
  if (typed) arrival.wanted = Wanted::kAny;
  if (typed) return arrival;
  std::string file = parts[at + 2];
  for (size_t rest = at + 3; rest < parts.size(); ++rest) file += "_" + parts[rest];
  const std::string whole = file;
  const int64_t repetition = repetition_of(&file);
  // One who calls a file "hw02-1.cu" may be asked for one of that name.
  arrival.wanted = std::max(wanted_by_name(file, file_name), wanted_by_name(whole, file_name));
  arrival.order = {repetition, std::strtoll(parts[at + 1].c_str(), nullptr, 10)};
  return arrival;
}

// A folder "Full Name_NUMBER_assignsubmission_file", before Moodle 4.2 with a mark behind, or in
// the form without folders a file with its own name behind that; "onlinetext" for "file" is what
// was typed into Moodle. Moodle leaves no mark in a name, but in a file's there may be anything:
// two such places are nobody's.
Arrival moodle_arrival(const SubmissionEntry& entry, const std::string& file_name) {
  static const std::string words = "_assignsubmission_", file = "file", text = "onlinetext";
  Arrival arrival{entry, "", {}, {}};
  const std::string& name = entry.identity;
  const size_t at = name.find(words);
  if (at == std::string::npos || at == 0) return arrival;
  const bool typed = name.compare(at + words.size(), text.size(), text) == 0;
  if (typed) arrival.wanted = Wanted::kAny;
  if (!typed && name.compare(at + words.size(), file.size(), file) != 0) return arrival;
  const size_t end = at + words.size() + (typed ? text : file).size();
  const size_t before = name.rfind('_', at - 1);
  if (before == std::string::npos || (end < name.size() && name[end] != '_')) return arrival;
  const std::string number = name.substr(before + 1, at - before - 1);
  if (!is_number(number)) return arrival;
  arrival.named = true;
  if (!typed && end < name.size()) arrival.wanted = wanted_by_name(name.substr(end + 1), file_name);
  if (name.find(words, end) == std::string::npos)
    arrival.student = number;
  else
    arrival.doubt = "has the form of Moodle's names twice";
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
