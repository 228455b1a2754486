// SPDX-License-Identifier: Apache-2.0
// See file_choice.h.
#include "grader/file_choice.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "common/base/quoted.h"
#include "common/base/text.h"
#include "grader/names.h"
#include "grader/renaming_list.h"

namespace lockstep::grader {
namespace {

// The last part, whichever character parts it, and where a program may end it.
std::string last_part(const std::string& raw) {
  const std::string path = raw.substr(0, raw.find('\0'));
  return path.substr(path.find_last_of("/\\") + 1);
}

// What a person reads, who may take capitals and small letters for the same (UTS 39's skeleton,
// which is of what is read, and so comes first). Blanks in front are not seen, and of signs beyond
// ASCII nobody knows which have any ink.
std::string look_of(const std::string& name) {
  std::string look = without_signs(folded(skeleton(as_read(name))));
  look.erase(0, std::min(look.find_first_not_of(' '), look.size()));
  return look;
}

// A byte that is no UTF-8 is of an encoding that nobody knows, in which it may be any letter.
bool may_be_read_as(const std::string& name, const std::string& wanted) {
  const auto folds_to = [](char a, char b) {
    return (a & 0x80) != 0 || std::tolower(static_cast<unsigned char>(a)) ==
                                  std::tolower(static_cast<unsigned char>(b));
  };
  bool is_utf8 = true;
  Character c;
  for (size_t at = 0; next_character(name, &at, &c);) is_utf8 = is_utf8 && c.code != kNoCharacter;
  return !is_utf8 && std::equal(name.begin(), name.end(), wanted.begin(), wanted.end(), folds_to);
}

// Desktops and commands leave out names by how they begin or end (".", "~", "$", "#"), each others.
// What begins and ends with a letter, a figure, a bracket or a sign of arithmetic is shown by all.
bool is_shown_everywhere(const std::string& part) {
  const auto plain = [](char c) {
    return (c & 0x80) != 0 || std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
           c == '-' || c == '+' || c == '(' || c == ')' || c == '[' || c == ']';
  };
  return part.empty() || (plain(part.front()) && plain(part.back()));
}

// Of a folder: with an ending it may be shown as one document ("notes.rtfd"). Not where that begins
// with a figure, as of a version.
bool may_be_package(const std::string& part) {
  const size_t dot = part.rfind('.');
  return dot != std::string::npos && dot + 1 < part.size() &&
         std::isdigit(static_cast<unsigned char>(part[dot + 1])) == 0;
}

// Whether that further ending is of a copy, or of what a compiler makes: no desktop knows these, so
// all show them. Of others some may open the file, and leave the ending away; which do hangs on
// what is installed, so what is known to be none stands here. Versions end in figures.
bool is_of_a_copy(const std::string& path) {
  const std::string name = folded(last_part(path));
  const std::string ending = name.substr(std::min(name.rfind('.'), name.size()));
  // "hw02.cu.1", ".r41" of Subversion, ".v2", and "hw02.cu.~1~" of Emacs
  const size_t figures = ending.size() > 2 && (ending[1] == 'r' || ending[1] == 'v') ? 2 : 1;
  if (ending.size() > figures && ending.find_first_not_of("0123456789~", figures) == ending.npos)
    return true;
  for (const char* known :
       {".backup", ".bak", ".copy", ".mine", ".old", ".orig", ".rej", ".save", ".starter", ".swp",
        ".tmp", ".o", ".d", ".ptx", ".cubin", ".sass", ".diff", ".patch"})
    if (ending == known) return true;
  return false;
}

// All but ASCII by its bytes: what looks like something else must not be shown so.
std::string shown_bytes(const std::string& path) {
  return shown_name(path, 60, [](const Character& c) { return c.code == ' ' || c.code >= 0x80; });
}

}  // namespace

bool is_source_name(const std::string& path, const std::string& file_name) {
  const std::string name = last_part(path);
  const std::string fold = folded(name);
  // As it stands, too: what is folded ends at a colon.
  return has_ending(name, ".cu") || fold.ends_with(".cu") || fold == folded(file_name);
}

std::string neither_source_nor_archive(const std::string& file_name) {
  return "neither a .cu file nor an archive that is looked into (" + archive_kinds() +
         "), by its name; hand in " + file_name + ", or one of these with it";
}

FileChoice::FileChoice(std::string file_name)
    : file_name_(std::move(file_name)), look_(look_of(file_name_)) {}

bool FileChoice::looks_like_it(const std::string& name) const {
  return name.size() <= kLongestPath && (look_of(name) == look_ || look_of(folded(name)) == look_ ||
                                         may_be_read_as(name, file_name_));
}

// With a further ending, which some desktops do not show.
bool FileChoice::is_shown_like_it(const std::string& name) const {
  const size_t dot = name.rfind('.');
  return dot != std::string::npos && dot > 0 && looks_like_it(name.substr(0, dot));
}

FoundFile* FileChoice::add(FoundFile file) {
  const std::string path = file.path, also = file.also;
  if (!is_renaming_list(path)) ++others_;
  bool named = false, alike = false, source = false, shown = false;
  for (const std::string* one : {&path, &also}) {
    const std::string name = last_part(*one);
    if (name.empty()) continue;
    named = named || folded(name) == folded(file_name_);
    alike = alike || looks_like_it(name);
    source = source || is_source_name(*one, file_name_);
    shown = shown || is_shown_like_it(name);
  }
  // Where another program would put it is not known: at the top, it may be.
  const bool known = file.problem.empty() && file.elsewhere.empty();
  const auto depth = known ? std::count(path.begin(), path.end(), '/') : 0;
  file.rank = static_cast<size_t>(depth);
  if (!named && alike) lookalikes_.push_back(file);
  if (!named && !alike && shown && companion_of(path).empty()) shown_alike_.push_back(file);
  if (companion_of(path).empty())
    for (const std::string* one : {&path, &also})
      if (may_become(*one, ".cu") || may_become(*one, file_name_)) {
        changeable_.push_back(file);
        changeable_.back().also = *one;
        if (may_be_moved(*one)) changeable_.back().rank = 0;
      }
  const bool archive = may_be_archive(path) || (!also.empty() && may_be_archive(also));
  if (!source && archive && companion_of(path).empty()) archives_.push_back(file);
  if (!source) return nullptr;
  if (!named) file.rank = SIZE_MAX;
  if (!companion_of(path).empty()) {
    streams_.push_back(std::move(file));
    return nullptr;
  }
  files_.push_back(std::move(file));
  const bool better = files_.size() == 1 || files_.back().rank < files_[best_].rank;
  if (!better) return nullptr;
  std::string().swap(files_[best_].contents);
  best_ = files_.size() - 1;
  return &files_.back();
}

void FileChoice::add_hiding_list(const std::string& path) {
  const size_t slash = path.rfind('/');
  lists_.insert(slash == std::string::npos ? "" : folded_path(path.substr(0, slash)));
}

std::vector<FoundFile*> FileChoice::nearest() {
  std::set<std::string> paths;
  for (const FoundFile& file : files_) paths.insert(file.path);
  for (FoundFile& stream : streams_)
    if (!paths.contains(companion_of(stream.path))) files_.push_back(std::move(stream));
  streams_.clear();
  size_t least = SIZE_MAX;
  for (const FoundFile& file : files_) least = std::min(least, file.rank);
  std::vector<FoundFile*> first;
  for (FoundFile& file : files_)
    if (file.rank == least) first.push_back(&file);
  return first;
}

// Nothing else could be taken for it.
bool FileChoice::is_alone(const FoundFile& file) const {
  for (const auto* all :
       {&files_, &streams_, &lookalikes_, &archives_, &shown_alike_, &changeable_})
    for (const FoundFile& other : *all)
      if (other.path != file.path) return false;
  return true;
}

// Wherever a folder that holds nothing else comes to, nobody finds another file.
std::string FileChoice::problem_of(const FoundFile& file) const {
  if (!file.problem.empty()) return file.problem;
  return only_folders_change(file.path) && is_alone(file) ? "" : file.elsewhere;
}

std::string FileChoice::problem_beside(const FoundFile* chosen) const {
  for (const FoundFile& other : lookalikes_) {
    if (chosen != nullptr && (other.rank > chosen->rank || other.path == chosen->path)) continue;
    const bool by_second = !other.also.empty() && !looks_like_it(last_part(other.path));
    return shown_bytes(by_second ? other.also : other.path) + " looks like " + file_name_ +
           ", but its name is of other characters; hand in one " + file_name_;
  }
  if (chosen == nullptr) return "there is no " + file_name_ + " in it";
  const auto may_open = [this](const std::string& path) {
    return is_shown_like_it(last_part(path)) && !is_of_a_copy(path);
  };
  for (const FoundFile& other : shown_alike_)
    if (other.rank < chosen->rank)
      return problem_of_shown(other, "before", *chosen);
    else if (other.rank == chosen->rank && (may_open(other.path) || may_open(other.also)))
      return problem_of_shown(other, "beside", *chosen);
  if (std::string problem = problem_of_changes(*chosen); !problem.empty()) return problem;
  if (!renaming_list_.empty() && others_ > 1)
    return shown_word(renaming_list_) +
           " gives names by which a desktop shows files and folders, " +
           "so another may be found than the one that is graded; leave it out";
  return files_.size() + lookalikes_.size() == 1 ? "" : problem_of_hiding(*chosen);
}

std::string FileChoice::problem_of_shown(const FoundFile& other, const char* where,
                                         const FoundFile& chosen) const {
  return shown_bytes(other.path) + " may be shown as " + file_name_ + ", and lies " + where + " " +
         shown_word(chosen.path) + "; hand in one " + file_name_;
}

// Another that some program could unpack in its place, or as one that a person rather takes.
std::string FileChoice::problem_of_changes(const FoundFile& chosen) const {
  for (const FoundFile& other : changeable_) {
    if (other.path == chosen.path || other.rank > chosen.rank) continue;
    const bool named = chosen.rank != SIZE_MAX;
    if (!may_become(other.also, named ? file_name_ : ".cu")) continue;
    return shown_bytes(other.also) +
           " has a sign in its name that not all programs keep as it is, " +
           "so another file may be found than the one that is graded; use letters, figures, dots, "
           "dashes and blanks, or leave it out, and hand in one " +
           file_name_;
  }
  return {};
}

// How much of it all that may be meant have.
size_t FileChoice::common_beginning(const std::string& folded) const {
  size_t together = folded.size();
  for (const std::vector<FoundFile>* all : {&files_, &lookalikes_})
    for (const FoundFile& other : *all) {
      const std::string path = folded_path(other.path);
      const auto at = std::mismatch(folded.begin(), folded.end(), path.begin(), path.end()).first;
      together = std::min(together, static_cast<size_t>(at - folded.begin()));
    }
  return together;
}

// It, or a folder around it.
std::string FileChoice::problem_of_hiding(const FoundFile& chosen) const {
  std::string by;
  for (const std::string* one : {&chosen.path, &chosen.also}) {
    if (one->empty()) continue;
    const std::string path = folded_path(*one);
    const size_t together = common_beginning(path);
    for (size_t end = 0; end <= path.size(); end = std::min(path.find('/', end), path.size()) + 1) {
      const std::string part = path.substr(0, end);
      if (hidden_.contains(part)) by = "by its attributes or its folder's";
      if (end < path.size() && lists_.contains(part)) by = std::string("by a ") + kHidingList;
      const std::string last = part.substr(0, part.empty() ? 0 : part.size() - 1);
      const std::string name = last.substr(last.rfind('/') + 1);
      // What hides a folder around all of them hides them all.
      const bool is_file = end >= path.size(), apart = !is_file && end > together;
      if (((is_file || apart) && !is_shown_everywhere(name)) || (apart && may_be_package(name)))
        by = "by its name or its folder's";
    }
  }
  if (by.empty()) return {};
  return shown_word(chosen.path) + " may be hidden, " + by +
         ", and others lie beside it; which is meant? Hand in one " + file_name_;
}

FoundFile* FileChoice::meant(std::string* problem) {
  const std::vector<FoundFile*> first = nearest();
  for (const FoundFile* file : first)
    if (std::string why = problem_of(*file); !why.empty()) *problem = why;
  if (!problem->empty()) return nullptr;
  if (first.size() > 1) {
    const std::string one = shown_word(first[0]->path), other = shown_word(first[1]->path);
    *problem = "which file is meant? There are " +
               (one == other ? "two called " + one : one + " and " + other) + "; hand in one " +
               file_name_;
    return nullptr;
  }
  FoundFile* chosen = first.empty() ? nullptr : first[0];
  *problem = problem_beside(chosen);
  return problem->empty() ? chosen : nullptr;
}

bool FileChoice::holds_archives_alone() const {
  return files_.empty() && streams_.empty() && lookalikes_.empty() && !archives_.empty();
}

const FoundFile* FileChoice::only_archive(std::string* problem) const {
  if (!holds_archives_alone()) return nullptr;
  if (archives_.size() > 1) {
    const std::string one = shown_word(archives_[0].path), other = shown_word(archives_[1].path);
    *problem = "there is no " + file_name_ + " in it, but " + std::to_string(archives_.size()) +
               " archives: " + (one == other ? "two called " + one : one + " and " + other) +
               (archives_.size() > 2 ? " among them" : "") + "; which is meant? Hand in one " +
               file_name_ + ", or one archive with it";
    return nullptr;
  }
  for (const FoundFile& other : shown_alike_) {
    if (other.path == archives_[0].path) continue;
    *problem = problem_of_shown(other, "beside", archives_[0]);
    return nullptr;
  }
  FoundFile archive = archives_[0];
  archive.rank = SIZE_MAX;  // as of a source of any name
  std::string why = problem_of(archive);
  if (why.empty()) why = problem_of_changes(archive);
  // By a name that it has elsewhere alone, it is none here.
  if (why.empty() && archive_kind(archive.path) == nullptr) return nullptr;
  *problem = why;
  return why.empty() ? &archives_[0] : nullptr;
}

}  // namespace lockstep::grader
