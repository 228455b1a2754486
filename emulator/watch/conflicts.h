// SPDX-License-Identifier: Apache-2.0
// Which threads of a warp meet in one bank of shared memory.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace lockstep::emulator {

// Of the threads that one pass could serve: those whose words lie in the fullest bank, one for each
// word, and how many of the 32 banks have any.
struct Meeting {
  uint32_t lanes = 0;  // a mask
  uint32_t banks = 0;
};
// bytes: 1 to 16 a lane, as in bank_passes.h. offsets of lanes that are not in the mask are not
// read.
Meeting fullest_bank(const uint64_t* offsets, uint32_t mask, uint32_t bytes);

// The fullest of each instruction, of all launches.
class Meetings {
 public:
  void note(uint32_t launch, uint32_t instruction, const Meeting& meeting);
  Meeting of(uint32_t launch, uint32_t instruction) const;

 private:
  std::map<std::pair<uint32_t, uint32_t>, Meeting> fullest_;
};

}  // namespace lockstep::emulator
