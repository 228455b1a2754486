// SPDX-License-Identifier: Apache-2.0
// Copies of arrays, with which of their bytes are written.
#include "emulator/memory/saved_memory.h"

#include <algorithm>

namespace lockstep::emulator {

SavedMemory::SavedMemory(const AddressSpace& memory) {
  memory.each_allocation([this](Allocation& a) {
    if (a.read_only || a.is_const) return;
    saved_.push_back(
        {&a, {a.data, a.data + a.bytes()}, a.defined->copy(), a.changed.load(), a.changed_before});
  });
}

void SavedMemory::put_back() const {
  for (const Saved& s : saved_) {
    std::copy(s.data.begin(), s.data.end(), s.allocation->data);
    s.allocation->defined = s.defined->copy();
    s.allocation->changed = s.changed;
    s.allocation->changed_before = s.changed_before;
  }
}

}  // namespace lockstep::emulator
