// SPDX-License-Identifier: Apache-2.0
// How the decoder lays out a barrier's operands in an Instr.
#pragma once

#include <cstdint>

namespace lockstep::emulator {

inline constexpr int kBarrierResult = 0;  // bar.red
inline constexpr int kBarrierId = 1;
inline constexpr int kBarrierCount = 2;      // threads; kNoOperand: the whole block
inline constexpr int kBarrierPredicate = 3;  // bar.red

inline constexpr uint8_t kBarrierArrive = 1;  // Instr::sub

enum class BarrierReduction : uint16_t { kNone, kPopc, kAnd, kOr };  // Instr::wide

}  // namespace lockstep::emulator
