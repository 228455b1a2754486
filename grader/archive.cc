// SPDX-License-Identifier: Apache-2.0
// Archives, through libarchive, as a stream: entries are looked at one by one, only regular files
// with harmless paths are read, and every byte that comes out of a decompressor is counted. Names
// are bytes: none is changed into another's.
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>

#include "common/error.h"
#include "common/quoted.h"
#include "grader/stage.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

using Reader = std::unique_ptr<archive, int (*)(archive*)>;

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// "a/b.cu" of "./a//b.cu"; "" for a path that leaves its folder.
std::string inner_path(const char* raw) {
  if (raw == nullptr) return {};
  std::string path = raw, clean;
  if (path.empty() || path[0] == '/') return {};
  for (size_t at = 0; at <= path.size();) {
    size_t end = std::min(path.find('/', at), path.size());
    std::string part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") return {};
    clean += (clean.empty() ? "" : "/") + part;
  }
  return clean;
}

// Why a path cannot be that of a file here; "" where it can.
std::string problem_of_path(const std::string& path, int most_depth) {
  int depth = 0;
  for (size_t at = 0; at <= path.size(); ++depth) {
    size_t end = std::min(path.find('/', at), path.size());
    if (end - at > 255) return "its name is longer than 255 bytes";
    at = end + 1;
  }
  return depth > most_depth || path.size() > 1024 ? "it lies too deep" : "";
}

// No honest file of a submission is called so.
bool is_odd(const std::string& path) {
  return std::any_of(path.begin(), path.end(),
                     [](unsigned char c) { return c < 32 || c == 127 || c == '\\'; });
}

// One member: `contents` reads it, up to a limit, and says whether it fits.
struct Member {
  std::string path;
  bool regular = false;  // no link, no device, not encrypted
  bool folder = false;
  std::function<bool(size_t most, std::string* into)> contents;
};
using Take = std::function<void(const Member&)>;

// The locale in which libarchive gives names of such an archive as they are: it changes UTF-8 to
// the locale's characters, where it can. Those of a zip it cannot leave alone; in a locale of
// UTF-8 they come in the normal form NFC, and two that differ in form alone as twice the same.
class NameLocale {
 public:
  explicit NameLocale(bool zip)
      : locale_(newlocale(LC_CTYPE_MASK, zip ? "C.UTF-8" : "C", nullptr)),
        before_(locale_ == nullptr ? nullptr : uselocale(locale_)) {}
  ~NameLocale() {
    if (locale_ == nullptr) return;
    uselocale(before_);
    freelocale(locale_);
  }
  NameLocale(const NameLocale&) = delete;

 private:
  locale_t locale_, before_;
};

bool is_zip(int fd) {
  char start[2] = {};
  return pread(fd, start, sizeof start, 0) == sizeof start && start[0] == 'P' && start[1] == 'K';
}

class Walk {
 public:
  Walk(const std::string& path, size_t expanded, size_t entries)
      : reader_(archive_read_new(), archive_read_free), expanded_(expanded), entries_(entries) {
    UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat info {};
    if (fd.get() < 0 || fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode))
      throw Error("is not a regular file");
    archive_read_support_format_zip(reader_.get());
    archive_read_support_format_tar(reader_.get());
    archive_read_support_filter_gzip(reader_.get());
    archive_read_support_filter_bzip2(reader_.get());
    archive_read_support_filter_xz(reader_.get());
    archive_read_support_filter_zstd(reader_.get());
    fd_ = std::move(fd);
    if (archive_read_open_fd(reader_.get(), fd_.get(), 64 << 10) != ARCHIVE_OK)
      throw Error("is not an archive that can be read: " + why());
  }

  // Calls `take` for each member inside of the archive's own folder.
  void run(const Take& take) {
    const NameLocale locale(is_zip(fd_.get()));
    for (size_t count = 0;; ++count) {
      archive_entry* entry = nullptr;
      int got = archive_read_next_header(reader_.get(), &entry);
      if (got == ARCHIVE_EOF) return;
      if (got < ARCHIVE_WARN) throw Error("is a damaged archive: " + why());
      check_expansion();
      if (count >= entries_) throw Error("holds more than " + std::to_string(entries_) + " files");
      if (archive_entry_pathname(entry) == nullptr) throw Error("holds a name that is not UTF-8");
      Member member;
      member.path = inner_path(archive_entry_pathname(entry));
      member.folder = archive_entry_filetype(entry) == AE_IFDIR;
      member.regular =
          archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr &&
          archive_entry_symlink(entry) == nullptr && !archive_entry_is_encrypted(entry);
      member.contents = [this](size_t most, std::string* into) { return read(most, into); };
      if (!member.path.empty()) take(member);
    }
  }

 private:
  std::string why() {
    const char* text = archive_error_string(reader_.get());
    return shown_name(text == nullptr ? "unknown" : text, 120);
  }
  void check_expansion() {
    // Bytes so far after decompression, skipped entries included, and what zip entries gave.
    int64_t out = archive_filter_bytes(reader_.get(), 0);
    if (out > static_cast<int64_t>(expanded_) || read_ > expanded_)
      throw Error("expands to more than " + std::to_string(expanded_ >> 20) + " MiB");
  }
  bool read(size_t most, std::string* into) {
    char buffer[64 << 10];
    for (;;) {
      la_ssize_t got = archive_read_data(reader_.get(), buffer, sizeof buffer);
      if (got == 0) return true;
      if (got < 0) throw Error("is a damaged archive: " + why());
      read_ += static_cast<size_t>(got);
      check_expansion();
      if (into->size() + static_cast<size_t>(got) > most) return false;
      into->append(buffer, static_cast<size_t>(got));
    }
  }

  UniqueFd fd_;
  Reader reader_;
  size_t expanded_, entries_, read_ = 0;
};

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool is_litter(const std::string& path) {
  return path.rfind("__MACOSX/", 0) == 0 || base_name(path).rfind("._", 0) == 0;
}

}  // namespace

