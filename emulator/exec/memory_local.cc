// SPDX-License-Identifier: Apache-2.0
// Local memory, interleaved by words as on the card, and the kernel's parameters.
#include <algorithm>

#include "emulator/check/memory_faults.h"
#include "emulator/exec/memory_handlers.h"

namespace lockstep::emulator {
namespace {

// Word by word, of which the last may be a part.
void copy_from_local(const Warp& w, int lane, uint64_t address, uint32_t bytes, std::byte* to) {
  for (uint32_t done = 0; done < bytes; done += 4)
    std::memcpy(to + done, w.local.at(address + done, static_cast<uint64_t>(lane)),
                std::min(bytes - done, 4u));
}

void copy_to_local(Warp& w, int lane, uint64_t address, uint32_t bytes, const std::byte* from) {
  for (uint32_t done = 0; done < bytes; done += 4)
    std::memcpy(w.local.at(address + done, static_cast<uint64_t>(lane)), from + done,
                std::min(bytes - done, 4u));
}

uint64_t local_address(const Instr& in, const Warp& w, const Lanes& l, int lane, uint32_t bytes,
                       bool store) {
  const uint64_t address = l.address[lane];
  if (!w.local.holds(address, bytes) || (address & (bytes - 1)) != 0)
    local_fault(in, w, lane, address, bytes, store);
  return address;
}

}  // namespace

void load_local(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  alignas(16) std::byte data[32];
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    copy_from_local(w, lane, local_address(in, w, l, lane, bytes, false), bytes, data);
    move.load_lane(in, w, lane, data);
  }
}

void store_local(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  alignas(16) std::byte data[32];
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    move.store_lane(in, w, lane, data);
    copy_to_local(w, lane, local_address(in, w, l, lane, bytes, true), bytes, data);
  }
}

void load_param(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  const std::vector<std::byte>& parameters = w.worker->launch->parameters;
  alignas(16) std::byte data[32];  // parameters may lie askew
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t offset = l.address[lane] & ~uint64_t{0} >> 1;
    if (offset + bytes > parameters.size()) parameter_fault(in, w, lane, offset, bytes);
    std::memcpy(data, parameters.data() + offset, bytes);
    move.load_lane(in, w, lane, data);
  }
}

}  // namespace lockstep::emulator
