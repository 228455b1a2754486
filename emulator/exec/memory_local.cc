// SPDX-License-Identifier: Apache-2.0
// Local memory, interleaved by words as on the card, and the kernel's parameters.
#include "emulator/check/memory_faults.h"
#include "emulator/exec/memory_handlers.h"
#include "emulator/l1_model.h"

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

// The distinct words of the active lanes, with the sectors: one holds a word of eight lanes.
uint32_t words_of(const Lanes& l, L1Piece* pieces) {
  uint32_t count = 0, at = 0;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t word = l.address[lane] >> 2 & ((1u << L1Model::kLocalWordBits) - 1);
    if (at == count || !same_l1_line(pieces[at], word))
      for (at = 0; at < count && !same_l1_line(pieces[at], word);) ++at;
    if (at == count) pieces[count++] = word;
    pieces[at] |= uint64_t{1} << (kL1SectorShift + lane / 8);
  }
  return count;
}

void count_local(const Instr& in, Warp& w, const Lanes& l, uint32_t bytes, bool store) {
  Worker& worker = *w.worker;
  L1Piece pieces[32];
  const uint32_t count = words_of(l, pieces), words = bytes <= 4 ? 1 : bytes / 4;
  for (uint32_t i = 0; i < count; ++i)
    worker.memory[in.aux].local_sectors += words * l1_sector_count(pieces[i]);
  if (worker.l1 == nullptr || (in.sub & kInRegisters) != 0) return;
  const L1Access kind = !store      ? L1Access::kLocalLoad
                        : bytes < 4 ? L1Access::kLocalStorePart
                                    : L1Access::kLocalStore;
  for (uint32_t k = 0; k < words; ++k) {
    worker.l1->local(static_cast<int>(w.index), in.profile, kind, pieces, count);
    for (uint32_t i = 0; i < count; ++i) ++pieces[i];
  }
}

}  // namespace

void load_local(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  count_local(in, w, l, bytes, false);
  alignas(16) std::byte data[32];
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    copy_from_local(w, lane, local_offset(in, w, l, lane, bytes, false), bytes, data);
    move.load_lane(in, w, lane, data);
  }
}

void store_local(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  count_local(in, w, l, bytes, true);
  alignas(16) std::byte data[32];
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    move.store_lane(in, w, lane, data);
    copy_to_local(w, lane, local_offset(in, w, l, lane, bytes, true), bytes, data);
  }
}

void load_param(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  const std::vector<std::byte>& parameters = w.worker->launch->parameters;
  w.worker->memory[in.aux].wavefronts += constant_wavefronts(l.address, l.mask);
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
