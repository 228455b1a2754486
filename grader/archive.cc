// SPDX-License-Identifier: Apache-2.0
// Archives, through libarchive, as a stream: entries are looked at one by one, only regular files
// with harmless paths are read, and every byte that comes out of a decompressor is counted.
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>

#include "common/error.h"
#include "grader/stage.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

using Reader = std::unique_ptr<archive, int (*)(archive*)>;

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// "a/b.cu" as it is; "" for a path that leaves its folder or that no honest archive holds.
std::string harmless_path(const char* raw, int most_depth) {
  if (raw == nullptr) return {};
  std::string path = raw, clean;
  if (path.empty() || path[0] == '/' || path.size() > 1024) return {};
  int depth = 0;
  for (size_t at = 0; at <= path.size();) {
    size_t end = std::min(path.find('/', at), path.size());
    std::string part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == ".." || part.size() > 255 || ++depth > most_depth) return {};
    for (unsigned char c : part)
      if (c < 32 || c == 127 || c == '\\') return {};
    clean += (clean.empty() ? "" : "/") + part;
  }
  return clean;
}

// Calls `take` for each regular file with a harmless path; it returns false to skip the contents.
// `take` gets a function that reads them, up to a limit, and says whether they fit.
using Contents = std::function<bool(size_t most, std::string* into)>;
using Take = std::function<void(const std::string& path, const Contents& contents)>;

class Walk {
 public:
  Walk(const std::string& path, size_t expanded, size_t entries, int depth)
      : reader_(archive_read_new(), archive_read_free),
        expanded_(expanded),
        entries_(entries),
        depth_(depth) {
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

  void run(const Take& take) {
    for (size_t count = 0;; ++count) {
      archive_entry* entry = nullptr;
      int got = archive_read_next_header(reader_.get(), &entry);
      if (got == ARCHIVE_EOF) return;
      if (got < ARCHIVE_WARN) throw Error("is a damaged archive: " + why());
      check_expansion();
      if (count >= entries_) throw Error("holds more than " + std::to_string(entries_) + " files");
      bool regular = archive_entry_filetype(entry) == AE_IFREG &&
                     archive_entry_hardlink(entry) == nullptr &&
                     archive_entry_symlink(entry) == nullptr && !archive_entry_is_encrypted(entry);
      std::string path = harmless_path(archive_entry_pathname(entry), depth_);
      if (!regular || path.empty()) continue;
      take(path, [this](size_t most, std::string* into) { return read(most, into); });
    }
  }

 private:
  std::string why() {
    const char* text = archive_error_string(reader_.get());
    return text == nullptr ? "unknown" : text;
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
  int depth_;
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
    Walk walk(path, limits.expanded_bytes, limits.entries, limits.depth);
    walk.run([&](const std::string& inside, const Contents& contents) {
      if (is_litter(inside) || !(base_name(inside) == file_name || ends_with(inside, ".cu")))
        return;
      FoundFile file{inside, {}};
      if (!contents(limits.file_bytes, &file.contents))
        throw Error("holds " + inside + " of more than " + std::to_string(limits.file_bytes >> 10) +
                    " KiB");
      if (found.size() >= 64) throw Error("holds too many .cu files");
      found.push_back(std::move(file));
    });
  } catch (const Error& e) {
    *problem = base_name(path) + " " + e.what();
    found.clear();
  }
  return found;
}

void unpack_class(const std::string& path, const std::string& folder, const StageLimits& limits) {
  try {
    Walk walk(path, limits.class_bytes, limits.class_entries, limits.depth);
    std::set<std::string> seen;
    walk.run([&](const std::string& inside, const Contents& contents) {
      bool wanted = ends_with(inside, ".cu") || is_archive_name(inside);
      if (is_litter(inside) || !wanted || !seen.insert(inside).second) return;
      std::string bytes;
      size_t most = is_archive_name(inside) ? limits.archive_bytes : limits.file_bytes;
      // What is too large is kept one byte too large, and refused when it is staged.
      if (!contents(most, &bytes)) bytes.resize(most + 1, '\n');
      std::filesystem::path target = std::filesystem::path(folder) / inside;
      std::filesystem::create_directories(target.parent_path());
      UniqueFd fd(open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
      for (size_t done = 0; done < bytes.size();) {
        ssize_t put = write(fd.get(), bytes.data() + done, bytes.size() - done);
        if (put <= 0)
          throw Error("cannot be unpacked to " + target.string() + ": " + strerror(errno));
        done += static_cast<size_t>(put);
      }
    });
  } catch (const Error& e) {
    throw Error(path + ": " + e.what());
  } catch (const std::filesystem::filesystem_error& e) {
    throw Error(path + ": cannot be unpacked: " + e.what());
  }
}

}  // namespace lockstep::grader
