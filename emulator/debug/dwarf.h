// SPDX-License-Identifier: Apache-2.0
// The entries of .debug_info, as DWARF 2 to 4 has them: the few attributes that are needed to
// show variables. Text from outside: anything is a Dwarf or an Error, and memory stays within a
// small multiple of the section.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/debug/section.h"

namespace lockstep::emulator {

namespace dwarf {
enum Tag : uint64_t {
  kArray = 0x01,
  kClass = 0x02,
  kEnumeration = 0x04,
  kParameter = 0x05,
  kBlock = 0x0b,
  kMember = 0x0d,
  kPointer = 0x0f,
  kReference = 0x10,
  kUnit = 0x11,
  kStructure = 0x13,
  kTypedef = 0x16,
  kUnion = 0x17,
  kInlined = 0x1d,
  kSubrange = 0x21,
  kBaseType = 0x24,
  kConst = 0x26,
  kSubprogram = 0x2e,
  kVariable = 0x34,
  kVolatile = 0x35,
  kRestrict = 0x37,
  kNamespace = 0x39,
  kRvalueReference = 0x42,
};
enum Encoding : uint64_t {
  kBoolean = 2,
  kFloat = 4,
  kSigned = 5,
  kSignedChar = 6,
  kUnsigned = 7,
  kUnsignedChar = 8,
};
}  // namespace dwarf

inline constexpr uint32_t kNoEntry = ~0u;

struct Entry {
  uint64_t tag = 0;
  uint32_t parent = kNoEntry;
  uint32_t end = 0;  // the entries from the next one to here are below it
  std::string name;
  uint64_t type = 0, origin = 0;  // places in the section; 0: none
  std::string_view low, high;     // labels of its code
  // Of a variable: where it lies, always (a stretch of .debug_info) or by a list (into .debug_loc).
  size_t location = 0, location_bytes = 0;
  std::optional<uint64_t> location_list;
  std::optional<int64_t> constant;
  uint64_t bytes = 0, encoding = 0;
  std::optional<uint64_t> count;  // of a subrange
  uint64_t member_offset = 0;
  int line = 0;
};

struct Dwarf {
  Section info, lists;  // .debug_info, .debug_loc
  std::vector<Entry> entries;
  std::unordered_map<uint64_t, uint32_t> by_place;

  // kNoEntry: there is none.
  uint32_t at(uint64_t place) const;
  // The type of an entry (of its origin, where it has none), without names for it, const and
  // volatile; kNoEntry: void, or what cannot be.
  uint32_t type_of(uint32_t entry) const;
  const std::string& name_of(uint32_t entry) const;
};

// Empty where the module has no debug information. Throws Error on what is none.
Dwarf read_dwarf(const Module& module);

}  // namespace lockstep::emulator
