// SPDX-License-Identifier: Apache-2.0
// Two readers behind one loop. See archive_walk.h.
#include "grader/archive_walk.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <minizip/unzip.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <memory>
#include <string_view>

#include "common/error.h"
#include "common/quoted.h"
#include "grader/zip_layout.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

using Take = std::function<void(const Member&)>;
constexpr size_t kPiece = 64 << 10;

// "a/b.cu" of "./a//b.cu"; "" for a path that leaves its folder.
std::string inner_path(const std::string& path) {
  std::string clean;
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

void set_path(Member* member) {
  if (member->raw.find('\0') != std::string::npos)
    member->problem = "its name holds a byte that is 0";
  else if (member->path = inner_path(member->raw); member->path.empty())
    member->problem = member->raw.empty() ? "it has no name" : "its path leads out of the archive";
}

std::string too_much(size_t expanded) {
  return "expands to more than " + std::to_string(expanded >> 20) + " MiB";
}

class ZipWalk {
 public:
  explicit ZipWalk(int fd)
      : file_(unzOpen64(("/proc/self/fd/" + std::to_string(fd)).c_str()), unzClose) {
    if (!file_) throw Error("is not an archive that can be read: its directory is damaged");
  }

  void run(const Take& take) {
    unz_global_info64 all{};
    unzGetGlobalInfo64(file_.get(), &all);
    if (all.number_entry == 0) return;
    size_t number = 1;
    for (int got = unzGoToFirstFile(file_.get());; got = unzGoToNextFile(file_.get()), ++number) {
      if (got == UNZ_END_OF_LIST_OF_FILE) return;
      unz_file_info64 info{};
      std::string name(UINT16_MAX, '\0');  // the format knows none that is longer
      if (got == UNZ_OK)
        got = unzGetCurrentFileInfo64(file_.get(), &info, name.data(), name.size(), nullptr, 0,
                                      nullptr, 0);
      if (got != UNZ_OK)
        throw Error("is a damaged archive: its directory ends before member " +
                    std::to_string(number));
      name.resize(std::min<size_t>(info.size_filename, name.size()));
      take(member_of(info, name, number));
    }
  }

 private:
  Member member_of(const unz_file_info64& info, const std::string& name, size_t number) {
    constexpr unsigned kFat = 0, kUnix = 3, kDarwin = 19;  // APPNOTE.TXT 4.4.2
    const unsigned made_by = info.version >> 8 & 0xff;
    Member member;
    member.number = number;
    member.raw = name;
    if (made_by == kFat && name.find('/') == std::string::npos)
      std::replace(member.raw.begin(), member.raw.end(), '\\', '/');
    set_path(&member);
    const mode_t kind =
        made_by == kUnix || made_by == kDarwin ? info.external_fa >> 16 & S_IFMT : 0;
    member.folder = member.raw.ends_with('/');
    member.size = info.uncompressed_size;
    const bool encrypted = (info.flag & 1) != 0;
    member.regular = !member.folder && !encrypted && (kind == 0 || kind == S_IFREG);
    member.contents = [this, size = info.uncompressed_size](size_t most, std::string* into) {
      return read(most, size, into);
    };
    return member;
  }

  // No more comes out than the directory says, so what is too large is not even begun.
  std::string read(size_t most, size_t size, std::string* into) {
    if (size > most) return too_large(most);
    if (unzOpenCurrentFile(file_.get()) != UNZ_OK)
      return "it is damaged, or packed in a way that is not supported";
    std::string problem = read_open(size, into);
    // Says whether the checksum holds.
    if (unzCloseCurrentFile(file_.get()) != UNZ_OK && problem.empty()) problem = "it is damaged";
    return problem;
  }
  std::string read_open(size_t size, std::string* into) {
    char buffer[kPiece];
    for (;;) {
      const int got = unzReadCurrentFile(file_.get(), buffer, sizeof buffer);
      if (got == 0) return {};
      if (got < 0 || static_cast<size_t>(got) > size - into->size()) return "it is damaged";
      into->append(buffer, static_cast<size_t>(got));
    }
  }

  std::unique_ptr<void, int (*)(unzFile)> file_;
};

// The locale "C", in which libarchive gives the names of a tar as they are.
class NameLocale {
 public:
  NameLocale()
      : locale_(newlocale(LC_CTYPE_MASK, "C", nullptr)),
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

class TarWalk {
 public:
  TarWalk(int fd, size_t expanded)
      : reader_(archive_read_new(), archive_read_free), expanded_(expanded) {
    archive_read_support_format_tar(reader_.get());
    archive_read_support_filter_gzip(reader_.get());
    archive_read_support_filter_bzip2(reader_.get());
    archive_read_support_filter_xz(reader_.get());
    archive_read_support_filter_zstd(reader_.get());
    if (archive_read_open_fd(reader_.get(), fd, kPiece) != ARCHIVE_OK)
      throw Error("is not an archive that can be read: " + why());
  }

  void run(const Take& take) {
    const NameLocale locale;
    std::string last = "its beginning";
    for (size_t number = 1;; ++number) {
      archive_entry* entry = nullptr;
      const int got = archive_read_next_header(reader_.get(), &entry);
      if (got == ARCHIVE_EOF) return;
      if (got <= ARCHIVE_FATAL) throw Error("is a damaged archive after " + last + ": " + why());
      // What follows can be reached through all these bytes alone.
      if (archive_filter_bytes(reader_.get(), 0) >
          static_cast<int64_t>(std::min<size_t>(expanded_, INT64_MAX)))
        throw Error(too_much(expanded_) + " with " + last);
      const Member member = member_of(entry, number, got >= ARCHIVE_WARN);
      last = called(member);
      take(member);
    }
  }

 private:
  Member member_of(archive_entry* entry, size_t number, bool good) {
    Member member;
    member.number = number;
    const char* name = archive_entry_pathname(entry);
    member.raw = name == nullptr ? "" : name;
    set_path(&member);
    if (!good) member.problem = "its head is damaged";
    member.folder = archive_entry_filetype(entry) == AE_IFDIR;
    member.size = static_cast<size_t>(std::max<int64_t>(archive_entry_size(entry), 0));
    member.regular = archive_entry_filetype(entry) == AE_IFREG &&
                     archive_entry_hardlink(entry) == nullptr &&
                     archive_entry_symlink(entry) == nullptr && !archive_entry_is_encrypted(entry);
    member.contents = [this](size_t most, std::string* into) { return read(most, into); };
    return member;
  }

  std::string why() {
    const char* text = archive_error_string(reader_.get());
    return shown_word(text == nullptr ? "unknown" : text, 120);
  }
  std::string read(size_t most, std::string* into) {
    char buffer[kPiece];
    for (;;) {
      const la_ssize_t got = archive_read_data(reader_.get(), buffer, sizeof buffer);
      if (got == 0) return {};
      if (got < 0) return "it is damaged: " + why();
      if (into->size() + static_cast<size_t>(got) > most) return too_large(most);
      into->append(buffer, static_cast<size_t>(got));
    }
  }

  std::unique_ptr<archive, int (*)(archive*)> reader_;
  size_t expanded_;
};

// By the first bytes. Those of a tar are a member's name, which may be anything: where the file is
// not called a zip, the tar's own mark goes before.
bool is_zip(int fd, const std::string& path) {
  using namespace std::string_view_literals;
  char start[262] = {};
  if (pread(fd, start, sizeof start, 0) < 4) return false;
  const std::string_view bytes(start, sizeof start);
  const bool tar = bytes.substr(257) == "ustar" && !path.ends_with(".zip");
  return !tar && (bytes.starts_with("PK\3\4"sv) || bytes.starts_with("PK\5\6"sv));
}

}  // namespace

std::string too_large(size_t most) {
  return "it is larger than " + std::to_string(most >> 10) + " KiB";
}

std::string problem_of_path(const std::string& path, int most_depth) {
  int depth = 0;
  for (size_t at = 0; at <= path.size(); ++depth) {
    size_t end = std::min(path.find('/', at), path.size());
    if (end - at > 255) return "its name is longer than 255 bytes";
    at = end + 1;
  }
  return depth > most_depth || path.size() > 1024 ? "it lies too deep" : "";
}

bool is_litter(const std::string& path) {
  return path.starts_with("__MACOSX/") ||
         std::string_view(path).substr(path.rfind('/') + 1).starts_with("._");
}

std::string called(const Member& member) {
  return "member " + std::to_string(member.number) + " (" + shown_word(member.raw) + ")";
}

namespace {

// That a student's zip is read by others as by us.
void require_one_reading(int fd, size_t size) {
  std::string bytes(size, '\0');
  for (size_t done = 0; done < size;) {
    const ssize_t got = pread(fd, bytes.data() + done, size - done, static_cast<off_t>(done));
    if (got <= 0) throw Error("cannot be read");
    done += static_cast<size_t>(got);
  }
  if (std::string problem = zip_layout_problem(bytes); !problem.empty())
    throw Error("can be read in more than one way: " + problem + "; pack it again");
}

}  // namespace

void walk_archive(const std::string& path, size_t expanded, const Take& take) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat info {};
  if (fd.get() < 0 || fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode))
    throw Error("is not a regular file");
  if (!is_zip(fd.get(), path)) return TarWalk(fd.get(), expanded).run(take);
  ZipWalk walk(fd.get());
  if (expanded != kUnbounded) require_one_reading(fd.get(), static_cast<size_t>(info.st_size));
  walk.run(take);
}

}  // namespace lockstep::grader
