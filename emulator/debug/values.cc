// SPDX-License-Identifier: Apache-2.0
#include "emulator/debug/values.h"

#include <bit>
#include <charconv>
#include <cstdio>

namespace lockstep::emulator {
namespace {

constexpr int kMostDepth = 6;        // arrays and structures within each other
constexpr size_t kMostElements = 8;  // shown of an array, and members of a structure
constexpr size_t kMostShown = 100;   // of either, in all
constexpr uint64_t kMostBytes = uint64_t{1} << 40;

std::vector<uint64_t> counts_of(const Dwarf& dwarf, uint32_t array) {
  std::vector<uint64_t> counts;
  for (uint32_t e = array + 1; e < dwarf.entries[array].end; e = dwarf.entries[e].end)
    if (dwarf.entries[e].tag == dwarf::kSubrange)
      counts.push_back(dwarf.entries[e].count.value_or(0));
  return counts;
}

bool is_structure(uint64_t tag) {
  return tag == dwarf::kStructure || tag == dwarf::kClass || tag == dwarf::kUnion;
}
bool is_pointer(uint64_t tag) {
  return tag == dwarf::kPointer || tag == dwarf::kReference || tag == dwarf::kRvalueReference;
}

uint64_t bytes_of(const Dwarf& dwarf, uint32_t type, int depth) {
  if (type == kNoEntry || depth > kMostDepth) return 0;
  const Entry& e = dwarf.entries[type];
  if (is_pointer(e.tag)) return 8;
  if (e.tag != dwarf::kArray) return e.bytes;
  uint64_t bytes = bytes_of(dwarf, dwarf.type_of(type), depth + 1);
  for (const uint64_t count : counts_of(dwarf, type)) {
    if (bytes != 0 && count > kMostBytes / bytes) return 0;
    bytes *= count;
  }
  return bytes;
}

template <class T>
std::string shortest(T value) {
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end);
}

class Writer {
 public:
  Writer(const Dwarf& dwarf, const LaneView& lane) : dwarf_(dwarf), lane_(lane) {}

  std::string text(uint32_t type, size_t dimension, const Spot& from, int depth) const {
    if (++shown_ > kMostShown) return "...";
    if (type == kNoEntry || depth > kMostDepth || from.space == Spot::Space::kNowhere)
      return kNotKnown;
    const Entry& e = dwarf_.entries[type];
    if (e.tag == dwarf::kArray) return array(type, dimension, from, depth);
    if (is_structure(e.tag)) return structure(type, from, depth);
    const uint64_t bytes = bytes_of(dwarf_, type, 0);
    if (bytes == 0 || bytes > 8) return raw(from, bytes);
    const Bytes read = lane_.read(from, static_cast<size_t>(bytes));
    const Bytes::State state = read.state(0, read.bytes.size());
    if (state != Bytes::State::kKnown) return state == Bytes::State::kUnset ? kNotSet : kNotKnown;
    uint64_t value = 0;
    for (size_t i = 0; i < read.bytes.size(); ++i) value |= uint64_t{read.bytes[i]} << (8 * i);
    const auto as_signed = static_cast<int64_t>(value << (64 - 8 * bytes)) >> (64 - 8 * bytes);
    if (is_pointer(e.tag)) return pointer(e, type, value, depth);
    if (e.tag == dwarf::kEnumeration) return enumerator(type, as_signed);
    return scalar(e, value, as_signed);
  }

 private:
  std::string scalar(const Entry& e, uint64_t value, int64_t as_signed) const {
    switch (e.encoding) {
      case dwarf::kBoolean:
        return value == 0 ? "false" : "true";
      case dwarf::kFloat:
        if (e.bytes == 4) return shortest(std::bit_cast<float>(static_cast<uint32_t>(value)));
        if (e.bytes == 8) return shortest(std::bit_cast<double>(value));
        break;
      case dwarf::kSigned:
      case dwarf::kSignedChar:
        return std::to_string(as_signed);
      case dwarf::kUnsigned:
      case dwarf::kUnsignedChar:
        return std::to_string(value);
      default:
        break;
    }
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
  }

