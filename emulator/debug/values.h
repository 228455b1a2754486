// SPDX-License-Identifier: Apache-2.0
// Values as people read them, by their types.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/debug/lane_view.h"

namespace lockstep::emulator {

// What a cell says of a value that has no place here, and of one that nothing has been stored to.
inline constexpr char kNotKnown[] = "?";
inline constexpr char kNotSet[] = "-";

// The bytes of a type (Dwarf::type_of); 0 where it is not known.
uint64_t bytes_of_type(const Dwarf& dwarf, uint32_t type);

// An array's elements; where it has several dimensions, these are arrays of the next one.
struct ElementType {
  uint32_t type = kNoEntry;
  size_t dimension = 0;  // of an array that `type` is: the dimensions before are taken
  uint64_t bytes = 0;    // 0: not known
  uint64_t count = 0;    // 0: not known
};
// Of an array type, from this dimension on.
ElementType element_of(const Dwarf& dwarf, uint32_t array, size_t dimension);

// "-1.25", "{1, 2, 3, ...}", "&l_in[24]", "{x: 1, y: 2}"; `dimension` as above.
std::string value_text(const Dwarf& dwarf, const LaneView& lane, uint32_t type, size_t dimension,
                       const Spot& from);

}  // namespace lockstep::emulator
