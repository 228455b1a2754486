// SPDX-License-Identifier: Apache-2.0
// What a thread's registers and memory hold, for those who show it: nothing here can fault, what
// cannot be read is not known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/debug/debug_info.h"
#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// A place of some space, as this lane sees it.
struct Spot {
  enum class Space : uint8_t {
    kNowhere,
    kRegister,   // `reg` of the function, from byte `at` on
    kFrame,      // words of the frame, from byte `at` of those at `reg`: parameters of functions
    kParameter,  // of the kernel
    kLocal,
    kShared,
    kGeneric,
    kConstant,  // the bytes of `at`
  };
  Space space = Space::kNowhere;
  uint64_t at = 0;
  uint32_t reg = 0;
  Spot plus(uint64_t bytes) const;
};

// Bytes that were read; `known` says which of them were, and have been set before.
struct Bytes {
  enum class State : uint8_t { kKnown, kUnset, kUnknown };
  std::vector<uint8_t> bytes;
  std::vector<State> states;
  // The worst of these.
  State state(size_t first, size_t count) const;
};

// What a lane has stored to so far.
struct Written {
  std::vector<bool> local;                   // by word of its local memory
  std::vector<std::vector<bool>> registers;  // by depth of calls, and offset in the frame
  static constexpr uint32_t kUnit = 64;      // where registers begin that are no predicates
  void set_register(size_t depth, uint32_t offset, bool set);
  bool register_set(size_t depth, uint32_t offset) const;
};

// Of one lane, in the function in which its warp's running group is.
class LaneView {
 public:
  LaneView(const Module& module, const std::vector<uint64_t>& addresses, const Warp& warp,
           uint32_t lane, const Written& written);

  Spot locate(const Home& home) const;
  Bytes read(const Spot& from, size_t bytes) const;
  // False where not all of it is known.
  bool read_number(const Spot& from, size_t bytes, uint64_t* value) const;
  // "&l_in[24]", of a pointer to elements of so many bytes.
  std::string pointer_text(uint64_t address, uint64_t element_bytes) const;
  // threadIdx, blockIdx, blockDim or gridDim; false where the name is none of them.
  bool builtin(std::string_view name, char axis, int64_t* value) const;

 private:
  const FunctionInfo& info() const { return warp_.worker->program->functions[warp_.function]; }
  Spot locate_symbol(std::string_view symbol) const;
  void read_byte(const Spot& from, uint8_t* byte, Bytes::State* state) const;
  void read_generic(uint64_t address, uint8_t* byte, Bytes::State* state) const;

  const Module& module_;
  const std::vector<uint64_t>& addresses_;
  const Warp& warp_;
  const uint32_t lane_;
  const Written& written_;
  const size_t depth_;  // of calls
};

}  // namespace lockstep::emulator
