// SPDX-License-Identifier: Apache-2.0
// Where lanes that parted do not meet again on a card although their ways do: ptxas puts BSSY and
// BSYNC around a branch of the kernel, but not around every branch of a function that is called;
// lanes then return apart and meet at the caller's next BSYNC. And where lanes wait at a BSYNC for
// others that call a function which saves and clears the barrier (recursion), most met when it was
// measured, but not all.
#pragma once

#include <string>
#include <unordered_set>

#include "emulator/cubin.h"

namespace lockstep::emulator {

class SyncHints {
 public:
  SyncHints() = default;
  // Empty where the kernel calls no function, or the cubin lacks the kernel or its line table.
  SyncHints(const Cubin& cubin, const std::string& kernel);

  // The branch of this PTX line has no sync.
  bool parts(int ptx_line) const { return parting_.contains(ptx_line); }
  // It has one, but may part lanes all the same.
  bool may_part(int ptx_line) const { return doubtful_.contains(ptx_line); }
  // The call of this PTX line has a sync of its own: who return apart meet at once.
  bool meets_after(int ptx_line) const { return meeting_.contains(ptx_line); }

 private:
  std::unordered_set<int> parting_, doubtful_, meeting_;
};

}  // namespace lockstep::emulator
