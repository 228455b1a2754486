// SPDX-License-Identifier: Apache-2.0
// Operations that lose a part of what they are given: a fraction, a remainder, bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::emulator {

enum class LossKind : uint8_t {
  kNone,
  kFraction,    // a floating point number made a whole one
  kRemainder,   // a division of whole numbers
  kShiftedOut,  // a shift to the right
  kCut,         // a whole number put into fewer bits
  kNarrowed,    // a double made a float
  kCancelled,   // a sum that is small beside what is added: what that lacks since it was rounded
  kRounded      // another sum or product that is no number of the type; without words
};

struct Loss {
  LossKind kind = LossKind::kNone;
  std::string from;  // "0.64", "7 / 2", "5 >> 1"
  std::string to;    // what became of it
  // kCancelled: of the sum, what one rounding of the larger operand is. kRounded: at most so much,
  // to a power of two.
  double share = 0;
};

// What an instruction with that opcode of the PTX may lose.
LossKind loss_kind_of(const std::string& opcode);

// Whether it loses something of operands with these bits, of the width that the opcode's end tells.
std::optional<Loss> loss_in(LossKind kind, const std::string& opcode, uint64_t a, uint64_t b,
                            uint64_t c = 0);

}  // namespace lockstep::emulator
