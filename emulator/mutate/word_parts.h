// SPDX-License-Identifier: Apache-2.0
// What the words of code are made of. Private to this room.
#pragma once

#include <string_view>

namespace lockstep::emulator::words {

inline constexpr int kDeepest = 12;  // of an expression's operations
// How tightly operations bind.
inline constexpr int kCompares = 1, kBits = 2, kShifts = 3, kAdds = 4, kMultiplies = 5, kUnary = 6;
inline constexpr char kUnknown[] = "(?)";
// Whether a part of it has no words.
inline bool is_unknown(std::string_view text) { return text.find(kUnknown) != text.npos; }
inline constexpr int kLongName = 30;                          // columns
inline constexpr std::string_view kLocals = "__local_depot";  // what the compiler calls them

}  // namespace lockstep::emulator::words
