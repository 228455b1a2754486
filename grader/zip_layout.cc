// SPDX-License-Identifier: Apache-2.0
// The directory of a zip against the rest of it. See zip_layout.h.
#include "grader/zip_layout.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

#include "common/base/error.h"
#include "common/base/quoted.h"
#include "grader/file_choice.h"
#include "grader/file_names.h"
#include "grader/tar_layout.h"
#include "grader/zip_member.h"

namespace lockstep::grader {
namespace {

using namespace std::string_view_literals;
constexpr auto kLocal = "PK\3\4"sv, kCentral = "PK\1\2"sv, kEnd = "PK\5\6"sv, kEnd64 = "PK\6\6"sv,
               kLocator = "PK\6\7"sv, kDescriptor = "PK\7\x8"sv;
constexpr uint32_t kIn64 = UINT32_MAX;  // the number stands in the extra field
constexpr size_t kLongestComment = UINT16_MAX;

class Bytes {
 public:
  explicit Bytes(std::string_view all) : all_(all) {}
  std::string_view text(uint64_t at, uint64_t length) const {
    if (at > all_.size() || length > all_.size() - at) throw Error("its directory is damaged");
    return all_.substr(at, length);
  }
  uint64_t number(uint64_t at, size_t length) const {
    const std::string_view digits = text(at, length);
    uint64_t value = 0;
    for (size_t i = digits.size(); i > 0; --i)
      value = value << 8 | static_cast<unsigned char>(digits[i - 1]);
    return value;
  }
  bool begins(uint64_t at, std::string_view mark) const { return text(at, mark.size()) == mark; }
  size_t size() const { return all_.size(); }

