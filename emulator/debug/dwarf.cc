// SPDX-License-Identifier: Apache-2.0
// Abbreviations and entries. See dwarf.h.
#include "emulator/debug/dwarf.h"

#include <utility>

#include "common/base/error.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostDepth = 200;  // of entries
constexpr int kMostNames = 50;      // const, typedef and the like, one after the other
constexpr size_t kMostEntries = size_t{1} << 20;
constexpr size_t kMostAbbreviations = size_t{1} << 16;  // of all units
constexpr size_t kMostAttributes = 64;                  // of an entry

enum Attribute : uint64_t {
  kSibling = 0x01,
  kLocation = 0x02,
  kName = 0x03,
  kByteSize = 0x0b,
  kLowPc = 0x11,
  kHighPc = 0x12,
  kConstValue = 0x1c,
  kUpperBound = 0x2f,
  kOrigin = 0x31,
  kCount = 0x37,
  kMemberOffset = 0x38,
  kDeclaredIn = 0x3b,
  kEncoding = 0x3e,
  kSpecification = 0x47,
  kType = 0x49,
};

struct Abbreviation {
  uint64_t tag = 0;
  bool has_children = false;
  std::vector<std::pair<uint64_t, uint64_t>> attributes;  // and their forms
};
using Abbreviations = std::unordered_map<uint64_t, Abbreviation>;

Abbreviations read_abbreviations(const Section& section, uint64_t at, size_t* read) {
  Abbreviations all;
  SectionReader in(section, static_cast<size_t>(at));
  while (const uint64_t code = in.uleb()) {
    if (++*read > kMostAbbreviations) throw Error("debug information of too many kinds");
    Abbreviation a;
    a.tag = in.uleb();
    a.has_children = in.number(1) != 0;
    for (;;) {
      const uint64_t name = in.uleb(), form = in.uleb();
      if (name == 0 && form == 0) break;
      if (a.attributes.size() >= kMostAttributes)
        throw Error("debug information with too many attributes");
      a.attributes.emplace_back(name, form);
    }
    all.emplace(code, std::move(a));
  }
  return all;
}

// An attribute as it stands there, by the class of its form.
struct Value {
  enum class Kind : uint8_t { kNumber, kReference, kBlock, kText, kAddress, kList };
  Kind kind = Kind::kNumber;
  uint64_t number = 0;  // kReference: a place in the section; kBlock: bytes
  size_t at = 0;        // kBlock
  std::string text;
  std::string_view symbol;
};

class InfoReader {
 public:
  InfoReader(const Section& abbreviations, const Section& strings, Dwarf* out)
      : abbreviations_(abbreviations), strings_(strings), out_(out), in_(out->info) {}

  void read() {
    while (!in_.at_end()) unit();
  }

 private:
  void unit() {
    unit_ = in_.at();
    const uint64_t bytes = in_.number(4);
    const size_t end = in_.at() + static_cast<size_t>(bytes);
    if (end > out_->info.bytes.size()) throw Error("debug information is cut short");
    const uint64_t version = in_.number(2);
    if (version < 2 || version > 4)
      throw Error("debug information in version " + std::to_string(version) +
                  " of DWARF, which is not read");
    version_ = version;
    const Abbreviations known =
        read_abbreviations(abbreviations_, in_.number(4), &abbreviations_read_);
    if (in_.number(1) != 8) throw Error("debug information of another machine");
    std::vector<uint32_t> open;
    while (in_.at() < end) {
      const size_t place = in_.at();
      const uint64_t code = in_.uleb();
      if (code == 0) {
        if (open.empty()) continue;
        out_->entries[open.back()].end = static_cast<uint32_t>(out_->entries.size());
        open.pop_back();
        continue;
      }
      const auto found = known.find(code);
      if (found == known.end()) throw Error("debug information with an unknown entry");
      const auto index = static_cast<uint32_t>(out_->entries.size());
      if (index >= kMostEntries) throw Error("debug information with too many entries");
      out_->entries.push_back(entry(found->second));
      out_->entries.back().parent = open.empty() ? kNoEntry : open.back();
      out_->entries.back().end = index + 1;
      out_->by_place.emplace(place, index);
      if (!found->second.has_children) continue;
      if (open.size() >= kMostDepth) throw Error("debug information that is nested too deeply");
      open.push_back(index);
    }
    for (const uint32_t e : open)
      out_->entries[e].end = static_cast<uint32_t>(out_->entries.size());
  }

  Entry entry(const Abbreviation& a) {
    Entry e;
    e.tag = a.tag;
    for (const auto& [name, form] : a.attributes) take(name, value(form), &e);
    return e;
  }

