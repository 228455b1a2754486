// SPDX-License-Identifier: Apache-2.0
// See asked.h. The preprocessor puts a name together of a folder and what stands in the text; it
// looks for "x" beside the file in which that stands, in the top folder (-iquote .), and in its own
// folders one after the other; for <x> in these alone.
#include "grader/asked.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "common/base/error.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

constexpr char kTop[] = "./";

bool begins(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

std::string folder_of(const std::string& name) { return name.substr(0, name.rfind('/') + 1); }

// Without ".": what stands before a ".." goes with it, as it is written.
std::string as_written(const std::string& name) {
  return fs::path(name).lexically_normal().string();
}

bool goes_up(const std::string& name) {
  const fs::path path(name);
  return std::find(path.begin(), path.end(), "..") != path.end();
}

}  // namespace

Asked::Asked(const std::string& list, const std::string& nowhere, const std::string& instances,
             const std::string& student)
    : instances_(instances), student_(kTop + student), beside_(folder_of(student_)) {
  read(list);
  const std::string end = "/" + nowhere;
  for (const File& file : files_)
    if (file.name.size() > end.size() &&
        file.name.compare(file.name.size() - end.size(), end.size(), end) == 0)
      folders_.push_back(folder_of(file.name));
  // What it found there it may call by the folder's shortest name.
  for (size_t i = 0, named = folders_.size(); i < named; ++i) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(folders_[i], error);
    if (!error) folders_.push_back((real / "").string());
  }
  if (folders_.empty() || found_.count(student_) == 0 || found_.count(instances_) == 0)
    throw Error("the preprocessor does not show which files it asks for");
}

void Asked::read(const std::string& list) {
  for (size_t at = 0; at < list.size();) {
    const size_t end = list.find('\0', at);
    if (end == std::string::npos || (list[at] != '+' && list[at] != '-'))
      throw Error("the list of files that the preprocessor asks for is none");
    File file{list[at] == '+', list.substr(at + 1, end - at - 1)};
    at = end + 1;
    if (file.found) found_.insert(file.name);
    files_.push_back(std::move(file));
  }
}

// By its name alone: what leads out of a folder, or into it by way of others, is another one on a
// machine where these are not, or lead elsewhere.
bool Asked::is_compilers(const std::string& name) const {
  return std::any_of(folders_.begin(), folders_.end(), [&](const std::string& folder) {
    return begins(name, folder) && begins(as_written(name), as_written(folder));
  });
}

// Whether a header of the compiler's has this in quotes. Its own macros may be the submission's:
// what a header asks for without having the name in it is the submission's question.
bool Asked::stands_in_header(const std::string& operand) {
  constexpr size_t kMostAsked = 32;
  if (++quoted_asked_ > kMostAsked) return false;
  const std::string quoted = '"' + operand + '"';
  return std::any_of(found_.begin(), found_.end(), [&](const std::string& name) {
    if (!is_compilers(name)) return false;
    std::ifstream file(name);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return text.find(quoted) != std::string::npos;
  });
}

bool Asked::has_compiler(const std::string& operand) const {
  return std::any_of(folders_.begin(), folders_.end(), [&](const std::string& folder) {
    return found_.count(folder + operand) > 0 && is_compilers(folder + operand);
  });
}

std::string Asked::operand(const std::string& name) const {
  std::vector<std::string> places = folders_;
  places.insert(places.end(), {beside_, kTop, folder_of(instances_)});
  for (const std::string& place : places)
    if (begins(name, place)) return name.substr(place.size());
  return name;
}

bool Asked::is_foreign(const File& file) {
  if (is_ours(file.name) || is_compilers(file.name)) return false;
  if (file.found) return true;
  // What the compiler's folders have is there, whatever lies elsewhere.
  const std::string text = operand(file.name);
  if (has_compiler(text) || kTop + text == student_) return false;
  if (begins(file.name, "/") || begins(file.name, beside_) || goes_up(text)) return true;
  // The compiler's headers ask in the top folder, too.
  return !stands_in_header(text);
}

std::vector<std::string> Asked::foreign() {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const File& file : files_)
    if (is_foreign(file) && known.insert(operand(file.name)).second)
      names.push_back(operand(file.name));
  return names;
}

}  // namespace lockstep::grader
