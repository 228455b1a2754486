// SPDX-License-Identifier: Apache-2.0
// The commit of a clone. git would do what a clone's own configuration says, run programs among
// it; so its files are read here, and git is only asked for an object, from a repository of ours.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "grader/intake/intake.h"
#include "grader/late.h"
#include "grader/toolchain.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostText = 4 << 20;

// A small regular file's first bytes; nothing where it is none.
std::string small_file(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  std::string text;
  char buffer[16 << 10];
  while (fd.get() >= 0 && text.size() < kMostText) {
    const ssize_t got = read(fd.get(), buffer, sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<size_t>(got));
  }
  return text;
}

std::string first_word(const std::string& text) {
  return text.substr(0, text.find_first_of(" \n"));
}

bool is_hash(const std::string& text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// "refs/heads/main", and all that git takes for a name (git-check-ref-format), since students name
// branches; so none leads elsewhere.
bool is_reference(const std::string& name) {
  const auto unfit = [](unsigned char c) {
    return c <= ' ' || c == 127 || std::strchr("~^:?*[\\", c) != nullptr;
  };
  if (!name.starts_with("refs/") || name.size() > 1000 ||
      std::any_of(name.begin(), name.end(), unfit))
    return false;
  for (const char* none : {"..", "@{", "//", "/."})
    if (name.find(none) != std::string::npos) return false;
  return !name.ends_with('/') && !name.ends_with('.') && !(name + "/").ends_with(".lock/");
}

std::string hash_of_reference(const std::string& git, const std::string& name) {
  const std::string loose = first_word(small_file(git + "/" + name));
  if (is_hash(loose)) return loose;
  const std::string packed = "\n" + small_file(git + "/packed-refs");
  const size_t at = packed.find(" " + name + "\n");
  const size_t line = at == std::string::npos ? at : packed.rfind('\n', at);
  return line == std::string::npos ? "" : packed.substr(line + 1, at - line - 1);
}

std::string head_of(const std::string& git) {
  const std::string head = small_file(git + "/HEAD");
  if (!head.starts_with("ref: ")) return first_word(head);
  const std::string name = head.substr(5, head.find('\n') - 5);
  return is_reference(name) ? hash_of_reference(git, name) : "";
}

// A repository with nothing in it, gone at the end.
class EmptyRepository {
 public:
  EmptyRepository() {
    path_ = (fs::temp_directory_path() / "lockstep-git-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
    std::error_code error;
    for (const char* folder : {"/objects", "/refs"})
      if (!path_.empty()) fs::create_directory(path_ + folder, error);
    const UniqueFd head(open((path_ + "/HEAD").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    constexpr char kHead[] = "ref: refs/heads/none\n";
    good_ = write(head.get(), kHead, sizeof kHead - 1) == sizeof kHead - 1;
  }
  ~EmptyRepository() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  EmptyRepository(const EmptyRepository&) = delete;
  bool good() const { return good_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool good_ = false;
};

}  // namespace

std::optional<Submitted> commit_of_clone(const std::string& folder) {
  const std::string git = fs::absolute(folder).string() + "/.git", program = find_program("git");
  std::error_code error;
  if (program.empty() || !fs::is_directory(fs::symlink_status(git, error))) return std::nullopt;
  const std::string hash = head_of(git);
  const EmptyRepository empty;
  if (!is_hash(hash) || !empty.good()) return std::nullopt;
  ProcessLimits limits;
  limits.wall_s = 20;
  limits.memory_bytes = int64_t{1} << 30;
  const ProcessResult result =
      run_process({program, "--git-dir=" + empty.path(), "cat-file", "commit", hash},
                  {"PATH=/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
                   "GIT_NO_LAZY_FETCH=1", "GIT_OBJECT_DIRECTORY=" + git + "/objects"},
                  limits);
  // The head's lines end with an empty one; what follows is the author's text.
  const std::string head = "\n" + result.out.substr(0, result.out.find("\n\n"));
  const size_t at = head.find("\ncommitter ");
  if (!result.good() || at == std::string::npos) return std::nullopt;
  const std::string line = head.substr(at + 1, head.find('\n', at + 1) - at - 1);
  const size_t name_end = line.rfind("> ");
  if (name_end == std::string::npos) return std::nullopt;
  char* end = nullptr;
  const long long seconds = std::strtoll(line.c_str() + name_end + 2, &end, 10);
  constexpr long long kLast = 253402300799;  // the year 9999
  if (*end != ' ' || seconds < 0 || seconds > kLast) return std::nullopt;
  return Submitted{utc_text(seconds), "git", hash};
}

}  // namespace lockstep::grader
