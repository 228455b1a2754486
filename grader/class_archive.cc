// SPDX-License-Identifier: Apache-2.0
// The archive of a class, read twice: whose each member is, then the contents. No student's members
// take room or a name from another's.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/archive_walk.h"
#include "grader/file_choice.h"
#include "grader/names.h"
#include "grader/stage.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

struct ClassMember {
  std::string path;  // empty where it is not known, or leads out of the archive
  std::string raw;
  size_t number = 0;
  size_t size = 0;
  bool source = false, packed = false;  // by its name
  bool folder = false, hidden = false;  // as in Member
  std::string also = {};
  std::string head_problem = {};  // Member's own
  std::string problem = {};       // why it cannot be unpacked
};

// One submission of a class's archive: a member, or the members of one folder.
struct Group {
  std::string identity, inner;  // inner: the folder's path; empty: it is one member
  size_t first = 0;             // number of its first member
  std::vector<ClassMember*> members = {};
  ClassMember* meant = nullptr;  // the one that is unpacked, if any
  std::string target = {};       // where to
  SubmissionEntry entry = {};
};

// What programs leave beside a file that is there.
void drop_companions(std::vector<ClassMember>* members) {
  std::set<std::string> paths;
  for (const ClassMember& member : *members) paths.insert(member.path);
  std::erase_if(*members, [&](const ClassMember& member) {
    const std::string companion = companion_of(member.path);
    return !companion.empty() && paths.contains(companion);
  });
}

std::vector<ClassMember> members_of(const std::string& path, const std::string& file_name,
                                    const StageLimits& limits, const UnpackBudget& budget) {
  std::vector<ClassMember> members;
  walk_archive(path, PackedBy::kInstructor, budget, [&](const Member& member) {
    // Of a name that cannot be read nobody knows whether it was wanted.
    const bool unread = member.path.empty() && (member.raw.find('\0') != std::string::npos ||
                                                member.raw.size() > kLongestPath);
    const std::string& name = member.path.empty() ? member.raw : member.path;
    ClassMember one{member.path, member.raw.substr(0, kLongestPath), member.number, member.size};
    one.packed = !unread && archive_kind(name) != nullptr;
    one.source = !one.packed && (name.empty() || unread || is_source_name(name, file_name) ||
                                 is_source_name(member.also, file_name));
    const bool wanted = one.source || one.packed;
    if (name.starts_with("__MACOSX/") || (!wanted && name.find('/') == std::string::npos)) return;
    one.folder = member.folder;
    one.hidden = member.hidden;
    one.also = member.also;
    if (member.folder) one.source = one.packed = false;
    one.head_problem = member.problem;
    if (one.source || one.packed) {
      const size_t most = one.packed ? limits.archive_bytes : limits.file_bytes;
      one.problem = one.head_problem;
      if (one.problem.empty() && !member.regular) one.problem = kNotRegular;
      if (one.problem.empty()) one.problem = problem_of_path(member.path);
      if (one.problem.empty() && one.size > most) one.problem = too_large(most);
    }
    members.push_back(std::move(one));
  });
  drop_companions(&members);
  return members;
}

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

// "class/" where all lies in one folder that is the class's own: the instructor called the archive
// so, or it has several things with several files to be graded in it. With the file in it that the
// rubric asks for and nothing else, or else, it is somebody's submission. With both it may be
// either, and one who calls a file so decides nothing.
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

std::vector<Group> groups_of(std::vector<ClassMember>* members, const std::string& top,
                             const std::string& file_name) {
  std::vector<Group> groups;
  std::map<std::string, size_t> folders;
  for (ClassMember& member : *members) {
    const size_t from = !top.empty() && member.path.starts_with(top) ? top.size() : 0;
    const size_t slash = member.path.find('/', from);
    const std::string identity = member.path.substr(from, slash - from);
    const bool wanted = member.source || member.packed;
    if (slash == std::string::npos) {
      if (wanted) groups.push_back({identity, "", member.number, {&member}});
    } else if (identity[0] != '.') {
      const std::string inner = member.path.substr(0, slash + 1);
      auto [found, added] = folders.emplace(inner, groups.size());
      if (added) groups.push_back({identity, inner, member.number});
      // As in a folder on disk, what is hidden is nobody's work.
      if (!is_hidden(member.path.substr(inner.size()), file_name) || is_hiding_list(member.path))
        groups[found->second].members.push_back(&member);
    }
  }
  return groups;
}

// Max-min fairness: the largest share such that all get no more than `all` together. Who needs less
// than an equal part leaves the rest to the others; nobody can make another's smaller than that.
size_t fair_share(std::vector<size_t> needs, size_t all) {
  std::sort(needs.begin(), needs.end());
  for (size_t i = 0; i < needs.size(); ++i) {
    const size_t part = all / (needs.size() - i);
    if (needs[i] > part) return part;
    all -= needs[i];
  }
  return SIZE_MAX;
}

std::string told(const ClassMember& member, const std::string& problem) {
  if (problem.empty()) return {};
  return "member " + std::to_string(member.number) + " (" + shown_word(member.raw) +
         "): " + problem;
}

// The end of another path of a member, in its group's folder, which may be called otherwise there.
std::string also_within(const ClassMember& member, const Group& group) {
  size_t at = 0;
  for (const char c : group.inner)
    if (c == '/') at = member.also.find('/', at) + 1;
  return member.also.substr(at);
}