  void take(uint64_t name, Value v, Entry* e) const {
    const bool number = v.kind == Value::Kind::kNumber;
    if (name == kName) e->name = std::move(v.text);
    if (name == kType && v.kind == Value::Kind::kReference) e->type = v.number;
    if ((name == kOrigin || name == kSpecification) && v.kind == Value::Kind::kReference)
      e->origin = v.number;
    if (name == kLowPc) e->low = v.symbol;
    if (name == kHighPc) e->high = v.symbol;
    if (name == kByteSize && number) e->bytes = v.number;
    if (name == kEncoding) e->encoding = v.number;
    if (name == kDeclaredIn && number && v.number < (1 << 30)) e->line = static_cast<int>(v.number);
    if (name == kConstValue && number) e->constant = static_cast<int64_t>(v.number);
    if (name == kCount && number) e->count = v.number;
    if (name == kUpperBound && number && !e->count) e->count = v.number + 1;
    if (name == kMemberOffset) e->member_offset = number ? v.number : member_offset(v);
    if (name != kLocation) return;
    if (v.kind == Value::Kind::kBlock) {
      e->location = v.at;
      e->location_bytes = static_cast<size_t>(v.number);
    } else if (v.kind != Value::Kind::kText) {
      e->location_list = v.number;
    }
  }

  // DW_OP_plus_uconst N.
  uint64_t member_offset(const Value& v) const {
    if (v.kind != Value::Kind::kBlock || v.number < 2) return 0;
    SectionReader in(out_->info, v.at);
    return in.number(1) == 0x23 ? in.uleb() : 0;
  }

  Value block(uint64_t bytes) {
    Value v;
    v.kind = Value::Kind::kBlock;
    v.number = bytes;
    v.at = in_.at();
    in_.skip(bytes);
    return v;
  }
  Value number(uint64_t n) { return {Value::Kind::kNumber, n, 0, {}, {}}; }
  Value reference(uint64_t n) { return {Value::Kind::kReference, n, 0, {}, {}}; }
  Value text(std::string t) { return {Value::Kind::kText, 0, 0, std::move(t), {}}; }

  // The forms of DWARF 2 to 4.
  Value value(uint64_t form) {
    switch (form) {
      case 0x01: {  // addr
        Value v;
        v.kind = Value::Kind::kAddress;
        v.symbol = in_.symbol();
        return v;
      }
      case 0x03:
        return block(in_.number(2));
      case 0x04:
        return block(in_.number(4));
      case 0x05:
        return number(in_.number(2));
      case 0x06:
        return number(in_.number(4));
      case 0x07:
        return number(in_.number(8));
      case 0x08:
        return text(in_.text());
      case 0x09:
      case 0x18:
        return block(in_.uleb());  // block, exprloc
      case 0x0a:
        return block(in_.number(1));
      case 0x0b:
      case 0x0c:
        return number(in_.number(1));
      case 0x0d:
        return number(static_cast<uint64_t>(in_.sleb()));
      case 0x0e:
        return text(SectionReader(strings_, in_.number(4)).text());
      case 0x0f:
        return number(in_.uleb());
      case 0x10:
        return reference(in_.number(version_ == 2 ? 8 : 4));  // ref_addr
      case 0x11:
        return reference(unit_ + in_.number(1));
      case 0x12:
        return reference(unit_ + in_.number(2));
      case 0x13:
        return reference(unit_ + in_.number(4));
      case 0x14:
        return reference(unit_ + in_.number(8));
      case 0x15:
        return reference(unit_ + in_.uleb());
      case 0x17:
        return {Value::Kind::kList, in_.number(4), 0, {}, {}};
      case 0x19:
        return number(1);
      default:
        throw Error("debug information in an unknown form");
    }
  }

  const Section &abbreviations_, &strings_;
  Dwarf* out_;
  SectionReader in_;
  size_t unit_ = 0;
  uint64_t version_ = 0;
  size_t abbreviations_read_ = 0;
};

}  // namespace

Dwarf read_dwarf(const Module& module) {
  Dwarf out;
  out.info = read_section(module, ".debug_info");
  out.lists = read_section(module, ".debug_loc");
  const Section abbreviations = read_section(module, ".debug_abbrev");
  const Section strings = read_section(module, ".debug_str");
  InfoReader(abbreviations, strings, &out).read();
  return out;
}

uint32_t Dwarf::at(uint64_t place) const {
  const auto found = place == 0 ? by_place.end() : by_place.find(place);
  return found == by_place.end() ? kNoEntry : found->second;
}

uint32_t Dwarf::type_of(uint32_t entry) const {
  for (int i = 0; i < kMostNames && entry != kNoEntry; ++i) {
    const Entry& e = entries[entry];
    if (e.type == 0 && e.origin != 0) {
      entry = at(e.origin);
      continue;
    }
    entry = at(e.type);
    if (entry == kNoEntry) break;
    const uint64_t tag = entries[entry].tag;
    if (tag != dwarf::kTypedef && tag != dwarf::kConst && tag != dwarf::kVolatile &&
        tag != dwarf::kRestrict)
      return entry;
  }
  return kNoEntry;
}

const std::string& Dwarf::name_of(uint32_t entry) const {
  static const std::string none;
  for (int i = 0; i < kMostNames && entry != kNoEntry; ++i) {
    const Entry& e = entries[entry];
    if (!e.name.empty()) return e.name;
    entry = at(e.origin);
  }
  return none;
}

}  // namespace lockstep::emulator
