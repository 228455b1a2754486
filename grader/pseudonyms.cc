// SPDX-License-Identifier: Apache-2.0
// The key's file and the hash. See pseudonyms.h.
#include "grader/pseudonyms.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <vector>

#include "common/base/error.h"
#include "grader/draws.h"
#include "grader/sha256.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

constexpr char kFile[] = "pseudonym.key";
constexpr size_t kDigits = 64;     // of the key, in its file
constexpr size_t kLeastShown = 6;  // of a hash

[[noreturn]] void cannot(const std::string& what) { throw Error(what, kExitCannotRun); }

std::string new_key() {
  std::string text;
  char two[3];
  for (const char c : secret_key()) {
    std::snprintf(two, sizeof two, "%02x", static_cast<unsigned char>(c));
    text += two;
  }
  return text;
}

// Nothing where there is none yet.
std::string read_key(int folder, const std::string& path) {
  const UniqueFd file(openat(folder, kFile, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0 && errno == ENOENT) return {};
  struct stat info {};
  if (file.get() < 0 && errno != ELOOP) cannot(path + ": " + strerror(errno));
  if (file.get() < 0 || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
    cannot(path + ": is no regular file; use another results folder");
  char text[kDigits + 2];
  const ssize_t got = read(file.get(), text, sizeof text);
  const std::string key(text, got < 0 ? 0 : std::min(static_cast<size_t>(got), kDigits));
  if (got != kDigits + 1 || text[kDigits] != '\n' ||
      key.find_first_not_of("0123456789abcdef") != std::string::npos)
    cannot(path +
           ": is no key as the grader makes it, 64 hexadecimal digits; put back the file that " +
           "was there, or remove it: then all pseudonyms change");
  return key;
}

// Whole or not at all, and never in place of another's, who may have made it meanwhile.
void make_key(int folder, const std::string& path) {
  const std::string text = new_key() + "\n";
  const std::string name = std::string(kFile) + "." + new_key().substr(0, 16);  // nobody else's
  const UniqueFd file(
      openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  const bool written = file.get() >= 0 &&
                       write(file.get(), text.data(), text.size()) == ssize_t(text.size()) &&
                       fsync(file.get()) == 0;
  const bool placed =
      written && (linkat(folder, name.c_str(), folder, kFile, 0) == 0 || errno == EEXIST);
  const int why = errno;
  unlinkat(folder, name.c_str(), 0);
  if (!placed) cannot(path + ": cannot be made: " + strerror(why));
  fsync(folder);
}

size_t common_digits(const std::string& a, const std::string& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                             a.begin());
}

}  // namespace

std::string pseudonym_key(const std::string& results_folder) {
  const UniqueFd folder(open(results_folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0) cannot(results_folder + ": " + strerror(errno));
  const std::string path = results_folder + "/" + kFile;
  std::string key = read_key(folder.get(), path);
  if (!key.empty()) return key;
  make_key(folder.get(), path);
  key = read_key(folder.get(), path);
  return key.empty() ? (cannot(path + ": is gone again"), key) : key;
}

std::map<std::string, std::string> pseudonyms(const std::string& key,
                                              const std::set<std::string>& identities) {
  std::map<std::string, std::string> identity_of;  // by digest, so that those alike are neighbours
  for (const std::string& identity : identities)
    identity_of[hmac_sha256(key, "pseudonym " + identity)] = identity;
  std::map<std::string, std::string> names;
  for (auto it = identity_of.begin(); it != identity_of.end(); ++it) {
    size_t shown = kLeastShown;
    if (it != identity_of.begin())
      shown = std::max(shown, common_digits(it->first, std::prev(it)->first) + 1);
    if (std::next(it) != identity_of.end())
      shown = std::max(shown, common_digits(it->first, std::next(it)->first) + 1);
    names[it->second] = "student-" + it->first.substr(0, shown);
  }
  return names;
}

Graded under_pseudonym(Graded graded, const std::string& pseudonym) {
  graded.submission = pseudonym;
  graded.identity.clear();
  graded.path.clear();
  graded.file.clear();
  graded.submitted.commit.clear();
  Verdict& v = graded.verdict;
  const bool infrastructure = v.kind == VerdictKind::kInfraError;
  if (!infrastructure && v.reason != "staging") return graded;
  v.message = infrastructure ? "This machine could not grade it; the instructor's results tell why."
                             : "It could not be taken; the instructor's results tell why.";
  if (infrastructure) v.reason = v.message;
  v.quoted = Quoted();
  return graded;
}

}  // namespace lockstep::grader
