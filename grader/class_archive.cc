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
#include "grader/class_members.h"
#include "grader/file_choice.h"
#include "grader/names.h"
#include "grader/stage.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

// One submission of a class's archive: a member, or the members of one folder.
struct Group {
  std::string identity, inner;  // inner: the folder's path; empty: it is one member
  size_t first = 0;             // number of its first member
  std::vector<ClassMember*> members = {};
  bool bare = false;             // a folder of which nothing but itself is known yet
  ClassMember* meant = nullptr;  // the one that is unpacked, if any
  std::string target = {};       // where to
  SubmissionEntry entry = {};
};

// The groups of an archive's members, in its order. All that lies where submissions lie is one, but
// what is left behind.
class Grouping {
 public:
  Grouping(const std::string& top, const std::string& file_name, LeftBehind* left)
      : top_(top), file_name_(file_name), left_(left) {}

  void add(ClassMember* member) {
    if (member->folder && member->path.empty()) return;
    const bool inside = member->path.starts_with(top_);
    const size_t from = inside ? top_.size() : 0;
    const size_t slash = member->path.find('/', from);
    const std::string identity = member->path.substr(from, slash - from);
    if (slash == std::string::npos && (member->source || member->packed))
      groups.push_back({identity, "", member->number, {member}});
    else if (is_left_by_programs(identity))
      left_->names.insert(identity);
    else if (slash != std::string::npos)
      add_to_folder(member, identity, slash);
    else if (member->folder)
      add_folder(*member, identity);
    else if (member->path.empty())
      left_->astray.insert(member->raw);
    else if (!inside)
      left_->outside.insert(identity);
    else
      groups.push_back({identity, "", member->number, {member}});
  }
  std::vector<Group> groups;

 private:
  Group& folder_of(const std::string& inner, const std::string& identity, size_t number) {
    auto [found, added] = folders_.emplace(inner, groups.size());
    if (added) groups.push_back({identity, inner, number});
    return groups[found->second];
  }
  // One that has a member of its own, and may have nothing else; whatever is in it tells its
  // number.
  void add_folder(const ClassMember& member, const std::string& identity) {
    const std::string inner = member.path + "/";
    if (inner != top_ && !folders_.contains(inner))
      folder_of(inner, identity, member.number).bare = true;
  }
  void add_to_folder(ClassMember* member, const std::string& identity, size_t slash) {
    const std::string inner = member->path.substr(0, slash + 1);
    Group& group = folder_of(inner, identity, member->number);
    if (group.bare) group.first = member->number;
    group.bare = false;
    // As in a folder on disk, what is hidden is nobody's work.
    if (!is_hidden(member->path.substr(inner.size()), file_name_) || is_hiding_list(member->path))
      group.members.push_back(member);
  }

  const std::string &top_, &file_name_;
  LeftBehind* left_;
  std::map<std::string, size_t> folders_;
};

std::vector<Group> groups_of(ClassMembers* members, const std::string& top,
                             const std::string& file_name, LeftBehind* left) {
  if (members->macintosh) left->names.insert("__MACOSX");
  for (const std::string& path : members->companions)
    if (path.starts_with(top) && path.find('/', top.size()) == std::string::npos)
      left->companions.insert(path.substr(top.size()));
  Grouping grouping(top, file_name, left);
  for (ClassMember& member : members->all) grouping.add(&member);
  return std::move(grouping.groups);
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

// By the rule of folders and archives. What is not meant may be whatever it is. The only archive of
// a folder without a source is the submission, as in a folder on disk.
ClassMember* meant_of(const Group& group, const std::string& file_name, std::string* problem) {
  FileChoice choice(file_name);
  for (const ClassMember* member : group.members) {
    const std::string path = member->path.substr(group.inner.size());
    if (member->hidden) choice.hide(path);
    if (!member->folder && is_hiding_list(path)) choice.add_hiding_list(path);
    if (member->folder || is_hidden(path, file_name)) continue;
    if (member->gives_names) choice.add_renaming_list(path);
    const std::string& head = member->head_problem;
    choice.add({.path = path,
                .problem = told(*member, head.empty() ? problem_of_path(path) : head),
                .elsewhere = told(*member, problem_of_name(path)),
                .also = also_within(*member, group)});
  }
  const FoundFile* file = choice.meant(problem);
  if (file == nullptr) file = choice.only_archive(problem);
  if (file != nullptr)
    for (ClassMember* member : group.members)
      if (!member->folder && member->path == group.inner + file->path) return member;
  return nullptr;
}

// The member that a group without a folder is; null where it is nothing that can be taken.
ClassMember* sole_of(Group* group, const std::string& file_name) {
  ClassMember* member = group->members[0];
  if (member->source || member->packed) return member;
  group->entry.other = true;
  group->entry.problem =
      told(*member, member->head_problem.empty() ? "it is " + neither_source_nor_archive(file_name)
                                                 : member->head_problem);
  return nullptr;
}

// Sets what is meant, or the problem.
void choose(Group* group, const std::string& file_name, const StageLimits& limits) {
  std::string& problem = group->entry.problem;
  ClassMember* meant = nullptr;
  if (group->inner.empty())
    meant = sole_of(group, file_name);
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
                                                const StageLimits& limits, LeftBehind* left) {
  try {
    const UnpackBudget budget(limits.class_expanded_bytes, limits.class_unpack_s);
    ClassMembers members = members_of(path, file_name, limits, budget);
    const std::string top = only_folder(members.all, path, file_name);
    std::vector<Group> groups = groups_of(&members, top, file_name, left);
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
    return only_folder(members_of(path, file_name, limits, budget).all, path, file_name);
  } catch (const Error& e) {
    throw Error(path + ": " + e.what());
  }
}

}  // namespace lockstep::grader
