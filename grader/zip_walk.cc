// SPDX-License-Identifier: Apache-2.0
// Zip, by the directory at its end. See archive_walk.h.
#include <minizip/unzip.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "common/base/error.h"
#include "grader/archive_walk.h"
#include "grader/zip_layout.h"
#include "grader/zip_member.h"

namespace lockstep::grader {
namespace {

constexpr size_t kPiece = 64 << 10;

class ZipWalk {
 public:
  ZipWalk(int fd, const UnpackBudget& budget)
      : file_(unzOpen64(("/proc/self/fd/" + std::to_string(fd)).c_str()), unzClose),
        budget_(budget) {
    if (!file_) throw Error("is no zip that can be read: its directory is damaged");
  }

  void run(const TakeMember& take) {
    unz_global_info64 all{};
    unzGetGlobalInfo64(file_.get(), &all);
    if (all.number_entry == 0) return;
    size_t number = 1;
    for (int got = unzGoToFirstFile(file_.get());; got = unzGoToNextFile(file_.get()), ++number) {
      if (got == UNZ_END_OF_LIST_OF_FILE) return;
      budget_.require_time();
      unz_file_info64 info{};
      // The format knows none that is longer.
      std::string name(UINT16_MAX, '\0'), extra(UINT16_MAX, '\0');
      if (got == UNZ_OK)
        got = unzGetCurrentFileInfo64(file_.get(), &info, name.data(), name.size(), extra.data(),
                                      extra.size(), nullptr, 0);
      if (got != UNZ_OK)
        throw Error("is a damaged archive: its directory ends before member " +
                    std::to_string(number));
      name.resize(std::min<size_t>(info.size_filename, name.size()));
      extra.resize(std::min<size_t>(info.size_file_extra, extra.size()));
      Member member = member_of(info, name, number);
      set_second_name(name, extra, &member);
      take(member);
    }
  }

 private:
  static std::string with_slashes(std::string name, bool of_fat) {
    if (of_fat) std::replace(name.begin(), name.end(), '\\', '/');
    return name;
  }
  Member member_of(const unz_file_info64& info, const std::string& name, size_t number) {
    constexpr unsigned kFat = 0;  // APPNOTE.TXT 4.4.2
    // Attributes of DOS and Windows, whoever made it: 4.4.15; programs restore all of them.
    constexpr unsigned kHidden = 0x02, kLabel = 0x08, kFolder = 0x10, kReparsePoint = 0x400;
    Member member;
    member.number = number;
    member.raw = with_slashes(
        name, (info.version >> 8 & 0xff) == kFat && name.find('/') == std::string::npos);
    set_path(&member);
    // Programs heed the modes of other makers than the format says.
    const mode_t kind = info.external_fa >> 16 & S_IFMT;
    member.folder = member.raw.ends_with('/');
    member.link = kind == S_IFLNK || (info.external_fa & kReparsePoint) != 0;
    member.hidden = (info.external_fa & kHidden) != 0;
    member.size = info.uncompressed_size;
    const bool encrypted = (info.flag & 1) != 0;
    member.regular = !member.folder && !member.link && !encrypted &&
                     (kind == 0 || kind == S_IFREG) && (info.external_fa & (kLabel | kFolder)) == 0;
    member.contents = [this, info](size_t most, std::string* into) {
      return read(most, info, into);
    };
    return member;
  }

  // What a program shows that heeds it. One that is damaged is no other member's matter.
  static void set_second_name(const std::string& name, const std::string& extra, Member* member) {
    Member other;
    try {
      const auto second = second_name(name, extra);
      if (second && (second->empty() || *second == name)) return;
      if (second) other.raw = with_slashes(*second, member->raw != name);
      if (second) set_path(&other);
      if (!second) other.problem = "it has two names";
    } catch (const Error& e) {
      other.problem = e.what();
    }
    member->also = other.path;
    if (member->problem.empty()) member->problem = other.problem;
  }

  // No more comes out than the directory says, so what is too large is not even begun.
  std::string read(size_t most, const unz_file_info64& info, std::string* into) {
    if (info.uncompressed_size > most) return too_large(most);
    // minizip opens none of some methods.
    const auto told = static_cast<unsigned>(info.compression_method);
    if (!ZipMember::is_known(told)) return "it is " + ZipMember::unknown(told);
    int method = 0, level = 0;
    if (unzOpenCurrentFile2(file_.get(), &method, &level, /*raw=*/1) != UNZ_OK)
      return "it is damaged";
    ZipMember member(told, info.uncompressed_size, static_cast<uint32_t>(info.crc), budget_);
    std::string problem = read_packed(&member, into);
    unzCloseCurrentFile(file_.get());
    return problem;
  }
  std::string read_packed(ZipMember* member, std::string* into) {
    char buffer[kPiece];
    for (;;) {
      const int got = unzReadCurrentFile(file_.get(), buffer, sizeof buffer);
      if (got < 0) return "it is damaged";
      if (got == 0) return member->finish();
      std::string problem = member->take({buffer, static_cast<size_t>(got)}, into);
      if (!problem.empty()) return problem;
    }
  }

  std::unique_ptr<void, int (*)(unzFile)> file_;
  const UnpackBudget& budget_;
};

}  // namespace

void walk_zip(int fd, const UnpackBudget& budget, const TakeMember& take) {
  ZipWalk(fd, budget).run(take);
}

}  // namespace lockstep::grader
