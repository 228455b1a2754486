// SPDX-License-Identifier: Apache-2.0
// What all arrays that kernels may write hold at some moment, to be put back: an execution that
// cannot be finished leaves nothing behind.
#pragma once

#include <memory>
#include <vector>

#include "emulator/memory/address_space.h"

namespace lockstep::emulator {

class SavedMemory {
 public:
  // No kernel runs, here and below; arrays are neither made nor released between.
  explicit SavedMemory(const AddressSpace& memory);
  void put_back() const;

 private:
  struct Saved {
    Allocation* allocation = nullptr;
    std::vector<std::byte> data;
    std::unique_ptr<Definedness> defined;
    bool changed = false, changed_before = false;
  };
  std::vector<Saved> saved_;
};

}  // namespace lockstep::emulator
