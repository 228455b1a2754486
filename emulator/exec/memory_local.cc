// SPDX-License-Identifier: Apache-2.0
// Local memory, interleaved by words as on the card, and the kernel's parameters.
#include "emulator/check/memory_faults.h"
#include "emulator/exec/memory_handlers.h"

namespace lockstep::emulator {
namespace {

// Word k of a lane lies at (k * 32 + lane) * 4.
void copy_from_local(const Warp& w, int lane, uint32_t offset, uint32_t bytes, std::byte* to) {
  for (uint32_t done = 0; done < bytes;) {
    const uint32_t in_word = (offset + done) & 3;
    const uint32_t n = bytes - done < 4 - in_word ? bytes - done : 4 - in_word;
    const size_t at =
        (((offset + done) >> 2) * size_t{32} + static_cast<size_t>(lane)) * 4 + in_word;
    std::memcpy(to + done, w.local.data() + at, n);
    done += n;
  }
}

void copy_to_local(Warp& w, int lane, uint32_t offset, uint32_t bytes, const std::byte* from) {
  for (uint32_t done = 0; done < bytes;) {
    const uint32_t in_word = (offset + done) & 3;
    const uint32_t n = bytes - done < 4 - in_word ? bytes - done : 4 - in_word;
    const size_t at =
        (((offset + done) >> 2) * size_t{32} + static_cast<size_t>(lane)) * 4 + in_word;
    std::memcpy(w.local.data() + at, from + done, n);
    done += n;
  }
}

uint32_t local_offset(const Instr& in, const Warp& w, const Lanes& l, int lane, uint32_t bytes,
                      bool store) {
  const uint64_t offset = l.address[lane] & ~uint64_t{0} >> 1;
  if (offset + bytes > w.local.size() / 32 || (offset & (bytes - 1)) != 0)
    local_fault(in, w, lane, offset, bytes, store);
  return static_cast<uint32_t>(offset);
}

}  // namespace

void load_local(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  alignas(16) std::byte data[32];
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    copy_from_local(w, lane, local_offset(in, w, l, lane, bytes, false), bytes, data);
    move.load_lane(in, w, lane, data);
  }
}

void store_local(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  alignas(16) std::byte data[32];
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    move.store_lane(in, w, lane, data);
    copy_to_local(w, lane, local_offset(in, w, l, lane, bytes, true), bytes, data);
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
