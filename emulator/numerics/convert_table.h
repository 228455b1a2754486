// SPDX-License-Identifier: Apache-2.0
// cvt found at load time: every combination of types and modifiers that PTX allows between
// integers and floats of 8 to 64 bits, as one function from register bits to register bits.
// Users: the decoder of the interpreter (once an instruction) and the tests.
#pragma once

#include <cstdint>

#include "emulator/numerics/bits.h"

namespace lockstep::emulator::num {

enum class CvtType : uint8_t {
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kBf16,
  kF32,
  kF64,
};

struct CvtSpec {
  CvtType to = CvtType::kU32;
  CvtType from = CvtType::kU32;
  // .rn .rz .rm .rp or .rni .rzi .rmi .rpi. PTX asks for one wherever a rounding can happen; it is
  // ignored where none can.
  Round round = Round::kNearest;
  bool integral = false;  // .rni .rzi .rmi .rpi on float to float of one width
  bool ftz = false;
  bool sat = false;
  bool relu = false;       // f16 and bf16 from f32
  bool satfinite = false;  // the same
};

// Takes the source in the low bits (higher bits are ignored) and gives the destination in the low
// bits, zero- or sign-extended to 64 bits by the destination's type: what a wider register holds.
using CvtFunction = uint64_t (*)(uint64_t);

// Null when PTX has no such conversion.
CvtFunction find_cvt(const CvtSpec& spec);

}  // namespace lockstep::emulator::num