  std::string pointer(const Entry& e, uint32_t type, uint64_t address, int depth) const {
    const uint32_t to = dwarf_.type_of(type);
    if (e.tag != dwarf::kPointer)
      return text(to, 0, {Spot::Space::kGeneric, address, 0}, depth + 1);
    return lane_.pointer_text(address, bytes_of(dwarf_, to, 0));
  }

  std::string enumerator(uint32_t type, int64_t value) const {
    for (uint32_t e = type + 1; e < dwarf_.entries[type].end; e = dwarf_.entries[e].end)
      if (dwarf_.entries[e].constant == value) return dwarf_.entries[e].name;
    return std::to_string(value);
  }

  std::string raw(const Spot& from, uint64_t bytes) const {
    if (bytes == 0) return kNotKnown;
    if (bytes > 16) return "(" + std::to_string(bytes) + " bytes)";
    const Bytes read = lane_.read(from, static_cast<size_t>(bytes));
    if (read.state(0, read.bytes.size()) != Bytes::State::kKnown) return kNotKnown;
    std::string out = "bytes";
    for (const uint8_t byte : read.bytes) {
      char text[8];
      std::snprintf(text, sizeof text, " %02x", byte);
      out += text;
    }
    return out;
  }

  std::string array(uint32_t type, size_t dimension, const Spot& from, int depth) const {
    const ElementType element = element_of(dwarf_, type, dimension);
    if (element.bytes == 0 || element.count == 0) return kNotKnown;
    std::string out = "{";
    for (size_t i = 0; i < element.count; ++i) {
      if (i > 0) out += ", ";
      if (i >= kMostElements) {
        out += "...";
        break;
      }
      out += text(element.type, element.dimension, from.plus(i * element.bytes), depth + 1);
    }
    return out + "}";
  }

  std::string structure(uint32_t type, const Spot& from, int depth) const {
    std::string out = "{";
    size_t shown = 0;
    for (uint32_t e = type + 1; e < dwarf_.entries[type].end; e = dwarf_.entries[e].end) {
      const Entry& member = dwarf_.entries[e];
      if (member.tag != dwarf::kMember) continue;
      if (shown > 0) out += ", ";
      if (++shown > kMostElements) {
        out += "...";
        break;
      }
      if (!member.name.empty()) out += member.name + ": ";
      out += text(dwarf_.type_of(e), 0, from.plus(member.member_offset), depth + 1);
    }
    return shown == 0 ? raw(from, dwarf_.entries[type].bytes) : out + "}";
  }

  const Dwarf& dwarf_;
  const LaneView& lane_;
  mutable size_t shown_ = 0;
};

}  // namespace

uint64_t bytes_of_type(const Dwarf& dwarf, uint32_t type) { return bytes_of(dwarf, type, 0); }

ElementType element_of(const Dwarf& dwarf, uint32_t array, size_t dimension) {
  const std::vector<uint64_t> counts = counts_of(dwarf, array);
  ElementType out;
  out.count = dimension < counts.size() ? counts[dimension] : 0;
  out.type = dwarf.type_of(array);
  out.bytes = bytes_of(dwarf, out.type, 0);
  for (size_t k = dimension + 1; k < counts.size(); ++k) {
    if (out.bytes != 0 && counts[k] > kMostBytes / out.bytes) return {};
    out.bytes *= counts[k];
  }
  if (dimension + 1 < counts.size()) out.type = array, out.dimension = dimension + 1;
  return out;
}

std::string value_text(const Dwarf& dwarf, const LaneView& lane, uint32_t type, size_t dimension,
                       const Spot& from) {
  return Writer(dwarf, lane).text(type, dimension, from, 0);
}

}  // namespace lockstep::emulator
