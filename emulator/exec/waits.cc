// SPDX-License-Identifier: Apache-2.0
// Known by array, not by word: where one of its words is changed, all may be.
#include "emulator/exec/waits.h"

#include <bit>

#include "emulator/exec/memory_access.h"

namespace lockstep::emulator {
namespace {

bool is_ticket(uint8_t changes, const Decision& decision) {
  return !decision.any_value && (changes == kCountedUp || changes == kCountedDown);
}

bool is_atomic(OpClass op) {
  return op == OpClass::kGlobalAtomic || op == OpClass::kSharedAtomic ||
         op == OpClass::kGenericAtomic;
}

}  // namespace

void note_global_reading(const Instr& in, Warp& w, const uint64_t* address, uint32_t mask) {
  const Allocation* last = nullptr;
  for (; mask != 0; mask &= mask - 1) {
    const uint64_t at = address[std::countr_zero(mask)];
    if (last != nullptr && last->contains(at, at)) continue;
    last = w.worker->launch->memory->owner(at);
    if (last != nullptr && !last->read_only && !last->is_const)
      w.worker->readings.emplace(in.profile, last);
  }
}

// Accesses that are ordered by barriers alone do not race, or the kernel stops.
void note_shared_reading(const Instr& in, Warp& w) {
  const uint32_t others = w.block->shared.ordered(w.index) & ~(1u << w.index);
  const bool may_race = (in.sub & kOrdering) != 0 || others != 0;
  if (may_race && w.block->warps.size() > 1) w.worker->waits.insert(in.profile);
}

void note_shared_ticket(const Instr& in, Warp& w) {
  if (w.block->warps.size() > 1) w.worker->readings.emplace(in.profile, nullptr);
}

std::vector<int> find_waits(const Program& program, const std::vector<Worker>& workers,
                            const KernelProfile& profile) {
  std::set<int> out;
  const auto add = [&](uint32_t reading) {
    const uint32_t branch = program.decisions.at(reading).branch;
    if (profile.instructions[branch].warps > 0) out.insert(static_cast<int>(branch));
  };
  for (const auto& [reading, decision] : program.decisions) {
    const InstructionProfile& p = profile.instructions[reading];
    if (p.op == OpClass::kOther && p.warps > 0) add(reading);  // a clock
  }
  if (profile.warps_launched <= 1) return {out.begin(), out.end()};
  uint8_t shared = 0;
  for (const Worker& w : workers) shared |= w.shared_changes;
  for (const Worker& w : workers) {
    for (const uint32_t reading : w.waits) add(reading);
    for (const auto& [reading, array] : w.readings) {
      const uint8_t changes = array != nullptr ? array->changes.load() : shared;
      if (changes == 0) continue;
      const Decision& decision = program.decisions.at(reading);
      if (is_atomic(profile.instructions[reading].op) && is_ticket(changes, decision)) continue;
      add(reading);
    }
  }
  return {out.begin(), out.end()};
}

}  // namespace lockstep::emulator
