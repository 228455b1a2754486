// SPDX-License-Identifier: Apache-2.0
// The blocks of a tar (POSIX.1-2017, pax, "ustar Interchange Format"). See tar_layout.h.
#include "grader/tar_layout.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include "common/base/quoted.h"

namespace lockstep::grader {
namespace {

using namespace std::string_view_literals;
constexpr size_t kBlock = 512;
constexpr uint64_t kLongestExtension = 1 << 20;  // that libarchive reads

// Keys of POSIX (pax), and of star and libarchive, which other programs write as well.
constexpr std::string_view kPassed[] = {"path",
                                        "linkpath",
                                        "size",
                                        "atime",
                                        "ctime",
                                        "mtime",
                                        "LIBARCHIVE.creationtime",
                                        "uid",
                                        "gid",
                                        "uname",
                                        "gname",
                                        "comment",
                                        "SCHILY.dev",
                                        "SCHILY.devmajor",
                                        "SCHILY.devminor",
                                        "SCHILY.ino",
                                        "SCHILY.nlink",
                                        "SCHILY.fflags",
                                        "LIBARCHIVE.symlinktype"};
// Attributes of a file beside its contents, and who may read it.
constexpr std::string_view kPassedFamilies[] = {"SCHILY.xattr.", "LIBARCHIVE.xattr.", "SCHILY.acl.",
                                                "RHT.security.", "security."};

[[noreturn]] void refuse(const std::string& why) {
  throw Error("can be read in more than one way: " + why + "; pack it again");
}

bool is_zero(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

// Blocks out of pieces of any length.
class Blocks {
 public:
  explicit Blocks(UnpackedFile* file) : file_(file) {}
  std::string take(uint64_t length) {
    std::string out;
    pass(length, &out);
    return out;
  }
  void pass(uint64_t length, std::string* into = nullptr) {
    for (given_ += length; length > 0;) {
      if (piece_.empty()) piece_ = file_->next();
      if (piece_.empty()) throw Error("is cut off: its end is missing; pack it again");
      const size_t now = std::min<uint64_t>(length, piece_.size());
      if (into != nullptr) into->append(piece_.substr(0, now));
      piece_.remove_prefix(now);
      length -= now;
    }
  }
  bool only_zeros_follow() {
    while (is_zero(piece_)) {
      piece_ = file_->next();
      if (piece_.empty()) return true;
    }
    return false;
  }
  uint64_t given() const { return given_; }

 private:
  UnpackedFile* file_;
  std::string_view piece_;
  uint64_t given_ = 0;
};

std::string_view text(std::string_view field) { return field.substr(0, field.find('\0')); }

// Octal digits, with blanks before and blanks or zeros behind.
uint64_t octal(std::string_view field, const char* what) {
  field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
  uint64_t value = 0;
  const auto [end, code] = std::from_chars(field.begin(), field.end(), value, 8);
  if (code != std::errc() ||
      std::string_view(end, field.end()).find_first_not_of(" \0"sv) != std::string_view::npos)
    refuse(std::string("a head's ") + what + " is no plain number");
  return value;
}

struct Head {
  std::string name;
  uint64_t size = 0;
  char type = '0';
};

// Of all its bytes, those of the sum itself taken as blanks.
bool has_right_sum(std::string_view block) {
  uint64_t sum = 0;
  for (size_t i = 0; i < kBlock; ++i)
    sum += i - 148 < 8 ? ' ' : static_cast<unsigned char>(block[i]);
  return octal(block.substr(148, 8), "sum") == sum;
}

Head read_head(std::string_view block) {
  if (!has_right_sum(block)) refuse("a head's sum is not right");
  Head head{std::string(text(block.substr(0, 100))), octal(block.substr(124, 12), "size"),
            block[156] == '\0' ? '0' : block[156]};
  // Outside of POSIX's own form there is no prefix of the name, but other programs' extensions.
  const bool posix = block.substr(257, 8) == "ustar\00000"sv;
  const bool others = block.substr(257, 8) == "ustar  \0"sv || is_zero(block.substr(257, 8));
  const std::string_view prefix = text(block.substr(345, 155));
  if (!is_zero(block.substr(posix ? 500 : 345)) || !(posix || others))
    refuse(shown_word(head.name) + " has a head that not every program understands");
  if (!prefix.empty()) head.name = std::string(prefix) + "/" + head.name;
  return head;
}

class Layout {
 public:
  Layout(UnpackedFile* file, const UnpackBudget& budget) : blocks_(file), budget_(budget) {}

  std::vector<TarMember> read() {
    for (;;) {
      const std::string block = blocks_.take(kBlock);
      if (is_zero(block)) break;
      read_member(read_head(block));
    }
    if (!pax_.empty() || !long_name_.empty() || !long_link_.empty())
      refuse("it ends in a name of nothing");
    if (!blocks_.only_zeros_follow()) refuse("something lies behind its end");
    return std::move(members_);
  }

 private:
  void read_member(const Head& head) {
    budget_.require_bytes(blocks_.given() + head.size);
    switch (head.type) {
      case 'x':
        return read_pax(body(head), &pax_);
      case 'g':
        return read_global(body(head));
      case 'L':
        return read_long(body(head), &long_name_);
      case 'K':
        return read_long(body(head), &long_link_);
      default:
        add(head);
    }
  }

  std::string body(const Head& head) {
    if (head.size == 0 || head.size > kLongestExtension)
      refuse("an extension is empty or too large");
    std::string bytes = blocks_.take(head.size);
    blocks_.pass(padding(head.size));
    return bytes;
  }
  static uint64_t padding(uint64_t size) { return (kBlock - size % kBlock) % kBlock; }

  // "21 path=ada/hw02.cu\n", each key once.
  using Records = std::map<std::string, std::string>;
  static void read_pax(std::string_view bytes, Records* records) {
    if (!records->empty()) refuse("a member has two extensions");
    while (!bytes.empty()) {
      size_t length = 0;
      const auto [end, code] = std::from_chars(bytes.begin(), bytes.end(), length);
      const size_t start = static_cast<size_t>(end - bytes.begin()) + 1;
      if (code != std::errc() || length <= start || length > bytes.size() ||
          bytes[start - 1] != ' ' || bytes[length - 1] != '\n')
        refuse("an extension is damaged");
      const std::string_view record = bytes.substr(start, length - start - 1);
      const size_t equals = record.find('=');
      if (equals == std::string_view::npos ||
          !records->emplace(record.substr(0, equals), record.substr(equals + 1)).second)
        refuse("an extension is damaged, or says two things of one");
      // libarchive brings text into Unicode's normal form, which may take the square of its length.
      if (record.size() - equals > kLongestPath + 1 &&
          record.substr(0, equals).find("xattr") == std::string_view::npos)
        refuse("an extension holds a name of more than " + std::to_string(kLongestPath) + " bytes");
      bytes.remove_prefix(length);
    }
  }
  // For all members: nothing but a comment, which git writes; some programs heed other keys there.
  static void read_global(std::string_view bytes) {
    Records records;
    read_pax(bytes, &records);
    for (const auto& [key, value] : records)
      if (key != "comment") refuse("an extension speaks of all members");
  }
  static void read_long(std::string_view bytes, std::string* into) {
    const std::string_view name = text(bytes);
    if (!into->empty() || name.empty() || !is_zero(bytes.substr(name.size())))
      refuse("a member has two long names, or a damaged one");
    *into = name;
  }

  // Whatever a key may mean to somebody: names and sizes are looked at, flags libarchive reads
  // (tar_walk.cc), and all else that is let pass says nothing of what a file is called or holds.
  static void require_known(const Records& records) {
    for (const auto& [key, value] : records) {
      const bool known =
          std::find(std::begin(kPassed), std::end(kPassed), key) != std::end(kPassed) ||
          std::any_of(std::begin(kPassedFamilies), std::end(kPassedFamilies),
                      [&key = key](std::string_view family) { return key.starts_with(family); });
      const bool plain_names =
          key == "hdrcharset" && (value == "BINARY" || value == "ISO-IR 10646 2000 UTF-8");
      if (!known && !plain_names)
        refuse("an extension says " + shown_word(key) + ", which not every program understands");
    }
  }

  void add(const Head& head) {
    require_known(pax_);
    if (head.type < '0' || head.type > '6')
      refuse(shown_word(head.name) + " is of a kind that not every program knows");
    TarMember member{head.name, head.size, head.type};
    const bool link = head.type == '1' || head.type == '2';
    if (const auto path = pax_.find("path"); path != pax_.end()) {
      if (!long_name_.empty()) refuse(shown_word(head.name) + " has two long names");
      member.name = path->second;
    } else if (!long_name_.empty()) {
      member.name = long_name_;
    }
    if (const auto size = pax_.find("size");
        size != pax_.end() && size->second != std::to_string(head.size))
      refuse(shown_word(member.name) + " has two sizes");
    if (!link && (pax_.contains("linkpath") || !long_link_.empty()))
      refuse(shown_word(member.name) + " may be a link");
    if (head.size > 0 && (head.type != '0' || member.name.ends_with('/')))
      refuse(shown_word(member.name) + " has contents, but is no file");
    blocks_.pass(head.size + padding(head.size));
    members_.push_back(std::move(member));
    pax_.clear();
    long_name_.clear();
    long_link_.clear();
  }

  Blocks blocks_;
  const UnpackBudget& budget_;
  std::vector<TarMember> members_;
  Records pax_;
  std::string long_name_, long_link_;
};

}  // namespace

std::vector<TarMember> read_tar_layout(UnpackedFile* file, const UnpackBudget& budget) {
  return Layout(file, budget).read();
}

bool begins_as_tar(std::string_view bytes) {
  if (bytes.size() < kBlock) return false;
  try {
    return bytes.substr(257, 5) == "ustar" || has_right_sum(bytes.substr(0, kBlock));
  } catch (const Error&) {
    return false;
  }
}

}  // namespace lockstep::grader