// By the rule of folders and archives. What is not meant may be whatever it is.
ClassMember* meant_of(const Group& group, const std::string& file_name, std::string* problem) {
  FileChoice choice(file_name);
  for (const ClassMember* member : group.members) {
    const std::string path = member->path.substr(group.inner.size());
    if (member->hidden) choice.hide(path);
    if (!member->folder && is_hiding_list(path)) choice.add_hiding_list(path);
    if (member->folder || is_hidden(path, file_name)) continue;
    choice.add(
        path,
        told(*member, member->head_problem.empty() ? problem_of_place(path) : member->head_problem),
        also_within(*member, group));
  }
  if (const FoundFile* file = choice.meant(problem))
    for (ClassMember* member : group.members)
      if (!member->folder && member->path == group.inner + file->path) return member;
  return nullptr;
}

// Sets what is meant, or the problem.
void choose(Group* group, const std::string& file_name, const StageLimits& limits) {
  std::string& problem = group->entry.problem;
  ClassMember* meant = nullptr;
  if (group->inner.empty())
    meant = group->members[0];
  else if (group->members.size() > limits.entries)
    problem = "holds more than " + std::to_string(limits.entries) + " files";
  else
    meant = meant_of(*group, file_name, &problem);
  if (meant != nullptr) problem = told(*meant, meant->problem);
  if (problem.empty()) group->meant = meant;
}

size_t need_of(const Group& group) { return group.meant == nullptr ? 0 : group.meant->size; }

// Names that are there more than once, or not at all, are told apart by the members' numbers.
void set_entries(std::vector<Group>* groups, const fs::path& folder, const StageLimits& limits) {
  std::map<std::string, int> times;
  std::vector<size_t> needs;
  for (const Group& group : *groups) {
    ++times[group.identity];
    needs.push_back(need_of(group));
  }
  const size_t share = fair_share(needs, limits.class_bytes);
  for (Group& group : *groups) {
    const std::string number = std::to_string(group.first);
    SubmissionEntry& entry = group.entry;
    entry.identity = group.identity.empty() ? "member" : group.identity;
    if (group.identity.empty() || times[group.identity] > 1) entry.identity += "/#" + number;
    entry.path = folder / number / (group.identity.empty() ? "member" : group.identity);
    if (need_of(group) > share)
      entry.problem = "expands to " + std::to_string(need_of(group) >> 10) +
                      " KiB, more than its share of " + std::to_string(share >> 10) + " KiB";
    if (!entry.problem.empty()) continue;
    const fs::path place = entry.path;
    std::error_code error;
    if (group.inner.empty())
      group.target = place;
    else if (fs::create_directories(place, error))
      group.target = place / group.meant->path.substr(group.inner.size());
    else
      entry.problem = "its folder's name cannot be one here: " + error.message();
  }
}

// Why that cannot be, where it is the member's fault.
std::string unpack_member(const Member& member, const std::string& target) {
  std::string bytes;
  if (std::string problem = member.contents(member.size, &bytes); !problem.empty())
    return called(member) + ": " + problem;
  std::error_code error;
  fs::create_directories(fs::path(target).parent_path(), error);
  UniqueFd fd(open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (fd.get() < 0 && (errno == EEXIST || errno == ENOTDIR || errno == EISDIR))
    return called(member) + ": there are two of this name in the folder; which is meant?";
  // File systems differ in the names that they can hold, and nobody's name stops a class.
  if (fd.get() < 0 && (errno == EINVAL || errno == EILSEQ || errno == ENAMETOOLONG ||
                       errno == ENOENT || errno == EPERM))
    return called(member) + ": its name cannot be one here: " + strerror(errno);
  if (fd.get() < 0) throw Error("cannot be unpacked: " + std::string(strerror(errno)));
  for (size_t done = 0; done < bytes.size();) {
    ssize_t put = write(fd.get(), bytes.data() + done, bytes.size() - done);
    if (put <= 0) throw Error("cannot be unpacked: " + std::string(strerror(errno)));
    done += static_cast<size_t>(put);
  }
  return {};
}

void unpack(const std::string& path, std::vector<Group>* groups, const UnpackBudget& budget) {
  std::map<size_t, Group*> groups_by_number;
  for (Group& group : *groups)
    if (!group.target.empty()) groups_by_number[group.meant->number] = &group;
  walk_archive(path, PackedBy::kInstructor, budget, [&](const Member& member) {
    const auto found = groups_by_number.find(member.number);
    if (found == groups_by_number.end()) return;
    Group& group = *found->second;
    if (member.raw != group.meant->raw || member.size != group.meant->size)
      throw Error("changes while it is read: " + called(member));
    const std::string problem = unpack_member(member, group.target);
    if (group.entry.problem.empty()) group.entry.problem = problem;
  });
}

}  // namespace

std::vector<SubmissionEntry> list_class_archive(const std::string& path,
                                                const std::string& file_name,
                                                const std::string& folder,
                                                const StageLimits& limits) {
  try {
    const UnpackBudget budget(limits.class_expanded_bytes, limits.class_unpack_s);
    std::vector<ClassMember> members = members_of(path, file_name, limits, budget);
    std::vector<Group> groups =
        groups_of(&members, only_folder(members, path, file_name), file_name);
    if (groups.size() > limits.class_entries)
      throw Error("holds more than " + std::to_string(limits.class_entries) + " submissions");
    for (Group& group : groups) choose(&group, file_name, limits);
    set_entries(&groups, folder, limits);
    unpack(path, &groups, budget);
    std::vector<SubmissionEntry> list;
    for (Group& group : groups) list.push_back(std::move(group.entry));
    return list;
  } catch (const Error& e) {
    throw Error(path + ": " + e.what());
  }
}

std::string class_top(const std::string& path, const std::string& file_name,
                      const StageLimits& limits) {
  try {
    const UnpackBudget budget(limits.class_expanded_bytes, limits.class_unpack_s);
    return only_folder(members_of(path, file_name, limits, budget), path, file_name);
  } catch (const Error& e) {
    throw Error(path + ": " + e.what());
  }
}

}  // namespace lockstep::grader
