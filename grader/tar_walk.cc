// SPDX-License-Identifier: Apache-2.0
// Tar through libarchive, out of a stream of ours. A student's is read twice: what its blocks say
// must be what libarchive makes of them. See archive_walk.h.
#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <exception>
#include <memory>
#include <string_view>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/archive_walk.h"
#include "grader/tar_layout.h"

namespace lockstep::grader {
namespace {

constexpr size_t kPiece = 64 << 10;

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
  TarWalk(UnpackedFile* file, const UnpackBudget& budget)
      : file_(file), budget_(budget), reader_(archive_read_new(), archive_read_free) {}

  // `layout`: what the members must be; null: whatever they are.
  void run(const std::vector<TarMember>* layout, const TakeMember& take) {
    const NameLocale locale;
    archive_read_support_format_tar(reader_.get());
    require(archive_read_open(reader_.get(), this, nullptr, more, nullptr));
    for (size_t number = 1;; ++number) {
      archive_entry* entry = nullptr;
      const int got = archive_read_next_header(reader_.get(), &entry);
      require(got);
      if (got == ARCHIVE_EOF) {
        if (layout != nullptr && number != layout->size() + 1) refuse();
        return require_end();
      }
      Member member = member_of(entry, number, got >= ARCHIVE_WARN);
      if (archive_entry_sparse_count(entry) == 0) require_room(member);
      if (layout != nullptr && !is_same(layout, member, entry)) refuse();
      take(member);
      last_ = std::move(member);
    }
  }

 private:
  static la_ssize_t more(archive* reader, void* self, const void** bytes) {
    auto* walk = static_cast<TarWalk*>(self);
    try {
      const std::string_view piece = walk->file_->next();
      const size_t last = piece.find_last_not_of('\0');
      if (last != std::string_view::npos) walk->filled_ = walk->given_ + last + 1;
      walk->given_ += piece.size();
      *bytes = piece.data();
      return static_cast<la_ssize_t>(piece.size());
    } catch (...) {
      walk->failure_ = std::current_exception();
      archive_set_error(reader, ECANCELED, "stopped");
      return ARCHIVE_FATAL;
    }
  }

  // What follows can be reached through all these bytes alone.
  void require_room(const Member& member) const {
    try {
      budget_.require_bytes(static_cast<uint64_t>(archive_read_header_position(reader_.get())) +
                            member.size);
    } catch (const PastBudget& e) {
      throw PastBudget(std::string(e.what()) + " with " + called(member));
    }
  }

  void require(int code) const {
    if (code > ARCHIVE_FATAL) return;
    if (!failure_) throw Error("is a damaged archive after " + last() + ": " + why());
    try {
      std::rethrow_exception(failure_);
    } catch (const PastBudget& e) {
      throw PastBudget(std::string(e.what()) + ", after " + last());
    }
  }

  // libarchive stops at the first end; another program may read on.
  void require_end() {
    const auto used = static_cast<uint64_t>(archive_filter_bytes(reader_.get(), 0));
    for (const void* bytes = nullptr;;) {
      const la_ssize_t got = more(reader_.get(), this, &bytes);
      require(static_cast<int>(std::min<la_ssize_t>(got, ARCHIVE_EOF)));
      if (filled_ > used)
        throw Error("holds something behind its end, after " + last() + "; pack it again");
      if (got == 0) return;
    }
  }

  // To show a name takes longer than to read it.
  std::string last() const { return last_.number == 0 ? "its beginning" : called(last_); }
  [[noreturn]] void refuse() const {
    throw Error("can be read in more than one way: after " + last() +
                " programs differ in what it holds; pack it again");
  }
  static bool is_same(const std::vector<TarMember>* layout, const Member& member,
                      archive_entry* entry) {
    if (member.number > layout->size()) return false;
    const TarMember& other = (*layout)[member.number - 1];
    const bool file = other.type == '0' && !other.name.ends_with('/');
    return other.name == member.raw && other.size == member.size && file == member.regular &&
           archive_entry_sparse_count(entry) == 0;
  }

  Member member_of(archive_entry* entry, size_t number, bool good) {
    Member member;
    member.number = number;
    const char* name = archive_entry_pathname(entry);
    member.raw = name == nullptr ? "" : name;
    set_path(&member);
    if (!good) member.problem = "its head is damaged";
    member.folder = archive_entry_filetype(entry) == AE_IFDIR;
    member.size = static_cast<size_t>(std::max<int64_t>(archive_entry_size(entry), 0));
    member.link = archive_entry_filetype(entry) == AE_IFLNK ||
                  archive_entry_hardlink(entry) != nullptr ||
                  archive_entry_symlink(entry) != nullptr;
    member.regular = archive_entry_filetype(entry) == AE_IFREG && !member.link &&
                     !archive_entry_is_encrypted(entry);
    member.hidden = is_flagged_hidden(entry) || is_invisible_in_finder(entry);
    member.contents = [this](size_t most, std::string* into) { return read(most, into); };
    return member;
  }

  // Flags of files, as BSD, macOS and Windows have them: "uarch,hidden".
  static bool is_flagged_hidden(archive_entry* entry) {
    const char* flags = archive_entry_fflags_text(entry);
    std::string_view rest = flags == nullptr ? "" : flags;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find_first_of(", \t"), rest.size());
      if (rest.substr(0, end) == "hidden" || rest.substr(0, end) == "uhidden") return true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
  }

  // The flag kIsInvisible (0x4000) of the 16 bits behind type and creator.
  static bool is_invisible_in_finder(archive_entry* entry) {
    archive_entry_xattr_reset(entry);
    const char* name = nullptr;
    const void* value = nullptr;
    size_t size = 0;
    while (archive_entry_xattr_next(entry, &name, &value, &size) == ARCHIVE_OK)
      if (std::string_view(name) == "com.apple.FinderInfo" && size > 8 &&
          (static_cast<const unsigned char*>(value)[8] & 0x40) != 0)
        return true;
    return false;
  }

  std::string why() const {
    const char* text = archive_error_string(reader_.get());
    return shown_word(text == nullptr ? "unknown" : text, 120);
  }
  std::string read(size_t most, std::string* into) {
    char buffer[kPiece];
    for (;;) {
      const la_ssize_t got = archive_read_data(reader_.get(), buffer, sizeof buffer);
      if (failure_) require(ARCHIVE_FATAL);
      if (got == 0) return {};
      if (got < 0) return "it is damaged: " + why();
      if (into->size() + static_cast<size_t>(got) > most) return too_large(most);
      into->append(buffer, static_cast<size_t>(got));
    }
  }

  UnpackedFile* file_;
  const UnpackBudget& budget_;
  Member last_;
  uint64_t given_ = 0, filled_ = 0;  // filled_: up to the last byte that is not 0
  std::exception_ptr failure_;       // of more(), which C calls
  std::unique_ptr<archive, int (*)(archive*)> reader_;
};

}  // namespace

void walk_tar(int fd, Packing packing, PackedBy by, const UnpackBudget& budget,
              const TakeMember& take) {
  std::vector<TarMember> layout;
  if (by == PackedBy::kStudent) {
    UnpackedFile file(fd, packing, budget);
    layout = read_tar_layout(&file, budget);
  }
  UnpackedFile file(fd, packing, budget);
  TarWalk(&file, budget).run(by == PackedBy::kStudent ? &layout : nullptr, take);
}

}  // namespace lockstep::grader