bool is_archive_name(const std::string& name) {
  for (const char* end : {".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst"})
    if (ends_with(name, end)) return true;
  return false;
}

std::vector<FoundFile> find_in_archive(const std::string& path, const std::string& file_name,
                                       const StageLimits& limits, std::string* problem) {
  std::vector<FoundFile> found;
  try {
    std::error_code error;
    auto size = std::filesystem::file_size(path, error);
    if (error) throw Error("cannot be read: " + error.message());
    if (size > limits.archive_bytes)
      throw Error("is larger than " + std::to_string(limits.archive_bytes >> 20) + " MiB");
    Walk walk(path, limits.expanded_bytes, limits.entries);
    walk.run([&](const Member& member) {
      const std::string& inside = member.path;
      if (!member.regular || is_odd(inside) || !problem_of_path(inside, limits.depth).empty() ||
          is_litter(inside) || !(base_name(inside) == file_name || ends_with(inside, ".cu")))
        return;
      FoundFile file{inside, {}};
      if (!member.contents(limits.file_bytes, &file.contents))
        throw Error("holds " + shown_name(inside) + " of more than " +
                    std::to_string(limits.file_bytes >> 10) + " KiB");
      if (found.size() >= 64) throw Error("holds too many .cu files");
      found.push_back(std::move(file));
    });
  } catch (const Error& e) {
    *problem = shown_name(base_name(path)) + " " + e.what();
    found.clear();
  }
  return found;
}

namespace {

// Writes one member below a folder. Why that cannot be, where its path is in the way of another's.
std::string unpack_member(const Member& member, const std::filesystem::path& folder,
                          const StageLimits& limits) {
  if (!member.regular) return "it is a link or another thing that is no regular file";
  if (std::string problem = problem_of_path(member.path, limits.depth); !problem.empty())
    return problem;
  std::filesystem::path target = folder / member.path;
  std::error_code error;
  std::filesystem::create_directories(target.parent_path(), error);
  UniqueFd fd(
      error ? -1
            : open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  bool taken = error ? error == std::errc::not_a_directory || error == std::errc::file_exists
                     : fd.get() < 0 && (errno == EEXIST || errno == EISDIR || errno == ENOTDIR);
  if (taken) return "there are two of this name in the archive; which is meant?";
  if (fd.get() < 0)
    throw Error("cannot be unpacked: " + (error ? error.message() : strerror(errno)));
  std::string bytes;
  size_t most = is_archive_name(member.path) ? limits.archive_bytes : limits.file_bytes;
  // What is too large is kept one byte too large, and refused when it is staged.
  if (!member.contents(most, &bytes)) bytes.resize(most + 1, '\n');
  for (size_t done = 0; done < bytes.size();) {
    ssize_t put = write(fd.get(), bytes.data() + done, bytes.size() - done);
    if (put <= 0) throw Error("cannot be unpacked: " + std::string(strerror(errno)));
    done += static_cast<size_t>(put);
  }
  return {};
}

}  // namespace

std::vector<NotUnpacked> unpack_class(const std::string& path, const std::string& folder,
                                      const StageLimits& limits) {
  std::vector<NotUnpacked> problems;
  try {
    Walk walk(path, limits.class_bytes, limits.class_entries);
    walk.run([&](const Member& member) {
      bool wanted = ends_with(member.path, ".cu") || is_archive_name(member.path);
      if (member.folder || is_litter(member.path) || !wanted) return;
      std::string problem = unpack_member(member, folder, limits);
      if (!problem.empty())
        problems.push_back({member.path, shown_name(member.path) + ": " + problem});
    });
  } catch (const Error& e) {
    throw Error(path + ": " + e.what());
  }
  return problems;
}

}  // namespace lockstep::grader
