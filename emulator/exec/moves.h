// SPDX-License-Identifier: Apache-2.0
// Handlers that move registers about: packing and unpacking, parameters of device functions (which
// are 32-bit words of the frame), uniform values, addresses of local variables.
#pragma once

#include "emulator/exec/handler.h"

namespace lockstep::emulator {

// mov.b64 d, {a, b}: count pieces of `piece` bytes (o[1], o[2], ...) into o[0].
Handler find_pack(int bytes, int pieces);
// mov.b64 {a, b}, s: o[1] into pieces at o[0], o[2], o[3], o[4]; kNoOperand: dropped.
Handler find_unpack(int bytes, int pieces);

// Words of a frame as a parameter. o[0] word (or register), o[1] register (or word).
// imm: the byte within the word.
Handler find_store_word(int bytes, int register_bytes);
Handler find_load_word(int bytes, int register_bytes, bool sign);

// ld.param of a kernel: imm offset into the parameters; bytes of them into o[0], extended.
Handler find_load_parameter(int bytes, int register_bytes, bool sign);

// o[0] = offset imm in the running function's local memory; 4 or 8 bytes.
Handler find_local_address(int register_bytes);
// cvta: o[0] = o[1] | imm (to generic), or o[1] & imm (from generic).
Handler find_or_address();
Handler find_and_address();
// isspacep: o[0] = o[1] lies in the Window imm; kNone: global or constant.
Handler find_is_space();
// %clock and its kin: sub 0: clock, 1: clock64, 2: clock_hi, 3: globaltimer, 4: smid,
// 5: globaltimer_hi.
Handler find_clock(int register_bytes);
// activemask
Handler find_active_mask();
// fence, prefetch: nothing to do.
Handler find_nothing();
// A combination of setp: o[0] = o[1] op o[2], o[3] = !o[1] op o[2]; sub 0: and, 1: or, 2: xor,
// 3: o[1] alone; imm is xored into o[2].
Handler find_combine();

}  // namespace lockstep::emulator
