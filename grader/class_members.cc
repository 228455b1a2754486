// SPDX-License-Identifier: Apache-2.0
// See class_members.h.
#include "grader/class_members.h"

#include <filesystem>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/archive_walk.h"
#include "grader/file_choice.h"
#include "grader/renaming_list.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

void drop_companions(ClassMembers* members) {
  std::set<std::string> paths;
  for (const ClassMember& member : members->all) paths.insert(member.path);
  std::erase_if(members->all, [&](const ClassMember& member) {
    const std::string companion = companion_of(member.path);
    const bool is_one = !companion.empty() && paths.contains(companion);
    if (is_one) members->companions.insert(member.path);
    return is_one;
  });
}

}  // namespace

ClassMembers members_of(const std::string& path, const std::string& file_name,
                        const StageLimits& limits, const UnpackBudget& budget) {
  ClassMembers members;
  walk_archive(path, PackedBy::kInstructor, budget, [&](const Member& member) {
    // Of a name that cannot be read nobody knows whether it was wanted.
    const bool unread = member.path.empty() && (member.raw.find('\0') != std::string::npos ||
                                                member.raw.size() > kLongestPath);
    const std::string& name = member.path.empty() ? member.raw : member.path;
    ClassMember one{member.path, member.raw.substr(0, kLongestPath), member.number, member.size};
    one.packed = !unread && archive_kind(name) != nullptr;
    one.source = !one.packed && (name.empty() || unread || is_source_name(name, file_name) ||
                                 is_source_name(member.also, file_name));
    members.macintosh = members.macintosh || name.starts_with("__MACOSX/");
    if (name.starts_with("__MACOSX/")) return;
    one.folder = member.folder;
    one.hidden = member.hidden;
    one.also = member.also;
    if (member.folder) one.source = one.packed = false;
    one.head_problem = member.problem;
    std::string list;
    if (is_renaming_list(member.path) && !member.folder)
      one.gives_names = !member.contents(kLongestRenamingList, &list).empty() || gives_names(list);
    if (one.source || one.packed) {
      const size_t most = one.packed ? limits.archive_bytes : limits.file_bytes;
      one.problem = one.head_problem;
      if (one.problem.empty() && !member.regular) one.problem = kNotRegular;
      if (one.problem.empty()) one.problem = problem_of_path(member.path);
      if (one.problem.empty() && one.size > most) one.problem = too_large(most);
    }
    members.all.push_back(std::move(one));
  });
  drop_companions(&members);
  return members;
}

namespace {

// What lies in the one folder that holds all of an archive.
struct OnlyFolder {
  std::string name;                        // "class/"; empty: there is none
  bool holds_file = false;                 // the one that the rubric asks for, directly
  std::set<std::string> sources, folders;  // direct members that are or hold one; any folder
  size_t files = 0;
};

OnlyFolder find_only_folder(const std::vector<ClassMember>& members, const std::string& file_name) {
  OnlyFolder found;
  for (const ClassMember& member : members) {
    if (member.path.empty() || member.path[0] == '.') continue;
    const size_t top = member.path.find('/') + 1;
    const std::string name = member.path.substr(0, top);
    // A folder's own member, and what is nobody's wherever the class lies.
    if (top == 0 && !member.source && !member.packed) continue;
    if (top == 0 || (!found.name.empty() && found.name != name)) return {};
    found.name = name;
    const size_t end = member.path.find('/', top);
    const std::string thing = member.path.substr(top, end - top);
    if (end != std::string::npos) {
      if (thing[0] == '.') continue;  // as everywhere, nobody's
      found.folders.insert(thing);
    }
    if (!member.source && !member.packed) continue;
    if (is_hidden(member.path.substr(top), file_name)) continue;
    found.holds_file =
        found.holds_file || (end == std::string::npos && folded(thing) == folded(file_name));
    found.sources.insert(thing);
    ++found.files;
  }
  return found;
}

}  // namespace

std::string only_folder(const std::vector<ClassMember>& members, const std::string& archive,
                        const std::string& file_name) {
  const OnlyFolder only = find_only_folder(members, file_name);
  const std::string called = fs::path(archive).filename();
  if (only.name.empty() || stem(called) + "/" == only.name) return only.name;
  if (!only.holds_file) return only.files > 1 && only.sources.size() > 1 ? only.name : "";
  if (only.sources.size() == 1 && only.folders.empty()) return {};
  const std::string shown = shown_word(only.name.substr(0, only.name.size() - 1));
  throw Error(
      "all of it lies in " + shown + "/, which holds " + file_name +
      " and other things: is it a class, or one submission? For a class, call the archive " +
      shown + called.substr(stem(called).size()) +
      ", or unpack it and give the folder; for one submission: grader check");
}

}  // namespace lockstep::grader
