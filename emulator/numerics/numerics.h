// SPDX-License-Identifier: Apache-2.0
// All of the PTX arithmetic in one include. What is where: bits.h modes and casts; float32.h,
// float64.h, half.h arithmetic; approx.h the approximate functions; compare.h setp, min, max;
// integer.h and bitops.h integers; convert.h cvt, and convert_table.h cvt found by type and mode;
// exact.h and soft64.h the exact sums behind the directed rounding modes.
#pragma once

#include "emulator/numerics/approx.h"
#include "emulator/numerics/bitops.h"
#include "emulator/numerics/bits.h"
#include "emulator/numerics/compare.h"
#include "emulator/numerics/convert.h"
#include "emulator/numerics/convert_table.h"
#include "emulator/numerics/float32.h"
#include "emulator/numerics/float64.h"
#include "emulator/numerics/half.h"
#include "emulator/numerics/integer.h"
