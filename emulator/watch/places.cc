// SPDX-License-Identifier: Apache-2.0
#include "emulator/watch/places.h"

#include <bit>

namespace lockstep::emulator {
namespace {

constexpr uint64_t kOfShared = uint64_t{1} << 62, kOfLocal = uint64_t{1} << 63;
constexpr uint64_t kMostKept = 0xfffff;  // bytes

}  // namespace

uint32_t thread_of(const Warp& w, uint32_t lane) {
  const auto threads = static_cast<uint32_t>(w.worker->launch->block.count());
  return static_cast<uint32_t>(w.block->linear) * threads + w.index * 32 + lane;
}

uint64_t shared_key(const Warp& w, uint64_t offset) {
  return kOfShared | w.block->linear << 20 | (offset & kMostKept) >> 2;
}

Place place_of(const Instr& in, Warp& w, int lane) {
  const Program::Access& access = w.worker->program->accesses[in.aux];
  constexpr int kAddress = 4;
  const bool narrow = (in.sub & 1) != 0;  // the address register has 32 bits
  uint64_t address =
      narrow ? at<uint32_t>(w, in.o[kAddress])[lane] : at<uint64_t>(w, in.o[kAddress])[lane];
  address += static_cast<uint64_t>(in.imm);
  if (narrow) address = static_cast<uint32_t>(address);
  const Space space = access.space;
  const Window window = space == Space::kNone ? window_of(address) : Window::kNone;
  if (window != Window::kNone) address -= window_begin(window);
  if (space == Space::kShared || window == Window::kShared)
    return {Place::In::kShared, shared_key(w, shared_offset(address))};
  if (space == Space::kLocal || window == Window::kLocal) {
    const uint64_t thread = thread_of(w, static_cast<uint32_t>(lane));
    return {Place::In::kLocal, kOfLocal | thread << 20 | (address & kMostKept) >> 2};
  }
  return {Place::In::kGlobal, address};
}

uint32_t shared_words(const Instr& in, Warp& w, uint32_t mask, uint64_t* offsets) {
  uint32_t shared = 0;
  if (w.worker->program->accesses[in.aux].space == Space::kGlobal) return 0;
  for (; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    const Place place = place_of(in, w, lane);
    if (place.in != Place::In::kShared) continue;
    offsets[lane] = (place.at & kMostKept >> 2) << 2;
    shared |= 1u << lane;
  }
  return shared;
}

}  // namespace lockstep::emulator
