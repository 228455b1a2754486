// SPDX-License-Identifier: Apache-2.0
// Faults of memory accesses, in words: which array, how far outside, who did it.
#pragma once

#include "emulator/check/fault.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/global_races.h"

namespace lockstep::emulator {

[[noreturn]] void bounds_fault(const Instr& in, const Warp& w, int lane, const Allocation& a,
                               uint64_t address, uint32_t bytes, bool store);
[[noreturn]] void alignment_fault(const Instr& in, const Warp& w, int lane, const Allocation& a,
                                  uint64_t address, uint32_t bytes, bool store);
[[noreturn]] void read_only_fault(const Instr& in, const Warp& w, int lane, const Allocation& a,
                                  uint64_t address, uint32_t bytes);
[[noreturn]] void undefined_fault(const Instr& in, const Warp& w, int lane, const Allocation& a,
                                  uint64_t offset, uint32_t bytes);
// An address that belongs to no array: null, or wild.
[[noreturn]] void no_array_fault(const Instr& in, const Warp& w, int lane, uint64_t address,
                                 uint32_t bytes, bool store);
// offset: into shared memory, possibly far outside.
[[noreturn]] void shared_bounds_fault(const Instr& in, const Warp& w, int lane, uint64_t offset,
                                      uint32_t bytes, bool store);
// The same of one variable.
[[noreturn]] void shared_variable_fault(const Instr& in, const Warp& w, int lane,
                                        const Program::SharedVariable& v, uint64_t offset,
                                        uint32_t bytes, bool store);
[[noreturn]] void shared_alignment_fault(const Instr& in, const Warp& w, int lane, uint64_t offset,
                                         uint32_t bytes, bool store);
[[noreturn]] void shared_race_fault(const Instr& in, const Warp& w, int lane,
                                    const SharedConflict& conflict, bool store);
// What an asynchronous copy of a lane of warp `other` is on its way to.
[[noreturn]] void copy_fault(const Instr& in, const Warp& w, int lane, uint32_t unit,
                             const Warp& other, const AsyncCopy& copy, bool store);
// Its source was changed before its thread had waited for it.
[[noreturn]] void copy_source_fault(const Warp& w, const AsyncCopy& copy);
// unit: of LaunchState::races.
[[noreturn]] void global_race_fault(const Instr& in, const Warp& w, int lane, uint32_t unit,
                                    const GlobalConflict& conflict);
// Two lanes of one instruction store different values to one place; in global memory, in shared.
[[noreturn]] void same_element_fault(const Instr& in, const Warp& w, int lane, int other,
                                     uint32_t unit);
[[noreturn]] void same_place_fault(const Instr& in, const Warp& w, int lane, int other,
                                   uint64_t offset);
[[noreturn]] void local_fault(const Instr& in, const Warp& w, int lane, uint64_t offset,
                              uint32_t bytes, bool store);
[[noreturn]] void parameter_fault(const Instr& in, const Warp& w, int lane, uint64_t offset,
                                  uint32_t bytes);

}  // namespace lockstep::emulator
