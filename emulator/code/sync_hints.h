// SPDX-License-Identifier: Apache-2.0
// Where lanes that parted do not meet again on a card although their ways do: ptxas puts BSSY and
// BSYNC around a branch of the kernel, but not around every branch of a function that is called;
// lanes then return apart and meet at the caller's next BSYNC. And where lanes wait at a BSYNC for
// others that call a function which saves and clears the barrier (recursion), most met when it was
// measured, but not all.
#pragma once

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "emulator/cubin.h"
#include "emulator/sass_code.h"

namespace lockstep::emulator {

// What is executed between a BSSY and its BSYNC, in lines of the PTX.
struct SyncRegion {
  std::vector<uint32_t> inside;  // of the memory operations before the sync
  std::vector<uint32_t> after;   // of the block that follows it
  bool before_end = false;       // nothing but the kernel's end follows
};

// A branch of the kernel, and the innermost region that it lies in.
struct SyncedBranch {
  uint32_t line = 0;
  bool by_table = false;
  size_t region = 0;
};

class SyncHints {
 public:
  SyncHints() = default;
  // Empty where the cubin lacks the kernel or its line table; of calls, where it calls no function.
  SyncHints(const Cubin& cubin, const std::string& kernel, const PtxFunctions& functions);
  // Of a kernel that calls no function.
  SyncHints(std::vector<SyncedBranch> branches, std::vector<SyncRegion> regions)
      : branches_(std::move(branches)), regions_(std::move(regions)) {}

  // The branch of this PTX line has no sync.
  bool parts(int ptx_line) const { return parting_.contains(ptx_line); }
  // It has one, but may part lanes all the same.
  bool may_part(int ptx_line) const { return doubtful_.contains(ptx_line); }
  // The call of this PTX line has a sync of its own: who return apart meet at once.
  bool meets_after(int ptx_line) const { return meeting_.contains(ptx_line); }
  // Of the kernel itself; those outside of every region are left out.
  const std::vector<SyncedBranch>& branches() const { return branches_; }
  const std::vector<SyncRegion>& regions() const { return regions_; }

 private:
  std::unordered_set<int> parting_, doubtful_, meeting_;
  std::vector<SyncedBranch> branches_;
  std::vector<SyncRegion> regions_;
};

}  // namespace lockstep::emulator