 private:
  std::string_view all_;
};

struct Entry {
  uint64_t at = 0, packed = 0, unpacked = 0, flags = 0, method = 0, checksum = 0;
  std::string_view name;
  std::string second = {};
};
constexpr uint64_t kEncrypted = 1, kLater = 8;  // Entry::flags; later: sizes follow the contents

// A letter beyond ASCII may be any in another encoding, but is none of ASCII.
std::string outline(std::string_view name) {
  std::string out;
  for (const char c : name)
    if ((c & 0x80) == 0)
      out += c;
    else if (!out.ends_with('\x80'))
      out += '\x80';
  return out;
}

// Whether one may be the other with letters that a code page lacks: it has none for them, or one
// that looks like them.
bool reads_alike(std::string_view unicode, std::string_view coded) {
  size_t at = 0;
  for (size_t i = 0; i < unicode.size(); ++i) {
    if ((unicode[i] & 0xc0) == 0x80) continue;  // of the letter before
    if (at == coded.size()) return false;
    const auto byte = static_cast<unsigned char>(coded[at++]);
    const bool letter = byte >= 0x80 || std::isalnum(byte) != 0;
    if ((unicode[i] & 0x80) == 0 ? unicode[i] != coded[at - 1] : !letter) return false;
  }
  return at == coded.size();
}

// Of a file's own name all must agree but letters beyond ASCII.
bool is_one_name(const std::string& unicode, std::string_view coded) {
  if (outline(unicode) == outline(coded)) return true;
  const size_t end = unicode.rfind('/'), coded_end = coded.rfind('/');
  if (end == std::string::npos || coded_end == std::string_view::npos) return false;
  return outline(unicode.substr(end)) == outline(coded.substr(coded_end)) &&
         reads_alike(unicode.substr(0, end), coded.substr(0, coded_end));
}

// Calls `visit(id, body)` for each part of an extra field.
template <typename Visit>
void each_extra(std::string_view extra, Visit visit) {
  const Bytes bytes(extra);
  for (uint64_t at = 0; at + 4 <= extra.size();) {
    const uint64_t length = bytes.number(at + 2, 2);
    visit(bytes.number(at, 2), bytes.text(at + 4, length));
    at += 4 + length;
  }
}

constexpr uint64_t kIn64Bits = 1, kUnicodePath = 0x7075;
// What APPNOTE.TXT 4.5 and 4.6 and Info-ZIP's extrafld.txt tell to hold no name of the member, and
// nothing that hides it: certificates, signatures and how it is encrypted (0x14 to 0x19, 0x9901);
// rights of RISC OS, Windows and OS/2 (0x43.., 0x44.., 0x4c..); a hash and a comment (0x4b46,
// 0x6375); times, owners and modes; what aligns members, and the sign of a Java archive (0xa..,
// 0xca.., 0xd9..). Others, such as attributes of a Macintosh, of OS/2 or VMS, may hold a name.
constexpr uint64_t kNameless[] = {kIn64Bits, 0x000a, 0x000d, 0x0014, 0x0015, 0x0016,
                                  0x0017,    0x0019, 0x4341, 0x4453, 0x4b46, 0x4c41,
                                  0x5455,    0x5855, 0x6375, 0x756e, 0x7855, 0x7875,
                                  0x9901,    0xa11e, 0xa220, 0xcafe, 0xd935, kUnicodePath};

// Behind a version and a checksum.
std::vector<std::string> unicode_paths(std::string_view extra) {
  std::vector<std::string> names;
  each_extra(extra, [&](uint64_t id, std::string_view body) {
    if (id == kUnicodePath && body.size() > 5) names.emplace_back(body.substr(5));
  });
  return names;
}

// The extra field's numbers of 64 bits, and its second name.
void read_extra(std::string_view extra, Entry* entry) {
  const auto second = second_name(entry->name, extra);
  if (!second)
    throw Error(shown_word(entry->name) + " has two names, the other is " +
                shown_word(unicode_paths(extra).back()));
  entry->second = *second;
  each_extra(extra, [&](uint64_t id, std::string_view body) {
    if (std::find(std::begin(kNameless), std::end(kNameless), id) == std::end(kNameless))
      throw Error(shown_word(entry->name) + " may have another name, in an extra field " +
                  std::to_string(id) + " that is not looked into; pack it with zip");
    if (id != kIn64Bits) return;
    const Bytes numbers(body);
    uint64_t next = 0;
    for (uint64_t* value : {&entry->unpacked, &entry->packed, &entry->at}) {
      if (*value != kIn64) continue;
      *value = numbers.number(next, 8);
      next += 8;
    }
  });
}

struct Directory {
  uint64_t at = 0, end = 0, entries = 0;
};

// Where a number stands in the end record (4.3.16) and in the one of 64 bits (4.3.14).
struct EndField {
  size_t at, length, at64, length64;
};
constexpr EndField kDisk{4, 2, 16, 4}, kFirstDisk{6, 2, 20, 4}, kHere{8, 2, 24, 8},
    kEntries{10, 2, 32, 8}, kSize{12, 4, 40, 8}, kOffset{16, 4, 48, 8};
constexpr size_t kEndLength = 22, kEnd64Length = 56, kLocatorLength = 20;

// Programs take a number from the one or from the other.
void require_same_ends(const Bytes& bytes, uint64_t end, uint64_t end64) {
  for (const EndField& field : {kDisk, kFirstDisk, kHere, kEntries, kSize, kOffset}) {
    const uint64_t small = bytes.number(end + field.at, field.length);
    const uint64_t all_ones = (uint64_t{1} << 8 * field.length) - 1;
    if (small != all_ones && small != bytes.number(end64 + field.at64, field.length64))
      throw Error("it may have two directories: its two end records differ");
  }
}

// Where the locator before the end record leads: to a record with nothing of a program's own, which
// could hold anything, right before the locator.
uint64_t find_end64(const Bytes& bytes, uint64_t end) {
  const uint64_t locator = end - kLocatorLength, end64 = bytes.number(locator + 8, 8);
  if (bytes.number(locator + 4, 4) != 0 || bytes.number(locator + 16, 4) != 1)
    throw Error("it is a part of an archive on several disks");
  if (!bytes.begins(end64, kEnd64) || end64 + kEnd64Length != locator ||
      bytes.number(end64 + 4, 8) != kEnd64Length - 12)
    throw Error("its directory is damaged, or its end holds more than it tells");
  require_same_ends(bytes, end, end64);
  return end64;
}

// The last end record is the one that is taken; it must be the file's end.
Directory find_directory(std::string_view all) {
  const Bytes bytes(all);
  const size_t tail = all.size() - std::min(all.size(), kLongestComment + 64);
  const size_t end = all.rfind(kEnd);
  if (end == std::string_view::npos || end + kEndLength + bytes.number(end + 20, 2) != all.size())
    throw Error("its directory is not at its end");
  const bool large = end >= kLocatorLength && bytes.begins(end - kLocatorLength, kLocator);
  const size_t locator = all.rfind(kLocator);
  if (locator != std::string_view::npos && locator >= tail &&
      !(large && locator == end - kLocatorLength))
    throw Error("it may have two directories");
  const uint64_t last = large ? find_end64(bytes, end) : end;
  const auto number = [&](const EndField& field) {
    return large ? bytes.number(last + field.at64, field.length64)
                 : bytes.number(last + field.at, field.length);
  };
  if (number(kDisk) != 0 || number(kFirstDisk) != 0 || number(kHere) != number(kEntries))
    throw Error("it is a part of an archive on several disks");
  const Directory found{number(kOffset), last, number(kEntries)};
  if (found.at > found.end || number(kSize) != found.end - found.at)
    throw Error("it may have two directories");
  return found;
}

std::vector<Entry> read_directory(const Bytes& bytes, const Directory& directory) {
  std::vector<Entry> entries;
  uint64_t at = directory.at;
  while (at < directory.end) {
    if (!bytes.begins(at, kCentral) || bytes.number(at + 34, 2) != 0)
      throw Error("its directory is damaged, or speaks of several disks");
    const uint64_t name = bytes.number(at + 28, 2), extra = bytes.number(at + 30, 2),
                   comment = bytes.number(at + 32, 2);
    Entry entry{bytes.number(at + 42, 4), bytes.number(at + 20, 4), bytes.number(at + 24, 4),
                bytes.number(at + 8, 2),  bytes.number(at + 10, 2), bytes.number(at + 16, 4),
                bytes.text(at + 46, name)};
    read_extra(bytes.text(at + 46 + name, extra), &entry);
    if (entry.name.ends_with('/') && entry.unpacked > 0)
      throw Error(shown_word(entry.name) + " has contents, but is called like a folder");
    entries.push_back(entry);
    at += 46 + name + extra + comment;
  }
  if (at != directory.end || entries.size() != directory.entries)
    throw Error("its directory is damaged");
  return entries;
}

// Where the packed contents begin, as the member's head tells, which must say what the directory
// does; a descriptor may say it later.
uint64_t contents_of(const Bytes& bytes, const Entry& entry) {
  if (!bytes.begins(entry.at, kLocal)) throw Error(shown_word(entry.name) + " is not in it");
  const uint64_t name = bytes.number(entry.at + 26, 2), extra = bytes.number(entry.at + 28, 2);
  Entry head{entry.at,
             bytes.number(entry.at + 18, 4),
             bytes.number(entry.at + 22, 4),
             bytes.number(entry.at + 6, 2),
             bytes.number(entry.at + 8, 2),
             bytes.number(entry.at + 14, 4),
             bytes.text(entry.at + 30, name)};
  if (head.name != entry.name || head.method != entry.method)
    throw Error(shown_word(entry.name) + " is called " + shown_word(head.name) +
                " where it stands, or is packed in another way");
  read_extra(bytes.text(entry.at + 30 + name, extra), &head);
  if (!head.second.empty() && head.second != entry.second)
    throw Error(shown_word(entry.name) + " has two names, the other is " + shown_word(head.second));
  if ((head.flags ^ entry.flags) & (kEncrypted | kLater))
    throw Error(shown_word(entry.name) + " has two heads that differ");
  const bool later = (head.flags & kLater) != 0;
  for (const auto& [here, there] : {std::pair{head.packed, entry.packed},
                                    {head.unpacked, entry.unpacked},
                                    {head.checksum, entry.checksum}})
    if (here != there && !(later && here == 0))
      throw Error(shown_word(entry.name) + " has two sizes or checksums");
  return entry.at + 30 + name + extra;
}

bool may_be_meant(const std::string& name) {
  return is_source_name(name, ".cu") || may_become(name, ".cu") || may_be_archive(name);
}

// Whether a reader that takes it for members could find one there that may be a source, or an
// archive in which it goes on looking.
bool holds_sources(std::string_view packed, const UnpackBudget& budget) {
  for (size_t at = packed.find(kLocal); at != std::string_view::npos;
       at = packed.find(kLocal, at + 1)) {
    budget.require_time();
    if (packed.size() - at < 30) return true;
    const Bytes bytes(packed);
    const uint64_t length = bytes.number(at + 26, 2);
    if (length == 0 || length > packed.size() - at - 30) return true;
    const std::string name(bytes.text(at + 30, length));
    if (may_be_meant(name)) return true;
  }
  return false;
}

// That no mark of any record stands before the one behind the contents, or that nothing hangs on
// where it ends. None can begin in these and end in that: a mark's P is its first byte alone.
bool is_ended_by_mark(std::string_view name, std::string_view packed, std::string_view rest,
                      const UnpackBudget& budget) {
  if (!rest.starts_with(kDescriptor)) return false;
  bool marked = false;
  for (const std::string_view mark : {kLocal, kCentral, kEnd, kEnd64, kLocator, kDescriptor})
    marked = marked || packed.find(mark) != std::string_view::npos;
  return !marked || (!may_be_meant(std::string(name)) && !holds_sources(packed, budget));
}

// Who reads a stream finds the end of such a member by what is packed alone: where it is deflated,
// that says so; where it is stored, the first mark ends it, which must be that of its descriptor.
void check_stream(const Entry& entry, std::string_view packed, std::string_view rest,
                  const UnpackBudget& budget) {
  if (entry.unpacked == 0 && packed.empty()) return;
  const bool deflated = entry.method == 8, stored = entry.method == 0;
  if (!ZipMember::is_known(entry.method) && (entry.flags & kEncrypted) == 0)
    throw Error("only the directory says where " + shown_word(entry.name) + " ends, which is " +
                ZipMember::unknown(entry.method));
  if (!(deflated || (stored && is_ended_by_mark(entry.name, packed, rest, budget))) ||
      (entry.flags & kEncrypted) != 0)
    throw Error("only the directory says where " + shown_word(entry.name) + " ends");
  ZipMember member(deflated ? 8 : 0, entry.unpacked, static_cast<uint32_t>(entry.checksum), budget);
  std::string problem = member.take(packed, nullptr);
  if (problem.empty()) problem = member.finish();
  if (!problem.empty()) throw Error(shown_word(entry.name) + ": " + problem);
}

// Checksum and two sizes, with a mark or without, of 4 or of 8 bytes.
bool is_descriptor(std::string_view text, const Entry& entry) {
  const bool mark = text.size() == 16 || text.size() == 24;
  if (mark && !text.starts_with(kDescriptor)) return false;
  if (mark) text.remove_prefix(4);
  if (text.size() != 12 && text.size() != 20) return false;
  const Bytes bytes(text);
  const size_t width = text.size() == 12 ? 4 : 8;
  return bytes.number(0, 4) == entry.checksum && bytes.number(4, width) == entry.packed &&
         bytes.number(4 + width, width) == entry.unpacked;
}

void check_tiling(const Bytes& bytes, std::vector<Entry> entries, uint64_t directory,
                  const UnpackBudget& budget) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.at < b.at; });
  uint64_t at = 0, unpacked = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    if (entry.at != at) throw Error("something is hidden before " + shown_word(entry.name));
    const uint64_t begin = contents_of(bytes, entry);
    at = i + 1 < entries.size() ? entries[i + 1].at : directory;
    const bool fits = begin <= at && entry.packed <= at - begin;
    const std::string_view rest =
        fits ? bytes.text(begin + entry.packed, at - begin - entry.packed) : "";
    const bool later = (entry.flags & kLater) != 0;
    if (!fits || !(rest.empty() || (later && is_descriptor(rest, entry))))
      throw Error(shown_word(entry.name) + " does not end where what follows begins");
    if (!later) continue;
    budget.require_bytes(unpacked += entry.unpacked);
    check_stream(entry, bytes.text(begin, entry.packed), rest, budget);
  }
  if (at != directory) throw Error("something is hidden before its directory");
}

}  // namespace

std::optional<std::string> second_name(std::string_view name, std::string_view extra) {
  const std::vector<std::string> names = unicode_paths(extra);
  if (names.empty()) return "";
  if (names.size() > 1 || !is_one_name(names[0], name)) return std::nullopt;
  return names[0];
}

std::string zip_layout_problem(std::string_view all, const UnpackBudget& budget) {
  try {
    const Bytes bytes(all);
    const Directory directory = find_directory(all);
    check_tiling(bytes, read_directory(bytes, directory), directory.at, budget);
    if (begins_as_tar(all)) throw Error("it is a tar as well");
  } catch (const PastBudget&) {
    throw;
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

}  // namespace lockstep::grader
