// SPDX-License-Identifier: Apache-2.0
// The choice between the two versions of every handler.
#include "emulator/lanes/lanes.h"

namespace lockstep::emulator {

bool processor_is_v3() {
  // Every processor with AVX2 and FMA that was made has LZCNT and F16C too, and Clang's builtin
  // does not know the names of these two.
  static const bool is_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                            __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                            __builtin_cpu_supports("popcnt");
  return is_v3;
}

}  // namespace lockstep::emulator
